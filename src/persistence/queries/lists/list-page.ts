import type { EntityManager } from '../../orm.ts'
import { type JsonRow, plainRows } from '../../rows.ts'
import type { SqlCondition } from './list-conditions.ts'
import type { ListEntity } from './list-entity.ts'
import { type Page, type PageRequest, TOTAL_COUNT_MAX } from './page.ts'

/** A part of a table in an order. */
export interface ListSource {
  entity: ListEntity
  columns: readonly string[]
  /** The two columns of the order; an index has them right after the filtered columns. */
  order: readonly [string, string]
  /** The rows that a cursor may name. */
  whole: SqlCondition
  /** The rows that the list shows. */
  listed: SqlCondition
  /** SQL before the statement. */
  preamble?: SqlCondition
}

const NO_PREAMBLE: SqlCondition = { sql: '', values: [] }

/** Related data that the presenter of a row needs. */
export interface Beside {
  /** JSON in SQL; the row is named `found`. */
  sql: string
  /** Receives the related data, by row. */
  kept: Map<object, unknown>
}

interface Answer {
  total: string
  has_place: boolean
  found: readonly { row: JsonRow; beside: unknown }[]
}

/**
 * Reads a page, its related data and the number of rows of the list, in one statement. The database reads the position of
 * the cursor itself, since a JavaScript date is less exact than a timestamp.
 *
 * @returns null where the cursor is no row of the list.
 */
export async function readPage(
  em: EntityManager,
  { entity, columns, order, whole, listed, preamble = NO_PREAMBLE }: ListSource,
  { limit, order: asked, cursor }: PageRequest,
  beside?: Beside,
): Promise<Page<object> | null> {
  const { tableName } = em.getMetadata(entity)
  // The page before a cursor is read backwards and then reversed.
  const isBackwards = cursor?.side === 'before'
  const isAscending = (asked === 'asc') !== isBackwards
  const direction = isAscending ? 'asc' : 'desc'
  const place = cursor === null ? null : `from "${tableName}" where ${whole.sql} and id = ?`
  const placeValues = cursor === null ? [] : [...whole.values, cursor.id]
  const beyond = place === null ? '' : `and (${order}) ${isAscending ? '>' : '<'} (select ${order} ${place})`
  // Counts in the order of the list, so that its index is enough; in any order PostgreSQL would read the table itself.
  const counted = `select from "${tableName}" where ${listed.sql} order by ${order[0]} desc, ${order[1]} desc limit ?`
  const [answer] = await em.execute<Answer[]>(
    `${preamble.sql}
     select (select count(*) from (${counted}) counted) as total,
       ${place === null ? 'true' : `exists (select ${place})`} as has_place,
       (select coalesce(json_agg(json_build_object('row', row_to_json(found), 'beside', ${beside?.sql ?? 'null'})), '[]')
         from (select ${columns.map((name) => `"${name}"`)} from "${tableName}" where ${listed.sql} ${beyond}
                order by ${order[0]} ${direction}, ${order[1]} ${direction} limit ?) found) as found`,
    // One row more than the limit shows whether there are more.
    [
      ...preamble.values,
      ...[...listed.values, TOTAL_COUNT_MAX + 1],
      ...placeValues,
      ...[...listed.values, ...placeValues, limit + 1],
    ],
  )
  if (answer?.has_place !== true) return null
  const total = Number(answer.total)
  const makeRow = plainRows(em, entity)
  const rows = answer.found.slice(0, limit).map(({ row: json, beside: more }) => {
    const row = makeRow(json)
    beside?.kept.set(row, more)
    return row
  })
  return {
    rows: isBackwards ? rows.reverse() : rows,
    hasMore: answer.found.length > limit,
    totalCount: Math.min(total, TOTAL_COUNT_MAX),
    isTotalCapped: total > TOTAL_COUNT_MAX,
  }
}

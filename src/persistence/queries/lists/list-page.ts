import type { EntityManager } from '../../orm.ts'
import { type JsonRow, plainRows } from '../../rows.ts'
import type { SqlCondition } from './list-conditions.ts'
import type { ListEntity } from './list-entity.ts'
import { type Page, type PageRequest, TOTAL_COUNT_MAX } from './page.ts'

/** A part of a table in its order. */
export interface ListSource {
  entity: ListEntity
  columns: readonly string[]
  /** The two columns of its order, of which an index begins with what the list is narrowed by. */
  order: readonly [string, string]
  /** Where a cursor may stand. */
  whole: SqlCondition
  /** What is shown of it. */
  listed: SqlCondition
  /** Before the statement. */
  preamble?: SqlCondition
}

const NO_PREAMBLE: SqlCondition = { sql: '', values: [] }

/** What the presenter of a row needs beside it. */
export interface Beside {
  /** JSON in SQL on a row named `found`. */
  sql: string
  /** Takes what was found, by the row. */
  kept: Map<object, unknown>
}

interface Answer {
  total: string
  has_place: boolean
  found: readonly { row: JsonRow; beside: unknown }[]
}

/**
 * Reads a page, what is beside its rows, and how many rows the list has, in one statement. The place of the cursor is read by
 * the database itself, since a date of JavaScript has fewer digits than a timestamp.
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
  // The page before a cursor is read away from it and turned round.
  const isBackwards = cursor?.side === 'before'
  const isAscending = (asked === 'asc') !== isBackwards
  const direction = isAscending ? 'asc' : 'desc'
  const place = cursor === null ? null : `from "${tableName}" where ${whole.sql} and id = ?`
  const placeValues = cursor === null ? [] : [...whole.values, cursor.id]
  const beyond = place === null ? '' : `and (${order}) ${isAscending ? '>' : '<'} (select ${order} ${place})`
  // In the order of the list, whose index then holds all that is counted; in any order the table itself would be read.
  const counted = `select from "${tableName}" where ${listed.sql} order by ${order[0]} desc, ${order[1]} desc limit ?`
  const [answer] = await em.execute<Answer[]>(
    `${preamble.sql}
     select (select count(*) from (${counted}) counted) as total,
       ${place === null ? 'true' : `exists (select ${place})`} as has_place,
       (select coalesce(json_agg(json_build_object('row', row_to_json(found), 'beside', ${beside?.sql ?? 'null'})), '[]')
         from (select ${columns.map((name) => `"${name}"`)} from "${tableName}" where ${listed.sql} ${beyond}
                order by ${order[0]} ${direction}, ${order[1]} ${direction} limit ?) found) as found`,
    // One row more than wanted tells whether there are more.
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

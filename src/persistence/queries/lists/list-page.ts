import type { EntityManager } from '../../orm.ts'
import { type JsonRow, plainRows } from '../../rows.ts'
import type { FirstRows } from './by-status.ts'
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
  /** What the first rows in an order are looked up in; by default the table. */
  from?: (direction: 'asc' | 'desc', first: FirstRows) => SqlCondition
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
 * @throws DriverException of SQLSTATE 57014 where it takes longer than `withinMs`.
 */
export async function readPage(
  em: EntityManager,
  { entity, columns, order, whole, listed, preamble = NO_PREAMBLE, ...source }: ListSource,
  { limit, order: asked, cursor, withinMs }: PageRequest,
  beside?: Beside,
): Promise<Page<object> | null> {
  const { tableName } = em.getMetadata(entity)
  const { from = () => ({ sql: `"${tableName}"`, values: [] }) } = source
  // The page before a cursor is read backwards and then reversed.
  const isBackwards = cursor?.side === 'before'
  const isAscending = (asked === 'asc') !== isBackwards
  const direction = isAscending ? 'asc' : 'desc'
  const place = cursor === null ? null : `from "${tableName}" where ${whole.sql} and id = ?`
  const placeValues = cursor === null ? [] : [...whole.values, cursor.id]
  const beyond = place === null ? '' : `and (${order}) ${isAscending ? '>' : '<'} (select ${order} ${place})`
  const onward = { sql: `${listed.sql} ${beyond}`, values: [...listed.values, ...placeValues] }
  const newest = from('desc', { where: listed, limit: TOTAL_COUNT_MAX + 1 })
  // One row more than the limit shows whether there are more.
  const next = from(direction, { where: onward, limit: limit + 1 })
  const keys = [...new Set([...order, 'id'])].join(', ')
  const inOrder = `order by ${order[0]} ${direction}, ${order[1]} ${direction} limit ?`
  // What few rows meet is looked for once: where the count knows them all, the page is some of them. In the order of the list,
  // so that its index is enough; in any order PostgreSQL would read the table itself.
  const sql = `
    ${preamble.sql === '' ? 'with' : `${preamble.sql},`} listed as materialized (
      select ${keys} from ${newest.sql} where ${listed.sql} order by ${order[0]} desc, ${order[1]} desc limit ?),
    counted as materialized (select count(*) as total from listed),
    page as (
      (select ${keys} from listed where (select total from counted) <= ${TOTAL_COUNT_MAX} ${beyond} ${inOrder})
      union all
      (select ${keys} from ${next.sql}
        where (select total from counted) > ${TOTAL_COUNT_MAX} and ${onward.sql} ${inOrder}))
    select (select total from counted) as total,
      ${place === null ? 'true' : `exists (select ${place})`} as has_place,
      (select coalesce(json_agg(json_build_object('row', row_to_json(found), 'beside', ${beside?.sql ?? 'null'})), '[]')
        from (select ${columns.map((name) => `"${name}"`)} from "${tableName}" where id in (select id from page)
               order by ${order[0]} ${direction}, ${order[1]} ${direction}) found) as found`
  const values = [
    ...preamble.values,
    ...[...newest.values, ...listed.values, TOTAL_COUNT_MAX + 1],
    ...[...placeValues, limit + 1],
    ...[...next.values, ...onward.values, limit + 1],
    ...placeValues,
  ]
  const ask = (on: EntityManager) => on.execute<Answer[]>(sql, values)
  const [answer] = withinMs === undefined ? await ask(em) : await withinTime(em, withinMs, ask)
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

/** Asks in a database transaction whose statements may take so long. */
function withinTime<Result>(
  em: EntityManager,
  milliseconds: number,
  ask: (on: EntityManager) => Promise<Result>,
): Promise<Result> {
  return em.transactional(async (on) => {
    await on.execute(`set local statement_timeout = ${milliseconds}`)
    return ask(on)
  })
}

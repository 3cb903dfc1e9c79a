import type { Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'
import type { Scope } from '../scope.ts'
import type { ExportTable } from './export-tables.ts'

/** Rows of one statement: a fraction of a second, and a megabyte at most. */
const PAGE = 1_000

/** A row by the names of its columns, and the currency of its amounts. */
export type ExportRow = Readonly<Record<string, string | null>>

interface Found {
  values: ExportRow
  /** Exact to the microsecond, which a date of JavaScript is not. */
  at: string
  id: string
}

/**
 * The rows of a table that were created in a time span, the oldest first, a page at a time. No database transaction stays
 * open between two pages, so that a slow reader holds up nothing; a row that is changed meanwhile is read as it is then.
 */
export async function* readExport(
  orm: Orm,
  { projectId, sandbox }: Scope,
  { from, where = 'true', columns }: ExportTable,
  span: { from: Date; until: Date },
): AsyncGenerator<ExportRow[]> {
  const values = columns.map(({ name, sql }) => `'${name}', (${sql})::text`).join(', ')
  const sql = `
    select json_build_object(${values}) as values, exported.created_at::text as at, exported.id
      from ${from}
     where exported.project_id = $1 and exported.sandbox = $2 and ${where}
       and (exported.created_at, exported.id) > ($3::timestamptz, $4) and exported.created_at < $5
     order by exported.created_at, exported.id limit ${PAGE}`
  for (let after: Pick<Found, 'at' | 'id'> = { at: span.from.toISOString(), id: '' }; ; ) {
    const rows: Found[] = await execute(orm, sql, [projectId, sandbox, after.at, after.id, span.until])
    if (rows.length > 0) yield rows.map((row) => row.values)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last
  }
}

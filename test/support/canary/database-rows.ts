import { Client } from 'pg'

/** Runs one statement on a database. */
export type Ask = (statement: string) => Promise<Record<string, string>[]>

/** Names of migrations with fourteen digits and hashes, which may look like anything; nobody's data is among them. */
const LEFT_OUT = ['applied_sql']

/** Few enough that they make a string, which has at most half a gigabyte. */
const ROWS_OF_A_TEXT = 20_000

/** Every row of every table as one JSON object a line, so that a text can be told from a number; in texts of some rows each. */
export async function readRows(ask: Ask): Promise<string[]> {
  const tables = await ask(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')
        and tablename not in (${LEFT_OUT.map((name) => `'${name}'`).join(', ')})`,
  )
  // One statement for all of them: each connection more costs the server ten times what the rows do.
  const rowsOf = (names: string[], row: string) =>
    ask(names.map((name) => `select '${name} ' || ${row} as row from ${name} t`).join(' union all '))
  const names = tables.map(({ name }) => String(name))
  if (names.length === 0) return []
  const rows = await rowsOf(names, 'to_jsonb(t)::text').catch(async () => {
    // A test may leave a column behind that is no JSON; then the row is read as PostgreSQL prints it.
    const contents: Record<string, string>[][] = []
    for (const name of names) {
      contents.push(await rowsOf([name], 'to_jsonb(t)::text').catch(() => rowsOf([name], 't::text')))
    }
    return contents.flat()
  })
  const lines = rows.map(({ row }) => row)
  return Array.from({ length: Math.ceil(lines.length / ROWS_OF_A_TEXT) }, (_, index) =>
    lines.slice(index * ROWS_OF_A_TEXT, (index + 1) * ROWS_OF_A_TEXT).join('\n'),
  )
}

/** Opens one connection to a database for a few statements. */
export async function askDatabase<Result>(url: string, question: (ask: Ask) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  // Where the connection is ended from outside, the statement under way fails, which is told where it was asked.
  client.on('error', () => {})
  await client.connect()
  try {
    return await question(async (statement) => (await client.query(statement)).rows)
  } finally {
    await client.end()
  }
}

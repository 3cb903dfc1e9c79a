import { MikroORM } from '@mikro-orm/postgresql'

/** Runs one statement on a database. */
export type Ask = (statement: string) => Promise<Record<string, string>[]>

/** The names of migrations begin with fourteen digits, which may look like anything; nobody's data is among them. */
const LEFT_OUT = ['mikro_orm_migrations']

/** Every row of every table as one JSON object a line, so that a text can be told from a number. */
export async function readRows(ask: Ask): Promise<string> {
  const tables = await ask(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')
        and tablename not in (${LEFT_OUT.map((name) => `'${name}'`).join(', ')})`,
  )
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      // A test may leave a column behind that is no JSON; then the row is read as PostgreSQL prints it.
      const rows = await ask(`select to_jsonb(t)::text as row from ${name} t`).catch(() =>
        ask(`select t::text as row from ${name} t`),
      )
      return rows.map(({ row }) => `${name} ${row}`)
    }),
  )
  return contents.flat().join('\n')
}

/** Opens one connection to a database for a few statements. */
export async function askDatabase<Result>(url: string, question: (ask: Ask) => Promise<Result>): Promise<Result> {
  // Getting to know the entities takes most of the time, and statements need none of them.
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
  })
  try {
    const connection = orm.em.getConnection()
    return await question((statement) => connection.execute(statement))
  } finally {
    await orm.close(true)
  }
}

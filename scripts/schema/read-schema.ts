import type { EntityManager } from '../../src/persistence/orm.ts'

const INTRODUCTION = `-- The schema as the migrations and sql/functions leave it, written by \`npm run schema\` from the catalog of PostgreSQL, to
-- be read: what it is for is told where it is made. A test fails where it is not current.`

const OWN = `namespace.nspname in ('public', 'simulator')`

/** Each gives \`name\` and \`definition\`. An identity column has a sequence of its own, which is no object of ours. */
const SEQUENCES = `
  select oid::regclass::text as name, 'create sequence ' || oid::regclass as definition
    from pg_class where relkind = 'S' and relnamespace in (select oid from pg_namespace namespace where ${OWN})
     and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i') and refobjsubid > 0)`

const DOMAINS = `
  select pg_type.oid::regtype::text as name,
         concat_ws(' ', 'create domain', pg_type.oid::regtype, 'as', format_type(typbasetype, typtypmod),
           case when typnotnull then 'not null' end,
           (select string_agg(pg_get_constraintdef(oid, true), ' ' order by conname) from pg_constraint
             where contypid = pg_type.oid and contype = 'c')) as definition
    from pg_type join pg_namespace namespace on namespace.oid = typnamespace where ${OWN} and typtype = 'd'`

const FUNCTIONS = `
  select pg_proc.oid::regprocedure::text as name, rtrim(pg_get_functiondef(pg_proc.oid), E'\\n') as definition
    from pg_proc join pg_namespace namespace on namespace.oid = pronamespace where ${OWN}`

const TABLES = `
  select pg_class.oid::regclass::text as name,
    (select array_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
        case when attidentity = 'a' then 'generated always as identity'
             when attgenerated = 's' then 'generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
             else 'default ' || pg_get_expr(adbin, adrelid, true) end,
        case when attnotnull then 'not null' end) order by attnum)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
    (select array_agg(concat('constraint ', quote_ident(conname), ' ', pg_get_constraintdef(oid, true))
        order by array_position('{p,u,f,c}', contype::text), conname)
      from pg_constraint where conrelid = pg_class.oid and contype in ('p', 'u', 'f', 'c')) as constraints,
    ' with (' || array_to_string(reloptions, ', ') || ')' as options,
    (select array_agg(pg_get_indexdef(indexrelid, 0, true) order by indexrelid::regclass::text) from pg_index
      where indrelid = pg_class.oid
        and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))) as indexes,
    (select array_agg(pg_get_statisticsobjdef(oid) order by stxname) from pg_statistic_ext
      where stxrelid = pg_class.oid) as statistics,
    (select array_agg(pg_get_triggerdef(oid, true) order by tgname) from pg_trigger
      where tgrelid = pg_class.oid and not tgisinternal) as triggers
  from pg_class join pg_namespace namespace on namespace.oid = relnamespace where ${OWN} and relkind = 'r'`

interface Definition {
  name: string
  definition: string
}

interface Table {
  name: string
  columns: string[]
  constraints: string[] | null
  options: string | null
  indexes: string[] | null
  statistics: string[] | null
  triggers: string[] | null
}

/** The schema of a database as SQL that reads the same whenever the catalog is the same. */
export async function readSchema(em: EntityManager): Promise<string> {
  const read = async <Row extends { name: string }>(sql: string) =>
    (await em.execute<Row[]>(sql)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const definitions = async (sql: string) => (await read<Definition>(sql)).map(({ definition }) => `${definition};`)
  const parts = [
    ...(await definitions(DOMAINS)),
    ...(await definitions(SEQUENCES)),
    ...(await read<Table>(TABLES)).map(tableText),
    ...(await definitions(FUNCTIONS)),
  ]
  return `${[INTRODUCTION, ...parts].join('\n\n')}\n`
}

function tableText({ name, columns, constraints, options, indexes, statistics, triggers }: Table): string {
  const lines = [...columns, ...(constraints ?? [])].map((line) => `  ${line}`)
  const table = `create table ${name} (\n${lines.join(',\n')}\n)${options ?? ''};`
  const others = [indexes, statistics, triggers].flatMap((definitions) => definitions ?? [])
  return [table, ...others.map((definition) => `${definition};`)].join('\n')
}

import { readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { migrate } from '../../src/database/migrator.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { openForFile } from '../support/for-file.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { server } from '../support/servers.ts'

const RIGHTS = new URL('../../deploy/postgres-rights.sql', import.meta.url)
/** No superuser, as in the compose file. */
const OWNER = `owner_${process.pid}`

const database = databaseForFile()
const open = async (databaseUrl: string) => {
  const orm = await createOrm({ databaseUrl, poolMax: 1 })
  return { orm, close: () => orm.close(true) }
}
const service = openForFile(() => open(database.url))
const execute = <Row>(orm: Orm, sql: string) => orm.em.fork().execute<Row[]>(sql)

/** What of the database's own the service may not use as it must. */
const LACKING = `
  select oid::regclass::text as name from pg_class
   where relnamespace in ('public'::regnamespace, 'simulator'::regnamespace) and relname not like 'applied_sql%' and (
     relkind = 'r' and not (has_table_privilege('holdfast_service', oid, 'select')
       and has_table_privilege('holdfast_service', oid, 'insert')
       and has_table_privilege('holdfast_service', oid, 'update')
       and has_table_privilege('holdfast_service', oid, 'delete'))
     or relkind = 'S' and not has_sequence_privilege('holdfast_service', oid, 'usage'))
  union all
  select proname from pg_proc
   where pronamespace = 'public'::regnamespace and not has_function_privilege('holdfast_service', oid, 'execute')
  union all
  select nspname from pg_namespace
   where nspname in ('public', 'simulator') and not has_schema_privilege('holdfast_service', oid, 'usage')`

describe("the service's own user of its database", () => {
  test('may read and write every row but those about migrations, also where the owner who migrates is no superuser', async () => {
    expect(await execute(database.orm, LACKING)).toEqual([])
    const admin = database.orm.em.fork()
    const name = `${database.name}_owned`
    await admin.execute(`create role ${OWNER} login password 'of-tests'`)
    await admin.execute(`create database ${name} owner ${OWNER} template template0`)
    const address = Object.assign(new URL((await server('postgres')).url), { pathname: name })
    const owned = await open(Object.assign(new URL(address), { username: OWNER, password: 'of-tests' }).href)
    try {
      await execute(owned.orm, (await readFile(RIGHTS, 'utf8')).replaceAll(/\bholdfast(?= grant)/g, OWNER))
      await migrate(owned.orm)
      expect(await execute(owned.orm, LACKING)).toEqual([])
    } finally {
      await owned.close()
      await admin.execute(`drop database ${name} with (force)`)
      await admin.execute(`drop role ${OWNER}`)
    }
  })

  const REFUSED = '42501'
  test.each([
    ['switches off a trigger', 'alter table audit_entry disable trigger all', REFUSED],
    ['writes without triggers', "set session_replication_role = 'replica'", REFUSED],
    ['drops one', 'drop trigger append_only on audit_entry', REFUSED],
    ['empties the log', 'truncate audit_entry', REFUSED],
    ['removes the log', 'drop table audit_entry', REFUSED],
    ['makes a table', 'create table public.audit_copy ()', REFUSED],
    ['replaces a function', 'alter function refuse_change_of_audit() rename to nothing', REFUSED],
    ['has a migration run again', 'delete from applied_sql', REFUSED],
    ['says that one was run', "insert into applied_sql values ('x', 'x', now())", REFUSED],
    ['says that it was another one', "update applied_sql set hash = 'x'", REFUSED],
    ['changes an entry', "update audit_entry set actor = 'nobody'", '23001'],
    ['removes an entry', 'delete from audit_entry', '23001'],
    ['removes a checkpoint', 'delete from audit_checkpoint', '23001'],
  ])('never %s', async (_, statement, code) => {
    await expect(execute(service.orm, statement)).rejects.toMatchObject({ code })
  })
})

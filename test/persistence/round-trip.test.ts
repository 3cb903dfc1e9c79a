import { beforeAll, describe, expect, test } from '@jest/globals'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows, TABLES } from './insert-rows.ts'
import { makeRows } from './rows.ts'

/** What the database writes by itself. */
const GIVEN = {
  attempt: { position: expect.any(Number) },
  result: { position: expect.any(Number) },
  gatewayNotification: { id: expect.any(Number) },
}

/** Tables that only statements and triggers write, which have tests of their own. */
const WITHOUT_ENTITY: readonly string[] = [
  'rate_limit_bucket',
  'audit_entry',
  'audit_waiting',
  'audit_checkpoint',
  'service_key',
  'advice_block',
  'payment_pick_up',
  'payment_status',
  'person_session',
  'person_passkey',
  'recovery_code',
  'invitation',
  'sign_in_failure',
  'limit_minute',
  'payment_day',
  'settlement_line',
]

describe('a row with every column', () => {
  const rows = makeRows('roundtrip')
  const database = databaseForFile()

  beforeAll(async () => {
    await insertRows(database.orm.em.fork(), rows)
  })

  test.each(TABLES)('of %s is read as it was written', async (name, entity) => {
    const written: object = rows[name]
    const [primaryKey = ''] = database.orm.getMetadata(entity as never).primaryKeys
    const key = primaryKey in written ? { [primaryKey]: written[primaryKey as keyof typeof written] } : {}
    const [read] = await database.orm.em.fork().find(entity as never, key as never, { disableIdentityMap: true })
    expect({ ...(read as unknown as object) }).toEqual({ ...written, ...GIVEN[name as keyof typeof GIVEN] })
  })

  test('has a value in every column, so that the test above leaves none out', async () => {
    const columns: { table_name: string; column_name: string }[] = await database.orm.em
      .getConnection()
      .execute("select table_name, column_name from information_schema.columns where table_schema = 'public'")
    const empty: string[] = []
    for (const { table_name: table, column_name: column } of columns) {
      if (table.startsWith('mikro_orm') || table.startsWith('simulator') || WITHOUT_ENTITY.includes(table)) continue
      const [row] = await database.orm.em
        .getConnection()
        .execute<{ filled: string }[]>(`select count("${column}") as filled from "${table}"`)
      if (Number(row?.filled) === 0) empty.push(`${table}.${column}`)
    }
    expect(empty).toEqual([])
  })
})

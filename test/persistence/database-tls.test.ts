import { describe, expect, test } from '@jest/globals'
import { databaseTls, hostInPlain } from '../../src/persistence/database-tls.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { server } from '../support/servers.ts'

describe('sslmode in the address of the database', () => {
  test.each(['require', 'verify-full', 'no-verify'])('%s never ends as a connection in plain', async (mode) => {
    const url = new URL((await server('postgres')).url)
    url.searchParams.set('sslmode', mode)
    const orm = await createOrm({ databaseUrl: url.href })
    // The server of the tests has no certificate.
    await expect(orm.em.execute('select 1')).rejects.toThrow('does not support SSL')
    await orm.close(true)
  })

  test('disable, and none, connect in plain', async () => {
    const url = new URL((await server('postgres')).url)
    for (const mode of [undefined, 'disable']) {
      if (mode !== undefined) url.searchParams.set('sslmode', mode)
      const orm = await createOrm({ databaseUrl: url.href })
      await orm.em.execute('select 1')
      await orm.close(true)
    }
  })

  test('verifies who answers, unless it says that it does not', () => {
    expect(databaseTls('postgresql://db/x?sslmode=require')).toEqual({ rejectUnauthorized: true })
    expect(databaseTls('postgresql://db/x?sslmode=verify-full')).toEqual({ rejectUnauthorized: true })
    expect(databaseTls('postgresql://db/x?sslmode=no-verify')).toEqual({ rejectUnauthorized: false })
  })
})

test.each([
  ['postgresql://user:secret@db.example/x', 'db.example'],
  ['postgresql://db.example/x?sslmode=disable', 'db.example'],
  ['postgresql://10.0.0.5:5432/x', '10.0.0.5'],
  ['postgresql://localhost/x?host=db.example', 'db.example'],
  ['postgresql://localhost.example/x', 'localhost.example'],
  ['postgresql://db.example/x?sslmode=require', null],
  ['postgresql://db.example/x?sslmode=verify-full', null],
  ['postgresql://db.example/x?sslmode=no-verify', null],
  ['postgresql://localhost/x', null],
  ['postgresql://127.0.0.1:5432/x', null],
  ['postgresql://[::1]/x', null],
  ['postgresql://db.example/x?host=/run/postgresql', null],
  ['postgresql://user@%2Frun%2Fpostgresql/x', null],
])('%s leads in plain to %s', (address, host) => {
  expect(hostInPlain(address)).toBe(host)
})

import { describe, expect, test } from '@jest/globals'
import { databaseTls } from '../../src/persistence/database-tls.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { server } from '../support/servers.ts'

describe('sslmode in the address of the database', () => {
  test.each(['require', 'verify-full', 'no-verify'])('%s never ends as a connection in plain', async (mode) => {
    const url = new URL((await server('postgres')).url)
    url.searchParams.set('sslmode', mode)
    const orm = await createOrm({ databaseUrl: url.href })
    // The server of the tests has no certificate.
    await expect(orm.connect()).rejects.toThrow('does not support SSL')
    await orm.close(true)
  })

  test('disable, and none, connect in plain', async () => {
    const url = new URL((await server('postgres')).url)
    for (const mode of [undefined, 'disable']) {
      if (mode !== undefined) url.searchParams.set('sslmode', mode)
      const orm = await createOrm({ databaseUrl: url.href })
      await orm.connect()
      await orm.close(true)
    }
  })

  test('verifies who answers, unless it says that it does not', () => {
    expect(databaseTls('postgresql://db/x?sslmode=require')).toEqual({ rejectUnauthorized: true })
    expect(databaseTls('postgresql://db/x?sslmode=verify-full')).toEqual({ rejectUnauthorized: true })
    expect(databaseTls('postgresql://db/x?sslmode=no-verify')).toEqual({ rejectUnauthorized: false })
  })
})

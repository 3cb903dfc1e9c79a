import { expect, test } from '@jest/globals'
import { DriverException } from '@mikro-orm/postgresql'
import { isDatabaseUnavailable, loggableDatabaseError } from '../../src/persistence/database-error.ts'

const withCode = (code: string): Error => Object.assign(new Error('x'), { code })

test.each([
  ['a refused connection', withCode('ECONNREFUSED')],
  ['a lost connection', withCode('ECONNRESET')],
  ['a server that shuts down', withCode('57P01')],
  ['a server that starts', withCode('57P03')],
  ['too many connections', withCode('53300')],
  ['a full disk', withCode('53100')],
  ['files that are gone', withCode('58P01')],
  ['a statement that took too long', withCode('57014')],
  ['a session that stood still within a transaction', withCode('25P03')],
  ['a statement that was not answered', new Error('Query read timeout')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  [
    'a host with two addresses that both refuse',
    new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]),
  ],
  ['an error around one of these', new Error('x', { cause: withCode('ECONNREFUSED') })],
])('%s means that the database is out of reach', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test.each([
  ['a broken rule', withCode('23505')],
  ['a wrong statement', withCode('42601')],
  ['a lock that somebody else holds', withCode('55P03')],
  ['a defect', new TypeError('x')],
  ['something that is no error', 'ECONNREFUSED'],
])('%s does not', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false)
})

test('of a database error only names are logged', () => {
  const previous = Object.assign(new Error('duplicate key: Key (name)=(Ann Example)'), {
    code: '23505',
    table: 'invoice',
    constraint: 'invoice_pkey',
    detail: 'Key (name)=(Ann Example)',
  })
  const logged = loggableDatabaseError(new DriverException(previous))
  expect(logged).toMatchObject({ type: 'DriverException', code: '23505', table: 'invoice', constraint: 'invoice_pkey' })
  expect(logged?.stack).toMatch(/^\s+at /)
  expect(JSON.stringify(logged)).not.toContain('Ann Example')
  expect(loggableDatabaseError(new Error('Ann Example'))).toBeNull()
})

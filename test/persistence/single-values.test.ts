import { describe, expect, test } from '@jest/globals'
import { execute } from '../../src/persistence/statements.ts'
import { transact } from '../../src/persistence/transact.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { forFile } from '../support/for-file.ts'

const database = forFile<TestDatabase>(
  () => makeDatabase(),
  (made) => made.drop(),
)

const ASK = 'select ?::text as value'

/** Every way to the database. */
const WAYS: [string, (value: unknown) => Promise<object[]>][] = [
  ['an entity manager', (value) => database.orm.em.fork().execute(ASK, [value])],
  ['a prepared statement', (value) => execute(database.orm, ASK, [value])],
  [
    'the transaction of a payment',
    async (value) => (await transact(database.orm, (unit) => unit.execute<object[]>(ASK, [value]))).result,
  ],
]

describe.each(WAYS)('a statement by %s', (_, ask) => {
  test.each([[undefined], [['a', 'b']], [[]], [{}], [{ a: 1 }], [() => 'a'], [Symbol('a')]])(
    'takes no %p for one value',
    async (value) => {
      await expect(ask(value)).rejects.toThrow('no single value')
    },
  )

  test.each([[null], ['a'], ["'; --"], [1], [true], [1n], [new Date(0)], [Buffer.from('a')]])(
    'takes %p',
    async (value) => {
      expect(await ask(value)).toHaveLength(1)
    },
  )
})

test('a prepared statement takes a list where it says so, and only of single values', async () => {
  const ask = (value: unknown) => execute(database.orm, 'select unnest(?::text[]) as value', [value])
  expect(await ask(['a', null])).toEqual([{ value: 'a' }, { value: null }])
  for (const value of [[undefined], [['a']], [{}], {}, undefined])
    await expect(ask(value)).rejects.toThrow('no single value')
})

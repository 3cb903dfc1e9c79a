import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import type { Statement } from '../../src/persistence/rows.ts'
import { openSession, type Session } from '../../src/persistence/session.ts'
import { execute } from '../../src/persistence/statements.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let orm: Orm

beforeAll(async () => {
  database = await makeDatabase()
  // With one connection, one that is not given back is missed by the next.
  orm = await createOrm({ databaseUrl: database.url, poolMax: 1 })
  await database.orm.em.fork().execute('create table note (text text primary key)')
})
beforeEach(() => database.orm.em.fork().execute('truncate note'))
afterAll(async () => {
  await orm.close(true)
  await database.drop()
})

const adding = (text: string): Statement => ({ sql: 'insert into note values (?) returning text', values: [text] })
const add = (session: Session, text: string) => {
  const { sql, values } = adding(text)
  return session.run(sql, values)
}
const notes = async () => {
  const rows = await orm.em.fork().execute<{ text: string }[]>('select text from note order by text')
  return rows.map(({ text }) => text)
}

test('what fails together with the commit is undone with everything before it, and the connection is good for others', async () => {
  const session = await openSession(orm)
  await add(session, 'first')
  await expect(session.commit(adding('first'))).rejects.toMatchObject({ code: '23505' })
  await session.rollback()
  expect(await notes()).toEqual([])
})

test('what was refused is not committed by what comes after it', async () => {
  const session = await openSession(orm)
  await add(session, 'first')
  await expect(add(session, 'first')).rejects.toThrow()
  await expect(session.commit(adding('second'))).rejects.toThrow()
  await session.rollback()
  expect(await notes()).toEqual([])
})

test('what is not committed is undone, whether anything was asked or not', async () => {
  await (await openSession(orm)).rollback()
  const session = await openSession(orm)
  await add(session, 'first')
  await session.rollback()
  expect(await notes()).toEqual([])
})

test('the last statement is committed and gives its rows', async () => {
  const session = await openSession(orm)
  await add(session, 'first')
  expect(await session.commit(adding('second'))).toEqual([{ text: 'second' }])
  expect(await notes()).toEqual(['first', 'second'])
})

test('a statement of its own that is refused gives its connection back', async () => {
  await expect(execute(orm, 'select 1 / ?::integer', [0])).rejects.toMatchObject({ code: '22012' })
  expect(await execute(orm, 'select 1 as one', [])).toEqual([{ one: 1 }])
})

test('a connection keeps only so many statements, and runs those that it does not keep', async () => {
  const session = await openSession(orm)
  for (let number = 0; number < 80; number += 1) {
    const sql = `insert into note values (?) returning text as text_${number}`
    expect(await session.run(sql, [`${number}`])).toEqual([{ [`text_${number}`]: `${number}` }])
  }
  const kept = await session.run('select name from pg_prepared_statements', [])
  await session.rollback()
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.length).toBeLessThanOrEqual(64)
})

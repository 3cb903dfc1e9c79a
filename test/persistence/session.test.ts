import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { openSession, type Statement } from '../../src/persistence/session.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let orm: Orm

beforeAll(async () => {
  database = await makeDatabase()
  // With one connection, one that is not given back is missed by the next.
  orm = await createOrm({ databaseUrl: database.url, poolMax: 1 })
  await orm.em.fork().execute('create table note (text text primary key)')
})
beforeEach(() => orm.em.fork().execute('truncate note'))
afterAll(async () => {
  await orm.close(true)
  await database.drop()
})

const adding = (text: string): Statement => ({ sql: 'insert into note values ($1) returning text', values: [text] })
const notes = async () => {
  const rows = await orm.em.fork().execute<{ text: string }[]>('select text from note order by text')
  return rows.map(({ text }) => text)
}

test('what fails together with the commit is undone with everything before it, and the connection is good for others', async () => {
  const session = await openSession(orm, orm.em.fork())
  await session.run(adding('first'))
  await expect(session.commit(adding('first'))).rejects.toMatchObject({ name: 'UniqueConstraintViolationException' })
  await session.rollback()
  expect(await notes()).toEqual([])
})

test('what was refused is not committed by what comes after it', async () => {
  const session = await openSession(orm, orm.em.fork())
  await session.run(adding('first'))
  await expect(session.run(adding('first'))).rejects.toThrow()
  await expect(session.commit(adding('second'))).rejects.toThrow()
  await session.rollback()
  expect(await notes()).toEqual([])
})

test('what is not committed is undone, whether anything was asked or not', async () => {
  await (await openSession(orm, orm.em.fork())).rollback()
  const session = await openSession(orm, orm.em.fork())
  await session.run(adding('first'))
  await session.rollback()
  expect(await notes()).toEqual([])
})

test('what the entity manager asks is part of the transaction, and later on no more', async () => {
  const em = orm.em.fork()
  const session = await openSession(orm, em)
  await session.run(adding('first'))
  expect(await em.execute('select text from note')).toEqual([{ text: 'first' }])
  expect(await em.execute(`update note set text = 'changed'`, [], 'run')).toMatchObject({ affectedRows: 1 })
  await session.rollback()
  expect(await em.execute('select text from note')).toEqual([])
})

test('the last statement is committed and gives its rows', async () => {
  const session = await openSession(orm, orm.em.fork())
  await session.run(adding('first'))
  expect(await session.commit(adding('second'))).toEqual([{ text: 'second' }])
  expect(await notes()).toEqual(['first', 'second'])
})

test('a connection keeps only so many statements, and runs those that it does not keep', async () => {
  const session = await openSession(orm, orm.em.fork())
  for (let number = 0; number < 40; number += 1) {
    const sql = `insert into note values ($1) returning text as text_${number}`
    expect(await session.run({ sql, values: [`${number}`] })).toEqual([{ [`text_${number}`]: `${number}` }])
  }
  const kept = await session.run<{ name: string }>({
    sql: `select name from pg_prepared_statements where name like 'kept%'`,
    values: [],
  })
  await session.rollback()
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.length).toBeLessThanOrEqual(32)
})

import { expect, test } from '@jest/globals'
import { deleteFullBuckets } from '../../src/rate-limit/buckets.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { readBucket, setBucket } from './bucket.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const HOUR_US = 60 * 60 * 1_000_000
const nowUs = NOW.getTime() * 1000

const database = databaseForFile()

test('a bucket that anybody could still feel is not deleted; one that was full for an hour is', async () => {
  const em = database.orm.em.fork()
  await setBucket(em, 'in-use', nowUs + 1)
  await setBucket(em, 'full-for-an-hour', nowUs - HOUR_US)
  await setBucket(em, 'full-for-longer', nowUs - HOUR_US - 1)
  expect(await deleteFullBuckets(em, NOW)).toBe(1)
  expect(await readBucket(em, 'full-for-longer')).toBeNull()
  expect(await readBucket(em, 'full-for-an-hour')).not.toBeNull()
  expect(await readBucket(em, 'in-use')).not.toBeNull()
})

test('a bucket that is asked at this moment is left alone, and nobody waits', async () => {
  const em = database.orm.em.fork()
  await setBucket(em, 'asked', 1)
  await em.transactional(async (transaction) => {
    await transaction.execute("select * from take_requests('primary', 'asked', 60)")
    expect(await deleteFullBuckets(database.orm.em.fork(), NOW)).toBe(0)
  })
  expect(await readBucket(em, 'asked')).toBeGreaterThan(1)
})

test('a request never finds a row that is being deleted, and gets its token all the same', async () => {
  const em = database.orm.em.fork()
  const take = () => database.orm.em.fork().execute("select is_allowed from take_requests('primary', 'contested', 60)")
  await setBucket(em, 'contested', 1)
  let waiting: Promise<unknown> | undefined
  await em.transactional(async (transaction) => {
    expect(await deleteFullBuckets(transaction, NOW)).toBe(1)
    waiting = take()
    await transaction.execute('select pg_sleep(0.1)')
  })
  expect(await waiting).toEqual([{ is_allowed: true }])
  expect(await readBucket(em, 'contested')).toBeGreaterThan(1)
})

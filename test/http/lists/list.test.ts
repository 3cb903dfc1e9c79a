import { beforeAll, describe, expect, test } from '@jest/globals'
import { PRODUCTION_WAITS } from '../../../src/waits.ts'
import { forFile } from '../../support/for-file.ts'
import { interfaceForFile } from '../interface.ts'
import { rowWriter } from '../row-writer.ts'

const waits = { ...PRODUCTION_WAITS }
const api = interfaceForFile({ waits })
const mine = forFile(async () => rowWriter(api, api.merchant))

const get = (path: string) => api.merchant.client.get(path)

/** Reads a list to its end, page by page, away from its beginning or back from its end. */
async function readAll(query: string, side: 'start_after' | 'end_before', from?: string): Promise<string[]> {
  const seen: string[] = []
  for (let cursor = from; ; ) {
    const { status, body } = await get(`/invoices?${query}${cursor === undefined ? '' : `&${side}=${cursor}`}`)
    expect(status).toBe(200)
    const ids: string[] = body.invoices.map(({ id }: { id: string }) => id)
    if (side === 'start_after') seen.push(...ids)
    else seen.unshift(...ids)
    cursor = side === 'start_after' ? seen.at(-1) : seen[0]
    if (!body.has_more) return seen
  }
}

describe('a list', () => {
  const COUNT = 27
  const id = (index: number) => `iv_${String(index).padStart(2, '0')}`
  const OLDEST_FIRST = Array.from({ length: COUNT }, (_, index) => id(index))

  beforeAll(async () => {
    for (const invoiceId of OLDEST_FIRST.toReversed()) await mine.invoice(invoiceId, { orderId: invoiceId })
    // Nine moments of three rows each. The moments lie within one millisecond, which a date of JavaScript cannot part.
    await api.database.orm.em.fork().execute(
      `update invoice set created_at = timestamptz '2026-11-21T01:00:00.123Z'
         + floor(substring(id from 4)::int / 3) * interval '50 microseconds'`,
    )
  })

  test.each(['asc', 'desc'] as const)(
    'read %s in pages of any size has each row once, although many are of one moment',
    async (order) => {
      const expected = order === 'asc' ? OLDEST_FIRST : OLDEST_FIRST.toReversed()
      for (const limit of [4, 26, 27, 100]) {
        expect(await readAll(`limit=${limit}&order=${order}`, 'start_after')).toEqual(expected)
      }
    },
  )

  test.each(['asc', 'desc'] as const)('read %s backwards from any row has each row before it once', async (order) => {
    const expected = order === 'asc' ? OLDEST_FIRST : OLDEST_FIRST.toReversed()
    for (const limit of [4, 26]) {
      const before = await readAll(`limit=${limit}&order=${order}`, 'end_before', expected.at(-1))
      expect(before).toEqual(expected.slice(0, -1))
      const fromTheMiddle = await readAll(`limit=${limit}&order=${order}`, 'end_before', expected[13])
      expect(fromTheMiddle).toEqual(expected.slice(0, 13))
    }
  })

  test.each([
    ['invoice', 'name:Nobody', 'created_at'],
    ['event', 'name:transaction.voided', 'fired_at'],
  ])(
    'of every %s with a filter that takes too long is refused in words, and none without one',
    async (table, filter, instant) => {
      waits.filterMs = 200
      const [unfiltered] = await api.database.orm.em.fork().transactional(async (em) => {
        await em.execute(`lock table ${table} in access exclusive mode`)
        const whole = get(`/${table}s`)
        expect(await get(`/${table}s?filter=${filter}`)).toMatchObject({
          status: 400,
          body: { error_type: 'request.filter.invalid', message: expect.stringContaining(`add filter=${instant}>=`) },
        })
        return [whole]
      })
      waits.filterMs = PRODUCTION_WAITS.filterMs
      expect((await unfiltered)?.status).toBe(200)
    },
  )

  test('tells how much there is', async () => {
    const { body } = await get('/invoices?limit=20&start_after=iv_10')
    expect(body).toMatchObject({
      success: true,
      has_more: false,
      count: 10,
      total_count: COUNT,
      limit: 20,
      order: 'desc',
    })
    expect((await get('/invoices')).body).toMatchObject({ has_more: true, count: 10, limit: 10, total_count: COUNT })
  })

  test('is asked by a query of 120 parameters at most', async () => {
    expect(await get(`/invoices?limit=1${'&expand[]=customer'.repeat(49)}`)).toMatchObject({ status: 200 })
    for (const query of [`limit=1${'&expand='.repeat(120)}`, 'a&'.repeat(7_000)])
      expect(await get(`/invoices?${query}`)).toMatchObject({
        status: 400,
        body: { error_type: 'request.bad-format', message: 'A query has 120 parameters at most.' },
      })
  })

  test('that grows while it is read has each of its rows once', async () => {
    const seen: string[] = []
    let body = (await get('/invoices?limit=10')).body
    for (let added = 0; ; added += 1) {
      seen.push(...body.invoices.map((invoice: { id: string }) => invoice.id))
      if (!body.has_more) break
      await mine.invoice(`iv_9new${added}`, { createdAt: new Date('2026-11-21T02:00:00Z') })
      await mine.invoice(`iv_0old${added}`, { createdAt: new Date('2026-11-20T02:00:00Z') })
      body = (await get(`/invoices?limit=10&start_after=${seen.at(-1)}`)).body
    }
    expect(seen.filter((seenId) => !seenId.includes('old'))).toEqual(OLDEST_FIRST.toReversed())
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('can be read on from a row that the filter no longer finds', async () => {
    const { body } = await get('/invoices?filter=order_id:iv_05&start_after=iv_06')
    expect(body.invoices).toMatchObject([{ id: 'iv_05' }])
  })
})

describe('the list of one object', () => {
  beforeAll(async () => {
    for (const number of [1, 2]) {
      await mine.invoice(`iv_paid${number}`)
      await mine.transaction(`tr_${number}`, `iv_paid${number}`)
      await mine.refund(`refd_${number}`, `tr_${number}`)
    }
    await mine.invoice('iv_unpaid')
  })

  test('has its own rows only', async () => {
    const { body } = await get('/invoices/iv_paid1/transactions')
    expect(body).toMatchObject({ success: true, count: 1, total_count: 1, transactions: [{ id: 'tr_1' }] })
    expect((await get('/invoices/iv_unpaid/transactions')).body).toMatchObject({ total_count: 0, transactions: [] })
    expect((await get('/transactions')).body).toMatchObject({ total_count: 2 })
  })

  test('of refunds has those of its invoice, and none where nobody has tried to pay that', async () => {
    expect((await get('/invoices/iv_paid1/refunds')).body).toMatchObject({
      total_count: 1,
      refunds: [{ id: 'refd_1' }],
    })
    expect((await get('/invoices/iv_unpaid/refunds')).body).toMatchObject({ count: 0, total_count: 0, refunds: [] })
    expect((await get('/refunds')).body).toMatchObject({ total_count: 2 })
  })

  test('takes no row of another object for a cursor', async () => {
    expect(await get('/invoices/iv_paid1/transactions?start_after=tr_2')).toMatchObject({
      status: 400,
      body: { error_type: 'request.pagination.invalid' },
    })
  })
})

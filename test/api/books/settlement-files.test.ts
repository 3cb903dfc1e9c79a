import { beforeAll, describe, expect, test } from '@jest/globals'
import { reconcileDays } from '../../../src/books/reconcile-days.ts'
import { createGatewayRegistry } from '../../../src/gateways/registry.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { rowWriter } from '../../http/row-writer.ts'
import { captureLog } from '../../support/captured-log.ts'
import { TEST_KEYS } from '../../support/keys.ts'
import { seededRandomBytes } from '../../support/random.ts'

const ADYEN = {
  name: 'Adyen, Europe',
  credentials: { apiKey: 'AQE-planted-key-of-the-test' },
  settings: { merchantAccount: 'ShopEU', environment: 'test', returnUrl: 'https://shop.example/return' },
}
const HEADERS =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Batch Number'
const lineOf = (step: string, amount: string, date = '2026-11-21 10:00:00', account = 'ShopEU') =>
  `Shop,${account},8835513412345678,tr_op_a,visa,${date},UTC,Settled,${step},EUR,,${amount},12`
const reportOf = (...lines: string[]) => [HEADERS, ...lines].join('\n')

const api = interfaceForFile({}, { hasPlanted: true })
let accountId: string
const handIn = (content: unknown, id = accountId) =>
  api.merchant.client.post(`/gateway-configurations/${id}/settlement-files`, { content })

/** Compares what was handed in, as a worker does within a minute. */
async function compare(): Promise<void> {
  const { database, clock } = api
  await reconcileDays({
    orm: database.orm,
    vault: createVault(TEST_KEYS),
    gateways: createGatewayRegistry([]),
    clock,
    randomBytes: seededRandomBytes(`${database.name} ${clock.now().getTime()}`),
    announce: () => {},
    logger: captureLog().logger,
  })
}
const differences = async () =>
  (await api.merchant.client.get('/reconciliation-differences?order=asc')).body.reconciliation_differences

beforeAll(async () => {
  const { body } = await api.merchant.client.post('/gateways/adyen/gateway-configurations', ADYEN)
  accountId = body.gateway_configuration.id
  const rows = await rowWriter(api, api.merchant)
  await rows.invoice('iv_1')
  await rows.transaction('tr_1', 'iv_1', {
    gatewayConfigurationId: accountId,
    gatewayName: 'adyen',
    capturedMinor: 2_900,
  })
  for (const [n, step] of ['8825510000000001', '8825510000000002'].entries()) {
    const capture = { type: 'capture', gatewayConfigurationId: accountId, amountMinor: 1_450 }
    await rows.operation(`tr_op_c${n}`, 'tr_1', capture)
    const result = { isAttempt: false, attemptOperationId: `tr_op_c${n}`, outcome: 'succeeded', isAccountable: true }
    const at = { createdAt: new Date('2026-11-21T10:00:01Z') }
    await rows.operation(`tr_op_r${n}`, 'tr_1', { ...capture, ...result, ...at, gatewayOperationId: step })
  }
})

describe('a report of a gateway', () => {
  test.each([
    ['without content', undefined, 'content is missing.'],
    ['with empty content', ' \n', 'content is empty.'],
    ['with a list', ['a'], 'content must be the text of a report.'],
    ['that is none', 'a,b\n1,2', expect.stringMatching(/^content cannot be read\. The report has no column/)],
    [
      'of another merchant account',
      reportOf(lineOf('1', '1.00', '2026-11-21 10:00:00', 'ShopUS')),
      expect.stringMatching(/account ShopEU\.$/),
    ],
  ])('%s is refused in words', async (_, content, message) => {
    expect(await handIn(content)).toMatchObject({
      status: 400,
      body: { error_type: expect.stringMatching(/^request\.validation\.(?:error|invalid-type)$/), message },
    })
  })

  test('is taken of no gateway that is asked for its list, and of none of somebody else', async () => {
    const { body } = await api.merchant.client.get('/gateway-configurations?filter=gateway_name:simulator')
    expect(await handIn(reportOf(lineOf('1', '1.00')), body.gateway_configurations[0].id)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state' },
    })
    const other = await api.makeMerchant({ sandbox: true })
    const path = `/gateway-configurations/${accountId}/settlement-files`
    expect(await other.client.post(path, { content: reportOf(lineOf('1', '1.00')) })).toMatchObject({ status: 404 })
  })

  test('is compared once, however often it is handed in', async () => {
    const report = reportOf(lineOf('8825510000000001', '14.50'), lineOf('8825510000000002', '14.49'))
    const answers = await Promise.all([handIn(report), handIn(report)])
    const { body } = answers[0] ?? (await handIn(report))
    expect(answers.map((answer) => answer.body.reconciliation.id)).toEqual([
      body.reconciliation.id,
      body.reconciliation.id,
    ])
    expect(body.reconciliation).toMatchObject({ source: 'file', day: null, status: 'waiting', lines_count: 2 })
    await compare()
    await compare()
    expect(await api.merchant.client.get(`/reconciliations/${body.reconciliation.id}`)).toMatchObject({
      body: { reconciliation: { status: 'completed', differences_count: 1 } },
    })
    expect(await differences()).toMatchObject([
      { kind: 'amount', transaction_id: 'tr_1', ours: { amount: '14.50' }, gateways: { amount: '14.49' } },
    ])
    expect((await handIn(report)).body.reconciliation).toMatchObject({
      id: body.reconciliation.id,
      status: 'completed',
    })
  })

  test('calls missing only what is older than the period of grace', async () => {
    await handIn(reportOf(lineOf('8825510000000003', '5.00', '2026-12-01 09:00:00')))
    api.clock.advance(60_000)
    await compare()
    expect(await differences()).toHaveLength(1)
    await handIn(reportOf(lineOf('8825510000000004', '6.00', '2026-12-20 09:00:00')))
    api.clock.advance(60_000)
    await compare()
    expect(
      (await differences()).map(({ kind, gateway_reference: step }: Record<string, string>) => [kind, step]),
    ).toEqual([
      ['amount', '8825510000000002'],
      ['missing-in-books', '8825510000000003'],
    ])
  })
})

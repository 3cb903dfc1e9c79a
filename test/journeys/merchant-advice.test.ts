import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { ProjectEntity, type ProjectRow } from '../../src/persistence/entities/project.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { createHttpClient } from '../support/http-client.ts'
import { createMerchant } from '../support/merchant.ts'
import { seededRandomBytes } from '../support/random.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory, DAY_MS } from '../support/story.ts'

const HOUR_MS = DAY_MS / 24
const DO_NOT_TRY_AGAIN = '5200000000000031'
const STOP_RECURRING = '5200000000000213'
const APPROVED = '5555555555554444'
/** A cardholder's name that has any card approved. */
const FORTUNATE = 'SANDBOX:approved'
const BLOCKED = { status: 410, body: { success: false, error_type: 'request.transaction-blocked' } }

let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())
beforeEach(() => em().execute('delete from advice_block'))

const em = () => stack.database.orm.em.fork()
const blocks = () => em().execute<{ code: string }[]>('select code, currency from advice_block order by code')
const callsFor = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).length
const setOptions = (options: Partial<ProjectRow>) => em().nativeUpdate(ProjectEntity, { id: stack.project.id }, options)
/** The history with its payloads opened. */
const readableHistory = async (invoiceId: string) =>
  JSON.stringify(await stack.history(invoiceId)).replace(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data) =>
    Buffer.from(data, 'base64').toString(),
  )
const merchantInitiated = { merchant_initiator_type: 'recurring' }
const resultOf = async (invoiceId: string) => (await story.transactionOf(invoiceId)).operations.at(-1)

describe('a card that is declined with the advice of its scheme', () => {
  test.each<[string, string, string, string | null, string, number | null]>([
    ['5200000000000015', '01', 'card.expired', 'update-payment-details', 'New account information available', null],
    [
      '5200000000000023',
      '02',
      'card.do-not-honor',
      'retry-later',
      'Cannot approve at this time, try again later',
      null,
    ],
    ['5200000000000031', '03', 'card.dont-retry', 'do-not-retry', 'Do not try again', null],
    [
      '5200000000000049',
      '04',
      'card.declined',
      'retry-with-different-details',
      'Token requirements not fulfilled',
      null,
    ],
    [
      '5200000000000213',
      '21',
      'card.revoked',
      'do-not-retry',
      'Payment cancellation: stop the recurring payments',
      null,
    ],
    [
      '5200000000000221',
      '22',
      'card.not-authorized',
      'do-not-retry',
      'Merchant does not qualify for the product code',
      null,
    ],
    ['5200000000000247', '24', 'card.no-money', 'retry-after', 'Retry after 1 hour', 1],
    ['5200000000000254', '25', 'card.no-money', 'retry-after', 'Retry after 24 hours', 24],
    ['5200000000000262', '26', 'card.no-money', 'retry-after', 'Retry after 2 days', 48],
    ['5200000000000270', '27', 'card.no-money', 'retry-after', 'Retry after 4 days', 96],
    ['5200000000000288', '28', 'card.no-money', 'retry-after', 'Retry after 6 days', 144],
    ['5200000000000296', '29', 'card.no-money', 'retry-after', 'Retry after 8 days', 192],
    ['5200000000000304', '30', 'card.no-money', 'retry-after', 'Retry after 10 days', 240],
    ['5200000000000403', '40', 'card.no-money', 'single-use-card', 'Consumer non-reloadable prepaid card', null],
    ['5200000000000411', '41', 'card.declined', 'single-use-card', 'Consumer single-use virtual card number', null],
    [
      '5200000000000429',
      '42',
      'card.possible-fraud',
      'do-not-retry',
      'Sanctions score exceeds the applicable threshold',
      null,
    ],
    ['5200000000000437', '43', 'card.declined', 'single-use-card', 'Consumer multi-use virtual card number', null],
    ['4000000000008013', '1', 'card.dont-retry', 'do-not-retry', 'Issuer will never approve', null],
    ['4000000000008021', '2', 'card.no-money', 'retry-later', 'Issuer cannot approve at this time', null],
    [
      '4000000000008039',
      '3',
      'card.expired',
      'update-payment-details',
      'Issuer cannot approve with these details',
      null,
    ],
    ['4000000000008047', '4', 'card.do-not-honor', null, 'Generic response', null],
  ])(
    'shows it on transaction and operation: %s, advice %s',
    async (number, advice, error, recommendation, reason, hours) => {
      const { invoiceId, answer } = await story.pay({ number })
      expect(answer).toMatchObject({ status: 410, body: { error_type: error } })
      const shown = {
        error_code: error,
        merchant_advice_code: advice,
        merchant_advice_reason: reason,
        recommendation_code: recommendation,
        recommendation_reason: recommendation === null ? null : expect.stringMatching(/^[A-Z].*\.$/),
      }
      const transaction = await story.transactionOf(invoiceId)
      const result = transaction.operations.at(-1)
      expect(transaction).toMatchObject({
        ...shown,
        status: 'failed',
        error_recommendations: [expect.stringMatching(/^[A-Z].*\.$/)],
        retry_after: hours === null ? null : expect.any(String),
      })
      expect(result).toMatchObject({
        ...shown,
        type: 'authorization',
        has_failed: true,
        retry_after: transaction.retry_after,
      })
      if (hours !== null) {
        const wait = Date.parse(result.retry_after) - Date.parse(result.created_at)
        expect(Math.abs(wait - hours * HOUR_MS)).toBeLessThan(60_000)
      }
      // The answer comes before the workflow task has ended.
      await stack.waitFor(async () => (await readableHistory(invoiceId)).includes(error))
      expect((await readableHistory(invoiceId)).includes(number)).toBe(false)
    },
  )

  test('that the gateway itself recommends not to retry, without a code, is shown so, and is no block', async () => {
    const { invoiceId, answer } = await story.pay({ number: '5337480000007168' })
    expect(answer.status).toBe(410)
    expect(await story.transactionOf(invoiceId)).toMatchObject({
      merchant_advice_code: null,
      recommendation_code: 'do-not-retry',
      recommendation_reason: 'Do not try again with this card.',
    })
    expect(await blocks()).toEqual([])
  })

  test('shows nothing of it any more once another card is approved', async () => {
    const { invoiceId } = await story.pay({ number: '5200000000000247' })
    const { id: source } = await stack.createCard({ number: APPROVED })
    expect((await story.post(invoiceId, 'authorize', { source })).status).toBe(200)
    expect(await story.transactionOf(invoiceId)).toMatchObject({
      merchant_advice_code: null,
      merchant_advice_reason: null,
      recommendation_code: null,
      recommendation_reason: null,
      retry_after: null,
      error_recommendations: null,
    })
  })
})

describe('after “do not try again”', () => {
  test('the same card over the same amount is refused with 410, and the gateway hears nothing of it', async () => {
    const first = await story.pay({ number: DO_NOT_TRY_AGAIN })
    const again = await story.post(first.invoiceId, 'authorize', { source: first.source })
    expect(again).toMatchObject(BLOCKED)
    expect(await callsFor(first.invoiceId)).toBe(1)

    const other = await story.pay({ number: DO_NOT_TRY_AGAIN })
    expect(other.answer).toMatchObject(BLOCKED)
    expect(await callsFor(other.invoiceId)).toBe(0)
    const transaction = await story.transactionOf(other.invoiceId)
    expect(transaction).toMatchObject({
      status: 'failed',
      error_code: 'request.transaction-blocked',
      merchant_advice_code: '03',
      recommendation_code: 'do-not-retry',
    })
    expect(transaction.operations).toMatchObject([
      { type: 'request' },
      { type: 'authorization', is_attempt: true },
      { type: 'authorization', is_attempt: false, has_failed: true, error_code: 'request.transaction-blocked' },
    ])
    const until = Date.parse(transaction.retry_after) - Date.parse(transaction.created_at)
    expect(Math.abs(until - 30 * DAY_MS)).toBeLessThan(60_000)
    await story.expectEvents(other.invoiceId, ['transaction.requested', 'transaction.failed'])
  })

  test('a capture at once is refused as well, with an ordinary key and by its idempotency key', async () => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    const [{ id }, { id: source }] = await Promise.all([
      stack.createInvoice(),
      stack.createCard({ number: DO_NOT_TRY_AGAIN }),
    ])
    const headers = { 'idempotency-key': 'blocked-1' }
    const first = await stack.post(`/invoices/${id}/capture`, { source }, { headers })
    expect(first).toMatchObject(BLOCKED)
    expect((await stack.post(`/invoices/${id}/capture`, { source }, { headers })).body).toEqual(first.body)
    expect(await callsFor(id)).toBe(0)
  })

  test('a blocked try extends nothing', async () => {
    const until = async () => (await em().execute('select expires_at::text from advice_block'))[0]
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    const before = await until()
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    expect(await until()).toEqual(before)
  })

  test.each<[string, Parameters<ReturnType<typeof createStory>['pay']>[0]]>([
    ['another amount', { number: DO_NOT_TRY_AGAIN, invoice: { amount: '29.01' } }],
    ['another currency', { number: DO_NOT_TRY_AGAIN, invoice: { currency: 'USD' } }],
    ['another card', { number: '5200000000000023' }],
  ])('%s is asked for', async (_, fields) => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    const other = await story.pay(fields)
    expect(other.answer.body.error_type).not.toBe('request.transaction-blocked')
    expect(await callsFor(other.invoiceId)).toBe(1)
  })

  test('the customer pays the same invoice with another card', async () => {
    const { invoiceId } = await story.pay({ number: DO_NOT_TRY_AGAIN })
    const { id: source } = await stack.createCard({ number: APPROVED })
    expect((await story.post(invoiceId, 'authorize', { source })).status).toBe(200)
  })

  test('another project is not concerned', async () => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    const { projectId, secretKey } = await createProject(em(), {
      name: 'Other',
      sandbox: true,
      randomBytes: seededRandomBytes('another project'),
      hashSecret: stack.vault.hashSecret,
      now: stack.clock.now(),
    })
    const http = createHttpClient(stack.baseUrl, { username: `test-${projectId}`, password: secretKey })
    const other = createMerchant(http, new Set())
    const [{ id }, { id: source }] = await Promise.all([
      other.createInvoice(),
      other.createCard({ number: DO_NOT_TRY_AGAIN }),
    ])
    expect((await http.post(`/invoices/${id}/authorize`, { source })).body.error_type).toBe('card.dont-retry')
    expect(await callsFor(id)).toBe(1)
  })

  test('another gateway configuration is asked', async () => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    const own = { projectId: stack.project.id, sandbox: true }
    const [first] = await em().find(GatewayConfigurationEntity, own)
    if (first === undefined) throw new Error('The project has a gateway.')
    await em().execute(
      `insert into gateway_configuration (id, project_id, sandbox, gateway_name, name, enabled, created_at)
       values ('gway_conf_second', ?, true, 'simulator', 'Second', true, now())`,
      [stack.project.id],
    )
    const enable = (id: string, enabled: boolean) => em().nativeUpdate(GatewayConfigurationEntity, { id }, { enabled })
    try {
      // Where no rule says where to go on, a block is the last word of its gateway.
      expect((await story.pay({ number: DO_NOT_TRY_AGAIN })).answer).toMatchObject(BLOCKED)
      await enable(first.id, false)
      const elsewhere = await story.pay({ number: DO_NOT_TRY_AGAIN })
      expect(elsewhere.answer.body.error_type).toBe('card.dont-retry')
      expect(await callsFor(elsewhere.invoiceId)).toBe(1)
      expect(await blocks()).toHaveLength(2)
    } finally {
      await enable(first.id, true)
      await enable('gway_conf_second', false)
    }
  })

  test('an override is sent, is noted on its operations, and its decline is recorded all the same', async () => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    await em().execute("update advice_block set expires_at = expires_at - interval '20 days'")
    const { invoiceId, answer } = await story.pay({ number: DO_NOT_TRY_AGAIN, override_mac_blocking: true })
    expect(answer.body.error_type).toBe('card.dont-retry')
    expect(await callsFor(invoiceId)).toBe(1)
    const { operations } = await story.transactionOf(invoiceId)
    expect(operations.slice(1)).toMatchObject([
      { is_attempt: true, metadata: { mac_override: 'true' } },
      { is_attempt: false, metadata: { mac_override: 'true' } },
    ])
    const [left] = await em().execute("select expires_at > now() + interval '29 days' as extended from advice_block")
    expect(left).toEqual({ extended: true })
    expect((await story.pay({ number: DO_NOT_TRY_AGAIN })).answer).toMatchObject(BLOCKED)
  })

  test('a payment that overrides nothing is not noted', async () => {
    const { invoiceId } = await story.pay({ override_mac_blocking: false })
    for (const { metadata } of (await story.transactionOf(invoiceId)).operations)
      expect(metadata).not.toHaveProperty('mac_override')
  })

  test('an approval by override lifts the block', async () => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    const blocked = await story.pay({ number: DO_NOT_TRY_AGAIN, name: FORTUNATE })
    expect(blocked.answer).toMatchObject(BLOCKED)
    expect(
      (await story.post(blocked.invoiceId, 'capture', { source: blocked.source, override_mac_blocking: true })).status,
    ).toBe(200)
    expect(await blocks()).toEqual([])
    expect((await story.pay({ number: DO_NOT_TRY_AGAIN, name: FORTUNATE })).answer.status).toBe(200)
  })

  test('two invoices at once may both be sent, once: the block comes with the first answer', async () => {
    const both = await Promise.all([story.pay({ number: DO_NOT_TRY_AGAIN }), story.pay({ number: DO_NOT_TRY_AGAIN })])
    for (const { answer } of both)
      expect(['card.dont-retry', 'request.transaction-blocked']).toContain(answer.body.error_type)
    expect(await blocks()).toHaveLength(1)
    expect((await story.pay({ number: DO_NOT_TRY_AGAIN })).answer).toMatchObject(BLOCKED)
  })

  test('a continuation of a gateway, which has no card, is never blocked', async () => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    const { id } = await stack.createInvoice()
    const token = Buffer.from(JSON.stringify({ url: 'https://example.com/?token=test-valid' })).toString('base64url')
    const answer = await story.post(id, 'authorize', { source: `gway_req_${token}` })
    expect(answer.body.error_type).not.toBe('request.transaction-blocked')
    expect(await callsFor(id)).toBe(1)
  })
})

describe('advice against what the merchant charges by itself', () => {
  test('stops nothing until the project wants it', async () => {
    for (const number of [STOP_RECURRING, '5200000000000304']) {
      await story.pay({ number, invoice: merchantInitiated })
      const again = await story.pay({ number, invoice: merchantInitiated })
      expect(again.answer.body.error_type).not.toBe('request.transaction-blocked')
      expect(await callsFor(again.invoiceId)).toBe(1)
    }
  })

  test('21 stops every amount on the card, but never what the customer pays', async () => {
    await setOptions({ blocksStoppedPayments: true })
    try {
      await story.pay({ number: STOP_RECURRING, invoice: merchantInitiated })
      const again = await story.pay({ number: STOP_RECURRING, invoice: { ...merchantInitiated, amount: '5.00' } })
      expect(again.answer).toMatchObject(BLOCKED)
      expect(await callsFor(again.invoiceId)).toBe(0)
      const customers = await story.pay({ number: STOP_RECURRING })
      expect(customers.answer.body.error_type).toBe('card.revoked')
      const overridden = { ...merchantInitiated, amount: '6.00' }
      expect(
        (await story.pay({ number: STOP_RECURRING, invoice: overridden, override_mac_blocking: true })).answer.body,
      ).toMatchObject({ error_type: 'card.revoked' })
    } finally {
      await setOptions({ blocksStoppedPayments: false })
    }
  })

  test('24 to 30 stop the same amount until their time, and tell it', async () => {
    await setOptions({ enforcesRetryAfter: true })
    try {
      const number = '5200000000000247'
      const first = await story.pay({ number, invoice: merchantInitiated })
      const { retry_after: retryAfter } = await story.transactionOf(first.invoiceId)
      const again = await story.pay({ number, invoice: merchantInitiated })
      expect(again.answer).toMatchObject(BLOCKED)
      expect(await story.transactionOf(again.invoiceId)).toMatchObject({
        merchant_advice_code: '24',
        recommendation_code: 'retry-after',
        retry_after: retryAfter,
      })
      expect((await story.pay({ number })).answer.body.error_type).toBe('card.no-money')
      const other = { ...merchantInitiated, amount: '3.00' }
      expect((await story.pay({ number, invoice: other })).answer.body.error_type).toBe('card.no-money')
    } finally {
      await setOptions({ enforcesRetryAfter: false })
    }
  })
})

describe('what the networks count', () => {
  const enforced = { enforcesNetworkLimits: true, visaReattempts: 2, mastercardDeclinesPerDay: 3 }
  const tooOften = { status: 410, body: { error_type: 'card.maximum-attempts' } }

  test('stops nothing until the project wants it', async () => {
    await setOptions({ ...enforced, enforcesNetworkLimits: false })
    for (let tries = 0; tries < 5; tries += 1)
      expect((await story.pay({ number: '4000000000002255' })).answer.body.error_type).toBe('card.not-authorized')
  })

  test('is every decline of a Visa card that was sent, and none that was not', async () => {
    await setOptions(enforced)
    try {
      const number = '4000000000008047'
      const pay = (name?: string) => story.pay({ number, ...(name !== undefined && { name }) })
      // The card above was declined by its own issuer already.
      for (const [tried, reason] of [
        [await pay('SANDBOX:no-money'), 'card.no-money'],
        [await pay('SANDBOX:connection-refused'), 'gateway.network-error'],
        [await pay('SANDBOX:gateway-fails'), 'gateway.internal-error'],
        [await pay('SANDBOX:connection-refused'), 'gateway.network-error'],
      ] as const)
        expect(tried.answer.body.error_type).toBe(reason)
      expect((await pay()).answer.body.error_type).toBe('card.do-not-honor')
      const refused = await pay()
      expect(refused.answer).toMatchObject(tooOften)
      expect(await callsFor(refused.invoiceId)).toBe(0)
      expect(await resultOf(refused.invoiceId)).toMatchObject({ has_failed: true, error_code: 'card.maximum-attempts' })
      const overriding = await story.pay({ number, override_mac_blocking: true })
      expect(overriding.answer).toMatchObject(tooOften)
    } finally {
      await setOptions({ enforcesNetworkLimits: false })
    }
  })

  test('begins anew on Visa when the card was approved', async () => {
    await setOptions(enforced)
    try {
      const pay = (name: string) => story.pay({ number: '4000000000002206', name })
      for (const name of ['SANDBOX:no-money', 'SANDBOX:no-money', FORTUNATE, 'SANDBOX:no-money', 'SANDBOX:no-money'])
        expect((await pay(name)).answer.body.error_type).not.toBe('card.maximum-attempts')
      expect((await pay('SANDBOX:no-money')).answer.body.error_type).toBe('card.no-money')
      expect((await pay(FORTUNATE)).answer).toMatchObject(tooOften)
    } finally {
      await setOptions({ enforcesNetworkLimits: false })
    }
  })

  test('is never again after category 1 of Visa, but by an override', async () => {
    const number = '4000000000008013'
    await story.pay({ number, invoice: { amount: '1.00' } })
    await setOptions(enforced)
    try {
      const refused = await story.pay({ number, name: FORTUNATE })
      expect(refused.answer).toMatchObject(BLOCKED)
      expect(await callsFor(refused.invoiceId)).toBe(0)
      expect(await story.transactionOf(refused.invoiceId)).toMatchObject({
        merchant_advice_code: '1',
        recommendation_code: 'do-not-retry',
        retry_after: null,
      })
      const sent = await story.pay({ number, name: FORTUNATE, override_mac_blocking: true })
      expect(sent.answer.status).toBe(200)
      expect((await story.pay({ number, name: FORTUNATE })).answer.status).toBe(200)
    } finally {
      await setOptions({ enforcesNetworkLimits: false })
    }
  })

  test('is three declines of a Mastercard in a day here, whatever the amount; the next day it is sent again', async () => {
    await setOptions(enforced)
    try {
      const number = '5200000000000437'
      // One was declined at the beginning of this file.
      for (const amount of ['1.00', '2.00'])
        expect((await story.pay({ number, invoice: { amount } })).answer.body.error_type).toBe('card.declined')
      const refused = await story.pay({ number, invoice: { amount: '3.00' } })
      expect(refused.answer).toMatchObject(tooOften)
      expect(await callsFor(refused.invoiceId)).toBe(0)
      stack.clock.advance(DAY_MS + HOUR_MS)
      expect((await story.pay({ number, invoice: { amount: '4.00' } })).answer.body.error_type).toBe('card.declined')
      await setOptions({ mastercardDeclinesPerAmount: 1 })
      expect((await story.pay({ number, invoice: { amount: '1.00' } })).answer).toMatchObject(tooOften)
      expect((await story.pay({ number, invoice: { amount: '5.00' } })).answer.body.error_type).toBe('card.declined')
    } finally {
      await setOptions({ enforcesNetworkLimits: false, mastercardDeclinesPerAmount: 35 })
    }
  })
})

test('thirty days after “do not try again” the card is asked for again', async () => {
  await story.pay({ number: DO_NOT_TRY_AGAIN })
  stack.clock.advance(30 * DAY_MS - HOUR_MS)
  expect((await story.pay({ number: DO_NOT_TRY_AGAIN })).answer).toMatchObject(BLOCKED)
  stack.clock.advance(2 * HOUR_MS)
  const sent = await story.pay({ number: DO_NOT_TRY_AGAIN })
  expect(sent.answer.body.error_type).toBe('card.dont-retry')
  expect(await callsFor(sent.invoiceId)).toBe(1)
})

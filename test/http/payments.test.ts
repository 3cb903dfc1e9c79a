import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Command, CommandAnswer } from '../../domain/command.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { makeRows } from '../persistence/rows.ts'
import { type Interface, startInterface } from './interface.ts'

let api: Interface
let invoiceId: string
let gatewayConfigurationId: string
let count = 0

const SOURCE = { source: `card_${'a'.repeat(32)}` }

beforeAll(async () => {
  api = await startInterface()
  const em = api.database.orm.em.fork()
  const account = await em.findOneOrFail(GatewayConfigurationEntity, { projectId: api.merchant.projectId })
  gatewayConfigurationId = account.id
})
afterAll(() => api.stop())

beforeEach(async () => {
  const invoice = { name: 'Order 1', amount: '29.00', currency: 'EUR', order_id: 'A-1' }
  const { body } = await api.merchant.client.post('/invoices', invoice)
  invoiceId = body.invoice.id
  api.payments.sent.length = 0
  api.payments.play(() => {
    throw new Error('No command was expected.')
  })
})

const post = (verb: string, body: object = {}) => api.merchant.client.post(`/invoices/${invoiceId}/${verb}`, body)

/** Does to the rows what a payment would do. */
async function record(values: Partial<TransactionRow>): Promise<void> {
  const em = api.database.orm.em.fork()
  const owner = { projectId: api.merchant.projectId, sandbox: true, invoiceId }
  if ((await em.nativeUpdate(TransactionEntity, owner, values)) > 0) return
  count += 1
  const { transaction } = makeRows('payments')
  await em.insert(TransactionEntity, {
    ...transaction,
    ...owner,
    id: `tr_${count}`,
    gatewayConfigurationId,
    cardId: null,
    status: 'waiting',
    amountMinor: 2900,
    authorizedMinor: 0,
    capturedMinor: 0,
    voidedMinor: 0,
    refundedMinor: 0,
    incrementedMinor: 0,
    incrementAttempts: 0,
    attemptInFlightId: null,
    attemptInFlightType: null,
    expired: false,
    errorCode: null,
    autoCaptureAt: null,
    autoCaptureAmountMinor: null,
    authorizationExpiresAt: new Date('2026-11-28T09:00:00.000Z'),
    ...values,
  })
}

/** The payment answers this, once the rows say so. */
function play(answer: CommandAnswer | { kind: 'no-answer' }, values?: Partial<TransactionRow>): void {
  api.payments.play(async () => {
    if (values !== undefined) await record(values)
    return answer
  })
}

const AUTHORIZED = { status: 'authorized', authorizedMinor: 2900 } as const
const COMPLETED = { status: 'completed', authorizedMinor: 2900, capturedMinor: 2900 } as const

describe('a command', () => {
  test('names the payment as its title does, and carries neither card data nor text', async () => {
    play({ kind: 'done' }, AUTHORIZED)
    await post('authorize', { ...SOURCE, incremental: true })
    expect(api.payments.sent).toEqual([
      {
        payment: {
          projectId: api.merchant.projectId,
          environment: 'sandbox',
          invoiceId,
          amountMinor: 2900,
          currency: 'EUR',
          orderId: 'A-1',
        },
        command: {
          kind: 'authorize',
          operationId: expect.stringMatching(/^tr_op_/),
          actor: 'merchant',
          deadline: api.clock.now().getTime() + 60_000,
          source: SOURCE.source,
          preferredScheme: null,
          initialSchemeTransactionId: null,
          incremental: true,
          autoCaptureAt: null,
          autoCaptureAmountMinor: null,
          capture: null,
        } satisfies Command | Record<string, unknown>,
      },
    ])
  })

  test('takes the instant of a capture with its offset', async () => {
    play({ kind: 'done' }, AUTHORIZED)
    await post('authorize', { ...SOURCE, auto_capture_at: '2026-11-22T11:00:00+02:00', capture_amount: '10.00' })
    expect(api.payments.sent[0]?.command).toMatchObject({
      autoCaptureAt: Date.parse('2026-11-22T09:00:00Z'),
      autoCaptureAmountMinor: 1000,
    })
  })

  test('accepts an instant exactly seven days ahead', async () => {
    play({ kind: 'done' }, AUTHORIZED)
    const { status } = await post('authorize', { ...SOURCE, auto_capture_at: '2026-11-28T09:00:00Z' })
    expect(status).toBe(200)
  })

  test('is the same from a form', async () => {
    play({ kind: 'done' }, COMPLETED)
    const form = { ...SOURCE, authorize_only: 'false', capture_amount: '10.00', client_secret: 'ivs_x' }
    await api.merchant.client.post(`/invoices/${invoiceId}/authorize`, form, { form: true })
    expect(api.payments.sent[0]?.command).toMatchObject({
      kind: 'authorize',
      capture: { kind: 'capture', amountMinor: 1000 },
    })
  })

  test('accepts every option that asks for nothing', async () => {
    play({ kind: 'done' }, AUTHORIZED)
    const { status } = await post('authorize', {
      ...SOURCE,
      authorize_only: true,
      auto_capture_at: null,
      capture_amount: null,
      capture_type: 'final',
      invoice_detail_ids: [],
      override_mac_blocking: true,
      allow_fallback_to_sale: true,
      save_source: false,
      client_secret: 'ivs_x',
      enable_three_d_s_2: true,
      synchronous: true,
      authenticate_only: false,
      metadata: {},
      device: {},
      split_allocations: [],
      external_three_d_s: null,
    })
    expect(status).toBe(200)
  })

  test.each([
    ['increment_authorization', { amount: '5.00' }, { kind: 'increment', amountMinor: 500 }],
    ['void', {}, { kind: 'void', amountMinor: null, reason: null }],
    ['void', { amount: '5.00' }, { kind: 'void', amountMinor: 500, reason: null }],
    ['void', { amount: null }, { kind: 'void', amountMinor: null, reason: null }],
    ['capture', {}, { kind: 'capture', amountMinor: null }],
    ['capture', { capture_amount: '5.00' }, { kind: 'capture', amountMinor: 500 }],
    [
      'capture',
      { auto_capture_at: '2026-11-22T09:00:00Z' },
      { kind: 'schedule-capture', autoCaptureAt: Date.parse('2026-11-22T09:00:00Z'), autoCaptureAmountMinor: null },
    ],
  ])('%s with %j', async (verb, body, expected) => {
    await record(AUTHORIZED)
    play({ kind: 'done' })
    const { status } = await post(verb, body)
    expect(status).toBe(200)
    expect(api.payments.sent.map(({ command }) => command)).toMatchObject([expected])
  })

  test('may come without a body', async () => {
    await record(AUTHORIZED)
    play({ kind: 'done' }, COMPLETED)
    const { projectId, secretKey } = api.merchant
    const authorization = `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`
    const answer = await fetch(new URL(`/invoices/${invoiceId}/capture`, api.url), {
      method: 'POST',
      headers: { authorization },
    })
    expect(answer.status).toBe(200)
  })
})

describe('the answer to a payment', () => {
  test('that was approved is the transaction', async () => {
    play({ kind: 'done' }, AUTHORIZED)
    const { status, body } = await post('authorize', SOURCE)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      outcome: 'success',
      customer_action: null,
      transaction: { invoice_id: invoiceId, status: 'authorized', authorized_amount: '29.00', operations: null },
    })
    const read = await api.merchant.client.get(`/transactions/${body.transaction.id}`)
    expect(read.body).toEqual({ success: true, transaction: body.transaction })
    const invoice = await api.merchant.client.get(`/invoices/${invoiceId}`)
    expect(invoice.body.invoice).toMatchObject({ transaction_id: body.transaction.id, status: 'authorized' })
  })

  test('that was declined is 410 with the code', async () => {
    play({ kind: 'declined', code: 'card.do-not-honor' }, { status: 'failed', errorCode: 'card.do-not-honor' })
    const { status, headers, body } = await post('authorize', SOURCE)
    expect(status).toBe(410)
    expect(body).toEqual({
      success: false,
      outcome: 'failed',
      error_type: 'card.do-not-honor',
      message: 'The issuer declined the payment.',
      authorized: false,
      captured: false,
      request_id: headers.get('x-request-id'),
    })
  })

  test('that was declined for a reason that we have no sentence for is 410 all the same', async () => {
    play({ kind: 'declined', code: 'card.solar-eclipse' }, { status: 'failed', errorMessage: null })
    const answer = await post('authorize', SOURCE)
    expect(answer).toMatchObject({
      status: 410,
      body: { error_type: 'card.solar-eclipse', message: 'The payment was declined.' },
    })
  })

  test('that was authorized and whose capture was declined says so', async () => {
    play({ kind: 'declined', code: 'card.declined' }, AUTHORIZED)
    const answer = await post('capture', SOURCE)
    expect(answer).toMatchObject({
      status: 410,
      body: { error_type: 'card.declined', authorized: true, captured: false },
    })
  })

  test('whose outcome is open is a success that is pending', async () => {
    play({ kind: 'pending' }, { status: 'pending' })
    const answer = await post('authorize', SOURCE)
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'pending', message: expect.any(String), transaction: { status: 'pending' } },
    })
  })

  test.each([
    [AUTHORIZED, 200, { success: true, outcome: 'success' }],
    [{ status: 'waiting' }, 200, { success: true, outcome: 'pending' }],
    [{ status: 'pending' }, 200, { success: true, outcome: 'pending' }],
    [{ status: 'pending-capture', authorizedMinor: 2900 }, 200, { success: true, outcome: 'pending' }],
    [
      { status: 'failed', errorCode: 'card.no-money' },
      410,
      { success: false, outcome: 'failed', error_type: 'card.no-money' },
    ],
    [
      { status: 'failed', errorCode: null },
      410,
      { success: false, outcome: 'failed', error_type: 'gateway.unknown-error' },
    ],
  ] as const)('that changed nothing tells where it is: %j', async (values, status, body) => {
    play({ kind: 'unchanged' }, values)
    expect(await post('authorize', SOURCE)).toMatchObject({ status, body })
  })

  test.each([
    ['request.validation.invalid-state', 400, undefined],
    ['request.validation.missing-source', 400, 'source'],
    ['request.source.card-already-used', 400, 'source'],
    ['request.validation.invalid-amount', 400, 'capture_amount'],
    ['request.validation.invalid-date', 400, 'auto_capture_at'],
    ['resource.card.not-found', 404, 'source'],
    ['request.still-processing', 409, undefined],
    ['request.not-started', 503, undefined],
    ['request.configuration.missing-gateway-configuration', 400, undefined],
  ] as const)(
    'that was refused with %s has the status of the code and names the field',
    async (code, status, field) => {
      play({ kind: 'refused', code, message: 'Because.' })
      const answer = await post('capture', SOURCE)
      expect(answer).toMatchObject({ status, body: { success: false, error_type: code, message: 'Because.' } })
      expect(answer.body.invalid_fields).toEqual(
        field === undefined ? undefined : [{ name: field, message: 'Because.' }],
      )
      expect(answer.headers.has('retry-after')).toBe(status === 409 || status === 503)
    },
  )

  test('that came after the end of the authorization is a failure of the payment', async () => {
    await record(AUTHORIZED)
    play({ kind: 'refused', code: 'gateway.expired', message: 'The authorization has expired.' })
    const answer = await post('capture')
    expect(answer).toMatchObject({
      status: 410,
      body: { error_type: 'gateway.expired', outcome: 'failed', captured: false },
    })
  })

  test('names the amount of an increment and of a void', async () => {
    await record(AUTHORIZED)
    play({ kind: 'refused', code: 'request.validation.invalid-amount', message: 'Too much.' })
    for (const verb of ['increment_authorization', 'void']) {
      expect((await post(verb, { amount: '1.00' })).body.invalid_fields).toEqual([
        { name: 'amount', message: 'Too much.' },
      ])
    }
  })

  test('that nobody gives is 503 where nothing has begun', async () => {
    play({ kind: 'no-answer' })
    const answer = await post('authorize', SOURCE)
    expect(answer).toMatchObject({ status: 503, body: { success: false, error_type: 'request.not-started' } })
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  test('that nobody gives is pending where the attempt is written', async () => {
    api.payments.play(async ({ operationId }) => {
      await record({ status: 'waiting' })
      const em = api.database.orm.em.fork()
      const { id: transactionId } = await em.findOneOrFail(TransactionEntity, { invoiceId })
      const { attempt } = makeRows('silence')
      const owner = { projectId: api.merchant.projectId, transactionId, cardId: null, gatewayConfigurationId: null }
      await em.insert(OperationEntity, { ...attempt, ...owner, id: operationId })
      return { kind: 'no-answer' }
    })
    const answer = await post('authorize', SOURCE)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'pending', transaction: { status: 'waiting' } } })
  })
})

describe('a payment that has ended answers without a command', () => {
  test.each([
    ['capture', {}],
    ['capture', SOURCE],
    ['capture', { ...SOURCE, auto_capture_at: '2026-11-22T09:00:00Z' }],
    ['capture', { capture_amount: '29.00' }],
    ['authorize', SOURCE],
    ['authorize', {}],
  ])('%s %j of a captured one is the transaction', async (verb, body) => {
    await record(COMPLETED)
    const answer = await post(verb, body)
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'success', transaction: { status: 'completed', captured_amount: '29.00' } },
    })
    expect(api.payments.sent).toEqual([])
  })

  test.each([
    ['capture', { capture_amount: '10.00' }, 400, 'request.validation.invalid-state'],
    ['void', {}, 400, 'request.validation.invalid-state'],
    ['increment_authorization', { amount: '1.00' }, 400, 'request.validation.invalid-state'],
  ])('%s %j of a captured one is refused', async (verb, body, status, errorType) => {
    await record(COMPLETED)
    expect(await post(verb, body)).toMatchObject({ status, body: { error_type: errorType } })
    expect(api.payments.sent).toEqual([])
  })

  test.each([
    ['authorize', SOURCE, false, 400, 'request.validation.invalid-state'],
    ['capture', SOURCE, false, 400, 'request.validation.invalid-state'],
    ['capture', {}, true, 410, 'gateway.expired'],
    ['increment_authorization', { amount: '1.00' }, false, 400, 'request.validation.invalid-state'],
  ] as const)('%s %j of a voided one (expired: %s) is %i', async (verb, body, expired, status, errorType) => {
    await record({ status: 'voided', authorizedMinor: 2900, voidedMinor: 2900, expired })
    expect(await post(verb, body)).toMatchObject({ status, body: { error_type: errorType } })
    expect(api.payments.sent).toEqual([])
  })

  test('void of a voided one is the transaction', async () => {
    await record({ status: 'voided', authorizedMinor: 2900, voidedMinor: 2900 })
    expect(await post('void')).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { status: 'voided', voided: true } },
    })
    expect(api.payments.sent).toEqual([])
  })
})

describe('a sale that another request overtakes', () => {
  test('captures what the other one authorized', async () => {
    api.payments.play(async ({ kind }) => {
      if (kind === 'authorize') {
        await record(AUTHORIZED)
        return { kind: 'unchanged' }
      }
      await record(COMPLETED)
      return { kind: 'done' }
    })
    const answer = await post('capture', SOURCE)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'success', transaction: { status: 'completed' } } })
    expect(api.payments.sent.map(({ command }) => command.kind)).toEqual(['authorize', 'capture'])
  })

  test('asks once more at most', async () => {
    play({ kind: 'unchanged' }, AUTHORIZED)
    await post('capture', SOURCE)
    expect(api.payments.sent).toHaveLength(2)
  })

  test('captures nothing where it was only to authorize', async () => {
    play({ kind: 'unchanged' }, AUTHORIZED)
    await post('authorize', SOURCE)
    expect(api.payments.sent).toHaveLength(1)
  })
})

describe('a transaction', () => {
  test('is not found by another project, nor under an id that is none', async () => {
    await record(AUTHORIZED)
    const { body } = await api.merchant.client.get(`/invoices/${invoiceId}`)
    const stranger = await api.makeMerchant({ sandbox: true })
    for (const id of [body.invoice.transaction_id, 'tr_none', 'tr_op_1', 'tr_%00']) {
      const answer = await stranger.client.get(`/transactions/${id}`)
      expect(answer).toMatchObject({ status: 404, body: { error_type: 'resource.transaction.not-found' } })
    }
  })
})

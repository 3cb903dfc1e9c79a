import { describe, expect, test } from '@jest/globals'
import { recoverPayment } from '../../../activities/payment/recover-operation.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import { inOrder, type NamedOperation } from '../../../domain/recovery.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { PLAIN_PAYMENT } from '../../gateways/contract-authentication.ts'
import { HOUR_MS, lostAnswer, MINUTE_MS, paymentsForFile, toEveryCall } from '../payments.ts'

const payments = paymentsForFile()
const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2030, name: null, cvc: null }

/** The gateway does something of which the record knows nothing, as it then lists it. */
async function makeLost(
  invoiceId: string,
  type: GatewayOperationType,
  amountMinor: number,
  more: { on?: string; isFinal?: boolean; before?: number; card?: string } = {},
): Promise<NamedOperation> {
  const { id: gatewayConfigurationId, gatewayName, settings } = await payments.account()
  const gateway = payments.deps.gateways.find(gatewayName)
  const reference = makeIdentifier('operation', payments.deps.randomBytes)
  const { on = '', isFinal = type === 'capture', before = 0, card = CARD.number } = more
  const access = { gatewayConfigurationId, settings, credentials: {} }
  const first = { ...access, reference, invoiceId, amountMinor, currency: 'EUR' }
  const request = { ...first, gatewayAuthorizationId: on }
  const calls: Record<GatewayOperationType, (signal: AbortSignal) => Promise<Outcome>> = {
    authorization: (signal) =>
      gateway.authorize({ ...PLAIN_PAYMENT, ...first, incremental: true, card: { ...CARD, number: card } }, signal),
    increment_authorization: (signal) =>
      gateway.increment({ ...request, targetTotalMinor: 2900 + amountMinor }, signal),
    capture: (signal) => gateway.capture({ ...request, isFinal }, signal),
    void: (signal) => gateway.void(request, signal),
    refund: (signal) => gateway.refund(request, signal),
  }
  const outcome = await calls[type](AbortSignal.timeout(5_000))
  if (outcome.kind !== 'approved' && outcome.kind !== 'pending') throw new Error(`Not made: ${JSON.stringify(outcome)}`)
  const gatewayAuthorizationId = type === 'authorization' ? outcome.gatewayOperationId : on
  const at = payments.now() - before
  return { type, reference, invoiceId, gatewayAuthorizationId, amountMinor, currency: 'EUR', isFinal, at }
}

const recoverThem = async (invoiceId: string, operations: readonly NamedOperation[]) => {
  // The record was set back some time ago.
  const deps = { ...payments.deps, clock: payments.clockAhead(HOUR_MS) }
  const configuration = await payments.account()
  return recoverPayment(deps, payments.referenceOf(invoiceId), { operations, configuration })
}
const recover = async (operation: NamedOperation) => (await recoverThem(operation.invoiceId, [operation]))[0]?.recovered

const authorizationOf = async (invoiceId: string) =>
  String((await payments.transactionOf(invoiceId)).gatewayAuthorizationId)

/** Books them, and expects that the gateway was asked for no money meanwhile. */
async function recoverAll(invoiceId: string, operations: readonly NamedOperation[]): Promise<void> {
  const before = await payments.requestsOf(invoiceId)
  payments.gateway.asked.length = 0
  for (const { operation, recovered } of await recoverThem(invoiceId, inOrder(operations)))
    expect([operation.type, recovered]).toEqual([operation.type, { kind: 'booked' }])
  expect(new Set(payments.gateway.asked.map(({ call }) => call))).toEqual(new Set(['lookUp']))
  expect(await payments.requestsOf(invoiceId)).toMatchObject(
    before.map(({ reference }) => ({ reference, timesAsked: 1 })),
  )
}

/** But for the simulator’s own count of look-ups. */
const recordOf = async () => (await payments.database.dump()).replaceAll(/^simulator\.request .*$/gm, '')

describe('what the gateway has done and the record has lost', () => {
  test('is booked under its own reference, in any order that it is listed in, with amounts, events and origin', async () => {
    const invoiceId = await payments.makeInvoice({ incremental: true })
    const authorization = await makeLost(invoiceId, 'authorization', 2900, { before: 5 * MINUTE_MS })
    const on = authorization.gatewayAuthorizationId
    const lost = [
      await makeLost(invoiceId, 'increment_authorization', 500, { on }),
      await makeLost(invoiceId, 'void', 400, { on }),
      // As Stripe lists it: of several captures each one says that the rest was released.
      { ...(await makeLost(invoiceId, 'capture', 700, { on, isFinal: false })), isFinal: true },
      await makeLost(invoiceId, 'capture', 900, { on }),
      await makeLost(invoiceId, 'refund', 300, { on }),
      authorization,
    ]
    await recoverAll(invoiceId, lost.toReversed())
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{
        status: 'partially-refunded',
        authorizedMinor: 3400,
        capturedMinor: 1600,
        voidedMinor: 1800,
        refundedMinor: 300,
      },
      ...{ authorizedAt: new Date(authorization.at), gatewayAuthorizationId: on, needsAttention: false },
    })
    expect(await payments.eventsOf(invoiceId)).toEqual(
      expect.arrayContaining(['transaction.authorized', 'transaction.captured', 'transaction.refunded']),
    )
    const attempts = (await payments.operationsOf(invoiceId)).filter(({ isAttempt }) => isAttempt)
    expect(new Set(attempts.map(({ id }) => id))).toEqual(new Set(lost.map(({ reference }) => reference)))
    for (const { actor, reason } of attempts) expect({ actor, reason }).toEqual({ actor: 'staff', reason: 'recovered' })
    const booked = await recordOf()
    for (const operation of lost) expect(await recover(operation)).toEqual({ kind: 'known' })
    expect(await recordOf()).toBe(booked)
  })

  test.each([
    ['released in full', 'void', 2900, { status: 'voided', voidedMinor: 2900 }],
    ['captured in full', 'capture', 2900, { status: 'completed', capturedMinor: 2900 }],
    ['captured in part, the rest released', 'capture', 900, { capturedMinor: 900, voidedMinor: 2000 }],
  ] as const)('%s: the payment that the record has as authorized goes on', async (_, type, amountMinor, columns) => {
    const { invoiceId } = await payments.authorized()
    const lost = await makeLost(invoiceId, type, amountMinor, { on: await authorizationOf(invoiceId) })
    await recoverAll(invoiceId, [lost])
    expect(await payments.transactionOf(invoiceId)).toMatchObject(columns)
  })

  test('at a gateway that releases nothing but the whole rest: after the captures before it', async () => {
    const { invoiceId } = await payments.authorized()
    const { capabilities, gatewayAuthorizationId } = await payments.transactionOf(invoiceId)
    const on = String(gatewayAuthorizationId)
    await payments
      .em()
      .nativeUpdate(TransactionEntity, { invoiceId }, { capabilities: { ...capabilities, partialVoid: false } })
    const captured = await makeLost(invoiceId, 'capture', 900, { on, isFinal: false })
    await recoverAll(invoiceId, [await makeLost(invoiceId, 'void', 2000, { on }), captured])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ capturedMinor: 900, voidedMinor: 2000 })
  })

  test('was raised though the invoice does not say that it can be', async () => {
    const invoiceId = await payments.makeInvoice()
    const authorization = await makeLost(invoiceId, 'authorization', 2900)
    const on = authorization.gatewayAuthorizationId
    const raised = await makeLost(invoiceId, 'increment_authorization', 500, { on })
    await recoverAll(invoiceId, [authorization, raised, await makeLost(invoiceId, 'capture', 3400, { on })])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 3400 })
  })

  test('after an attempt that the record has under way: what became of that is learned first', async () => {
    const invoiceId = await payments.makeInvoice()
    const authorize = payments.build.authorize(await payments.makeCard(), { autoCaptureAt: payments.now() + HOUR_MS })
    await payments.gateway.answersDuring(toEveryCall(lostAnswer), () => payments.step(invoiceId, authorize))
    const [{ gatewayAuthorizationId: on = '' } = {}] = await payments.requestsOf(invoiceId)
    const lost = await makeLost(invoiceId, 'capture', 2900, { on: String(on) })
    payments.gateway.answers({
      lookUp: (ask, { type }) => (type === 'authorization' ? { kind: 'never-seen' } : ask()),
    })
    expect(await recover(lost)).toEqual({ kind: 'left', why: expect.stringContaining('run the command again') })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'pending' })
    payments.gateway.reset()
    await recoverAll(invoiceId, [lost])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'completed', capturedMinor: 2900, autoCaptureAt: null, attemptsInFlight: [] },
    })
  })

  test('that the gateway has under way stays pending, and its look-ups go on', async () => {
    const { invoiceId } = await payments.captured()
    const lost = await makeLost(invoiceId, 'refund', 900, { on: await authorizationOf(invoiceId) })
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: { kind: 'pending', gatewayOperationId: 're_1' } } })
    expect(await recover(lost)).toEqual({ kind: 'pending' })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ refundedMinor: 0, refundingMinor: 900 })
  })

  test.each([
    ['made by it', 500, 0, null],
    ['made by it, a little earlier by the gateway’s clock', 500, -1_500, null],
    ['of the merchant before it', 200, -10 * MINUTE_MS, 500],
  ])('a schedule takes no money twice after a capture %s', async (_, amountMinor, laterMs, left) => {
    const dueAt = payments.now() + 20 * MINUTE_MS
    const { invoiceId } = await payments.authorized({ autoCaptureAt: dueAt, amountMinor: 500 })
    const isFinal = laterMs === 0
    const lost = await makeLost(invoiceId, 'capture', amountMinor, { on: await authorizationOf(invoiceId), isFinal })
    await recoverAll(invoiceId, [{ ...lost, at: dueAt + laterMs }])
    const { autoCaptureAt, autoCaptureAmountMinor, capturedMinor } = await payments.transactionOf(invoiceId)
    const schedule = autoCaptureAt == null ? null : autoCaptureAmountMinor
    expect({ capturedMinor, schedule }).toEqual({ capturedMinor: amountMinor, schedule: left })
  })
})

describe('nothing is booked', () => {
  const approvedOver = (amountMinor: number, currency = 'EUR'): Outcome => {
    return { kind: 'approved', gatewayOperationId: 'sim_1', amountMinor, currency }
  }
  test.each<[string, Parameters<typeof payments.gateway.answers>[0], string]>([
    ['that the gateway does not find', { lookUp: { kind: 'never-seen' } }, 'never-seen'],
    ['while the gateway is away', { lookUp: { kind: 'unreachable', reason: 'away' } }, 'away'],
    [
      'that was declined',
      { lookUp: { kind: 'found', outcome: { kind: 'declined', code: 'x', gatewayCode: 'x' } } },
      'declined',
    ],
    ['over more than the gateway says', { lookUp: { kind: 'found', outcome: approvedOver(899) } }, 'says 8.99'],
    ['in another currency', { lookUp: { kind: 'found', outcome: approvedOver(900, 'USD') } }, 'in EUR'],
  ])('%s', async (_, answers, why) => {
    const { invoiceId } = await payments.authorized()
    const lost = await makeLost(invoiceId, 'capture', 900, { on: await authorizationOf(invoiceId) })
    const before = await payments.transactionOf(invoiceId)
    payments.gateway.answers(answers)
    expect(await recover(lost)).toEqual({ kind: 'left', why: expect.stringContaining(why) })
    expect(await payments.transactionOf(invoiceId)).toEqual(before)
  })

  test('of an authorization beside the one that the record has, nor of what was captured of it', async () => {
    const { invoiceId } = await payments.authorized()
    const second = await makeLost(invoiceId, 'authorization', 2900)
    const capture = await makeLost(invoiceId, 'capture', 2900, { on: second.gatewayAuthorizationId })
    const before = await payments.transactionOf(invoiceId)
    expect(await recover(second)).toEqual({ kind: 'left', why: expect.stringContaining('as authorized') })
    expect(await recover(capture)).toEqual({ kind: 'left', why: expect.stringContaining('another authorization') })
    expect(await payments.transactionOf(invoiceId)).toEqual(before)
  })

  test('that the record has not left', async () => {
    const { invoiceId } = await payments.authorized()
    const lost = await makeLost(invoiceId, 'capture', 2900, { on: await authorizationOf(invoiceId) })
    const answers = { void: approvedOver(2900) }
    await payments.gateway.answersDuring(answers, () => payments.step(invoiceId, payments.build.void()))
    expect(await recover(lost)).toEqual({ kind: 'left', why: 'The payment was voided.' })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'voided', capturedMinor: 0 })
  })
})

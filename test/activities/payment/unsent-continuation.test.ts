import { describe, expect, test } from '@jest/globals'
import { notSent, type Outcome } from '../../../domain/operation.ts'
import { untilSent } from '../../../src/gateways/until-sent.ts'
import { ACTION_REQUIRED, APPROVED, authenticationsForFile, once } from '../authentications.ts'
import { MINUTE_MS } from '../payments.ts'

/**
 * The customer has authenticated, and the call that goes on is not sent. A gateway that authorizes by itself, as Stripe
 * does, may hold the money by then.
 */
const payments = authenticationsForFile({ isByItself: true })
const inContinuation = authenticationsForFile()

/** The gateway throttles. */
const THROTTLED: Extract<Outcome, { kind: 'declined' }> = {
  kind: 'declined',
  code: 'gateway.rate-limit-exceeded',
  gatewayCode: '429',
  isNotSent: true,
}

/** Why the guard, the adapter or the gateway did nothing with a call. */
const NOT_SENT: readonly (typeof THROTTLED)[] = [
  ...['CIRCUIT_OPEN', 'TOO_MANY_CALLS', 'ECONNREFUSED'].map((gatewayCode) => ({
    ...THROTTLED,
    ...{ code: 'gateway.network-error', gatewayCode },
  })),
  THROTTLED,
]

/** A payment whose customer has authenticated, and whose continuation ends so. */
async function continueWith(outcome: Outcome) {
  const { invoiceId, operationId } = await payments.begin()
  payments.gateway.answers({ continueAuthorization: outcome })
  const result = await payments.step(invoiceId, await payments.continuing(invoiceId))
  return { invoiceId, operationId, result }
}

describe('a continuation that was not sent, at a gateway that authorizes by itself', () => {
  test.each(NOT_SENT)('is pending, and no other card is asked: $gatewayCode', async (outcome) => {
    const { invoiceId, operationId, result } = await continueWith(outcome)
    expect(result.answer).toEqual({ kind: 'pending' })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      status: 'pending',
      attemptsInFlight: [{ operationId, isAbandoned: false }],
    })
    expect(await payments.payWithOther(invoiceId)).toMatchObject({
      answer: { kind: 'unchanged' },
      payment: { status: 'pending' },
    })
    expect(payments.calls()).toEqual(['authorize', 'continueAuthorization'])
  })

  test('is looked up, and the approval of the gateway is recorded', async () => {
    const { invoiceId, operationId } = await continueWith(notSent('CIRCUIT_OPEN'))
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: APPROVED } })
    await payments.lookUp(invoiceId, operationId, MINUTE_MS)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      status: 'authorized',
      authorizedMinor: 2900,
      attemptsInFlight: [],
    })
  })

  test('is sent as soon as the gateway can be asked, where it still waits for it', async () => {
    const { invoiceId, operationId } = await continueWith(notSent('CIRCUIT_OPEN'))
    payments.gateway.answers({ continueAuthorization: APPROVED, lookUp: { kind: 'found', outcome: ACTION_REQUIRED } })
    await payments.lookUp(invoiceId, operationId, MINUTE_MS)
    expect(payments.calls()).toEqual(['authorize', 'continueAuthorization', 'lookUp', 'continueAuthorization'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized' })
  })

  test('is pending where the credentials cannot be opened, also when the time of the customer is over', async () => {
    const [answered, overdue] = [await payments.begin(), await payments.begin()]
    const vault = { ...payments.deps.vault, decryptCredentials: () => fail() }
    const activities = payments.activitiesWith({ vault })
    const command = await payments.continuing(answered.invoiceId)
    const result = await activities.authorize(payments.stepOf(answered.invoiceId, command))
    expect(result.answer).toEqual({ kind: 'pending' })
    await activities.lookUp({
      payment: payments.referenceOf(overdue.invoiceId),
      operationId: overdue.operationId,
      at: payments.now() + 16 * MINUTE_MS,
    })
    for (const { invoiceId, operationId } of [answered, overdue])
      expect(await payments.transactionOf(invoiceId)).toMatchObject({
        attemptsInFlight: [{ operationId, isAbandoned: false }],
      })
  })
})

describe('a continuation that was not sent, at a gateway that authorizes in it', () => {
  test.each(NOT_SENT)('is sent again, and the customer need not authenticate anew: $gatewayCode', async (outcome) => {
    const { invoiceId, operationId } = await inContinuation.begin()
    inContinuation.gateway.answers({ continueAuthorization: once(outcome) })
    const result = await inContinuation.step(invoiceId, await inContinuation.continuing(invoiceId))
    expect(result).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'authorized' } })
    expect(inContinuation.calls()).toEqual(['authorize', 'continueAuthorization', 'continueAuthorization'])
    const [, first, again] = inContinuation.requests()
    expect(again).toEqual(first)
    expect(await inContinuation.transactionOf(invoiceId)).toMatchObject({ authorizedMinor: 2900, attemptsInFlight: [] })
    expect(await inContinuation.resultsOf(operationId)).toMatchObject([{ outcome: 'succeeded' }])
  })

  test('has reserved nothing, where no later one would be sent either', async () => {
    const refused = { ...THROTTLED, code: 'gateway.invalid-credentials', gatewayCode: '401' }
    const { invoiceId } = await inContinuation.begin()
    inContinuation.gateway.answers({ continueAuthorization: refused })
    const result = await inContinuation.step(invoiceId, await inContinuation.continuing(invoiceId))
    expect(result.answer).toEqual({ kind: 'declined', code: 'gateway.invalid-credentials' })
    expect(await inContinuation.transactionOf(invoiceId)).toMatchObject({ status: 'failed', attemptsInFlight: [] })
    expect(inContinuation.calls()).toEqual(['authorize', 'continueAuthorization'])
  })
})

describe('a call that is made until it is sent', () => {
  const make = async (outcomes: readonly Outcome[], forMs = 60_000) => {
    let calls = 0
    const call = async () => outcomes[Math.min(calls++, outcomes.length - 1)] ?? APPROVED
    return { outcome: await untilSent(call, performance.now() + forMs), calls }
  }

  test('is not made again once it may have been sent, or was decided', async () => {
    const lost: Outcome = { kind: 'unknown', reason: 'lost' }
    const failed: Outcome = { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' }
    for (const outcome of [APPROVED, ACTION_REQUIRED, lost, failed])
      expect(await make([outcome, APPROVED])).toEqual({ outcome, calls: 1 })
    expect(await make([THROTTLED, lost, APPROVED])).toEqual({ outcome: lost, calls: 2 })
  })

  test('is given up in time, and has done nothing', async () => {
    const { outcome, calls } = await make([THROTTLED], 1_000)
    expect(outcome).toBe(THROTTLED)
    // A busy machine makes fewer.
    expect([2, 3]).toContain(calls)
    expect(await make([THROTTLED], 0)).toEqual({ outcome: THROTTLED, calls: 1 })
  })
})

function fail(): never {
  throw new Error('The key of the credentials is missing.')
}

import { describe, expect, test } from '@jest/globals'
import { notSent, type Outcome } from '../../../domain/operation.ts'
import { ACTION_REQUIRED, APPROVED, authenticationsForFile } from '../authentications.ts'
import { MINUTE_MS } from '../payments.ts'

/**
 * The customer has authenticated, and the call that goes on is not sent. A gateway that authorizes by itself, as Stripe
 * does, may hold the money by then.
 */
const payments = authenticationsForFile({ isByItself: true })
const inContinuation = authenticationsForFile()

/** Why the guard, or the adapter, did not send a call. */
const NOT_SENT: readonly Extract<Outcome, { kind: 'declined' }>[] = ['CIRCUIT_OPEN', 'TOO_MANY_CALLS', '429'].map(
  (gatewayCode) => ({ kind: 'declined', code: 'gateway.network-error', gatewayCode, isNotSent: true }),
)

/** A payment whose customer has authenticated, and whose continuation ends so. */
async function continueWith(outcome: Outcome, at = payments) {
  const { invoiceId, operationId } = await at.begin()
  at.gateway.answers({ continueAuthorization: outcome })
  const result = await at.step(invoiceId, await at.continuing(invoiceId))
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

test('a continuation that was not sent has reserved nothing at a gateway that authorizes in it', async () => {
  const { invoiceId, result } = await continueWith(notSent('CIRCUIT_OPEN'), inContinuation)
  expect(result.answer).toEqual({ kind: 'declined', code: 'gateway.network-error' })
  expect(await inContinuation.transactionOf(invoiceId)).toMatchObject({ status: 'failed', attemptsInFlight: [] })
})

function fail(): never {
  throw new Error('The key of the credentials is missing.')
}

import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Outcome } from '../../../domain/operation.ts'
import { disputeNotification, outcomeNotification } from '../../support/gateway-notifications.ts'
import { paymentsForFile } from '../payments.ts'

/** A code that no row may hold, because the tests forbid it. */
const FORBIDDEN = 'FORBIDDEN'

const payments = paymentsForFile()

beforeAll(async () => {
  await payments.em().execute(
    `alter table operation add constraint planted_defect check (
       coalesce(authorization_code, '') <> '${FORBIDDEN}' and coalesce(gateway_code, '') <> '${FORBIDDEN}'
       and coalesce(chargeback_reason, '') <> '${FORBIDDEN}')`,
  )
})

const approved = (values: Partial<Extract<Outcome, { kind: 'approved' }>> = {}) =>
  ({ kind: 'approved', gatewayOperationId: 'auth_1', amountMinor: 2900, currency: 'EUR', ...values }) as const
const authorize = (answer: Outcome) => {
  payments.gateway.answers({ authorize: answer })
  return payments.authorize()
}

test.each<[string, string, string]>([
  ['a NUL', 'auth\u0000_1', 'auth_1'],
  ['other control characters', '\u0007auth\n_1\u009f', 'auth_1'],
  ['half of a character', 'auth_\ud8001', 'auth_\ufffd1'],
  ['more than any index takes', 'x'.repeat(9_000), 'x'.repeat(255)],
])('an answer with %s in its id is booked', async (_, gatewayOperationId, kept) => {
  const { invoiceId, result } = await authorize(approved({ gatewayOperationId, authorizationCode: gatewayOperationId }))
  expect(result).toMatchObject({ answer: { kind: 'done' }, payment: { authorizedMinor: 2900, needsAttention: false } })
  expect(await payments.transactionOf(invoiceId)).toMatchObject({ gatewayAuthorizationId: kept })
})

test('a capture that is approved takes the failure of the one before it off the transaction', async () => {
  const { invoiceId } = await payments.authorized()
  payments.gateway.answers({ capture: { kind: 'declined', code: 'gateway.declined', gatewayCode: 'no' } })
  await payments.step(invoiceId, payments.build.capture())
  const failed = { status: 'authorized', errorCode: 'gateway.declined' }
  expect(await payments.transactionOf(invoiceId)).toMatchObject(failed)
  payments.gateway.reset()
  await payments.step(invoiceId, payments.build.capture())
  const captured = { status: 'completed', errorCode: null, errorMessage: null }
  expect(await payments.transactionOf(invoiceId)).toMatchObject(captured)
})

describe('an outcome that cannot be recorded', () => {
  test('leaves the attempt open and shows the payment to staff, and the gateway is asked once', async () => {
    const { invoiceId, operationId, result } = await authorize(approved({ authorizationCode: FORBIDDEN }))
    expect(payments.gateway.asked).toHaveLength(1)
    expect(result).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'pending', authorizedMinor: 0, needsAttention: true, attemptsInFlight: [{ operationId }] },
    })
    expect(await payments.resultsOf(operationId)).toMatchObject([{ outcome: 'unknown', errorCode: null }])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ needsAttention: true })
    expect(await payments.eventsOf(invoiceId)).not.toContain('transaction.authorized')
  })

  test('a decline of it goes to no other gateway and frees nothing', async () => {
    const { result } = await authorize({ kind: 'declined', code: 'card.declined', gatewayCode: FORBIDDEN })
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { status: 'pending', needsAttention: true } })
  })

  test('is tried again by Temporal where the failure may pass', async () => {
    let isAway = false
    const passing = Object.assign(new Error('Connection terminated'), { code: '57P01' })
    const orm = new Proxy(payments.deps.orm, {
      get(target, name, receiver) {
        if (name === 'driver' && isAway) throw passing
        return Reflect.get(target, name, receiver)
      },
    })
    payments.gateway.answers({
      authorize() {
        isAway = true
        return approved()
      },
      lookUp: { kind: 'found', outcome: approved() },
    })
    const { authorize: authorizeBy } = payments.activitiesWith({ orm })
    const invoiceId = await payments.makeInvoice()
    const step = payments.stepOf(invoiceId, payments.build.authorize(await payments.makeCard()))
    await expect(authorizeBy(step)).rejects.toThrow()
    isAway = false
    expect(await authorizeBy(step)).toMatchObject({
      answer: { kind: 'done' },
      payment: { authorizedMinor: 2900, needsAttention: false },
    })
  })
})

describe('what a gateway says unasked and cannot be recorded', () => {
  test('a dispute is shown to staff and holds up nothing else', async () => {
    const { invoiceId } = await payments.captured()
    const dispute = disputeNotification('chargeback-created', { invoiceId, reason: FORBIDDEN })
    const { payment } = await payments.notifyAndApply(invoiceId, dispute)
    expect(payment).toMatchObject({ status: 'completed', needsAttention: true })
    expect(await payments.step(invoiceId, payments.build.refund(900))).toMatchObject({
      answer: { kind: 'done' },
      payment: { refundedMinor: 900 },
    })
  })

  test('keeps no other notification of its payment from its look-up', async () => {
    const { invoiceId } = await payments.captured()
    payments.gateway.answers({
      refund: { kind: 'pending', gatewayOperationId: 'psp_1' },
      lookUp: { kind: 'found', outcome: approved({ gatewayOperationId: 'psp_2', amountMinor: 900 }) },
    })
    const [first, second] = [payments.build.refund(900), payments.build.refund(900)]
    for (const refund of [first, second]) await payments.step(invoiceId, refund)
    const failure = { kind: 'declined', code: 'gateway.declined', gatewayCode: FORBIDDEN } as const
    const { payment } = await payments.notifyAndApply(
      invoiceId,
      outcomeNotification('refund', first.operationId, failure),
      outcomeNotification('refund', second.operationId, null),
    )
    expect(payment).toMatchObject({ needsAttention: true })
    expect(await payments.resultsOf(second.operationId)).toEqual(
      expect.arrayContaining([expect.objectContaining({ outcome: 'succeeded', amountMinor: 900 })]),
    )
  })
})

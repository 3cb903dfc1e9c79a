import { describe, expect, test } from '@jest/globals'
import type { Outcome } from '../../../domain/operation.ts'
import { nextDue } from '../../../domain/payment.ts'
import { GatewayNotificationEntity } from '../../../src/persistence/entities/gateway-notification.ts'
import { outcomeNotification } from '../../support/gateway-notifications.ts'
import { DAY_MS, lostAnswer, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

/** More than an authorization holds. */
const LATER_MS = 8 * DAY_MS
const later = () => payments.now() + LATER_MS
const declined = (values: Partial<Extract<Outcome, { kind: 'declined' }>> = {}) =>
  ({ kind: 'declined', code: 'gateway.invalid-state', gatewayCode: 'ALREADY_CAPTURED', ...values }) as const
const approved = { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 2900, currency: 'EUR' } as const
const STILL_HELD = { status: 'authorized', voidedMinor: 0, expired: false } as const
const RELEASED = { status: 'voided', expired: true, voidedMinor: 2900, attemptsInFlight: [], needsAttention: false }

/** The void at the end of an authorization, to which the gateway answers this. */
const expire = async (answer: Outcome) => {
  const { invoiceId } = await payments.authorized()
  const expiry = payments.build.expiry()
  payments.gateway.answers({ void: answer })
  const result = await payments.step(invoiceId, expiry)
  return { invoiceId, operationId: expiry.operationId, result }
}

describe('the void at the end of an authorization that the gateway refuses', () => {
  test.each<[string, Outcome]>([
    ['that it has expired', declined({ code: 'gateway.expired' })],
    ['that it was released before', declined({ holdsNothing: true })],
  ])('saying %s leaves a voided payment, not a failed one', async (_, refusal) => {
    const { invoiceId, operationId, result } = await expire(refusal)
    expect(result.payment).toMatchObject(RELEASED)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'voided', errorCode: null })
    expect(await payments.resultsOf(operationId)).toMatchObject([{ outcome: 'failed', isAccountable: true }])
  })

  // Which refusals free the money is proven in test/domain/reconcile.test.ts.
  test('and says that the money was taken frees nothing: it is looked up, and then shown to staff', async () => {
    const refusal = declined()
    const { invoiceId, operationId, result } = await expire(refusal)
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { ...STILL_HELD, needsAttention: false } })
    expect(result.payment.attemptsInFlight).toMatchObject([{ operationId }])
    const { code: errorCode, gatewayCode } = refusal
    const results = [{ outcome: 'unknown', errorCode, gatewayCode, isAccountable: false }]
    expect(await payments.resultsOf(operationId)).toMatchObject(results)

    payments.gateway.answers({ lookUp: { kind: 'found', outcome: refusal } })
    const { payment } = await payments.lookUp(invoiceId, operationId, LATER_MS)
    expect(payment).toMatchObject({ ...STILL_HELD, needsAttention: true, attemptsInFlight: [{ operationId }] })
    // The clock does not ask for the same void for ever.
    expect(nextDue(payment)).toBeNull()
    expect(await payments.resultsOf(operationId)).toMatchObject(results)
    const shown = { status: 'authorized', voidedMinor: 0, needsAttention: true }
    expect(await payments.transactionOf(invoiceId)).toMatchObject(shown)
  })

  test('and that a look-up finds made after all is booked, without staff', async () => {
    const { invoiceId, operationId } = await expire(declined())
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: approved } })
    expect((await payments.lookUp(invoiceId, operationId, LATER_MS)).payment).toMatchObject(RELEASED)
  })

  test('by a notification frees nothing either', async () => {
    const { invoiceId, operationId } = await expire({ kind: 'pending', gatewayOperationId: 'psp_1' })
    await payments.notify(invoiceId, outcomeNotification('void', operationId, declined()))
    const { payment } = await payments.applyNotifications(invoiceId, later())
    expect(payment).toMatchObject({ ...STILL_HELD, attemptsInFlight: [{ operationId }] })
    payments.gateway.answers({ lookUp: { kind: 'unreachable', reason: 'There is no look-up.' } })
    expect((await payments.lookUp(invoiceId, operationId, LATER_MS)).payment).toMatchObject({
      ...{ ...STILL_HELD, needsAttention: true },
    })
  })
})

describe('an authorization that its gateway tells to have ended', () => {
  const notifyEnd = async (invoiceId: string, reference: string, capturedMinor: number) => {
    const { gatewayAuthorizationId } = await payments.transactionOf(invoiceId)
    if (gatewayAuthorizationId == null) throw new Error('The payment is authorized.')
    await payments.notify(invoiceId, {
      ...{ kind: 'authorization-ended', gatewayNotificationId: `${reference}-ended` },
      ...{ reference, gatewayAuthorizationId, capturedMinor, currency: 'EUR' },
    })
  }

  test('is shown to staff where its money was taken and we know nothing of it', async () => {
    const { invoiceId, operationId } = await payments.authorized()
    await notifyEnd(invoiceId, operationId, 2_900)
    const { payment } = await payments.applyNotifications(invoiceId)
    expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, needsAttention: true })
  })

  test('is released here as it was there, by the void at its end', async () => {
    const { invoiceId, operationId } = await payments.authorized()
    await notifyEnd(invoiceId, operationId, 0)
    const at = payments.now()
    const { payment } = await payments.applyNotifications(invoiceId, at)
    expect(payment).toMatchObject({ status: 'authorized', needsAttention: false })
    expect(nextDue(payment)).toEqual({ kind: 'expiry', at })
    payments.gateway.answers({ void: declined({ holdsNothing: true }) })
    expect((await payments.step(invoiceId, payments.build.expiry(), { at })).payment).toMatchObject({
      ...{ status: 'voided', voidedMinor: 2900, needsAttention: false },
    })
  })

  test('says nothing new where it was captured by us, or is being captured', async () => {
    const { invoiceId, operationId } = await payments.authorized()
    const capture = payments.build.capture()
    payments.gateway.answers({ capture: lostAnswer, lookUp: { kind: 'found', outcome: approved } })
    await payments.step(invoiceId, capture)
    await notifyEnd(invoiceId, operationId, 2_900)
    const open = await payments.applyNotifications(invoiceId)
    expect(open.payment).toMatchObject({ capturedMinor: 0, needsAttention: false })
    await payments.lookUp(invoiceId, capture.operationId)
    const known = await payments.applyNotifications(invoiceId)
    expect(known.payment).toMatchObject({ status: 'completed', capturedMinor: 2900, needsAttention: false })
    const notices = await payments.em().find(GatewayNotificationEntity, { invoiceId })
    expect(notices.map(({ appliedAt }) => appliedAt)).toEqual([expect.any(Date)])
  })
})

import { describe, expect, test } from '@jest/globals'
import type { Outcome } from '../../../domain/operation.ts'
import { nextDue } from '../../../domain/payment.ts'
import { outcomeNotification } from '../../support/gateway-notifications.ts'
import { DAY_MS, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

/** An authorization whose answer was lost, of a payment that is to be captured later. */
const authorize = async () => {
  const payment = await payments.authorize({ card: '4000000000007007', autoCaptureAt: payments.now() + DAY_MS })
  expect(payment.result.payment.status).toBe('pending')
  return payment
}
const VOID_OF_PERSON = { personId: 'person_1' }
const giveUp = (invoiceId: string, command = payments.build.void(null, VOID_OF_PERSON)) =>
  payments.step(invoiceId, command)
const typesOf = async (invoiceId: string) => (await payments.requestsOf(invoiceId)).map(({ type }) => type)
const countVoided = async (invoiceId: string) =>
  (await payments.eventsOf(invoiceId)).filter((name) => name === 'transaction.voided').length

describe('a void of a payment whose authorization nobody knows yet', () => {
  test('ends it at once: nothing is sent, nothing will be captured, and the invoice is not paid any more', async () => {
    const { invoiceId, operationId } = await authorize()
    expect(await giveUp(invoiceId)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'voided', authorizedMinor: 0, autoCaptureAt: null, attemptsInFlight: [{ isAbandoned: true }] },
    })
    expect(await typesOf(invoiceId)).toEqual(['authorization'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'voided', voidedAt: expect.any(Date), errorCode: null, outcomeUnknownSince: null },
    })
    const results = await payments.resultsOf(operationId)
    expect(results.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
      { gatewayCode: 'GIVEN_UP', actor: 'merchant' },
    ])
    const events = await payments.eventsOf(invoiceId)
    expect(events).toContain('transaction.voided')
    expect(events).not.toContain('transaction.failed')
    // It leaves no attempt that would name its person.
    const kind = 'payment.given-up'
    const acts = await payments.em().execute('select actor from audit_entry where kind = ?', [kind])
    expect(acts).toEqual([{ actor: 'person:person_1' }])
    const again = await payments.step(invoiceId, payments.build.authorize(await payments.makeCard()))
    expect(again.answer).toMatchObject({ kind: 'refused', code: 'request.validation.invalid-state' })
  })

  test('gives back what turns out approved', async () => {
    const { invoiceId, operationId } = await authorize()
    await giveUp(invoiceId)
    const { voidedAt } = await payments.transactionOf(invoiceId)
    const { payment } = await payments.lookUp(invoiceId, operationId)
    expect(payment).toMatchObject({ status: 'voided', authorizedMinor: 0, orphans: [{ operationId }] })
    expect(nextDue(payment)).toMatchObject({ kind: 'reverse-orphan' })
    const at = payments.now() + DAY_MS
    expect(await payments.step(invoiceId, payments.build.reverseOrphan(operationId), { at })).toMatchObject({
      payment: { status: 'voided', orphans: [], attemptsInFlight: [] },
    })
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'void'])
    // The merchant has voided the payment before.
    expect((await payments.transactionOf(invoiceId)).voidedAt).toEqual(voidedAt)
  })

  test('gives back also what is told after nobody looked it up any more', async () => {
    payments.gateway.answers({ lookUp: { kind: 'unreachable', reason: 'The gateway says nothing.' } })
    const { invoiceId, operationId } = await authorize()
    await giveUp(invoiceId)
    expect((await payments.lookUp(invoiceId, operationId, 8 * DAY_MS)).payment.attemptsInFlight).toEqual([])
    const approval: Outcome = { kind: 'approved', gatewayOperationId: 'late', amountMinor: 2900, currency: 'EUR' }
    await payments.notifyAndApply(invoiceId, outcomeNotification('authorization', operationId, approval))
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'voided', orphans: [{ operationId }] })
  })

  test('is done once, whether it comes again, comes twice at once, or meets the look-up', async () => {
    const { invoiceId } = await authorize()
    const command = payments.build.void()
    expect((await giveUp(invoiceId, command)).answer).toEqual({ kind: 'done' })
    expect((await giveUp(invoiceId, command)).answer).toEqual({ kind: 'unchanged' })
    expect(await countVoided(invoiceId)).toBe(1)

    const { invoiceId: met, operationId } = await authorize()
    await Promise.all([giveUp(met), giveUp(met), payments.lookUp(met, operationId)])
    const row = await payments.transactionOf(met)
    // Whichever came first: nothing stays held that nobody gives back.
    if (row.orphans.length === 0) expect([row.status, row.voidedMinor]).toEqual(['voided', row.authorizedMinor])
    else expect(row).toMatchObject({ status: 'voided', authorizedMinor: 0 })
    expect(await countVoided(met)).toBe(1)
  })
})

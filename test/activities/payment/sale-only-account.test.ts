import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Due, nextDue } from '../../../domain/payment.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { MINUTE_MS, paymentsForFile } from '../payments.ts'

/** An account that cannot reserve money: every authorization takes it. */
const payments = paymentsForFile()

const LOST = '4000000000007007'
const NEVER_RESOLVED = '4000000000007023'
const PARTIAL = '4000000000007114'

const typesOf = async (invoiceId: string) => (await payments.requestsOf(invoiceId)).map(({ type }) => type)

beforeAll(async () => {
  const owner = { projectId: payments.projectId, sandbox: true }
  await payments.em().nativeUpdate(GatewayConfigurationEntity, owner, { capabilities: { authorize: false } })
})

/** A sale of the merchant with this card: the authorization and, where it goes on, its capture. */
async function sell(number: string, amountMinor = 2900) {
  const invoiceId = await payments.makeInvoice({ amountMinor })
  const command = payments.build.authorize(await payments.makeCard(number), { authorizeOnly: false })
  const result = await payments.executeCommand(invoiceId, command)
  return { invoiceId, operationId: command.operationId, result }
}

/** Makes the reversal that the payment asks for. */
async function reverse(invoiceId: string, due: Due | null) {
  if (due?.kind !== 'reverse-orphan') throw new Error('The payment asks for no reversal.')
  return payments.step(invoiceId, payments.build.reverseOrphan(due.orphan.operationId), { at: due.at })
}

/** Staff have asked the gateway, and say what became of an attempt. */
const resolve = (invoiceId: string, operationId: string, outcome: 'approved' | 'declined') =>
  payments.activities.resolveAttempt({
    payment: payments.referenceOf(invoiceId),
    resolution: { operationId, outcome, gatewayOperationId: 'sim_found', reason: 'as their books have it' },
    at: payments.now(),
  })

describe('a sale whose outcome is not known, and that its merchant voids', () => {
  const sellAndVoid = async () => {
    const sold = await sell(LOST)
    expect(await payments.step(sold.invoiceId, payments.build.void())).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'voided' },
    })
    const { payment } = await payments.lookUp(sold.invoiceId, sold.operationId, MINUTE_MS)
    return { ...sold, payment }
  }

  test('is given back when it turns out to have taken the money, and the merchant is told', async () => {
    const { invoiceId, operationId, payment } = await sellAndVoid()
    expect(payment).toMatchObject({
      status: 'voided',
      capturedMinor: 0,
      needsAttention: false,
      orphans: [{ operationId, amountMinor: 2900, isSale: true, reason: 'late_approval' }],
    })
    expect(await reverse(invoiceId, nextDue(payment))).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'voided', orphans: [], needsAttention: false, capturedMinor: 0, refundedMinor: 0 },
    })
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'refund'])
    expect(await payments.eventsOf(invoiceId)).toContain('transaction.refunded')
  })

  test('is given back later where the gateway fails meanwhile, and once', async () => {
    const { invoiceId, payment } = await sellAndVoid()
    payments.gateway.answers({ refund: { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' } })
    const failed = await reverse(invoiceId, nextDue(payment))
    expect(failed.payment).toMatchObject({ orphans: [{ retry: { failures: 1 } }], needsAttention: false })
    expect(await payments.eventsOf(invoiceId)).toContain('transaction.operation.refund.failed')
    payments.gateway.reset()
    const reversed = await reverse(invoiceId, nextDue(failed.payment))
    expect(reversed.payment).toMatchObject({ orphans: [], needsAttention: false })
    expect(nextDue(reversed.payment)).toBeNull()
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'refund'])
  })
})

test('a sale that staff find approved is captured: it can be refunded, and not captured again', async () => {
  const { invoiceId, operationId } = await sell(NEVER_RESOLVED)
  expect((await resolve(invoiceId, operationId, 'approved')).payment).toMatchObject({
    status: 'completed',
    authorizedMinor: 2900,
    capturedMinor: 2900,
    capturesCount: 1,
  })
  const captures = (await payments.operationsOf(invoiceId)).filter(({ type }) => type === 'capture')
  expect(captures).toMatchObject([{ amountMinor: 2900, isSale: true, outcome: 'succeeded' }])
  expect((await payments.step(invoiceId, payments.build.capture(100))).answer).toMatchObject({ kind: 'refused' })
  expect(await typesOf(invoiceId)).toEqual(['authorization'])
})

describe('a sale of less than was asked', () => {
  const acceptPartial = (acceptsPartialApprovals: boolean) =>
    payments.em().nativeUpdate(ProjectEntity, { id: payments.projectId }, { acceptsPartialApprovals })

  test('is given back where the project takes no partial approvals', async () => {
    await acceptPartial(false)
    const { invoiceId, operationId, result } = await sell(PARTIAL, 10_000)
    expect(result).toMatchObject({
      answer: { kind: 'declined', code: 'card.no-money' },
      payment: { status: 'failed', capturedMinor: 0, orphans: [{ operationId, amountMinor: 5_000, isSale: true }] },
    })
    await reverse(invoiceId, nextDue(result.payment))
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'refund'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      status: 'failed',
      orphans: [],
      needsAttention: false,
    })
  })

  test('stands where it takes them', async () => {
    await acceptPartial(true)
    const { invoiceId, result } = await sell(PARTIAL, 10_000)
    expect(result).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed', authorizedMinor: 5_000, capturedMinor: 5_000 },
    })
    expect((await payments.step(invoiceId, payments.build.refund(5_001))).answer).toMatchObject({ kind: 'refused' })
    const refunded = await payments.step(invoiceId, payments.build.refund())
    expect(refunded).toMatchObject({ payment: { refundedMinor: 5_000 } })
  })
})

test('a late approval has the currency in which it was asked for, whatever the invoice is in by then', async () => {
  const { invoiceId, operationId } = await sell(NEVER_RESOLVED)
  await resolve(invoiceId, operationId, 'declined')
  // As the change of the invoice of a failed payment does.
  await payments.em().nativeUpdate(InvoiceEntity, { id: invoiceId }, { currency: 'JPY' })
  await payments.em().nativeUpdate(TransactionEntity, { invoiceId }, { currency: 'JPY' })
  await resolve(invoiceId, operationId, 'approved')
  const late = (await payments.operationsOf(invoiceId)).filter((row) => row.correctedAttemptId === operationId)
  expect(late.map((row) => `${row.type} ${row.amountMinor} ${row.currency}`)).toEqual([
    'authorization 2900 EUR',
    'capture 2900 EUR',
  ])
})

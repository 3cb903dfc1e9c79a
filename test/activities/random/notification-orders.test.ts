import { strict as assert } from 'node:assert'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { DisputeStep } from '../../../domain/dispute.ts'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { GatewayOperationType, LookUp, Outcome } from '../../../domain/operation.ts'
import { RefundEntity } from '../../../src/persistence/entities/refund.ts'
import { disputeNotification, outcomeNotification } from '../../support/gateway-notifications.ts'
import { paymentsForFile, SECOND_MS } from '../payments.ts'

const RUNS = 12
/** The same payments each time, so that a change is judged by itself. */
const SEED = 20_261_121

/** How a call ends that the gateway has only noted. */
type End = 'approved' | 'declined' | 'approved, and fails later'

/** A payment's life from where the gateway only notes what it is asked. */
interface Life {
  /** 1,000 and, of what is left, 900. */
  captures: End[]
  isLastFinal: boolean
  /** Of the first capture, which is known to be approved then. */
  refunds: End[]
  inquiries: DisputeStep[]
  chargeback: DisputeStep[]
}

const endArb = fc.constantFrom<End>('approved', 'declined', 'approved, and fails later')
const chargebackArb = fc.constantFrom<DisputeStep[]>(
  [],
  ['chargeback-created'],
  ['chargeback-created', 'chargeback-won'],
  ['chargeback-created', 'chargeback-lost'],
)
const lifeArb: fc.Arbitrary<Life> = fc
  .record({
    captures: fc.array(endArb, { minLength: 1, maxLength: 2 }),
    isLastFinal: fc.boolean(),
    refunds: fc.array(endArb, { maxLength: 2 }),
    inquiries: fc.subarray<DisputeStep>(['retrieval-request', 'fraud-notification']),
    chargeback: chargebackArb,
  })
  .map((life) => {
    // What is refunded was captured, and nobody disputes one capture while another one turns out to have failed.
    const [first, ...others] = life.captures as [End, ...End[]]
    const isFirstKnown = life.refunds.length > 0 && first === 'declined'
    const captures: End[] = [isFirstKnown ? 'approved' : first, ...others]
    const isDisputable = captures.length === 1 || captures.every((end) => end === 'approved')
    return { ...life, captures, ...(isDisputable ? {} : { inquiries: [], chargeback: [] }) }
  })

const payments = paymentsForFile()
let sent = 0

function reportsOf(
  type: GatewayOperationType,
  reference: string,
  amountMinor: number,
  end: End,
): GatewayNotification[] {
  const approved = outcomeNotification(type, reference, {
    ...{ kind: 'approved', gatewayOperationId: `psp_${reference}`, amountMinor, currency: 'EUR' },
  })
  const declined = outcomeNotification(type, reference, {
    ...{ kind: 'declined', code: 'gateway.declined', gatewayCode: 'failed' },
  })
  const failed =
    type === 'refund' && amountMinor === 300 ? disputeNotification('refund-failed', { reference }) : declined
  return end === 'approved' ? [approved] : end === 'declined' ? [declined] : [approved, failed]
}

/** What the merchant asks for, and then what the gateway notifies of, in the order that `arrange` gives it. */
async function run(
  life: Life,
  arrange: (notifications: GatewayNotification[]) => { notification: GatewayNotification; isApplied: boolean }[],
) {
  const { build, em } = payments
  const pending = (_: unknown, { reference }: { reference: string }): Outcome => ({
    ...{ kind: 'pending', gatewayOperationId: reference },
  })
  const unreachable: LookUp = { kind: 'unreachable', reason: 'This gateway notifies; it is not asked.' }
  payments.gateway.answers({ capture: pending, refund: pending, lookUp: unreachable })
  const { invoiceId } = await payments.authorized()
  const { gatewayAuthorizationId } = await payments.transactionOf(invoiceId)
  assert(gatewayAuthorizationId != null)

  const notifications: GatewayNotification[] = []
  for (const [index, end] of life.captures.entries()) {
    const isFinal = life.isLastFinal && index > 0
    const command = build.capture(index === 0 ? 1_000 : 900, { captureType: isFinal ? 'final' : 'non-final' })
    await payments.step(invoiceId, command)
    notifications.push(...reportsOf('capture', command.operationId, command.amountMinor ?? 0, end))
  }
  if (life.refunds.length > 0) await payments.notifyAndApply(invoiceId, notifications.shift() as GatewayNotification)
  for (const [index, end] of life.refunds.entries()) {
    const command = build.refund(index === 0 ? 300 : 700)
    await payments.step(invoiceId, command)
    notifications.push(...reportsOf('refund', command.operationId, command.amountMinor ?? 0, end))
  }
  for (const what of [...life.inquiries, ...life.chargeback])
    notifications.push(disputeNotification(what, { gatewayAuthorizationId }))

  for (const { notification, isApplied } of arrange(notifications)) {
    await payments.notify(invoiceId, notification)
    sent += 1
    if (isApplied) await payments.applyNotifications(invoiceId)
  }
  await payments.applyNotifications(invoiceId)
  // Once more, when all is known.
  for (const notification of notifications) await payments.notify(invoiceId, notification)
  await payments.applyNotifications(invoiceId)

  const transaction = await payments.transactionOf(invoiceId)
  const operations = await payments.operationsOf(invoiceId)
  const refunds = await em().find(RefundEntity, { transactionId: transaction.id }, { orderBy: { amountMinor: 1 } })
  const { capturedAt, chargedbackAt, authorizedMinor, capturedMinor, voidedMinor, refundedMinor } = transaction
  for (const [type, amount] of [
    ['capture', capturedMinor],
    ['void', voidedMinor],
    ['refund', refundedMinor],
  ] as const) {
    const rows = operations.filter((row) => row.type === type && row.isAccountable)
    const sum = rows.reduce((all, row) => all + (row.outcome === 'succeeded' ? row.amountMinor : -row.amountMinor), 0)
    assert.equal(sum, amount, `the rows of ${type} come to another sum than the payment`)
  }
  return {
    ...{ authorizedMinor, capturedMinor, voidedMinor, refundedMinor },
    status: transaction.status,
    needsAttention: transaction.needsAttention,
    capturesCount: transaction.capturesCount,
    inFlight: transaction.attemptsInFlight.length,
    orphans: transaction.orphans.length,
    isCaptured: capturedAt != null,
    isChargedBack: chargedbackAt != null,
    asked: [transaction.receivedRetrievalRequest, transaction.receivedFraudNotification],
    refunds: refunds.map(({ status }) => status),
  }
}

test(
  'what a gateway notifies of ends the same in any order and any number of times',
  async () => {
    await fc.assert(
      fc.asyncProperty(lifeArb, fc.infiniteStream(fc.nat()), async (life, chances) => {
        const next = () => chances.next().value as number
        const natural = await run(life, (all) => all.map((notification) => ({ notification, isApplied: true })))
        const other = await run(life, (all) =>
          [...all, ...all.filter(() => next() % 3 === 0)]
            .map((notification) => ({ notification, isApplied: next() % 2 === 0, place: next() }))
            .sort((one, two) => one.place - two.place),
        )
        expect(other).toEqual(natural)
        expect(natural.inFlight).toBe(0)
      }),
      { seed: SEED, numRuns: RUNS },
    )
    // A test that sent nothing would show nothing.
    expect(sent).toBeGreaterThan(RUNS)
  },
  300 * SECOND_MS,
)

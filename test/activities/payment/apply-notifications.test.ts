import { describe, expect, test } from '@jest/globals'
import type { PayCommand } from '../../../domain/command.ts'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import { nextDue } from '../../../domain/payment.ts'
import { GatewayNotificationEntity } from '../../../src/persistence/entities/gateway-notification.ts'
import { InvoiceDetailEntity } from '../../../src/persistence/entities/invoice-detail.ts'
import { RefundEntity } from '../../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { storeNotifications } from '../../../src/persistence/queries/payments/gateway-notifications.ts'
import { createProject } from '../../../src/persistence/queries/projects/projects.ts'
import { deleteOlder } from '../../../src/persistence/queries/retention/retention.ts'
import {
  disputeNotification,
  type OutcomeNotification,
  outcomeNotification,
} from '../../support/gateway-notifications.ts'
import { findOverdue } from '../../support/overdue.ts'
import { DAY_MS, lostAnswer, MINUTE_MS, NO_ANSWER, paymentsForFile, SECOND_MS } from '../payments.ts'

const payments = paymentsForFile()

const PENDING: Outcome = { kind: 'pending', gatewayOperationId: 'psp_1' }
const DECLINED: Outcome = { kind: 'declined', code: 'gateway.declined', gatewayCode: 'failed' }
const UNREACHABLE: LookUp = { kind: 'unreachable', reason: 'not told' }
const approved = (gatewayOperationId: string, amountMinor: number): Outcome => ({
  ...{ kind: 'approved', gatewayOperationId, amountMinor, currency: 'EUR' },
})
const outcome = (
  type: OutcomeNotification['type'],
  reference: string,
  reported: Outcome | null,
  gatewayAuthorizationId: string | null = null,
) => outcomeNotification(type, reference, reported, { gatewayAuthorizationId })
const failedRefund = (reference: string) => disputeNotification('refund-failed', { reference })

/** A capture whose outcome the gateway leaves open. */
const pendingCapture = async () => {
  const { invoiceId } = await payments.authorized()
  const command = payments.build.capture()
  await payments.gateway.answersDuring({ capture: PENDING }, () => payments.step(invoiceId, command))
  return { invoiceId, operationId: command.operationId }
}
/** An authorized payment of an invoice with lines, and what captures the first line. */
const withLines = async () => {
  const { invoiceId } = await payments.authorized()
  const [line = ''] = await payments.makeLines(invoiceId, [1_000, 1_900])
  const captureLine = (): PayCommand => payments.build.capture(1_000, { detailIds: [line], captureType: 'non-final' })
  return { invoiceId, captureLine, line: () => payments.em().findOneOrFail(InvoiceDetailEntity, { id: line }) }
}
/** Staff close a capture of the line of which nobody knows whether it was made. */
const withClosedCapture = async () => {
  const { invoiceId, captureLine, line } = await withLines()
  const closed = captureLine()
  await payments.gateway.answersDuring({ capture: NO_ANSWER }, () => payments.step(invoiceId, closed))
  await payments.closeAttempt(invoiceId, closed.operationId)
  expect(await line()).toMatchObject({ captureOperationId: null })
  return { invoiceId, captureLine, line, operationId: closed.operationId }
}
const failedLater = async (invoiceId: string) =>
  (await payments.operationsOf(invoiceId)).filter(({ reason }) => reason === 'failed_later')

describe('a capture that has failed after all', () => {
  test('is taken back whole, with what it had released, and can be made again', async () => {
    const { invoiceId, operationId } = await payments.captured(1_000)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ capturedMinor: 1_000, voidedMinor: 1_900 })
    const { payment } = await payments.notifyAndApply(invoiceId, outcome('capture', operationId, DECLINED))
    expect(payment).toMatchObject({
      ...{ status: 'authorized', capturedMinor: 0, voidedMinor: 0, capturesCount: 0, needsAttention: false },
    })
    expect((await payments.transactionOf(invoiceId)).capturedAt).toBeNull()
    const events = await payments.eventsOf(invoiceId)
    expect(events.filter((name) => name === 'transaction.operation.capture.failed')).toHaveLength(1)
    const [taken, release] = (await payments.operationsOf(invoiceId)).slice(-2)
    expect(taken).toMatchObject({
      ...{ type: 'capture', outcome: 'failed', actor: 'gateway_webhook', amountMinor: 1_000, isAccountable: true },
      ...{ reason: 'failed_later', correctedAttemptId: operationId },
    })
    expect(release).toMatchObject({ type: 'void', outcome: 'failed', amountMinor: 1_900, isAccountable: true })

    payments.gateway.answers({ capture: approved('psp_2', 2_900) })
    const again = await payments.step(invoiceId, payments.build.capture())
    expect(again).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'completed', capturedMinor: 2_900 } })
  })

  test('is taken back once, however often and by whatever notifications it is told', async () => {
    const { invoiceId, operationId } = await payments.captured()
    const failure = () => outcome('capture', operationId, DECLINED)
    await payments.notifyAndApply(invoiceId, failure(), failure())
    await payments.notifyAndApply(invoiceId, outcome('capture', operationId, approved('psp_1', 2_900)))
    await payments.notifyAndApply(invoiceId, failure())
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', capturedMinor: 0 })
    expect(await failedLater(invoiceId)).toHaveLength(1)
  })

  test('takes back its own money only, however often it is told', async () => {
    const { invoiceId } = await payments.authorized()
    const [failing, standing] = [
      payments.build.capture(900, { captureType: 'non-final' }),
      payments.build.capture(1_000, { captureType: 'non-final' }),
    ]
    for (const command of [failing, standing]) await payments.step(invoiceId, command)
    for (let time = 0; time < 2; time += 1)
      await payments.notifyAndApply(invoiceId, outcome('capture', failing.operationId, DECLINED))
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ capturedMinor: 1_000, capturesCount: 1, capturedAt: expect.any(Date) },
    })
  })

  test('frees the lines of the invoice that it was for', async () => {
    const { invoiceId, captureLine, line } = await withLines()
    const command = captureLine()
    await payments.step(invoiceId, command)
    expect(await line()).toMatchObject({ capturedMinor: 1_000 })
    await payments.notifyAndApply(invoiceId, outcome('capture', command.operationId, DECLINED))
    expect(await line()).toMatchObject({ capturedMinor: 0, captureOperationId: null })
  })

  test('changes nothing while its money is refunded, and is for staff; once the refund fails too, it is taken back', async () => {
    const { invoiceId, operationId } = await payments.captured()
    const refund = payments.build.refund(900)
    await payments.step(invoiceId, refund)
    const { payment } = await payments.notifyAndApply(invoiceId, outcome('capture', operationId, DECLINED))
    expect(payment).toMatchObject({ status: 'partially-refunded', capturedMinor: 2_900, needsAttention: true })
    const later = await payments.notifyAndApply(invoiceId, failedRefund(refund.operationId))
    expect(later.payment).toMatchObject({
      ...{ status: 'authorized', capturedMinor: 0, refundedMinor: 0, needsAttention: true },
    })
  })

  test('is taken back and shown to staff where its merchant has asked for a refund, also for one that failed', async () => {
    const { invoiceId, operationId } = await payments.captured()
    payments.gateway.answers({ refund: DECLINED })
    await payments.step(invoiceId, payments.build.refund(900))
    const { payment } = await payments.notifyAndApply(invoiceId, outcome('capture', operationId, DECLINED))
    expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, needsAttention: true })
  })

  test('does not take back what the merchant has voided after it', async () => {
    const { invoiceId } = await payments.authorized()
    const capture = payments.build.capture(1_000, { captureType: 'non-final' })
    await payments.step(invoiceId, capture)
    await payments.step(invoiceId, payments.build.void())
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ capturedMinor: 1_000, voidedMinor: 1_900 })
    const { payment } = await payments.notifyAndApply(invoiceId, outcome('capture', capture.operationId, DECLINED))
    expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, voidedMinor: 1_900 })
    expect((await failedLater(invoiceId)).map(({ type }) => type)).toEqual(['capture'])
  })

  test('and that staff have looked at already is not shown to them again by a later notification', async () => {
    const { invoiceId, operationId } = await payments.captured()
    await payments.step(invoiceId, payments.build.refund(900))
    const { payment } = await payments.notifyAndApply(invoiceId, outcome('capture', operationId, DECLINED))
    expect(payment.needsAttention).toBe(true)
    await payments.em().nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: false })
    const again = await payments.applyNotifications(invoiceId)
    expect(again.payment).toMatchObject({ capturedMinor: 2_900, needsAttention: false })
  })
})

describe('what the gateway reports of a call whose outcome is open', () => {
  test('is its outcome, recorded as told by the gateway', async () => {
    const { invoiceId, operationId } = await pendingCapture()
    expect((await payments.transactionOf(invoiceId)).status).toBe('pending-capture')
    const report = outcome('capture', operationId, approved('psp_1', 2_900))
    const { payment } = await payments.notifyAndApply(invoiceId, report)
    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 2_900, attemptsInFlight: [] })
    expect((await payments.operationsOf(invoiceId)).at(-1)).toMatchObject({
      ...{ actor: 'gateway_webhook', outcome: 'succeeded' },
    })
    expect(payments.gateway.asked.map(({ call }) => call)).toEqual(['authorize', 'capture'])
  })

  test('by the account of another merchant is nothing', async () => {
    const { invoiceId, operationId } = await pendingCapture()
    const { vault, randomBytes, clock } = payments.deps
    const other = { name: 'Other', sandbox: true, randomBytes, hashSecret: vault.hashSecret, now: clock.now() }
    const { projectId } = await createProject(payments.em(), other)
    const [account] = await payments
      .em()
      .execute<{ id: string }[]>('select id from gateway_configuration where project_id = ?', [projectId])
    const foreign = { gatewayConfigurationId: account?.id ?? '', projectId, sandbox: true }
    const reports = [outcome('capture', operationId, approved('psp_1', 2_900))]
    expect(await storeNotifications(payments.em(), foreign, reports, clock.now())).toEqual({ payments: [], dropped: 0 })
    const { payment } = await payments.applyNotifications(invoiceId)
    expect(payment).toMatchObject({ status: 'pending-capture', capturedMinor: 0 })
  })

  test('is open since the oldest call that is, by which staff are shown the payment', async () => {
    const { invoiceId } = await payments.captured()
    const oldest = payments.now()
    payments.gateway.answers({ refund: PENDING })
    for (const at of [oldest, oldest + MINUTE_MS]) await payments.step(invoiceId, payments.build.refund(500), { at })
    expect((await payments.transactionOf(invoiceId)).outcomeUnknownSince).toEqual(new Date(oldest))
  })

  test('of a capture that staff had closed leaves its lines captured, and they are not captured again', async () => {
    const { invoiceId, captureLine, line, operationId } = await withClosedCapture()
    await payments.notifyAndApply(invoiceId, outcome('capture', operationId, approved('psp_1', 1_000)))
    expect(await line()).toMatchObject({ captureOperationId: operationId, capturedMinor: 1_000 })
    expect((await payments.step(invoiceId, captureLine())).answer).toMatchObject({ kind: 'refused' })
    expect((await payments.transactionOf(invoiceId)).capturedMinor).toBe(1_000)
  })

  test('of the failure of a capture that staff had closed leaves its line to the capture that has it by now', async () => {
    const { invoiceId, captureLine, line, operationId } = await withClosedCapture()
    const again = captureLine()
    expect((await payments.step(invoiceId, again)).answer).toEqual({ kind: 'done' })
    await payments.notifyAndApply(invoiceId, outcome('capture', operationId, DECLINED))
    expect(await line()).toMatchObject({ captureOperationId: again.operationId, capturedMinor: 1_000 })
  })
})

describe('a refund that fails', () => {
  test('after it had succeeded is a failed one, and its money is here again', async () => {
    const { invoiceId } = await payments.captured()
    const refund = payments.build.refund(900)
    await payments.step(invoiceId, refund)
    const { payment } = await payments.notifyAndApply(invoiceId, failedRefund(refund.operationId))
    expect(payment).toMatchObject({ status: 'completed', refundedMinor: 0 })
    expect(await payments.em().findOneOrFail(RefundEntity, { id: refund.refundId })).toMatchObject({ status: 'failed' })
  })

  test('before we know that it had succeeded is a failed one, whatever a look-up finds then', async () => {
    const { invoiceId } = await payments.captured()
    const refund = payments.build.refund(900)
    await payments.gateway.answersDuring({ refund: lostAnswer }, () => payments.step(invoiceId, refund))
    await payments.notifyAndApply(invoiceId, failedRefund(refund.operationId))
    const { payment } = await payments.lookUp(invoiceId, refund.operationId)
    expect(payment).toMatchObject({ refundedMinor: 0, status: 'completed', attemptsInFlight: [] })
    expect(await payments.em().findOneOrFail(RefundEntity, { id: refund.refundId })).toMatchObject({ status: 'failed' })
  })
})

describe('a dispute', () => {
  test('that takes money back ends the scheduled capture of the rest, which is in the record as failed and told', async () => {
    const { invoiceId } = await payments.authorized({ autoCaptureAt: payments.now() + DAY_MS })
    await payments.step(invoiceId, payments.build.capture(1_000, { captureType: 'non-final' }))
    const { payment } = await payments.notifyAndApply(invoiceId, disputeNotification('chargeback-lost', { invoiceId }))
    expect(payment).toMatchObject({ status: 'reversed', capturedMinor: 1_000, autoCaptureAt: null })
    const [dispute, capture] = (await payments.operationsOf(invoiceId)).slice(-2)
    expect(dispute).toMatchObject({ type: 'chargeback' })
    expect(capture).toMatchObject({
      ...{
        type: 'capture',
        isAttempt: false,
        outcome: 'failed',
        hasFailed: true,
        isNotSent: true,
        isAccountable: false,
      },
      ...{ amountMinor: 1_900, actor: 'scheduler', errorCode: 'customer.disputed' },
    })
    expect((await payments.eventsOf(invoiceId)).slice(-2)).toEqual([
      'transaction.chargeback.lost',
      'transaction.operation.capture.failed',
    ])
    expect((await payments.transactionOf(invoiceId)).nextDueAt).toEqual(expect.any(Date))
  })

  test('that comes before the report that the money was taken waits for it', async () => {
    const { invoiceId, operationId } = await pendingCapture()
    const { gatewayAuthorizationId = null } = await payments.transactionOf(invoiceId)
    const dispute = disputeNotification('chargeback-created', { gatewayAuthorizationId })
    const early = await payments.notifyAndApply(invoiceId, dispute)
    expect(early.payment).toMatchObject({ status: 'pending-capture', needsAttention: false })
    const report = outcome('capture', operationId, approved('psp_1', 2_900))
    const { payment } = await payments.notifyAndApply(invoiceId, report)
    expect(payment).toMatchObject({ status: 'chargeback-initiated', capturedMinor: 2_900, needsAttention: false })
    // No sum was named: all that was captured is meant.
    expect((await payments.operationsOf(invoiceId)).at(-1)).toMatchObject({ type: 'chargeback', amountMinor: 2_900 })
  })

  test('that names a sum in the currency of the card is recorded with that sum and currency', async () => {
    const { invoiceId } = await payments.captured()
    const { gatewayAuthorizationId = null } = await payments.transactionOf(invoiceId)
    const sum = { amountMinor: 3_210, currency: 'USD' }
    const dispute = disputeNotification('chargeback-created', { gatewayAuthorizationId, ...sum })
    await payments.notifyAndApply(invoiceId, dispute)
    expect((await payments.operationsOf(invoiceId)).at(-1)).toMatchObject({ type: 'chargeback', ...sum })
  })

  test('is on record with its reason, until when it is answered, and what each of its steps has taken', async () => {
    const { invoiceId } = await payments.captured()
    const { gatewayAuthorizationId = null } = await payments.transactionOf(invoiceId)
    const about = { gatewayAuthorizationId, disputeId: 'du_1', reason: 'fraudulent', amountMinor: 900, currency: 'EUR' }
    const evidenceDueAt = payments.now() + DAY_MS
    // Told before its dispute: it waits for that.
    await payments.notifyAndApply(invoiceId, disputeNotification('dispute-answered', about))
    expect((await payments.transactionOf(invoiceId)).disputes).toEqual([])
    await payments.notifyAndApply(invoiceId, disputeNotification('retrieval-request', about))
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ disputesOpen: 0, evidenceDueAt: null, needsAttention: false },
      disputes: [{ status: 'inquiry', isAnswered: true }],
    })
    for (let times = 1; times <= 2; times += 1)
      await payments.notifyAndApply(invoiceId, disputeNotification('chargeback-created', { ...about, evidenceDueAt }))
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ disputedMinor: 900, disputesOpen: 1, evidenceDueAt: new Date(evidenceDueAt), disputedAt: expect.any(Date) },
      disputes: [{ id: 'du_1', status: 'open', amountMinor: 900, reason: 'fraudulent', evidenceDueAt }],
    })
    await payments.notifyAndApply(invoiceId, disputeNotification('chargeback-won', about))
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ disputedMinor: 0, disputesOpen: 0, evidenceDueAt: null, disputedAt: expect.any(Date) },
    })
    const steps = (await payments.operationsOf(invoiceId)).filter(({ type }) => type === 'chargeback')
    expect(steps.map(({ disputeId, disputedMinor }) => [disputeId, disputedMinor])).toEqual([
      ['du_1', 0],
      ['du_1', 0],
      ['du_1', 900],
      ['du_1', 0],
      ['du_1', -900],
    ])
    expect(steps[2]?.evidenceDueAt).toEqual(new Date(evidenceDueAt))
  })

  test('of an authorization that we do not know yet waits for its payment, is found by the sweep, and booked', async () => {
    const overdue = async (invoiceId: string) => {
      const found = await findOverdue(payments.database.orm, new Date(payments.now() + SECOND_MS))
      return found.filter((payment) => payment.invoiceId === invoiceId)
    }
    const known = await payments.authorized()
    const dispute = disputeNotification('fraud-notification', { gatewayAuthorizationId: 'pi_early' })
    expect(await payments.notify(known.invoiceId, dispute)).toEqual({ payments: [], dropped: 0 })
    payments.gateway.answers({ authorize: approved('pi_early', 2_900), capture: approved('ch_early', 2_900) })
    const { invoiceId } = await payments.captured()
    expect(await overdue(invoiceId)).toHaveLength(1)
    expect((await payments.applyNotifications(invoiceId)).payment).toMatchObject({ status: 'fraud-notification' })
    expect(await overdue(invoiceId)).toEqual([])
  })

  test('of an authorization that stays unknown is deleted after a week, and only then', async () => {
    const { invoiceId } = await payments.authorized()
    const dispute = disputeNotification('fraud-notification', { gatewayAuthorizationId: 'pi_of_others' })
    await payments.notify(invoiceId, dispute)
    const { gatewayNotificationId } = dispute
    for (const [days, left] of [
      [-1, 1],
      [1, 0],
    ] as const) {
      const before = new Date(payments.now() + days * DAY_MS)
      await deleteOlder(payments.em(), 'gateway_notification', { before, limit: 10 })
      expect(await payments.em().count(GatewayNotificationEntity, { gatewayNotificationId })).toBe(left)
    }
  })
})

describe('a notification that only a look-up can explain', () => {
  const lookUps = () => payments.gateway.asked.filter(({ call }) => call === 'lookUp').map(({ request }) => request)
  const refunding = async () => {
    const { invoiceId } = await payments.captured()
    const command = payments.build.refund(1_000)
    await payments.gateway.answersDuring({ refund: PENDING }, () => payments.step(invoiceId, command))
    return { invoiceId, reference: command.operationId }
  }

  test('has the gateway asked, by the authorization that it named', async () => {
    payments.gateway.answers({
      ...{ authorize: NO_ANSWER, lookUp: { kind: 'found', outcome: approved('pi_1', 2_900) } },
    })
    const { invoiceId, operationId: reference } = await payments.authorize()
    const { payment } = await payments.notifyAndApply(invoiceId, outcome('authorization', reference, null, 'pi_1'))
    expect(lookUps()).toMatchObject([{ reference, type: 'authorization', gatewayAuthorizationId: 'pi_1' }])
    expect(payment).toMatchObject({ status: 'authorized', attemptsInFlight: [] })
    expect((await payments.transactionOf(invoiceId)).gatewayAuthorizationId).toBe('pi_1')
  })

  test('of a capture under the reference of its authorization, as at Stripe, has the gateway asked about the capture', async () => {
    const { invoiceId, operationId } = await payments.authorized()
    const capture = payments.build.capture()
    payments.gateway.answers({
      ...{ capture: NO_ANSWER, lookUp: { kind: 'found', outcome: approved('psp_1', 2_900) } },
    })
    await payments.step(invoiceId, capture)
    const { payment } = await payments.notifyAndApply(invoiceId, outcome('capture', operationId, null))
    expect(lookUps()).toMatchObject([{ reference: capture.operationId, type: 'capture' }])
    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 2_900, attemptsInFlight: [] })
  })

  test('waits for a look-up of its own where it comes while the gateway is asked', async () => {
    const { invoiceId, reference } = await refunding()
    const countOpen = () => payments.em().count(GatewayNotificationEntity, { invoiceId, appliedAt: null })
    payments.gateway.answers({
      async lookUp() {
        if (lookUps().length === 1) await payments.notify(invoiceId, outcome('refund', reference, null))
        return { kind: 'found', outcome: PENDING }
      },
    })
    await payments.notifyAndApply(invoiceId, outcome('refund', reference, null))
    expect(lookUps().map((request) => request.reference)).toContain(reference)
    expect(await countOpen()).toBe(1)
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: approved('psp_2', 1_000) } })
    await payments.applyNotifications(invoiceId)
    expect(await countOpen()).toBe(0)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ refundedMinor: 1_000 })
  })

  test('holds back a dispute of the same batch until the gateway has answered', async () => {
    const { invoiceId, reference } = await refunding()
    const disputesMeanwhile: number[] = []
    payments.gateway.answers({
      async lookUp() {
        const operations = await payments.operationsOf(invoiceId)
        disputesMeanwhile.push(operations.filter(({ type }) => type === 'chargeback').length)
        return { kind: 'found', outcome: approved('psp_2', 1_000) }
      },
    })
    const dispute = disputeNotification('chargeback-created', { invoiceId })
    await payments.notifyAndApply(invoiceId, outcome('refund', reference, null), dispute)
    expect(disputesMeanwhile).toEqual([0])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'chargeback-initiated', refundedMinor: 1_000 },
    })
  })
})

describe('an authorization that is approved after it was recorded as failed', () => {
  const failed = () =>
    payments.gateway.answersDuring({ authorize: { kind: 'declined', code: 'card.declined', gatewayCode: 'x' } }, () =>
      payments.authorize(),
    )
  const notificationOf = (reference: string) => payments.em().findOneOrFail(GatewayNotificationEntity, { reference })

  test('is recorded and given back, once', async () => {
    const { invoiceId, operationId } = await failed()
    const late = () => outcome('authorization', operationId, approved('psp_late', 2_900), 'psp_late')
    const { payment } = await payments.notifyAndApply(invoiceId, late())
    expect(payment).toMatchObject({ status: 'failed', authorizedMinor: 0, attemptsInFlight: [] })
    expect(payment.orphans).toMatchObject([{ gatewayAuthorizationId: 'psp_late', amountMinor: 2_900 }])
    expect(nextDue(payment)).toMatchObject({ kind: 'reverse-orphan' })
    payments.gateway.answers({ lookUp: UNREACHABLE })
    const released = await payments.step(invoiceId, payments.build.reverseOrphan(operationId))
    expect((await payments.operationsOf(invoiceId)).find(({ type }) => type === 'void')).toMatchObject({
      gatewayAuthorizationId: 'psp_late',
    })
    expect(released.answer.kind).not.toBe('refused')
    const again = await payments.notifyAndApply(invoiceId, late())
    expect(again.payment.orphans).toEqual(released.payment.orphans)
  })

  test('is asked about again while the gateway does not answer', async () => {
    const { invoiceId, operationId } = await failed()
    payments.gateway.answers({ lookUp: UNREACHABLE })
    await payments.notifyAndApply(invoiceId, outcome('authorization', operationId, null, 'pi_quiet'))
    expect(await notificationOf(operationId)).toMatchObject({ appliedAt: null })
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: DECLINED } })
    await payments.applyNotifications(invoiceId)
    expect((await notificationOf(operationId)).appliedAt).not.toBeNull()
  })

  test('is not asked about any more a day after its gateway has told of it', async () => {
    const { invoiceId, operationId: reference } = await failed()
    payments.gateway.answers({ lookUp: UNREACHABLE })
    await payments.notifyAndApply(invoiceId, outcome('authorization', reference, null, 'pi_silent'))
    const receivedAt = new Date(payments.now() - DAY_MS)
    await payments.em().nativeUpdate(GatewayNotificationEntity, { reference }, { receivedAt })
    await payments.applyNotifications(invoiceId)
    expect((await notificationOf(reference)).appliedAt).not.toBeNull()
  })

  test('is not given back where the payment stands on that very authorization', async () => {
    const { invoiceId, operationId } = await failed()
    payments.gateway.answers({ authorize: approved('pi_same', 2_900) })
    await payments.step(invoiceId, payments.build.authorize(await payments.makeSource()))
    const report = outcome('authorization', operationId, approved('pi_same', 2_900), 'pi_same')
    const { payment } = await payments.notifyAndApply(invoiceId, report)
    expect(payment).toMatchObject({ status: 'authorized', authorizedMinor: 2_900, orphans: [], needsAttention: false })
  })
})

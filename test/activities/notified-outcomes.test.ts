import { beforeEach, describe, expect, test } from '@jest/globals'
import type { AuthorizeCommand, Resolution } from '../../domain/command.ts'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import { nextDue } from '../../domain/payment.ts'
import type { LookUpRequest } from '../../src/gateways/gateway.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import {
  deleteUnclaimedNotifications,
  storeNotifications,
} from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { disputeNotification, type OutcomeNotification, outcomeNotification } from '../support/gateway-notifications.ts'
import { findOverdue } from '../support/overdue.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
/** What the gateway answers to the next calls; null where the simulator does. */
let answers: Outcome | null = null
let found: LookUp = { kind: 'unreachable', reason: 'not told' }
let asked: LookUpRequest[] = []
/** What happens while the gateway is asked. */
let whileAsked: () => Promise<unknown> = async () => undefined

const actor = actorForFile(database, (gateway) => ({
  ...gateway,
  authorize: async (request, signal) => answers ?? gateway.authorize(request, signal),
  capture: async (request, signal) => answers ?? gateway.capture(request, signal),
  refund: async (request, signal) => answers ?? gateway.refund(request, signal),
  async lookUp(request) {
    asked.push(request)
    await whileAsked()
    return found
  },
}))
beforeEach(() => {
  answers = null
  found = { kind: 'unreachable', reason: 'not told' }
  asked = []
  whileAsked = async () => undefined
})

const em = () => database.orm.em.fork()
const transactionOf = (invoiceId: string) => em().findOneOrFail(TransactionEntity, { invoiceId })
const operationsOf = async (invoiceId: string) =>
  em().find(OperationEntity, { transactionId: (await transactionOf(invoiceId)).id }, { orderBy: { position: 'asc' } })
const eventsOf = async (invoiceId: string) =>
  (await em().find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })).map(({ name }) => name)
const answering = async <T>(outcome: Outcome, work: () => Promise<T>): Promise<T> => {
  answers = outcome
  return work().finally(() => {
    answers = null
  })
}
const PENDING: Outcome = { kind: 'pending', gatewayOperationId: 'psp_1' }
const DECLINED: Outcome = { kind: 'declined', code: 'gateway.declined', gatewayCode: 'failed' }
const approved = (gatewayOperationId: string, amountMinor: number): Outcome => ({
  ...{ kind: 'approved', gatewayOperationId, amountMinor, currency: 'EUR' },
})

const outcome = (
  type: OutcomeNotification['type'],
  reference: string,
  reported: Outcome | null,
  gatewayAuthorizationId: string | null = null,
) => outcomeNotification(type, reference, reported, { gatewayAuthorizationId })

const tell = async (gatewayConfigurationId: string, ...words: GatewayNotification[]) =>
  storeNotifications(
    em(),
    { gatewayConfigurationId, projectId: actor.projectId, sandbox: true },
    words,
    actor.deps.clock.now(),
  )
const book = (invoiceId: string) =>
  actor.activities.applyNotifications({ payment: actor.referenceOf(invoiceId), at: actor.deps.clock.now().getTime() })
/** Tells a payment's own account, and books. */
const hear = async (invoiceId: string, ...words: GatewayNotification[]) => {
  const { gatewayConfigurationId } = await transactionOf(invoiceId)
  await tell(gatewayConfigurationId ?? '', ...words)
  return book(invoiceId)
}

const authorized = async (values: Partial<AuthorizeCommand> = {}) => {
  const invoiceId = await actor.makeInvoice()
  const command = actor.build.authorize(await actor.makeSource(), values)
  await actor.step(invoiceId, command)
  return { invoiceId, reference: command.operationId }
}
const captured = async (amountMinor: number | null = null) => {
  const { invoiceId } = await authorized()
  const command = actor.build.capture(amountMinor)
  await actor.step(invoiceId, command)
  return { invoiceId, reference: command.operationId }
}

describe('a capture that has failed after all', () => {
  test('is taken back whole, with what it had released, and can be made again', async () => {
    const { invoiceId, reference } = await captured(1_000)
    expect(await transactionOf(invoiceId)).toMatchObject({ capturedMinor: 1_000, voidedMinor: 1_900 })
    const { payment } = await hear(invoiceId, outcome('capture', reference, DECLINED))
    expect(payment).toMatchObject({
      ...{ status: 'authorized', capturedMinor: 0, voidedMinor: 0, capturesCount: 0, needsAttention: false },
    })
    expect((await transactionOf(invoiceId)).capturedAt).toBeNull()
    expect((await eventsOf(invoiceId)).filter((name) => name === 'transaction.operation.capture.failed')).toHaveLength(
      1,
    )
    const [taken, release] = (await operationsOf(invoiceId)).slice(-2)
    expect(taken).toMatchObject({
      ...{ type: 'capture', outcome: 'failed', actor: 'gateway_webhook', amountMinor: 1_000, isAccountable: true },
      reason: 'failed_later',
      correctedAttemptId: reference,
    })
    expect(release).toMatchObject({ type: 'void', outcome: 'failed', amountMinor: 1_900, isAccountable: true })

    const again = await answering(approved('psp_2', 2_900), () => actor.step(invoiceId, actor.build.capture()))
    expect(again).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'completed', capturedMinor: 2_900 } })
  })

  test('is taken back once, however often and in whatever words it is told', async () => {
    const { invoiceId, reference } = await captured()
    await hear(invoiceId, outcome('capture', reference, DECLINED), outcome('capture', reference, DECLINED))
    await hear(invoiceId, outcome('capture', reference, approved('psp_1', 2_900)))
    await hear(invoiceId, outcome('capture', reference, DECLINED))
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized', capturedMinor: 0 })
    const failures = (await operationsOf(invoiceId)).filter(({ reason }) => reason === 'failed_later')
    expect(failures).toHaveLength(1)
  })

  test('takes back its own money only, however often it is told', async () => {
    const { invoiceId } = await authorized()
    const [failing, standing] = [900, 1_000].map((amountMinor) => actor.build.capture(amountMinor, { isFinal: false }))
    for (const command of [failing, standing]) if (command !== undefined) await actor.step(invoiceId, command)
    for (let time = 0; time < 2; time += 1)
      await hear(invoiceId, outcome('capture', failing?.operationId ?? '', DECLINED))
    expect(await transactionOf(invoiceId)).toMatchObject({
      ...{ capturedMinor: 1_000, capturesCount: 1, capturedAt: expect.any(Date) },
    })
  })

  test('frees the lines of the invoice that it was for', async () => {
    const { invoiceId } = await authorized()
    const [line = ''] = await actor.makeLines(invoiceId, [1_000, 1_900])
    const command = actor.build.capture(1_000, { detailIds: [line], isFinal: false, wantsRest: true })
    await actor.step(invoiceId, command)
    expect(await em().findOneOrFail(InvoiceDetailEntity, { id: line })).toMatchObject({ capturedMinor: 1_000 })
    await hear(invoiceId, outcome('capture', command.operationId, DECLINED))
    expect(await em().findOneOrFail(InvoiceDetailEntity, { id: line })).toMatchObject({
      ...{ capturedMinor: 0, captureOperationId: null },
    })
  })

  test('changes nothing while its money is refunded, and is for staff; once the refund fails too, it is taken back', async () => {
    const { invoiceId, reference } = await captured()
    const refund = actor.build.refund(900)
    await actor.step(invoiceId, refund)
    const { payment } = await hear(invoiceId, outcome('capture', reference, DECLINED))
    expect(payment).toMatchObject({ status: 'partially-refunded', capturedMinor: 2_900, needsAttention: true })
    const later = await hear(invoiceId, disputeNotification('refund-failed', { reference: refund.operationId }))
    expect(later.payment).toMatchObject({
      status: 'authorized',
      capturedMinor: 0,
      refundedMinor: 0,
      needsAttention: true,
    })
  })

  test('does not take back what the merchant has voided after it', async () => {
    const { invoiceId } = await authorized()
    const capture = actor.build.capture(1_000, { isFinal: false })
    await actor.step(invoiceId, capture)
    await actor.step(invoiceId, actor.build.void())
    expect(await transactionOf(invoiceId)).toMatchObject({ capturedMinor: 1_000, voidedMinor: 1_900 })
    const { payment } = await hear(invoiceId, outcome('capture', capture.operationId, DECLINED))
    expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, voidedMinor: 1_900 })
    const failedLater = (await operationsOf(invoiceId)).filter(({ reason }) => reason === 'failed_later')
    expect(failedLater.map(({ type }) => type)).toEqual(['capture'])
  })

  test('and that staff have looked at already is not shown to them again by a later word', async () => {
    const { invoiceId, reference } = await captured()
    await actor.step(invoiceId, actor.build.refund(900))
    expect((await hear(invoiceId, outcome('capture', reference, DECLINED))).payment.needsAttention).toBe(true)
    await em().nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: false })
    expect((await book(invoiceId)).payment).toMatchObject({ capturedMinor: 2_900, needsAttention: false })
  })
})

describe('what the gateway tells of a call whose outcome is open', () => {
  test('is its outcome, recorded as told by the gateway', async () => {
    const { invoiceId } = await authorized()
    const command = actor.build.capture()
    await answering(PENDING, () => actor.step(invoiceId, command))
    expect((await transactionOf(invoiceId)).status).toBe('pending-capture')
    const { payment } = await hear(invoiceId, outcome('capture', command.operationId, approved('psp_1', 2_900)))
    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 2_900, attemptsInFlight: [] })
    expect((await operationsOf(invoiceId)).at(-1)).toMatchObject({ actor: 'gateway_webhook', outcome: 'succeeded' })
    expect(asked).toEqual([])
  })

  test('by another account of the merchant is nothing', async () => {
    const { invoiceId } = await authorized()
    const command = actor.build.capture()
    await answering(PENDING, () => actor.step(invoiceId, command))
    const { orm, vault, randomBytes, clock } = actor.deps
    const { projectId } = await createProject(orm.em.fork(), {
      ...{ name: 'Other', sandbox: true, randomBytes, hashSecret: vault.hashSecret, now: clock.now() },
    })
    const [other] = await em().execute<{ id: string }[]>('select id from gateway_configuration where project_id = ?', [
      projectId,
    ])
    const foreign = { gatewayConfigurationId: other?.id ?? '', projectId, sandbox: true }
    const words = [outcome('capture', command.operationId, approved('psp_1', 2_900))]
    expect(await storeNotifications(em(), foreign, words, clock.now())).toEqual({ payments: [], dropped: 0 })
    const { payment } = await book(invoiceId)
    expect(payment).toMatchObject({ status: 'pending-capture', capturedMinor: 0 })
  })

  test('is open since the oldest call that is, by which staff are shown the payment', async () => {
    const { invoiceId } = await captured()
    const now = actor.deps.clock.now().getTime()
    const [oldest, newest] = [new Date(now), new Date(now + 60_000)]
    for (const at of [oldest, newest])
      await answering(PENDING, () => actor.step(invoiceId, actor.build.refund(500), { at: at.getTime() }))
    expect((await transactionOf(invoiceId)).outcomeUnknownSince).toEqual(oldest)
  })

  test('a refund that fails after it had succeeded is a failed one, and its money is here again', async () => {
    const { invoiceId } = await captured()
    const refund = actor.build.refund(900)
    await actor.step(invoiceId, refund)
    const { payment } = await hear(invoiceId, disputeNotification('refund-failed', { reference: refund.operationId }))
    expect(payment).toMatchObject({ status: 'completed', refundedMinor: 0 })
    expect(await em().findOneOrFail(RefundEntity, { id: refund.refundId })).toMatchObject({ status: 'failed' })
  })

  test('of a capture that staff had closed leaves its lines captured, and they are not captured again', async () => {
    const { invoiceId } = await authorized()
    const [line = ''] = await actor.makeLines(invoiceId, [1_000, 1_900])
    const ofLine = () => actor.build.capture(1_000, { detailIds: [line], isFinal: false, wantsRest: true })
    const command = ofLine()
    await answering({ kind: 'unknown', reason: 'lost' }, () => actor.step(invoiceId, command))
    const resolution: Resolution = {
      operationId: command.operationId,
      outcome: 'declined',
      gatewayOperationId: null,
      reason: 'a test',
    }
    const [payment, at] = [actor.referenceOf(invoiceId), actor.deps.clock.now().getTime()]
    await actor.activities.resolveAttempt({ payment, resolution, at })
    expect(await em().findOneOrFail(InvoiceDetailEntity, { id: line })).toMatchObject({ captureOperationId: null })
    await hear(invoiceId, outcome('capture', command.operationId, approved('psp_1', 1_000)))
    expect(await em().findOneOrFail(InvoiceDetailEntity, { id: line })).toMatchObject({
      ...{ captureOperationId: command.operationId, capturedMinor: 1_000 },
    })
    expect((await actor.step(invoiceId, ofLine())).answer).toMatchObject({ kind: 'refused' })
    expect((await transactionOf(invoiceId)).capturedMinor).toBe(1_000)
  })

  test('of the failure of a capture that staff had closed leaves its line to the capture that has it by now', async () => {
    const { invoiceId } = await authorized()
    const [line = ''] = await actor.makeLines(invoiceId, [1_000, 1_900])
    const ofLine = () => actor.build.capture(1_000, { detailIds: [line], isFinal: false, wantsRest: true })
    const [closed, again] = [ofLine(), ofLine()]
    await answering({ kind: 'unknown', reason: 'lost' }, () => actor.step(invoiceId, closed))
    const resolution: Resolution = {
      ...{ operationId: closed.operationId, outcome: 'declined', gatewayOperationId: null, reason: 'a test' },
    }
    const [payment, at] = [actor.referenceOf(invoiceId), actor.deps.clock.now().getTime()]
    await actor.activities.resolveAttempt({ payment, resolution, at })
    expect((await actor.step(invoiceId, again)).answer).toEqual({ kind: 'done' })
    const failure: Outcome = { kind: 'declined', code: 'gateway.declined', gatewayCode: 'late' }
    await hear(invoiceId, outcome('capture', closed.operationId, failure))
    expect(await em().findOneOrFail(InvoiceDetailEntity, { id: line })).toMatchObject({
      ...{ captureOperationId: again.operationId, capturedMinor: 1_000 },
    })
  })

  test('a dispute that comes before the word that the money was taken waits for it', async () => {
    const { invoiceId } = await authorized()
    const command = actor.build.capture()
    await answering(PENDING, () => actor.step(invoiceId, command))
    const { gatewayAuthorizationId = null } = await transactionOf(invoiceId)
    const dispute = disputeNotification('chargeback-created', { gatewayAuthorizationId })
    expect((await hear(invoiceId, dispute)).payment).toMatchObject({ status: 'pending-capture', needsAttention: false })
    const { payment } = await hear(invoiceId, outcome('capture', command.operationId, approved('psp_1', 2_900)))
    expect(payment).toMatchObject({ status: 'chargeback-initiated', capturedMinor: 2_900, needsAttention: false })
    // No sum was named: all that was captured is meant.
    expect((await operationsOf(invoiceId)).at(-1)).toMatchObject({ type: 'chargeback', amountMinor: 2_900 })
  })

  test('a dispute that names a sum in the currency of the card is recorded with that sum and currency', async () => {
    const { invoiceId } = await captured()
    const { gatewayAuthorizationId = null } = await transactionOf(invoiceId)
    const sum = { amountMinor: 3_210, currency: 'USD' }
    await hear(invoiceId, disputeNotification('chargeback-created', { gatewayAuthorizationId, ...sum }))
    expect((await operationsOf(invoiceId)).at(-1)).toMatchObject({ type: 'chargeback', ...sum })
  })
})

describe('a word that only a look-up can explain', () => {
  const lost = async () => answering({ kind: 'unknown', reason: 'lost' }, () => authorized())

  test('has the gateway asked, by the authorization that the word named', async () => {
    const { invoiceId, reference } = await lost()
    found = { kind: 'found', outcome: approved('pi_1', 2_900) }
    const { payment } = await hear(invoiceId, outcome('authorization', reference, null, 'pi_1'))
    expect(asked).toMatchObject([{ reference, type: 'authorization', gatewayAuthorizationId: 'pi_1' }])
    expect(payment).toMatchObject({ status: 'authorized', attemptsInFlight: [] })
    expect((await transactionOf(invoiceId)).gatewayAuthorizationId).toBe('pi_1')
  })

  test('of a capture under the reference of its authorization, as at Stripe, has the gateway asked about the capture', async () => {
    const { invoiceId, reference } = await authorized()
    const capture = actor.build.capture()
    await answering({ kind: 'unknown', reason: 'lost' }, () => actor.step(invoiceId, capture))
    found = { kind: 'found', outcome: approved('psp_1', 2_900) }
    const { payment } = await hear(invoiceId, outcome('capture', reference, null))
    expect(asked).toMatchObject([{ reference: capture.operationId, type: 'capture' }])
    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 2_900, attemptsInFlight: [] })
  })
})

describe('an authorization that is approved after it was recorded as failed', () => {
  const failed = async () => answering({ ...DECLINED, code: 'card.declined' } as Outcome, () => authorized())

  test('is recorded and given back, once', async () => {
    const { invoiceId, reference } = await failed()
    const late = () => outcome('authorization', reference, approved('psp_late', 2_900), 'psp_late')
    const { payment } = await hear(invoiceId, late())
    expect(payment).toMatchObject({ status: 'failed', authorizedMinor: 0, attemptsInFlight: [] })
    expect(payment.orphans).toMatchObject([{ gatewayAuthorizationId: 'psp_late', amountMinor: 2_900 }])
    expect(nextDue(payment)).toMatchObject({ kind: 'reverse-orphan' })
    const released = await actor.step(invoiceId, actor.build.reverseOrphan(reference))
    expect((await operationsOf(invoiceId)).find(({ type }) => type === 'void')).toMatchObject({
      gatewayAuthorizationId: 'psp_late',
    })
    expect(released.answer.kind).not.toBe('refused')
    expect((await hear(invoiceId, late())).payment.orphans).toEqual(released.payment.orphans)
  })

  test('is asked about again while the gateway does not answer', async () => {
    const { invoiceId, reference } = await failed()
    await hear(invoiceId, outcome('authorization', reference, null, 'pi_quiet'))
    expect(await em().findOneOrFail(GatewayNotificationEntity, { reference })).toMatchObject({ appliedAt: null })
    found = { kind: 'found', outcome: DECLINED }
    await book(invoiceId)
    expect((await em().findOneOrFail(GatewayNotificationEntity, { reference })).appliedAt).not.toBeNull()
  })

  test('is not asked about any more a day after its gateway has told of it', async () => {
    const { invoiceId, reference } = await failed()
    await hear(invoiceId, outcome('authorization', reference, null, 'pi_silent'))
    const receivedAt = new Date(actor.deps.clock.now().getTime() - 24 * 60 * 60 * 1000)
    await em().nativeUpdate(GatewayNotificationEntity, { reference }, { receivedAt })
    await book(invoiceId)
    expect((await em().findOneOrFail(GatewayNotificationEntity, { reference })).appliedAt).not.toBeNull()
  })

  test('is not given back where the payment stands on that very authorization', async () => {
    const { invoiceId, reference } = await failed()
    await answering(approved('pi_same', 2_900), async () =>
      actor.step(invoiceId, actor.build.authorize(await actor.makeSource())),
    )
    const { payment } = await hear(
      invoiceId,
      outcome('authorization', reference, approved('pi_same', 2_900), 'pi_same'),
    )
    expect(payment).toMatchObject({ status: 'authorized', authorizedMinor: 2_900, orphans: [], needsAttention: false })
  })
})

describe('what is told before it is known what it is about', () => {
  const LATER_MS = 24 * 60 * 60 * 1000
  const overdue = async (invoiceId: string) => {
    const at = new Date(actor.deps.clock.now().getTime() + 1000)
    return (await findOverdue(database.orm, at)).filter((payment) => payment.invoiceId === invoiceId)
  }

  test('waits for its payment, is found by the sweep, and booked', async () => {
    const { gatewayConfigurationId } = await transactionOf((await authorized()).invoiceId)
    const dispute = disputeNotification('fraud-notification', { gatewayAuthorizationId: 'pi_early' })
    expect(await tell(gatewayConfigurationId ?? '', dispute)).toEqual({ payments: [], dropped: 0 })
    const { invoiceId } = await answering(approved('pi_early', 2_900), () => authorized())
    await answering(approved('ch_early', 2_900), () => actor.step(invoiceId, actor.build.capture()))
    expect(await overdue(invoiceId)).toHaveLength(1)
    expect((await book(invoiceId)).payment).toMatchObject({ status: 'fraud-notification' })
    expect(await overdue(invoiceId)).toEqual([])
  })

  test('is deleted when nobody has asked for it in a week, and only then', async () => {
    const { gatewayConfigurationId } = await transactionOf((await authorized()).invoiceId)
    const dispute = disputeNotification('fraud-notification', { gatewayAuthorizationId: 'pi_of_others' })
    await tell(gatewayConfigurationId ?? '', dispute)
    const where = { gatewayNotificationId: dispute.gatewayNotificationId }
    const now = actor.deps.clock.now().getTime()
    await deleteUnclaimedNotifications(em(), { before: new Date(now - LATER_MS), limit: 10 })
    expect(await em().count(GatewayNotificationEntity, where)).toBe(1)
    await deleteUnclaimedNotifications(em(), { before: new Date(now + LATER_MS), limit: 10 })
    expect(await em().count(GatewayNotificationEntity, where)).toBe(0)
  })
})

describe('notifications that only say that there is something to look up', () => {
  const refunding = async () => {
    const { invoiceId } = await captured()
    const command = actor.build.refund(1_000)
    await answering(PENDING, () => actor.step(invoiceId, command))
    return { invoiceId, reference: command.operationId }
  }
  const unapplied = async (invoiceId: string) =>
    (await em().find(GatewayNotificationEntity, { invoiceId, appliedAt: null })).length

  test('wait for a look-up of their own where they come while the gateway is asked', async () => {
    const { invoiceId, reference } = await refunding()
    found = { kind: 'found', outcome: PENDING }
    const { gatewayConfigurationId } = await transactionOf(invoiceId)
    let told = 0
    whileAsked = async () => {
      told += 1
      if (told === 1) await tell(gatewayConfigurationId ?? '', outcome('refund', reference, null))
    }
    await hear(invoiceId, outcome('refund', reference, null))
    expect(asked.map((request) => request.reference)).toContain(reference)
    expect(await unapplied(invoiceId)).toBe(1)
    found = { kind: 'found', outcome: approved('psp_2', 1_000) }
    await book(invoiceId)
    expect(await unapplied(invoiceId)).toBe(0)
    expect(await transactionOf(invoiceId)).toMatchObject({ refundedMinor: 1_000 })
  })

  test('hold back a dispute of the same batch until the gateway has answered', async () => {
    const { invoiceId, reference } = await refunding()
    found = { kind: 'found', outcome: approved('psp_2', 1_000) }
    const seen: (number | undefined)[] = []
    whileAsked = async () => {
      const kinds = (await operationsOf(invoiceId)).filter(({ type }) => type === 'chargeback')
      seen.push(kinds.length)
    }
    const dispute = disputeNotification('chargeback-created', { invoiceId })
    await hear(invoiceId, outcome('refund', reference, null), dispute)
    expect(seen).toEqual([0])
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'chargeback-initiated', refundedMinor: 1_000 })
  })
})

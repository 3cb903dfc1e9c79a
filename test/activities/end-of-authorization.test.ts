import { beforeEach, describe, expect, test } from '@jest/globals'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import { nextDue } from '../../domain/payment.ts'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { outcomeNotification } from '../support/gateway-notifications.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
/** What the gateway answers to a void, and to a look-up; null where the simulator does. */
let answer: Outcome | null = null
let found: LookUp | null = null
/** What it answers to a capture. */
let captures: Outcome | null = null

const actor = actorForFile(database, (gateway) => ({
  ...gateway,
  capture: async (request, signal) => captures ?? gateway.capture(request, signal),
  void: async (request, signal) => answer ?? gateway.void(request, signal),
  lookUp: async (request, signal) => found ?? gateway.lookUp(request, signal),
}))
beforeEach(() => {
  answer = null
  found = null
  captures = null
})

const DAYS_MS = 8 * 24 * 60 * 60 * 1000
const at = () => actor.deps.clock.now().getTime() + DAYS_MS
const declined = (values: Partial<Extract<Outcome, { kind: 'declined' }>> = {}): Outcome => ({
  kind: 'declined',
  code: 'gateway.invalid-state',
  gatewayCode: 'ALREADY_CAPTURED',
  ...values,
})
const authorized = async () => {
  const invoiceId = await actor.makeInvoice()
  await actor.step(invoiceId, actor.build.authorize(await actor.makeSource()))
  return invoiceId
}
const lookUp = (invoiceId: string, operationId: string) =>
  actor.activities.lookUp({ payment: actor.referenceOf(invoiceId), operationId, at: at() })
const resultsOf = (operationId: string) =>
  database.orm.em.fork().find(OperationEntity, { attemptOperationId: operationId }, { orderBy: { position: 'asc' } })
const tell = async (invoiceId: string, notification: GatewayNotification) => {
  const em = database.orm.em.fork()
  const { gatewayConfigurationId } = await em.findOneOrFail(TransactionEntity, { invoiceId })
  const account = { gatewayConfigurationId: gatewayConfigurationId ?? '', projectId: actor.projectId, sandbox: true }
  await storeNotifications(em, account, [notification], actor.deps.clock.now())
}
const apply = (invoiceId: string, when = at()) =>
  actor.activities.applyNotifications({ payment: actor.referenceOf(invoiceId), at: when })
const STILL_HELD = { status: 'authorized', voidedMinor: 0, expired: false } as const

describe('the void at the end of an authorization that the gateway refuses', () => {
  test.each<[string, Outcome]>([
    ['that it has expired', declined({ code: 'gateway.expired' })],
    ['that it was released before', declined({ holdsNothing: true })],
  ])('saying %s leaves a voided payment, not a failed one', async (_, refusal) => {
    const invoiceId = await authorized()
    answer = refusal
    const expiry = actor.build.expiry()
    const { payment } = await actor.step(invoiceId, expiry)
    expect(payment).toMatchObject({
      ...{ status: 'voided', expired: true, voidedMinor: 2900, attemptsInFlight: [], needsAttention: false },
    })
    expect(await database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })).toMatchObject({
      status: 'voided',
      errorCode: null,
    })
    expect(await resultsOf(expiry.operationId)).toMatchObject([{ outcome: 'failed', isAccountable: true }])
  })

  test.each<[string, Outcome]>([
    ['says that the money was taken', declined()],
    ['does not know the authorization', declined({ code: 'gateway.transaction-not-found', gatewayCode: 'NOT_FOUND' })],
    ['gives no reason', declined({ code: 'gateway.declined', gatewayCode: 'DECLINED' })],
  ])('and %s frees nothing: it is looked up, and then shown to staff', async (_, refusal) => {
    const invoiceId = await authorized()
    answer = refusal
    const expiry = actor.build.expiry()
    const first = await actor.step(invoiceId, expiry)
    expect(first).toMatchObject({ answer: { kind: 'pending' }, payment: { ...STILL_HELD, needsAttention: false } })
    expect(first.payment.attemptsInFlight).toMatchObject([{ operationId: expiry.operationId }])
    if (refusal.kind !== 'declined') throw new Error('It is a refusal.')
    expect(await resultsOf(expiry.operationId)).toMatchObject([
      { outcome: 'unknown', errorCode: refusal.code, gatewayCode: refusal.gatewayCode, isAccountable: false },
    ])

    found = { kind: 'found', outcome: refusal }
    const looked = await lookUp(invoiceId, expiry.operationId)
    expect(looked.payment).toMatchObject({ ...STILL_HELD, needsAttention: true })
    expect(looked.payment.attemptsInFlight).toMatchObject([{ operationId: expiry.operationId }])
    // The clock does not ask for the same void for ever.
    expect(nextDue(looked.payment)).toBeNull()
    expect(await resultsOf(expiry.operationId)).toHaveLength(1)
    expect(await database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })).toMatchObject({
      ...{ status: 'authorized', voidedMinor: 0, needsAttention: true },
    })
  })

  test('and that a look-up finds made after all is booked, without staff', async () => {
    const invoiceId = await authorized()
    answer = declined()
    const expiry = actor.build.expiry()
    await actor.step(invoiceId, expiry)
    const outcome = { kind: 'approved', gatewayOperationId: 'void_1', amountMinor: 2900, currency: 'EUR' } as const
    found = { kind: 'found', outcome }
    expect((await lookUp(invoiceId, expiry.operationId)).payment).toMatchObject({
      ...{ status: 'voided', expired: true, voidedMinor: 2900, attemptsInFlight: [], needsAttention: false },
    })
  })

  test('by a notification frees nothing either', async () => {
    const invoiceId = await authorized()
    answer = { kind: 'pending', gatewayOperationId: 'psp_1' }
    const expiry = actor.build.expiry()
    await actor.step(invoiceId, expiry)
    await tell(invoiceId, outcomeNotification('void', expiry.operationId, declined()))
    const { payment } = await apply(invoiceId)
    expect(payment).toMatchObject({ ...STILL_HELD, attemptsInFlight: [{ operationId: expiry.operationId }] })
    found = { kind: 'unreachable', reason: 'There is no look-up.' }
    expect((await lookUp(invoiceId, expiry.operationId)).payment).toMatchObject({ ...STILL_HELD, needsAttention: true })
  })
})

describe('an authorization that its gateway tells to have ended', () => {
  const ended = async (invoiceId: string, capturedMinor: number) => {
    const em = database.orm.em.fork()
    const { gatewayAuthorizationId, id: transactionId } = await em.findOneOrFail(TransactionEntity, { invoiceId })
    const [attempt] = await em.find(OperationEntity, { transactionId, type: 'authorization', isAttempt: true })
    if (gatewayAuthorizationId == null || attempt === undefined) throw new Error('The payment is authorized.')
    await tell(invoiceId, {
      kind: 'authorization-ended',
      gatewayNotificationId: `${attempt.id}-ended`,
      reference: attempt.id,
      gatewayAuthorizationId,
      capturedMinor,
      currency: 'EUR',
    })
  }
  const now = () => actor.deps.clock.now().getTime()

  test('is shown to staff where its money was taken and we know nothing of it', async () => {
    const invoiceId = await authorized()
    await ended(invoiceId, 2_900)
    const { payment } = await apply(invoiceId, now())
    expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, needsAttention: true })
  })

  test('is released here as it was there, by the void at its end', async () => {
    const invoiceId = await authorized()
    await ended(invoiceId, 0)
    const when = now()
    const { payment } = await apply(invoiceId, when)
    expect(payment).toMatchObject({ status: 'authorized', needsAttention: false })
    expect(nextDue(payment)).toEqual({ kind: 'expiry', at: when })
    answer = declined({ holdsNothing: true })
    expect((await actor.step(invoiceId, actor.build.expiry(), { at: when })).payment).toMatchObject({
      ...{ status: 'voided', voidedMinor: 2900, needsAttention: false },
    })
  })

  test('says nothing new where it was captured by us, or is being captured', async () => {
    const invoiceId = await authorized()
    const capture = actor.build.capture()
    captures = { kind: 'unknown', reason: 'lost' }
    await actor.step(invoiceId, capture)
    await ended(invoiceId, 2_900)
    expect((await apply(invoiceId, now())).payment).toMatchObject({ capturedMinor: 0, needsAttention: false })
    const outcome = { kind: 'approved', gatewayOperationId: 'cap_1', amountMinor: 2900, currency: 'EUR' } as const
    found = { kind: 'found', outcome }
    await lookUp(invoiceId, capture.operationId)
    expect((await apply(invoiceId, now())).payment).toMatchObject({
      ...{ status: 'completed', capturedMinor: 2900, needsAttention: false },
    })
    const notices = await database.orm.em.fork().find(GatewayNotificationEntity, { invoiceId })
    expect(notices.map(({ appliedAt }) => appliedAt)).toEqual([expect.any(Date)])
  })
})

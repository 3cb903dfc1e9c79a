import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { disputeNotification, outcomeNotification } from '../support/gateway-notifications.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
let answer: Outcome | null = null
let found: LookUp | null = null
let calls = 0

/** A code that no row may hold, because the tests forbid it. */
const FORBIDDEN = 'FORBIDDEN'

const actor = actorForFile(database, (gateway) => ({
  ...gateway,
  async authorize(request, signal) {
    calls += 1
    return answer ?? gateway.authorize(request, signal)
  },
  refund: async (request, signal) => answer ?? gateway.refund(request, signal),
  lookUp: async (request, signal) => found ?? gateway.lookUp(request, signal),
}))
beforeAll(async () => {
  await database.orm.em.fork().execute(
    `alter table operation add constraint planted_defect check (
       coalesce(authorization_code, '') <> '${FORBIDDEN}' and coalesce(gateway_code, '') <> '${FORBIDDEN}'
       and coalesce(chargeback_reason, '') <> '${FORBIDDEN}')`,
  )
})
beforeEach(() => {
  answer = null
  found = null
  calls = 0
})

const em = () => database.orm.em.fork()
const at = () => actor.deps.clock.now().getTime()
const approved = (values: Partial<Extract<Outcome, { kind: 'approved' }>> = {}) =>
  ({ kind: 'approved', gatewayOperationId: 'auth_1', amountMinor: 2900, currency: 'EUR', ...values }) as const
const resultsOf = (operationId: string) =>
  em().find(OperationEntity, { attemptOperationId: operationId }, { orderBy: { position: 'asc' } })
const authorize = async () => {
  const invoiceId = await actor.makeInvoice()
  const command = actor.build.authorize(await actor.makeSource())
  return { invoiceId, command, result: await actor.step(invoiceId, command) }
}

describe('the answer of a gateway', () => {
  test.each<[string, string, string]>([
    ['a NUL', 'auth\u0000_1', 'auth_1'],
    ['other control characters', '\u0007auth\n_1\u009f', 'auth_1'],
    ['half of a character', 'auth_\ud8001', 'auth_\ufffd1'],
    ['more than any index takes', 'x'.repeat(9_000), 'x'.repeat(255)],
  ])('with %s in its id is booked', async (_, gatewayOperationId, kept) => {
    answer = approved({ gatewayOperationId, authorizationCode: gatewayOperationId })
    const { invoiceId, result } = await authorize()
    expect(result).toMatchObject({
      answer: { kind: 'done' },
      payment: { authorizedMinor: 2900, needsAttention: false },
    })
    expect(await em().findOneOrFail(TransactionEntity, { invoiceId })).toMatchObject({ gatewayAuthorizationId: kept })
  })
})

describe('an outcome that cannot be recorded', () => {
  const unrecordable = approved({ authorizationCode: FORBIDDEN })

  test('leaves the attempt open and shows the payment to staff, and the gateway is asked once', async () => {
    answer = unrecordable
    const { invoiceId, command, result } = await authorize()
    expect(calls).toBe(1)
    expect(result).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'pending', authorizedMinor: 0, needsAttention: true },
    })
    expect(result.payment.attemptsInFlight).toMatchObject([{ operationId: command.operationId }])
    expect(await resultsOf(command.operationId)).toMatchObject([{ outcome: 'unknown', errorCode: null }])
    expect(await em().findOneOrFail(TransactionEntity, { invoiceId })).toMatchObject({ needsAttention: true })
    const events = await em().find(EventEntity, { invoiceId })
    expect(events.map(({ name }) => name)).not.toContain('transaction.authorized')
  })

  test('a decline of it goes to no other gateway and frees nothing', async () => {
    answer = { kind: 'declined', code: 'card.declined', gatewayCode: FORBIDDEN }
    const { result } = await authorize()
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { status: 'pending', needsAttention: true } })
  })

  test('is tried again by Temporal where the failure may pass', async () => {
    const invoiceId = await actor.makeInvoice()
    const command = actor.build.authorize(await actor.makeSource())
    const { deps } = actor
    let isAway = false
    answer = approved()
    const passing = Object.assign(new Error('Connection terminated'), { code: '57P01' })
    const orm = new Proxy(deps.orm, {
      get(target, name, receiver) {
        if (name === 'driver' && isAway) throw passing
        return Reflect.get(target, name, receiver)
      },
    })
    const { createSignedActivities } = await import('../support/signed-activities.ts')
    const activities = createSignedActivities({
      ...deps,
      orm,
      gateways: {
        has: () => true,
        find: (name) => ({
          ...deps.gateways.find(name),
          async authorize() {
            isAway = true
            return approved()
          },
        }),
      },
    })
    const step = actor.stepOf(invoiceId, command, {})
    await expect(activities.authorize(step)).rejects.toThrow()
    isAway = false
    found = { kind: 'found', outcome: approved() }
    expect(await activities.authorize(step)).toMatchObject({
      answer: { kind: 'done' },
      payment: { authorizedMinor: 2900, needsAttention: false },
    })
  })
})

describe('what a gateway says unasked and cannot be recorded', () => {
  const tell = async (invoiceId: string, ...notifications: GatewayNotification[]) => {
    const { gatewayConfigurationId } = await em().findOneOrFail(TransactionEntity, { invoiceId })
    const account = { gatewayConfigurationId: gatewayConfigurationId ?? '', projectId: actor.projectId, sandbox: true }
    await storeNotifications(em(), account, notifications, actor.deps.clock.now())
    return actor.activities.applyNotifications({ payment: actor.referenceOf(invoiceId), at: at() })
  }

  test('a dispute is shown to staff and holds up nothing else', async () => {
    const { invoiceId } = await authorize()
    await actor.step(invoiceId, actor.build.capture())
    const { payment } = await tell(
      invoiceId,
      disputeNotification('chargeback-created', { invoiceId, reason: FORBIDDEN }),
    )
    expect(payment).toMatchObject({ status: 'completed', needsAttention: true })
    expect(await actor.step(invoiceId, actor.build.refund(900))).toMatchObject({
      answer: { kind: 'done' },
      payment: { refundedMinor: 900 },
    })
  })

  test('keeps no other notification of its payment from its look-up', async () => {
    const { invoiceId } = await authorize()
    await actor.step(invoiceId, actor.build.capture())
    answer = { kind: 'pending', gatewayOperationId: 'psp_1' }
    const [first, second] = [actor.build.refund(900), actor.build.refund(900)]
    for (const refund of [first, second]) await actor.step(invoiceId, refund)
    found = { kind: 'found', outcome: approved({ gatewayOperationId: 'psp_2', amountMinor: 900 }) }
    const failure = { kind: 'declined', code: 'gateway.declined', gatewayCode: FORBIDDEN } as const
    const { payment } = await tell(
      invoiceId,
      outcomeNotification('refund', first.operationId, failure),
      outcomeNotification('refund', second.operationId, null),
    )
    expect(payment).toMatchObject({ needsAttention: true })
    expect(await resultsOf(second.operationId)).toEqual(
      expect.arrayContaining([expect.objectContaining({ outcome: 'succeeded', amountMinor: 900 })]),
    )
  })
})

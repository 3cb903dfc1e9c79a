import { beforeEach } from '@jest/globals'
import type { PaymentActivityDeps } from '../../activities/dependencies.ts'
import type { Command, IdempotencyClaim, PayCommand, Resolution } from '../../domain/command.ts'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { type LoggedRequest, readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { insertTokenForCard } from '../../src/persistence/queries/customers/customer-tokens.ts'
import { makeWithdrawal, withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { transact } from '../../src/persistence/transact.ts'
import { makeDatabase } from '../support/database.ts'
import { forFile } from '../support/for-file.ts'
import { makePaymentActor } from '../support/payment-actor.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { createScriptedGateway } from './scripted-gateway.ts'

export { lostAnswer, NO_ANSWER, toEveryCall } from './scripted-gateway.ts'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const same = (gateway: Gateway) => gateway

interface PaymentsOptions {
  /** What the gateway of the test can do, beside the simulator. */
  adapter?: (simulator: Gateway) => Gateway
  /** Around the gateway of the test, as the guard of production stands around an adapter. */
  guard?: (gateway: Gateway) => Gateway
}

/**
 * Payments on the layer of the activities: a database of its own, a gateway whose answers a test can replace, and what there is
 * to read of a payment afterwards. No queue and no Temporal stand before the steps.
 */
export async function makePayments({ adapter = same, guard = same }: PaymentsOptions = {}) {
  const database = await makeDatabase()
  const gateway = createScriptedGateway()
  const actor = await makePaymentActor(database, (simulator) => guard(gateway.wrap(adapter(simulator))))
  const { build, deps, projectId, referenceOf } = actor
  let keys = 0

  const em = () => database.orm.em.fork()
  const now = () => deps.clock.now().getTime()
  const transactionOf = (invoiceId: string) => em().findOneOrFail(TransactionEntity, { invoiceId })
  const operationsOf = async (invoiceId: string) =>
    em().find(OperationEntity, { transactionId: (await transactionOf(invoiceId)).id }, { orderBy: { position: 'asc' } })

  /** Has an invoice authorized, and tells how that ended. */
  const authorize = async (
    { card, ...values }: Partial<PayCommand> & { card?: string } = {},
    invoice: Partial<InvoiceRow> = {},
  ) => {
    const invoiceId = await actor.makeInvoice(invoice)
    const command = build.authorize(await actor.makeCard(card), values)
    const result = await actor.step(invoiceId, command)
    return { invoiceId, command, operationId: command.operationId, result }
  }
  /** An authorized payment; with `incremental`, one whose authorization can be raised. */
  const authorized = async (values: Parameters<typeof authorize>[0] = {}, invoice: Partial<InvoiceRow> = {}) => {
    const { result, ...payment } = await authorize(values, { incremental: values.incremental ?? false, ...invoice })
    if (result.payment.status !== 'authorized') throw new Error(`The payment is ${result.payment.status}.`)
    return payment
  }
  const captured = async (amountMinor: number | null = null) => {
    const { invoiceId } = await authorized()
    const command = build.capture(amountMinor)
    await actor.step(invoiceId, command)
    return { invoiceId, command, operationId: command.operationId }
  }
  const applyNotifications = (invoiceId: string, at = now()) =>
    actor.activities.applyNotifications({ payment: referenceOf(invoiceId), at })
  /** The account of a payment sends notifications, which wait to be applied. */
  const notify = async (invoiceId: string, ...notifications: GatewayNotification[]) => {
    const { gatewayConfigurationId } = await transactionOf(invoiceId)
    const account = { gatewayConfigurationId: gatewayConfigurationId ?? '', projectId, sandbox: true }
    return storeNotifications(em(), account, notifications, deps.clock.now())
  }
  const setSuspended = (suspendedAt: Date | null) =>
    em().nativeUpdate(ProjectEntity, { id: projectId }, { suspendedAt })

  return {
    ...actor,
    database,
    gateway,
    em,
    now,
    authorize,
    authorized,
    captured,
    transactionOf,
    operationsOf,
    /** What was recorded of an attempt. */
    resultsOf: (attemptOperationId: string) =>
      em().find(OperationEntity, { attemptOperationId }, { orderBy: { position: 'asc' } }),
    /** The names of its events, oldest first. */
    eventsOf: async (invoiceId: string) =>
      (await em().find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })).map(({ name }) => name),
    /** What the simulator has executed, which is less than it was asked. */
    requestsOf: async (invoiceId: string): Promise<LoggedRequest[]> =>
      (await readSimulatorLog(actor.execute, { invoiceId })).requests,
    /** The one account of the project. */
    account: () => em().findOneOrFail(GatewayConfigurationEntity, { projectId }),
    lookUp: (invoiceId: string, operationId: string, laterMs = 0) =>
      actor.activities.lookUp({ payment: referenceOf(invoiceId), operationId, at: now() + laterMs }),
    /** Staff end an attempt as if it had failed. */
    closeAttempt(invoiceId: string, operationId: string) {
      const resolution: Resolution = { operationId, outcome: 'declined', gatewayOperationId: null, reason: 'a test' }
      return actor.activities.resolveAttempt({ payment: referenceOf(invoiceId), resolution, at: now() })
    },
    notify,
    applyNotifications,
    async notifyAndApply(invoiceId: string, ...notifications: GatewayNotification[]) {
      await notify(invoiceId, ...notifications)
      return applyNotifications(invoiceId)
    },
    /** The activities with other dependencies, such as a worker whose clock is wrong. */
    activitiesWith: (changes: Partial<PaymentActivityDeps>) => createSignedActivities({ ...deps, ...changes }),
    clockAhead: (aheadMs: number) => ({ now: () => new Date(now() + aheadMs) }),
    /** A key that no other request has. */
    newKey(): IdempotencyClaim {
      keys += 1
      return { id: String(keys).padStart(64, '0'), requestHash: 'a'.repeat(64), requestId: `req_${keys}` }
    },
    keyOf: ({ id }: IdempotencyClaim) => em().findOne(IdempotencyKeyEntity, { id }),
    /** The caller of a command stops waiting for it. */
    withdraw: (invoiceId: string, command: Command) =>
      withdrawCommand(em(), makeWithdrawal({ projectId, sandbox: true, invoiceId }, command, deps.clock.now())),
    /** The two steps of a sale, as its run makes them one after the other. */
    stepsOfSale(invoiceId: string, sale: PayCommand) {
      const authorization = actor.stepOf(invoiceId, sale)
      return { authorization, capture: { ...authorization, isSecondStep: true as const } }
    },
    /** Stores a card of a new customer as a token. */
    async storeCard(cardId: string, values: Partial<Parameters<typeof insertTokenForCard>[1]> = {}) {
      const [customerId, tokenId, time] = [`cust_${cardId}`, `tok_${cardId}`, deps.clock.now()]
      const times = { registeredAt: time, createdAt: time, updatedAt: time }
      const customer = { id: customerId, projectId, sandbox: true, isBusiness: false, balanceMinor: 0, metadata: {} }
      await em().insert(CustomerEntity, { ...customer, ...times })
      const card = await em().findOneOrFail(CardEntity, { id: cardId })
      await transact(database.orm, async (unit) => {
        await insertTokenForCard(unit, { id: tokenId, customerId, card, now: time, ...values })
      })
      return { customerId, tokenId }
    },
    suspend: () => setSuspended(deps.clock.now()),
    resume: () => setSuspended(null),
  }
}

export type Payments = Awaited<ReturnType<typeof makePayments>>

/** Payments for the tests of a file; the gateway answers by itself again before each. */
export function paymentsForFile(options: PaymentsOptions = {}): Payments {
  const payments = forFile(
    () => makePayments(options),
    ({ database }) => database.drop(),
  )
  beforeEach(() => payments.gateway.reset())
  return payments
}

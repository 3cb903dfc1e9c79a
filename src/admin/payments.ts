import { randomBytes } from 'node:crypto'
import type { Resolution, ScheduleCaptureCommand } from '../../domain/command.ts'
import { signCommand, signResolution } from '../../domain/command-signature.ts'
import { environmentOf } from '../../domain/environment.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { formatAmount } from '../../domain/money.ts'
import { systemClock } from '../clock.ts'
import { openDatabase } from '../database/open-database.ts'
import { checkKeysOf } from '../keys/key-check.ts'
import { readKeys } from '../keys/process-keys.ts'
import { TransactionEntity } from '../persistence/entities/transaction.ts'
import { MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { recordAct } from '../persistence/queries/audit/record-act.ts'
import { findSweptPayments } from '../persistence/queries/payments/overdue-payments.ts'
import type { StartablePayment } from '../persistence/queries/payments/startable-payment.ts'
import { findUnresolvedPayments, type UnresolvedPayment } from '../persistence/queries/payments/unresolved-payments.ts'
import { UsageError } from '../processes/command-line.ts'
import { StartupError } from '../startup-error.ts'
import type { PaymentDescription } from '../temporal/client.ts'
import type { Keys } from '../vault/keys.ts'
import { createVault } from '../vault/vault.ts'
import { defineCommand, REASON_OPTION, reasonIn } from './command.ts'
import { readAdminConfig } from './configuration.ts'
import { inDatabase, invoiceIdFrom } from './database.ts'

/*
 * Loading Temporal's client takes longer than most commands do, so `ask-payment.ts` is loaded where it is needed.
 */

export const listUnresolvedCommand = defineCommand({
  name: 'payments attention',
  summary:
    'Lists the payments that need attention: an outcome is unknown for an hour, or something cannot be recorded.',
  async run(_, { say }) {
    const payments = await inDatabase((em) => findUnresolvedPayments(em))
    if (payments.length === 0) say('No payment needs attention.')
    for (const payment of payments) say(describe(payment))
  },
})

function describe(payment: UnresolvedPayment): string {
  const { projectId, sandbox, invoiceId, status, gatewayName, gatewayConfigurationId } = payment
  const { currency, operationId, operationType } = payment
  const account = gatewayName === null ? 'at no gateway' : `at ${gatewayName} (${gatewayConfigurationId})`
  const where = `${environmentOf(sandbox)} ${projectId} ${invoiceId} ${status} ${account}`
  if (operationId === null || payment.attemptMinor === null) return `${where}: needs attention`
  const amount = `${currency} ${formatAmount(payment.attemptMinor, currency)}`
  return `${where}: ${operationType} ${operationId} of ${amount}, unknown since ${payment.since?.toISOString()}`
}

export const resolvePaymentCommand = defineCommand<{ reason?: string; gatewayOperationId?: string }>({
  name: 'payments resolve',
  operands: '<INVOICE_ID> <OPERATION_ID> <approved|declined>',
  summary: 'Records what you found out at the gateway about an attempt that no look-up resolves.',
  details:
    "An approved authorization needs the gateway's id of it. A declined one is looked up until seven days after it was begun; " +
    'an approval that comes after all is voided.',
  options: [REASON_OPTION, ['--gateway-operation-id <ID>', 'how the gateway calls it']],
  async run([invoice = '', operationId = '', outcome = ''], { say, values, actor }) {
    const gatewayOperationId = values.gatewayOperationId ?? null
    const reason = reasonIn(values)
    const config = readAdminConfig({ servers: ['databaseUrl', 'temporalAddress'], keys: true })
    const keys = await readKeys(config)
    const orm = await openDatabase(config.databaseUrl, MAINTENANCE_LIMITS)
    try {
      const em = orm.em.fork()
      const invoiceId = await invoiceIdFrom(em, invoice)
      const open = await findUnresolvedPayments(em, { invoiceId })
      const payment = open.find((candidate) => candidate.operationId === operationId)
      if (payment === undefined)
        throw new StartupError(`The invoice ${invoiceId} has no attempt ${operationId} whose outcome is unknown.`)
      // Signed with other keys it would be refused by every worker.
      await checkKeysOf(orm, keys)
      const resolution = { ...resolutionOf(payment, outcome, gatewayOperationId), reason }
      const facts = { operation_id: operationId, outcome, gateway_operation_id: gatewayOperationId, reason }
      // Before it is recorded, so that a decision that was lost on its way is known as well.
      await orm.em.fork().transactional((em) => record(em, payment, 'payment.resolved', actor, facts))
      const { resyncPayment } = await import('./ask-payment.ts')
      await resyncPayment({ ...config, keys }, descriptionOf(payment), signed(keys, payment, resolution))
      say(`${operationId} is recorded as ${outcome}.`)
    } finally {
      await orm.close(true)
    }
  },
})

/** Workers take the word of nobody who only reaches Temporal. */
function signed(keys: Keys, payment: UnresolvedPayment, resolution: Resolution): Resolution {
  const { projectId, sandbox, invoiceId } = payment
  const asked = { projectId, environment: environmentOf(sandbox), invoiceId }
  return signResolution(createVault(keys).signCommand, asked, resolution)
}

function resolutionOf(
  { operationId, operationType }: UnresolvedPayment,
  outcome: string,
  gatewayOperationId: string | null,
): Omit<Resolution, 'reason'> {
  if (outcome !== 'approved' && outcome !== 'declined') throw new UsageError('The outcome is approved or declined.')
  if (outcome === 'approved' && operationType === 'authorization' && gatewayOperationId === null)
    throw new UsageError("An approved authorization needs --gateway-operation-id: captures refer to the gateway's id.")
  return { operationId: operationId ?? '', outcome, gatewayOperationId }
}

export const acknowledgePaymentCommand = defineCommand({
  name: 'payments acknowledge',
  operands: '<INVOICE_ID>',
  summary: 'Clears the mark "needs attention" of a payment.',
  async run([invoice = ''], { say, actor }) {
    const config = readAdminConfig({ servers: ['databaseUrl', 'temporalAddress'], keys: true })
    const keys = await readKeys(config)
    const orm = await openDatabase(config.databaseUrl, MAINTENANCE_LIMITS)
    try {
      const em = orm.em.fork()
      const invoiceId = await invoiceIdFrom(em, invoice)
      const marked = await findUnresolvedPayments(em, { invoiceId })
      const payment = marked.find(({ needsAttention }) => needsAttention)
      if (payment === undefined) throw new StartupError(`No payment of the invoice ${invoiceId} needs attention.`)
      await em.transactional(async (transaction) => {
        await transaction.nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: false })
        await record(transaction, payment, 'payment.acknowledged', actor)
      })
      const { resyncPayment } = await import('./ask-payment.ts')
      await resyncPayment({ ...config, keys }, descriptionOf(payment), null)
      say(`${invoiceId} no longer needs attention.`)
    } finally {
      await orm.close(true)
    }
  },
})

function record(
  em: EntityManager,
  { projectId, sandbox, invoiceId }: StartablePayment,
  kind: string,
  actor: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  return recordAct(em, { projectId, sandbox, kind, actor, facts: { invoice_id: invoiceId, ...more } })
}

function descriptionOf({ sandbox, ...payment }: StartablePayment): PaymentDescription {
  const { projectId, invoiceId, amountMinor, currency, orderId } = payment
  return { projectId, environment: environmentOf(sandbox), invoiceId, amountMinor, currency, orderId }
}

/** As long as a merchant's command has. */
const BEGINS_WITHIN_MS = 60_000

export const cancelCaptureCommand = defineCommand<{ reason?: string }>({
  name: 'payments cancel-capture',
  operands: '<INVOICE_ID>',
  summary: 'Drops the scheduled capture of a payment; it stays authorized until it is captured, voided, or at its end.',
  options: [REASON_OPTION],
  async run([invoice = ''], { say, values, actor }) {
    const reason = reasonIn(values)
    const config = readAdminConfig({ servers: ['databaseUrl', 'temporalAddress'], keys: true })
    const keys = await readKeys(config)
    const orm = await openDatabase(config.databaseUrl, MAINTENANCE_LIMITS)
    try {
      const em = orm.em.fork()
      const invoiceId = await invoiceIdFrom(em, invoice)
      const [payment] = await findSweptPayments(em, [invoiceId])
      const transaction = await em.findOne(TransactionEntity, { invoiceId })
      if (payment === undefined || transaction?.autoCaptureAt == null)
        throw new StartupError(`The invoice ${invoiceId} has no scheduled capture.`)
      await checkKeysOf(orm, keys)
      const description = descriptionOf(payment)
      const command = signCommand(createVault(keys).signCommand, description, dropCapture(reason))
      const facts = { operation_id: command.operationId, reason }
      await em.transactional((within) => record(within, payment, 'payment.capture-cancelled', actor, facts))
      const { cancelCapture } = await import('./ask-payment.ts')
      const { answer, summary } = await cancelCapture({ ...config, keys }, description, command)
      if (answer.kind !== 'done') throw new StartupError(`${invoiceId}: ${summary}.`)
      say(`${invoiceId}: ${summary}.`)
    } finally {
      await orm.close(true)
    }
  },
})

function dropCapture(reason: string): ScheduleCaptureCommand {
  return {
    kind: 'schedule-capture',
    operationId: makeIdentifier('operation', randomBytes),
    actor: 'staff',
    deadline: systemClock.now().getTime() + BEGINS_WITHIN_MS,
    idempotency: null,
    autoCaptureAt: null,
    autoCaptureAmountMinor: null,
    autoCaptureDetailIds: null,
    reason,
  }
}

import { randomUUID } from 'node:crypto'
import type { Resolution } from '../../domain/command.ts'
import { environmentOf } from '../../domain/environment.ts'
import { formatAmount } from '../../domain/money.ts'
import { systemClock } from '../../src/clock.ts'
import { readConfigWith } from '../../src/config.ts'
import { StartupError } from '../../src/embedded/startup-error.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import {
  findUnresolvedPayments,
  type UnresolvedPayment,
} from '../../src/persistence/queries/payments/unresolved-payments.ts'
import { openDatabase, temporalIsAbsent } from '../../src/processes/core.ts'
import { withRunningServers } from '../../src/processes/servers-file.ts'
import { createPaymentSettler } from '../../src/temporal/client.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import type { AdminCommand } from './command.ts'

/** Before that, look-ups are likely to tell by themselves. */
const UNRESOLVED_AFTER_MS = 60 * 60 * 1000

export const listUnresolvedPayments: AdminCommand = {
  name: 'payments unresolved',
  usage: 'payments unresolved',
  help: 'Lists the payments whose outcome has been unknown for an hour, or that need attention, the oldest first.',
  operands: 0,
  async run(_, { say }) {
    const { databaseUrl } = readConfigWith({ servers: ['databaseUrl'], keys: false }, withRunningServers(process.env))
    const orm = await openDatabase(databaseUrl)
    try {
      const since = new Date(systemClock.now().getTime() - UNRESOLVED_AFTER_MS)
      const payments = await findUnresolvedPayments(orm.em.fork(), { since })
      if (payments.length === 0) say('Every outcome is known.')
      for (const payment of payments) say(describe(payment))
    } finally {
      await orm.close(true)
    }
  },
}

function describe(payment: UnresolvedPayment): string {
  const { projectId, sandbox, invoiceId, status, gatewayName, currency, operationId, operationType } = payment
  const where = `${environmentOf(sandbox)} ${projectId} ${invoiceId} ${status} at ${gatewayName}`
  if (operationId === null || payment.attemptMinor === null) return `${where}: needs attention`
  const amount = `${currency} ${formatAmount(payment.attemptMinor, currency)}`
  return `${where}: ${operationType} ${operationId} of ${amount}, unknown since ${payment.since?.toISOString()}`
}

export const resolvePayment: AdminCommand = {
  name: 'payments resolve',
  usage: 'payments resolve INVOICE_ID OPERATION_ID approved|declined [--gateway-operation-id ID]',
  help:
    'Books what you found out at the gateway about an attempt that no look-up settles. An approved authorization needs the\n' +
    "gateway's id of it. A declined one is looked up until seven days after it was begun; an approval that comes after all is voided.",
  operands: 3,
  async run([invoiceId = '', operationId = '', outcome = ''], { say, gatewayOperationId }) {
    const { databaseUrl, temporalAddress } = readConfigWith(
      {
        servers: ['databaseUrl', 'temporalAddress'],
        keys: false,
      },
      withRunningServers(process.env),
    )
    const orm = await openDatabase(databaseUrl)
    try {
      const open = await findUnresolvedPayments(orm.em.fork(), { since: systemClock.now(), invoiceId })
      const payment = open.find((candidate) => candidate.operationId === operationId)
      if (payment === undefined)
        throw new StartupError(`The invoice ${invoiceId} has no attempt ${operationId} whose outcome is unknown.`)
      const resolution = resolutionOf(payment, outcome, gatewayOperationId)
      await settle(temporalAddress, payment, resolution)
      say(`${operationId} is booked as ${outcome}.`)
    } finally {
      await orm.close(true)
    }
  },
}

function resolutionOf(
  { operationId, operationType }: UnresolvedPayment,
  outcome: string,
  gatewayOperationId: string | null,
): Resolution {
  if (outcome !== 'approved' && outcome !== 'declined') throw new StartupError('The outcome is approved or declined.')
  if (outcome === 'approved' && operationType === 'authorization' && gatewayOperationId === null)
    throw new StartupError(
      "An approved authorization needs --gateway-operation-id: captures refer to the gateway's id.",
    )
  return { operationId: operationId ?? '', outcome, gatewayOperationId }
}

export const acknowledgePayment: AdminCommand = {
  name: 'payments acknowledge',
  usage: 'payments acknowledge INVOICE_ID',
  help: 'Takes the mark "needs attention" from a payment whose matter is taken care of.',
  operands: 1,
  async run([invoiceId = ''], { say }) {
    const { databaseUrl, temporalAddress } = readConfigWith(
      {
        servers: ['databaseUrl', 'temporalAddress'],
        keys: false,
      },
      withRunningServers(process.env),
    )
    const orm = await openDatabase(databaseUrl)
    try {
      const em = orm.em.fork()
      const marked = await findUnresolvedPayments(em, { since: systemClock.now(), invoiceId })
      const payment = marked.find(({ needsAttention }) => needsAttention)
      if (payment === undefined) throw new StartupError(`No payment of the invoice ${invoiceId} needs attention.`)
      await em.nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: false })
      await settle(temporalAddress, payment, null)
      say(`${invoiceId} needs no attention any more.`)
    } finally {
      await orm.close(true)
    }
  },
}

/** Has the payment take over what was decided about it, and show it. */
async function settle(address: string, payment: UnresolvedPayment, resolution: Resolution | null): Promise<void> {
  const temporal = await connectTemporal(address).catch(temporalIsAbsent(address))
  try {
    const settler = createPaymentSettler({ temporal: temporal.clients, taskQueues: TASK_QUEUES })
    const { projectId, sandbox, invoiceId, amountMinor, currency, orderId } = payment
    const description = { projectId, environment: environmentOf(sandbox), invoiceId, amountMinor, currency, orderId }
    await settler.settle(description, `staff-${randomUUID()}`, { lookUpNow: false, resolution })
  } finally {
    await temporal.close()
  }
}

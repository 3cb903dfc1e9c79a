import type { GatewayNotification } from '../../../../domain/gateway-notification.ts'
import { PREFIXES } from '../../../../domain/identifiers.ts'
import type { Outcome } from '../../../../domain/operation.ts'
import type { EntityManager } from '../../orm.ts'
import { writeRows } from '../../raw.ts'
import type { Reader } from '../../rows.ts'
import { forgetNotificationRefusal } from '../projects/notification-refusals.ts'
import type { Scope } from '../scope.ts'
import type { StartablePayment } from './startable-payment.ts'

/** The form of our references. */
const REFERENCE = new RegExp(`^${PREFIXES.operation}[0-9A-Za-z]{32}$`)

/** The account that a notification belongs to. */
export interface Account extends Scope {
  gatewayConfigurationId: string
}

export interface Stored {
  /** The payments with new notifications; each once. */
  payments: StartablePayment[]
  /** How many notifications were dropped, because they are about other systems' calls. */
  dropped: number
}

/**
 * Finds the invoice that a notification is about: by our reference; by the gateway's authorization id, as our operation or
 * an earlier notification has it; or by the invoice id. A notification of one account is never about a call to another.
 * Parameters: account id and reference, account id and authorization id (twice), invoice id with its scope.
 */
const INVOICE_OF = `coalesce(
  (select transaction.invoice_id from operation join transaction on transaction.id = operation.transaction_id
    where coalesce(operation.gateway_configuration_id, transaction.gateway_configuration_id) = ?
      and operation.id = ? and operation.is_attempt),
  (select transaction.invoice_id from operation join transaction on transaction.id = operation.transaction_id
    where operation.type = 'authorization' and operation.gateway_configuration_id = ?
      and operation.gateway_operation_id = ? limit 1),
  (select invoice_id from gateway_notification
    where gateway_configuration_id = ? and gateway_authorization_id = ? and invoice_id is not null limit 1),
  (select id from invoice where id = ? and project_id = ? and sandbox = ?))`

/**
 * Stores notifications, all or none, and each one once, however often the gateway sends it. A notification about an unknown
 * payment waits for its payment.
 */
export function storeNotifications(
  em: EntityManager,
  account: Account,
  notifications: readonly GatewayNotification[],
  receivedAt: Date,
): Promise<Stored> {
  return em.transactional(async (inner) => {
    const invoiceIds = new Set<string>()
    let dropped = 0
    for (const notification of notifications) {
      const invoiceId = await findInvoice(inner, account, notification)
      if (invoiceId === null && !mayBeOurs(notification)) dropped += 1
      else if ((await insert(inner, account, invoiceId, notification, receivedAt)) && invoiceId !== null)
        invoiceIds.add(invoiceId)
    }
    const payments = await describePayments(inner, account, [...invoiceIds])
    // Last, since others of the account wait for it: one whose invoice is locked must not hold them up.
    await forgetNotificationRefusal(inner, account.gatewayConfigurationId)
    return { payments, dropped }
  })
}

async function findInvoice(
  em: EntityManager,
  { gatewayConfigurationId: id, projectId, sandbox }: Account,
  notification: GatewayNotification,
): Promise<string | null> {
  const { reference, gatewayAuthorizationId } = notification
  const invoiceId = 'invoiceId' in notification ? notification.invoiceId : null
  const [row] = await em.execute<{ invoiceId: string | null }[]>(`select ${INVOICE_OF} as "invoiceId"`, [
    ...[id, reference, id, gatewayAuthorizationId, id, gatewayAuthorizationId],
    ...[invoiceId, projectId, sandbox],
  ])
  return row?.invoiceId ?? null
}

/**
 * Other systems may use the same account. Notifications about their calls carry no reference of ours. A dispute never
 * carries one, and may be about an authorization whose answer has not arrived yet.
 */
function mayBeOurs({ kind, reference }: GatewayNotification): boolean {
  const isAboutCall = kind === 'outcome' || kind === 'authorization-ended' || kind === 'refund-failed'
  return !isAboutCall || (reference !== null && REFERENCE.test(reference))
}

async function insert(
  em: EntityManager,
  { gatewayConfigurationId, projectId, sandbox }: Account,
  invoiceId: string | null,
  notification: GatewayNotification,
  receivedAt: Date,
): Promise<boolean> {
  const { kind, gatewayNotificationId, reference, gatewayAuthorizationId } = notification
  const { type, outcome, amountMinor, currency, reason, disputeId, evidenceDueAt } = columnsOf(notification)
  const written = await writeRows(
    em,
    `insert into gateway_notification
       (project_id, sandbox, gateway_configuration_id, gateway_notification_id, invoice_id, kind, reference,
        operation_type, outcome, gateway_authorization_id, amount_minor, currency, reason, dispute_id, evidence_due_at,
        received_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?)
     on conflict (gateway_configuration_id, gateway_notification_id) do nothing`,
    [
      ...[projectId, sandbox, gatewayConfigurationId, gatewayNotificationId, invoiceId, kind, reference, type],
      ...[outcome === null ? null : JSON.stringify(outcome), gatewayAuthorizationId, amountMinor, currency, reason],
      ...[disputeId, evidenceDueAt, receivedAt],
    ],
  )
  return written > 0
}

/** The columns that only some kinds have. An amount counts only with its currency. */
function columnsOf(notification: GatewayNotification) {
  const nothing = {
    ...{ type: null, outcome: null, amountMinor: null, currency: null, reason: null },
    ...{ disputeId: null, evidenceDueAt: null },
  }
  switch (notification.kind) {
    case 'outcome':
      return { ...nothing, type: notification.type, outcome: notification.outcome }
    case 'authorization-ended':
      return { ...nothing, amountMinor: notification.capturedMinor, currency: notification.currency }
    default: {
      const { amountMinor, currency, reason, disputeId = null, evidenceDueAt } = notification
      return {
        ...nothing,
        reason,
        disputeId,
        evidenceDueAt: evidenceDueAt === undefined ? null : new Date(evidenceDueAt),
        ...(amountMinor !== null && currency !== null && { amountMinor, currency }),
      }
    }
  }
}

async function describePayments(
  em: EntityManager,
  { projectId, sandbox }: Account,
  invoiceIds: readonly string[],
): Promise<StartablePayment[]> {
  if (invoiceIds.length === 0) return []
  return em.execute<StartablePayment[]>(
    `select project_id as "projectId", sandbox, id as "invoiceId", amount_minor::float8 as "amountMinor", currency,
            order_id as "orderId"
       from invoice where project_id = ? and sandbox = ? and id in (select jsonb_array_elements_text(?::jsonb))`,
    [projectId, sandbox, JSON.stringify(invoiceIds)],
  )
}

/** Assigns earlier notifications to a payment that was unknown when they arrived. Called under the lock of the payment. */
export async function claimNotifications(reader: Reader, invoiceId: string, transactionId: string): Promise<void> {
  await reader.execute(
    `update gateway_notification notification set invoice_id = ?
       from operation
      where operation.transaction_id = ? and notification.invoice_id is null
        and notification.project_id = operation.project_id and notification.sandbox = operation.sandbox
        and notification.gateway_configuration_id = operation.gateway_configuration_id
        and (notification.reference = operation.id
             or operation.type = 'authorization' and notification.gateway_authorization_id = operation.gateway_operation_id)`,
    [invoiceId, transactionId],
  )
}

/** The outcome of a refund that failed late, where the gateway gives no reason. */
export const REFUND_FAILED: Declined = { kind: 'declined', code: 'gateway.declined', gatewayCode: 'REFUND_FAILED' }

type Declined = Extract<Outcome, { kind: 'declined' }>

/** A capture or a refund sent to a gateway. */
interface Call {
  reference: string
  type: 'capture' | 'refund'
}

/**
 * The failure of a capture or a refund as the gateway has reported it, or null. A failure is final in either order: a
 * success can fail later, and a failure never turns into a success.
 */
export async function findReportedFailure(
  reader: Reader,
  { gatewayConfigurationId, reference, type }: { gatewayConfigurationId: string | null } & Call,
): Promise<Declined | null> {
  const [row] = await reader.execute<{ outcome: Declined | null }[]>(
    `select outcome from gateway_notification
      where gateway_configuration_id = ? and reference = ? and invoice_id is not null
        and (kind = 'refund-failed' and ? = 'refund'
             or kind = 'outcome' and operation_type = ? and outcome ->> 'kind' = 'declined')
      order by outcome is null, id limit 1`,
    [gatewayConfigurationId, reference, type, type],
  )
  return row === undefined ? null : (row.outcome ?? REFUND_FAILED)
}

/** The gateway's id of the authorization that an attempt made or continues, if a notification names it; otherwise null. */
export async function findReportedAuthorization(
  reader: Reader,
  gatewayConfigurationId: string,
  { id, gatewayRequest }: { id: string; gatewayRequest?: string | null | undefined },
): Promise<string | null> {
  const [row] = await reader.execute<{ id: string }[]>(
    `select gateway_authorization_id as id from gateway_notification
      where gateway_configuration_id = ? and kind = 'outcome' and operation_type = 'authorization'
        and (reference = ? and gateway_authorization_id is not null or gateway_authorization_id = ?)
      order by reference = ? desc, gateway_notification.id desc limit 1`,
    [gatewayConfigurationId, id, gatewayRequest ?? null, id],
  )
  return row?.id ?? null
}

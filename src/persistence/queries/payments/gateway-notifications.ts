import type { ToldNotice } from '../../../../domain/gateway-notice.ts'
import { PREFIXES } from '../../../../domain/identifiers.ts'
import type { Outcome } from '../../../../domain/operation.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import type { NoticedPayment } from './gateway-notices.ts'

/** How a reference of ours looks. */
const REFERENCE = new RegExp(`^${PREFIXES.operation}[0-9A-Za-z]{32}$`)

/** The account at which something was told. */
export interface Account extends Scope {
  gatewayConfigurationId: string
}

export interface Stored {
  /** The payments of which something is new; each once. */
  payments: NoticedPayment[]
  /** How many words nobody here can have waited for: they were not kept. */
  dropped: number
}

/**
 * The payment that a word is about: by our reference, by the authorization as its result or an earlier word named it, or by
 * the invoice. A word of one account is never about what was asked of another. Takes the account's id and reference, the
 * account's id and authorization twice, and the invoice with its scope.
 */
const INVOICE_OF = `coalesce(
  (select transaction.invoice_id from operation join transaction on transaction.id = operation.transaction_id
    where coalesce(operation.gateway_configuration_id, transaction.gateway_configuration_id) = ?
      and operation.id = ? and operation.is_attempt),
  (select transaction.invoice_id from operation join transaction on transaction.id = operation.transaction_id
    where operation.type = 'authorization' and operation.gateway_configuration_id = ?
      and operation.gateway_operation_id = ? limit 1),
  (select invoice_id from gateway_notice
    where gateway_configuration_id = ? and gateway_authorization_id = ? and invoice_id is not null limit 1),
  (select id from invoice where id = ? and project_id = ? and sandbox = ?))`

/**
 * Keeps the words of a notification, each once however often it is told, all of them or none. What is about a payment that
 * is not known yet waits for it.
 */
export function storeNotices(
  em: EntityManager,
  account: Account,
  told: readonly ToldNotice[],
  receivedAt: Date,
): Promise<Stored> {
  return em.transactional(async (inner) => {
    const invoiceIds = new Set<string>()
    let dropped = 0
    for (const notice of told) {
      const invoiceId = await findInvoice(inner, account, notice)
      if (invoiceId === null && !mayBeOurs(notice)) dropped += 1
      else if ((await insert(inner, account, { ...notice, invoiceId }, receivedAt)) && invoiceId !== null)
        invoiceIds.add(invoiceId)
    }
    return { payments: await describePayments(inner, account, [...invoiceIds]), dropped }
  })
}

async function findInvoice(
  em: EntityManager,
  { gatewayConfigurationId: id, projectId, sandbox }: Account,
  { reference, gatewayAuthorizationId, invoiceId }: ToldNotice,
): Promise<string | null> {
  const [row] = await em.execute<{ invoiceId: string | null }[]>(`select ${INVOICE_OF} as "invoiceId"`, [
    ...[id, reference, id, gatewayAuthorizationId, id, gatewayAuthorizationId],
    ...[invoiceId, projectId, sandbox],
  ])
  return row?.invoiceId ?? null
}

/**
 * Other systems may use the same account. What becomes of their calls carries no reference of ours; a dispute carries none
 * in any case, and may be about an authorization whose answer we have not heard.
 */
function mayBeOurs({ what, reference }: ToldNotice): boolean {
  const isAboutCall = what === 'settled' || what === 'authorization-ended' || what === 'refund-failed'
  return !isAboutCall || (reference !== null && REFERENCE.test(reference))
}

async function insert(
  em: EntityManager,
  { gatewayConfigurationId, projectId, sandbox }: Account,
  notice: ToldNotice,
  receivedAt: Date,
): Promise<boolean> {
  const rows = await em.execute<{ id: string }[]>(
    `insert into gateway_notice
       (project_id, sandbox, gateway_configuration_id, gateway_notice_id, invoice_id, what, reference, operation_type,
        outcome, gateway_authorization_id, amount_minor, currency, reason, received_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?)
     on conflict (gateway_configuration_id, gateway_notice_id) do nothing returning id`,
    [
      ...[projectId, sandbox, gatewayConfigurationId, notice.gatewayNoticeId, notice.invoiceId, notice.what],
      ...[notice.reference, notice.operationType, notice.outcome === null ? null : JSON.stringify(notice.outcome)],
      ...[notice.gatewayAuthorizationId, notice.amountMinor, notice.currency, notice.reason, receivedAt],
    ],
  )
  return rows.length > 0
}

async function describePayments(
  em: EntityManager,
  { projectId, sandbox }: Account,
  invoiceIds: readonly string[],
): Promise<NoticedPayment[]> {
  if (invoiceIds.length === 0) return []
  const rows = await em.execute<(Omit<NoticedPayment, 'amountMinor'> & { amountMinor: string })[]>(
    `select project_id as "projectId", sandbox, id as "invoiceId", amount_minor as "amountMinor", currency,
            order_id as "orderId"
       from invoice where project_id = ? and sandbox = ? and id in (select jsonb_array_elements_text(?::jsonb))`,
    [projectId, sandbox, JSON.stringify(invoiceIds)],
  )
  return rows.map((row) => ({ ...row, amountMinor: Number(row.amountMinor) }))
}

/** Gives a payment what has come about it before it was known to be about it. Asked under the lock of the payment. */
export async function claimNotices(em: EntityManager, invoiceId: string, transactionId: string): Promise<void> {
  await em.execute(
    `update gateway_notice notice set invoice_id = ?
       from operation
      where operation.transaction_id = ? and notice.invoice_id is null
        and notice.project_id = operation.project_id and notice.sandbox = operation.sandbox
        and notice.gateway_configuration_id = operation.gateway_configuration_id
        and (notice.reference = operation.id
             or operation.type = 'authorization' and notice.gateway_authorization_id = operation.gateway_operation_id)`,
    [invoiceId, transactionId],
  )
}

/** A refund that failed after it had succeeded, where the gateway tells no more of it. */
export const REFUND_FAILED: Declined = { kind: 'declined', code: 'gateway.declined', gatewayCode: 'REFUND_FAILED' }

type Declined = Extract<Outcome, { kind: 'declined' }>

/** A call of ours that takes or gives back money. */
interface Call {
  reference: string
  type: 'capture' | 'refund'
}

/**
 * The failure of a capture or a refund, where the gateway has told of one; null where it has not. Such a word is the last
 * one, whichever came first: what was taken or given back can fail afterwards, and what has failed does not come right.
 */
export async function findFailureTold(
  em: EntityManager,
  { gatewayConfigurationId, reference, type }: { gatewayConfigurationId: string | null } & Call,
): Promise<Declined | null> {
  const [row] = await em.execute<{ outcome: Declined | null }[]>(
    `select outcome from gateway_notice
      where gateway_configuration_id = ? and reference = ? and invoice_id is not null
        and (what = 'refund-failed' and ? = 'refund'
             or what = 'settled' and operation_type = ? and outcome ->> 'kind' = 'declined')
      order by outcome is null, id limit 1`,
    [gatewayConfigurationId, reference, type, type],
  )
  return row === undefined ? null : (row.outcome ?? REFUND_FAILED)
}

/**
 * The authorization of an attempt by the gateway's own id, where a word has told it: of the attempt itself, or of an earlier
 * one that it goes on with. Null where none has.
 */
export async function findAuthorizationTold(
  em: EntityManager,
  gatewayConfigurationId: string,
  { id, gatewayRequest }: { id: string; gatewayRequest?: string | null | undefined },
): Promise<string | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `select gateway_authorization_id as id from gateway_notice
      where gateway_configuration_id = ? and what = 'settled' and operation_type = 'authorization'
        and (reference = ? and gateway_authorization_id is not null or gateway_authorization_id = ?)
      order by reference = ? desc, gateway_notice.id desc limit 1`,
    [gatewayConfigurationId, id, gatewayRequest ?? null, id],
  )
  return row?.id ?? null
}

/**
 * Deletes the oldest words for which no payment was found, from before an instant.
 *
 * @returns how many there were; fewer than `limit` where none is left.
 */
export async function deleteUnclaimedNotices(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with deleted as (
       delete from gateway_notice where ctid = any(array(
       select ctid from gateway_notice where invoice_id is null and received_at < ?
        order by received_at limit ? for update skip locked))
       returning 1)
     select count(*)::integer as count from deleted`,
    [before, limit],
  )
  return row?.count ?? 0
}

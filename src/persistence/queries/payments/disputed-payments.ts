import { answerableDisputes, type Dispute } from '../../../../domain/dispute.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import type { Scope } from '../scope.ts'

/** A dispute with the payment that it is about. */
export interface DisputedPayment {
  dispute: Dispute
  isAnswerable: boolean
  invoiceId: string
  name: string
  orderId: string | null
  customerId: string | null
  customerName: string | null
  gatewayName: string | null
  currency: string
}

type Row = Omit<DisputedPayment, 'dispute' | 'isAnswerable'> & {
  disputes: Dispute[]
  capturedMinor: number
  refundedMinor: number
}

/** Those that can still be answered in time, the soonest first; then those without a time, and last those that are over. */
const OPEN = {
  where: 'transaction.disputes_open > 0',
  order: 'coalesce(transaction.evidence_due_at <= ?, false), transaction.evidence_due_at nulls last, transaction.id',
}

const ALL = {
  where: 'transaction.disputed_at is not null',
  order: 'transaction.disputed_at desc, transaction.id desc',
}

interface AskedDisputes {
  state: 'open' | 'all'
  dueBefore: Date | null
  skip: number
  payments: number
  now: Date
}

/**
 * The disputes of so many payments, after those that are skipped.
 *
 * @param state `open`: those that evidence can still decide.
 * @param dueBefore of the open ones only those that can be answered until then, but not later; null for all
 */
export async function findDisputes(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { state, dueBefore, skip, payments, now }: AskedDisputes,
): Promise<{ disputes: DisputedPayment[]; hasMore: boolean }> {
  const { where, order } = state === 'open' ? OPEN : ALL
  const isDue = state === 'open' && dueBefore !== null
  const rows = await em.execute<Row[]>(
    `select transaction.invoice_id as "invoiceId", transaction.name, invoice.order_id as "orderId",
            customer.id as "customerId", nullif(concat_ws(' ', customer.first_name, customer.last_name), '') as "customerName",
            transaction.gateway_name as "gatewayName", transaction.currency, transaction.disputes,
            transaction.captured_minor::float8 as "capturedMinor", transaction.refunded_minor::float8 as "refundedMinor"
       from transaction
       join invoice on invoice.id = transaction.invoice_id
       left join customer on customer.id = transaction.customer_id and customer.deleted_at is null
      where transaction.project_id = ? and transaction.sandbox = ? and ${where}
            ${isDue ? 'and transaction.evidence_due_at > ? and transaction.evidence_due_at < ?' : ''}
      order by ${order} limit ? offset ?`,
    [projectId, sandbox, ...(isDue ? [now, dueBefore] : []), ...(state === 'open' ? [now] : []), payments + 1, skip],
  )
  const disputes = rows.slice(0, payments).flatMap(({ disputes, capturedMinor, refundedMinor, ...payment }) => {
    const answerable = answerableDisputes({ disputes, capturedMinor, refundedMinor })
    const shown = state === 'open' ? answerable : disputes.toReversed()
    return shown.map((dispute) => ({ ...payment, dispute, isAnswerable: answerable.includes(dispute) }))
  })
  return { disputes, hasMore: rows.length > payments }
}

export interface OpenDisputes {
  toAnswer: number
  /** Their time to answer is over, and the outcome is not told. */
  overdue: number
  firstDueAt: Date | null
}

/** How many payments have disputes that evidence can still decide. */
export async function countOpenDisputes(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  now: Date,
): Promise<OpenDisputes> {
  const rows = await em.execute<OpenDisputes[]>(
    `select count(*) filter (where evidence_due_at <= now)::integer as overdue,
            count(*) filter (where evidence_due_at is null or evidence_due_at > now)::integer as "toAnswer",
            min(evidence_due_at) filter (where evidence_due_at > now) as "firstDueAt"
       from transaction, (select ?::timestamptz as now) clock
      where project_id = ? and sandbox = ? and disputes_open > 0`,
    [now, projectId, sandbox],
  )
  const [counted = { toAnswer: 0, overdue: 0, firstDueAt: null }] = withInstants(rows, 'firstDueAt')
  return counted
}

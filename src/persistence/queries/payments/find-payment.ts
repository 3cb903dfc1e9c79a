import { LockMode } from '@mikro-orm/postgresql'
import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { RefundEntity, type RefundRow } from '../../entities/refund.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager, Orm } from '../../orm.ts'
import { type JsonRow, plainRows } from '../../rows.ts'
import { execute } from '../../statements.ts'
import type { FoundRow } from '../lists/list-entity.ts'
import type { Scope } from '../scope.ts'

const TRANSACTION_OF_FOUND = `(
  select row_to_json(transaction) from transaction
   where transaction.project_id = found.project_id and transaction.sandbox = found.sandbox
     and transaction.invoice_id = found.id)`

const FIND_PAYMENT = `select row_to_json(found) as row, ${TRANSACTION_OF_FOUND} as beside
    from invoice found where found.project_id = $1 and found.sandbox = $2 and found.id = $3`

/** The same, read in the statement that admits an API key: see `readAdmitted`. */
export const PAYMENT_READ = { entity: InvoiceEntity, beside: TRANSACTION_OF_FOUND } as const

/** An invoice with its transaction, read without a lock. */
export interface FoundPayment {
  invoice: InvoiceRow
  transaction: TransactionRow | null
}

/** The payment of an invoice of this project and environment, as it is now. */
export async function findPayment(
  orm: Orm,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<FoundPayment | null> {
  const [found] = await execute<FoundRow>(orm, FIND_PAYMENT, [projectId, sandbox, invoiceId])
  return found === undefined ? null : paymentOfFound(orm, found)
}

/** Makes the rows that a statement with `PAYMENT_READ` has found. */
export function paymentOfFound({ em }: Orm, { row, beside }: FoundRow): FoundPayment {
  return {
    invoice: plainRows(em, InvoiceEntity)(row),
    transaction: beside === null ? null : plainRows(em, TransactionEntity)(beside as JsonRow),
  }
}

export interface LockedPayment {
  invoice: InvoiceRow
  transaction: TransactionRow | null
}

/**
 * Locks the payment for this database transaction. The invoice row is the lock, since it exists before the transaction row.
 * Null where the project has no such invoice in this environment.
 */
export function lockPayment(
  em: EntityManager,
  owner: { projectId: string; sandbox: boolean; invoiceId: string },
): Promise<LockedPayment | null> {
  return findIn(em, owner, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** The same without a lock. */
export function readPayment(
  em: EntityManager,
  owner: { projectId: string; sandbox: boolean; invoiceId: string },
): Promise<LockedPayment | null> {
  return findIn(em, owner, {})
}

async function findIn(
  em: EntityManager,
  { projectId, sandbox, invoiceId }: { projectId: string; sandbox: boolean; invoiceId: string },
  options: { lockMode?: LockMode.PESSIMISTIC_WRITE },
): Promise<LockedPayment | null> {
  const invoice = await em.findOne(InvoiceEntity, { id: invoiceId, projectId, sandbox }, options)
  if (invoice === null) return null
  const transaction = await em.findOne(TransactionEntity, { invoiceId, projectId, sandbox })
  return { invoice, transaction }
}

/** A transaction of this project and environment, as it is now. */
export async function findTransaction(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<TransactionRow | null> {
  return em.findOne(TransactionEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
}

/** The one transaction of an invoice, as it is now; null before the first payment attempt. */
export async function findTransactionOfInvoice(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<TransactionRow | null> {
  return em.findOne(TransactionEntity, { projectId, sandbox, invoiceId }, { disableIdentityMap: true })
}

/** The rows that the answer to a command shows. */
export interface AnswerRows {
  transaction: TransactionRow | null
  /** Of a refund only. */
  refund: RefundRow | null
}

/** Reads the rows of an answer, as they are now. `refundId` is that of the command or of its attempt. */
export async function findAnswerRows(
  em: EntityManager,
  { projectId, sandbox, invoiceId }: Scope & { invoiceId: string },
  refundId: string | null,
): Promise<AnswerRows> {
  const scope = { projectId, sandbox }
  const transaction = await findTransactionOfInvoice(em, scope, invoiceId)
  const refund =
    refundId === null
      ? null
      : await em.findOne(RefundEntity, { projectId, sandbox, id: refundId }, { disableIdentityMap: true })
  return { transaction, refund }
}

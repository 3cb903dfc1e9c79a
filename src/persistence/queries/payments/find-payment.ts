import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { RefundEntity, type RefundRow } from '../../entities/refund.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import { type JsonRow, plainRows, type Reader, type Tables } from '../../rows.ts'
import type { FoundRow } from '../lists/list-entity.ts'
import type { Scope } from '../scope.ts'

const TRANSACTION_OF_FOUND = `(
  select row_to_json(transaction) from transaction
   where transaction.project_id = found.project_id and transaction.sandbox = found.sandbox
     and transaction.invoice_id = found.id)`

/** An invoice and its transaction, read in the statement that admits an API key: see `readAdmitted`. */
export const PAYMENT_READ = { entity: InvoiceEntity, beside: TRANSACTION_OF_FOUND } as const

/** An invoice with its transaction. */
export interface FoundPayment {
  invoice: InvoiceRow
  transaction: TransactionRow | null
}

/** The payment of an invoice of this project and environment, as it is now, without a lock; see `openPayment`. */
export async function findPayment(
  reader: Reader,
  { projectId, sandbox, invoiceId }: Scope & { invoiceId: string },
): Promise<FoundPayment | null> {
  const [found] = await reader.execute<FoundRow[]>(
    `select row_to_json(found) as row, ${TRANSACTION_OF_FOUND} as beside
       from invoice found where found.project_id = ? and found.sandbox = ? and found.id = ?`,
    [projectId, sandbox, invoiceId],
  )
  return found === undefined ? null : makeFoundPayment(reader, found)
}

/** Makes the rows that a statement with `PAYMENT_READ` has found. */
export function makeFoundPayment(from: Tables, { row, beside }: FoundRow): FoundPayment {
  return {
    invoice: plainRows(from, InvoiceEntity)(row),
    transaction: beside === null ? null : plainRows(from, TransactionEntity)(beside as JsonRow),
  }
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

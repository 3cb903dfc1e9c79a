import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { Orm } from '../../orm.ts'
import { type JsonRow, plainRows } from '../../rows.ts'
import { execute } from '../../statements.ts'
import type { FoundRow } from '../lists/admitted-row.ts'
import type { Scope } from '../scope.ts'

const TRANSACTION_OF_FOUND = `(
  select row_to_json(transaction) from transaction
   where transaction.project_id = found.project_id and transaction.sandbox = found.sandbox
     and transaction.invoice_id = found.id)`

const FIND_PAYMENT = `select row_to_json(found) as row, ${TRANSACTION_OF_FOUND} as beside
    from invoice found where found.project_id = $1 and found.sandbox = $2 and found.id = $3`

/** The same for the statement that admits a key: see `readAdmitted`. */
export const PAYMENT_READ = { entity: InvoiceEntity, beside: TRANSACTION_OF_FOUND } as const

/** An invoice with its transaction, as they were read; nothing is held. */
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

/** What was found as `PAYMENT_READ` says. */
export function paymentOfFound({ em }: Orm, { row, beside }: FoundRow): FoundPayment {
  return {
    invoice: plainRows(em, InvoiceEntity)(row),
    transaction: beside === null ? null : plainRows(em, TransactionEntity)(beside as JsonRow),
  }
}

import { InvoiceEntity } from '../../entities/invoice.ts'
import { TransactionEntity } from '../../entities/transaction.ts'
import { findRow } from '../../rows.ts'
import type { Unit } from '../../transact.ts'
import type { FoundPayment } from '../payments/find-payment.ts'

/**
 * Locks the payment of an invoice whose expiry has passed and that has no attempt under way. Invoices locked by another
 * process or by their payment are left for the next time.
 */
export async function lockEndedInvoice(unit: Unit, before: Date): Promise<FoundPayment | null> {
  const [locked] = await unit.execute<{ id: string }[]>(
    `select id from invoice
      where awaits_expiry and expires_at < ?
        and not exists (
          select from transaction
           where transaction.invoice_id = invoice.id and transaction.status in ('waiting', 'pending', 'in-review'))
      order by expires_at limit 1 for update skip locked`,
    [before],
  )
  if (locked === undefined) return null
  // Read again under the lock: a payment may have begun between the search and the lock.
  const invoice = await findRow(unit, InvoiceEntity, { id: locked.id })
  return invoice && { invoice, transaction: await findRow(unit, TransactionEntity, { invoiceId: locked.id }) }
}

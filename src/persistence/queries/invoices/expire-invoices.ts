import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'

/** An invoice whose end has passed, held until the end of the database transaction, and how far its payment got. */
export interface EndedInvoice {
  invoice: InvoiceRow
  transaction: TransactionRow | null
}

/**
 * Holds some invoices whose end has passed and on which nothing is under way. Those that another process holds, or a
 * payment, are left for the next time.
 */
export async function lockEndedInvoices(em: EntityManager, before: Date, limit: number): Promise<EndedInvoice[]> {
  const locked = await em.execute<{ id: string }[]>(
    `select id from invoice
      where awaits_expiry and expires_at < ?
        and not exists (
          select from transaction
           where transaction.invoice_id = invoice.id and transaction.status in ('waiting', 'pending', 'in-review'))
      order by expires_at limit ? for update skip locked`,
    [before, limit],
  )
  const ids = locked.map(({ id }) => id)
  // Asked again now that nothing can begin: a payment may have begun between the look and the lock.
  const invoices = await em.find(InvoiceEntity, { id: { $in: ids } }, { orderBy: { expiresAt: 'asc' } })
  const transactions = await em.find(TransactionEntity, { invoiceId: { $in: ids } })
  const byInvoice = new Map(transactions.map((transaction) => [transaction.invoiceId, transaction]))
  return invoices.map((invoice) => ({ invoice, transaction: byInvoice.get(invoice.id) ?? null }))
}

import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'

/** A locked invoice whose expiry has passed, with its transaction. */
export interface EndedInvoice {
  invoice: InvoiceRow
  transaction: TransactionRow | null
}

/**
 * Locks some invoices whose expiry has passed and that have no attempt under way. Invoices locked by another process or by
 * their payment are left for the next time.
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
  // Read again under the lock: a payment may have begun between the search and the lock.
  const invoices = await em.find(InvoiceEntity, { id: { $in: ids } }, { orderBy: { expiresAt: 'asc' } })
  const transactions = await em.find(TransactionEntity, { invoiceId: { $in: ids } })
  const byInvoice = new Map(transactions.map((transaction) => [transaction.invoiceId, transaction]))
  return invoices.map((invoice) => ({ invoice, transaction: byInvoice.get(invoice.id) ?? null }))
}

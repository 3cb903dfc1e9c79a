import { formatAmount } from '../../domain/money.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import { presentAmount } from './amount.ts'
import { presentTimestamp } from './timestamp.ts'

/** One line of an invoice, in the invoice's currency. `amount` is the price of one piece. */
export function presentInvoiceDetail(row: InvoiceDetailRow, currency: string) {
  return {
    id: row.id,
    name: row.name,
    type: row.type ?? null,
    amount: formatAmount(row.amountMinor, currency),
    quantity: row.quantity,
    discount_amount: presentAmount(row.discountMinor, currency),
    captured_amount: formatAmount(row.capturedMinor, currency),
    refunded_amount: formatAmount(row.refundedMinor, currency),
    metadata: row.metadata,
    category: row.category ?? null,
    reference: row.reference ?? null,
    description: row.description ?? null,
    brand: row.brand ?? null,
    model: row.model ?? null,
    condition: row.condition ?? null,
    marketplace_merchant: row.marketplaceMerchant ?? null,
    marketplace_merchant_is_business: row.marketplaceMerchantIsBusiness ?? null,
    marketplace_merchant_created_at: presentTimestamp(row.marketplaceMerchantCreatedAt),
  }
}

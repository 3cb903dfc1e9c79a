import { formatAmount } from '../../domain/money.ts'
import type { ListedPayment, PaymentSumsAnswer } from './contract.ts'
import type { FoundPayment, PaymentSum } from './search/search-payments.ts'

/** The amounts of a payment, or of several in one currency, as decimals. */
function amountsOf({ currency, amountMinor, capturedMinor, refundedMinor, disputedMinor }: Omit<PaymentSum, 'count'>) {
  const amount = (minor: number) => formatAmount(minor, currency)
  return {
    amount: amount(amountMinor),
    captured_amount: amount(capturedMinor),
    refunded_amount: amount(refundedMinor),
    disputed_amount: amount(disputedMinor),
    net_amount: amount(Math.max(0, capturedMinor - refundedMinor - disputedMinor)),
  }
}

export function presentSum(sum: PaymentSum): PaymentSumsAnswer['sums'][number] {
  return { currency: sum.currency, count: sum.count, ...amountsOf(sum) }
}

export function presentPayment(found: FoundPayment): ListedPayment {
  return {
    invoice_id: found.invoiceId,
    transaction_id: found.transactionId,
    name: found.name,
    order_id: found.orderId,
    status: found.status,
    currency: found.currency,
    ...amountsOf(found),
    authorized_amount: formatAmount(found.authorizedMinor, found.currency),
    gateway_configuration_id: found.gatewayConfigurationId,
    gateway_name: found.gatewayName,
    card_scheme: found.cardScheme,
    card_last_4_digits: found.cardLast4Digits,
    card_holder: found.cardHolder,
    customer_id: found.customerId,
    customer_name: found.customerName,
    customer_email: found.customerEmail,
    customer_deleted_at: found.customerDeletedAt,
    error_code: found.errorCode,
    needs_attention: found.needsAttention,
    created_at: found.createdAt,
    captured_at: found.capturedAt,
  }
}

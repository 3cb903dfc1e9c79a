import { formatAmount } from '../../../domain/money.ts'
import { callerOf, scopeOf } from '../../http/context.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { invalidField } from '../../http/input/input.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimeline } from '../../objects/timeline.ts'
import { findTimelineRows } from '../../persistence/queries/payments/payment-timeline.ts'
import { type FoundPayment, searchPayments } from '../../persistence/queries/payments/search-payments.ts'
import { call } from '../call.ts'
import { type ListedPayment, paymentAnswer, paymentsAnswer } from '../contract.ts'
import { readPaymentSearch } from '../query.ts'

export const PAYMENTS = [
  // The payments of a search, the newest first.
  call('GET /payments', {
    who: everyRole,
    answers: paymentsAnswer,
    hasQuery: true,
    async run({ ctx, em }) {
      const found = await searchPayments(em, scopeOf(ctx), readPaymentSearch(ctx))
      if (found === null)
        throw invalidField('start_after', 'is not a payment of this project', 'request.pagination.invalid')
      return { payments: found.payments.map(present), next: found.next, searched_to: found.searchedTo }
    },
  }),

  // What happened to one payment, and what it waits for, in words.
  call('GET /payments/:id', {
    who: everyRole,
    answers: paymentAnswer,
    async run({ ctx, deps: { payments, temporalUiUrl }, em }) {
      const rows = await foundIn(ctx, 'invoice', (scope, id) => findTimelineRows(em, scope, id))
      const { namespace, workflowId } = payments.workflowOf(callerOf(ctx).environment, rows.invoice.id)
      const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${workflowId}`
      return {
        payment: {
          invoice_id: rows.invoice.id,
          transaction_id: rows.transaction?.id ?? null,
          timeline: presentTimeline(rows),
          workflow: { id: workflowId, url: temporalUiUrl === undefined ? null : temporalUiUrl + path },
        },
      }
    },
  }),
]

function present(found: FoundPayment): ListedPayment {
  const amount = (amountMinor: number) => formatAmount(amountMinor, found.currency)
  return {
    invoice_id: found.invoiceId,
    transaction_id: found.transactionId,
    name: found.name,
    order_id: found.orderId,
    status: found.status,
    currency: found.currency,
    amount: amount(found.amountMinor),
    authorized_amount: amount(found.authorizedMinor),
    captured_amount: amount(found.capturedMinor),
    refunded_amount: amount(found.refundedMinor),
    gateway_configuration_id: found.gatewayConfigurationId,
    gateway_name: found.gatewayName,
    card_scheme: found.cardScheme,
    card_last_4_digits: found.cardLast4Digits,
    customer_id: found.customerId,
    customer_email: found.customerEmail,
    error_code: found.errorCode,
    needs_attention: found.needsAttention,
    created_at: found.createdAt,
  }
}

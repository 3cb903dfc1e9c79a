import { needsAttention } from '../../../domain/attention.ts'
import { openAction } from '../../../domain/customer-action.ts'
import { answerableDisputes } from '../../../domain/dispute.ts'
import { formatAmount } from '../../../domain/money.ts'
import { attemptOfCustomer } from '../../../domain/payment.ts'
import { callerOf, scopeOf } from '../../http/context.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { invalidField } from '../../http/input/input.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimeline } from '../../objects/timeline.ts'
import { presentTimestamp } from '../../objects/values.ts'
import { paymentOf } from '../../persistence/queries/payments/payment-rows.ts'
import { findTimelineRows, type TimelineRows } from '../../persistence/queries/payments/payment-timeline.ts'
import { type FoundPayment, searchPayments } from '../../persistence/queries/payments/search-payments.ts'
import { type CallDeps, call } from '../call.ts'
import { type ListedPayment, paymentAnswer, paymentsAnswer } from '../contract.ts'
import { readPaymentSearch } from '../query.ts'
import { presentPaymentDispute } from './disputes.ts'

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
    async run({ ctx, deps, em }) {
      const { payments, temporalUiUrl } = deps
      const rows = await foundIn(ctx, 'invoice', (scope, id) => findTimelineRows(em, scope, id))
      const { namespace, workflowId } = payments.workflowOf(callerOf(ctx).environment, rows.invoice.id)
      const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${workflowId}`
      return {
        payment: {
          invoice_id: rows.invoice.id,
          transaction_id: rows.transaction?.id ?? null,
          timeline: presentTimeline(rows),
          ...standingOf(rows, deps),
          workflow: { id: workflowId, url: temporalUiUrl === undefined ? null : temporalUiUrl + path },
        },
      }
    },
  }),
]

/** What a person has to know of a payment before its history. */
function standingOf({ invoice, transaction }: TimelineRows, { clock }: CallDeps) {
  if (transaction === null) return { disputes: [], waits_for_customer: null, needs_attention: false }
  const answerable = answerableDisputes(transaction)
  const others = transaction.disputes.filter((dispute) => !answerable.includes(dispute)).toReversed()
  const payment = paymentOf(invoice, transaction)
  const until = attemptOfCustomer(payment)?.awaitsCustomerUntil
  return {
    disputes: [...answerable, ...others].map((dispute) =>
      presentPaymentDispute(dispute, answerable.includes(dispute), transaction.currency),
    ),
    waits_for_customer:
      until === undefined
        ? null
        : { until: presentTimestamp(new Date(until)), page: openAction(transaction)?.hostedPage ?? null },
    needs_attention: needsAttention(payment, clock.now().getTime() + transaction.clockOffsetMs),
  }
}

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

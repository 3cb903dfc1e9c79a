import { needsAttention } from '../../../domain/attention.ts'
import { openAction } from '../../../domain/customer-action.ts'
import { answerableDisputes } from '../../../domain/dispute.ts'
import { attemptOfCustomer } from '../../../domain/payment.ts'
import { callerOf, scopeOf } from '../../http/context.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { invalidField } from '../../http/input/input.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimeline } from '../../objects/timeline.ts'
import { presentTimestamp } from '../../objects/values.ts'
import { paymentOf } from '../../persistence/queries/payments/payment-rows.ts'
import { findTimelineRows, type TimelineRows } from '../../persistence/queries/payments/payment-timeline.ts'
import { type CallDeps, call } from '../call.ts'
import { paymentAnswer, paymentSumsAnswer, paymentsAnswer } from '../contract.ts'
import { presentPayment, presentSum } from '../listed-payment.ts'
import { readPaymentSearch } from '../query.ts'
import { searchPayments, sumPayments } from '../search/search-payments.ts'
import { presentPaymentDispute } from './disputes.ts'
import { PAYMENTS_FILE } from './payments-file.ts'

export const PAYMENTS = [
  // A page of the payments of a search.
  call('GET /payments', {
    who: everyRole,
    answers: paymentsAnswer,
    hasQuery: true,
    async run({ ctx, em }) {
      const found = (await searchPayments(em, scopeOf(ctx), readPaymentSearch(ctx))) ?? refuseStart()
      return { payments: found.payments.map(presentPayment), next: found.next, searched_to: found.searchedTo }
    },
  }),

  // Their number and amounts.
  call('GET /payment-sums', {
    who: everyRole,
    answers: paymentSumsAnswer,
    hasQuery: true,
    async run({ ctx, em }) {
      const found = (await sumPayments(em, scopeOf(ctx), readPaymentSearch(ctx))) ?? refuseStart()
      return { sums: found.sums.map(presentSum), next: found.next, searched_to: found.searchedTo }
    },
  }),

  // All of them as a file.
  PAYMENTS_FILE,

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
          card: cardOf(rows),
          customer_deleted_at: presentTimestamp(rows.customerDeletedAt),
          timeline: presentTimeline(rows),
          ...standingOf(rows, deps),
          workflow: { id: workflowId, url: temporalUiUrl === undefined ? null : temporalUiUrl + path },
        },
      }
    },
  }),
]

function cardOf({ transaction, cards }: TimelineRows) {
  const card = transaction?.cardId == null ? undefined : cards.get(transaction.cardId)
  if (card === undefined) return null
  const { scheme, last4Digits, deletedAt } = card
  return { scheme, last_4_digits: last4Digits, deleted_at: presentTimestamp(deletedAt) }
}

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

function refuseStart(): never {
  throw invalidField('start_after', 'is not a payment of this project', 'request.pagination.invalid')
}

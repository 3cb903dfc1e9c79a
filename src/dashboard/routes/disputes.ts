import type { Dispute } from '../../../domain/dispute.ts'
import { formatAmount } from '../../../domain/money.ts'
import { scopeOf } from '../../http/context.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import { countOpenDisputes, findDisputes } from '../../persistence/queries/payments/disputed-payments.ts'
import { call } from '../call.ts'
import { disputesAnswer, openDisputesAnswer, type PaymentDispute } from '../contract.ts'
import { readDisputesQuery } from '../query.ts'

const PAYMENTS_MAX = 50

export const DISPUTES = [
  // Disputes with their payments: the open ones, of these those that are due before an instant, or all.
  call('GET /disputes', {
    who: everyRole,
    answers: disputesAnswer,
    hasQuery: true,
    async run({ ctx, deps: { clock }, em }) {
      const asked = readDisputesQuery(ctx)
      const page = { ...asked, payments: PAYMENTS_MAX, now: clock.now() }
      const { disputes, hasMore } = await findDisputes(em, scopeOf(ctx), page)
      return {
        disputes: disputes.map(({ dispute, isAnswerable, ...payment }) => ({
          ...presentPaymentDispute(dispute, isAnswerable, payment.currency),
          invoice_id: payment.invoiceId,
          name: payment.name,
          order_id: payment.orderId,
          customer_id: payment.customerId,
          customer_name: payment.customerName,
          gateway_name: payment.gatewayName,
          currency: payment.currency,
        })),
        next: hasMore ? asked.skip + PAYMENTS_MAX : null,
      }
    },
  }),

  // How many wait for an answer.
  call('GET /disputes/open', {
    who: everyRole,
    answers: openDisputesAnswer,
    async run({ ctx, deps: { clock }, em }) {
      const { toAnswer, overdue, firstDueAt } = await countOpenDisputes(em, scopeOf(ctx), clock.now())
      return { to_answer: toAnswer, overdue, first_due_at: presentTimestamp(firstDueAt) }
    },
  }),
]

export function presentPaymentDispute(dispute: Dispute, isAnswerable: boolean, currency: string): PaymentDispute {
  const instant = (at: number | null | undefined) => presentTimestamp(at == null ? null : new Date(at))
  return {
    status: dispute.status,
    is_answered: dispute.isAnswered === true,
    is_answerable: isAnswerable,
    amount: formatAmount(dispute.amountMinor, currency),
    reason: dispute.reason ?? null,
    evidence_due_at: instant(dispute.evidenceDueAt),
    reported_at: instant(dispute.reportedAt),
  }
}

import { formatAmount } from '../domain/money.ts'
import { nextDue, type Payment } from '../domain/payment.ts'

/** The state of a payment as a short Markdown list, for the head of its page in the Temporal UI. */
export function describePayment(payment: Payment, gatewayName: string | null): string {
  const amount = (minor: number) => `${payment.currency} ${formatAmount(minor, payment.currency)}`
  const due = nextDue(payment)
  const rows: [string, string][] = [
    ['Status', payment.status ?? 'nothing asked for yet'],
    ['Amount', amount(payment.amountMinor)],
    ['Authorized', amount(payment.authorizedMinor)],
    ['Captured', amount(payment.capturedMinor)],
    ['Voided', amount(payment.voidedMinor)],
    ['Refunded', amount(payment.refundedMinor)],
    ['Gateway', gatewayName ?? 'none yet'],
  ]
  if (payment.clockOffsetMs !== undefined)
    rows.push(['Test clock', `${Math.round(payment.clockOffsetMs / 1000)} s ahead of the wall clock`])
  for (const { type, operationId, isAbandoned, awaitsCustomerUntil } of payment.attemptsInFlight) {
    if (awaitsCustomerUntil !== undefined)
      rows.push(['Waits for the customer to authenticate, until', new Date(awaitsCustomerUntil).toISOString()])
    else
      rows.push([
        isAbandoned ? 'Closed without an outcome, still looked up' : 'Outcome unknown',
        `${type} ${operationId}`,
      ])
  }
  if (payment.needsAttention) rows.push(['Needs attention', 'something happened that the record cannot hold'])
  if (due?.kind === 'auto-capture') rows.push(['Captures itself', new Date(due.at).toISOString()])
  else if (due !== null && payment.authorizationExpiresAt !== null)
    rows.push(['Expires', new Date(payment.authorizationExpiresAt).toISOString()])
  return rows.map(([name, value]) => `- ${name}: **${value}**`).join('\n')
}

/** The state of a payment at the end of its run; the result of the workflow. */
export interface PaymentSummary {
  status: Payment['status']
  authorized: string
  captured: string
  voided: string
  refunded: string
}

export function summarizePayment({ status, currency, ...payment }: Payment): PaymentSummary {
  const amount = (minor: number) => `${currency} ${formatAmount(minor, currency)}`
  return {
    status,
    authorized: amount(payment.authorizedMinor),
    captured: amount(payment.capturedMinor),
    voided: amount(payment.voidedMinor),
    refunded: amount(payment.refundedMinor),
  }
}

import { formatAmount } from '../domain/money.ts'
import { nextDue, type Payment } from '../domain/payment.ts'

/** Where a payment stands, as a short Markdown list for the head of its page in the Temporal UI. */
export function describePayment(payment: Payment, gatewayName: string | null): string {
  const amount = (minor: number) => `${payment.currency} ${formatAmount(minor, payment.currency)}`
  const due = nextDue(payment)
  const rows: [string, string][] = [
    ['Status', payment.status ?? 'nothing asked for yet'],
    ['Amount', amount(payment.amountMinor)],
    ['Authorized', amount(payment.authorizedMinor)],
    ['Captured', amount(payment.capturedMinor)],
    ['Voided', amount(payment.voidedMinor)],
    ['Gateway', gatewayName ?? 'none yet'],
  ]
  if (payment.attemptInFlight !== null)
    rows.push(['Outcome unknown', `${payment.attemptInFlight.type} ${payment.attemptInFlight.operationId}`])
  if (due !== null) rows.push([due.kind === 'expiry' ? 'Expires' : 'Captures itself', new Date(due.at).toISOString()])
  return rows.map(([name, value]) => `- ${name}: **${value}**`).join('\n')
}

/** Where a payment stood when its run ended; the result of the workflow. */
export interface PaymentSummary {
  status: Payment['status']
  authorized: string
  captured: string
  voided: string
}

export function summarizePayment({ status, currency, ...payment }: Payment): PaymentSummary {
  const amount = (minor: number) => `${currency} ${formatAmount(minor, currency)}`
  return {
    status,
    authorized: amount(payment.authorizedMinor),
    captured: amount(payment.capturedMinor),
    voided: amount(payment.voidedMinor),
  }
}

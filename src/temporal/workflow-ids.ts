const PAYMENT = 'payment-'
const WEBHOOK = 'webhook-'

/** One payment per invoice, so the workflow's id contains the invoice id that support staff search for. */
export function paymentWorkflowId(invoiceId: string): string {
  return `${PAYMENT}${invoiceId}`
}

/** Null for what is no workflow of a payment. */
export function invoiceIdOf(workflowId: string): string | null {
  return workflowId.startsWith(PAYMENT) ? workflowId.slice(PAYMENT.length) : null
}

/** One webhook workflow per event, and another one for each resend. */
export function webhookWorkflowId(eventId: string, run = 0): string {
  return run === 0 ? `${WEBHOOK}${eventId}` : `${WEBHOOK}${eventId}-${run}`
}

/** Null for what is no workflow of a webhook. */
export function eventIdOf(workflowId: string): string | null {
  return workflowId.startsWith(WEBHOOK) ? workflowId.slice(WEBHOOK.length).replace(/-\d+$/, '') : null
}

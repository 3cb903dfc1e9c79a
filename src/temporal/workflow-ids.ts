const PAYMENT = 'payment-'

/** One payment per invoice, so the workflow's id contains the invoice id that support staff search for. */
export function paymentWorkflowId(invoiceId: string): string {
  return `${PAYMENT}${invoiceId}`
}

export function invoiceIdOf(workflowId: string): string {
  return workflowId.slice(PAYMENT.length)
}

/** One webhook workflow per event, and another one for each resend. */
export function webhookWorkflowId(eventId: string, run = 0): string {
  return run === 0 ? `webhook-${eventId}` : `webhook-${eventId}-${run}`
}

const PAYMENT = 'payment-'

/** One payment per invoice, so the invoice names the workflow that support staff look for. */
export function paymentWorkflowId(invoiceId: string): string {
  return `${PAYMENT}${invoiceId}`
}

export function invoiceIdOf(workflowId: string): string {
  return workflowId.slice(PAYMENT.length)
}

/** One webhook workflow per event, and one more each time somebody asks for it to be sent again. */
export function webhookWorkflowId(eventId: string, run = 0): string {
  return run === 0 ? `webhook-${eventId}` : `webhook-${eventId}-${run}`
}

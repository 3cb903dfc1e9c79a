/** One payment per invoice, so the invoice names the workflow that support staff look for. */
export function paymentWorkflowId(invoiceId: string): string {
  return `payment-${invoiceId}`
}

/** One webhook workflow per event. */
export function webhookWorkflowId(eventId: string): string {
  return `webhook-${eventId}`
}

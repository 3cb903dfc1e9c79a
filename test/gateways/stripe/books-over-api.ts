import type Stripe from 'stripe'
import type { StripeBooks } from './harness.ts'

/** States of a PaymentIntent of which the card was approved, whatever became of the money since. */
const APPROVED: ReadonlySet<string> = new Set(['requires_capture', 'succeeded', 'canceled', 'processing'])

/** Stripe's largest page. */
const PAGE = 100

/**
 * The books of an account, read over the interface: lists there are up to date, unlike searches.
 *
 * @param sinceSeconds nothing older is looked at
 */
export function booksOverApi(client: Stripe, sinceSeconds: number): StripeBooks {
  const intentsOf = async (invoiceId: string): Promise<Stripe.PaymentIntent[]> => {
    const found: Stripe.PaymentIntent[] = []
    for await (const intent of client.paymentIntents.list({ limit: PAGE, created: { gte: sinceSeconds } }))
      if (intent.metadata.invoice_id === invoiceId) found.push(intent)
    return found
  }
  return {
    countAuthorizations: async (invoiceId) =>
      (await intentsOf(invoiceId)).filter(({ status }) => APPROVED.has(status)).length,
    capturedMinor: async (invoiceId) =>
      (await intentsOf(invoiceId)).reduce((sum, { amount_received: received }) => sum + received, 0),
    async refundedMinor(invoiceId) {
      let sum = 0
      for (const { id } of await intentsOf(invoiceId)) {
        for await (const { status, amount } of client.refunds.list({ payment_intent: id, limit: PAGE }))
          if (status === 'succeeded') sum += amount
      }
      return sum
    },
  }
}

import { SECRET_KEY, startStripeStandIn } from '../../../stand-ins/stripe/stripe.ts'
import { describeGateway } from '../contract.ts'
import { makeStripeHarness, SLOW_CARD } from './harness.ts'

describeGateway('Stripe', async () => {
  const standIn = await startStripeStandIn()
  const { books } = standIn
  const { harness } = await makeStripeHarness({
    target: standIn.url,
    secretKey: SECRET_KEY,
    pendingCard: SLOW_CARD,
    books: {
      countAuthorizations: async (invoiceId) =>
        books.of(invoiceId).filter(({ lastError }) => lastError === null).length,
      capturedMinor: async (invoiceId) => books.of(invoiceId).reduce((sum, { received }) => sum + received, 0),
      refundedMinor: async (invoiceId) => books.refundedOf(invoiceId),
    },
    close: () => standIn.close(),
  })
  return harness
})

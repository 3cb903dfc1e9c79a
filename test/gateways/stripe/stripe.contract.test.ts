import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { describeGateway } from '../contract.ts'
import { startStripeStandIn, unusedPort } from './stand-in.ts'

const cardOf = (number: string) => ({
  card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
  scheme: 'visa',
})

describeGateway('Stripe', async () => {
  const standIn = await startStripeStandIn()
  const { books } = standIn
  const gatewayOver = async (...trouble: Parameters<typeof standIn.listen>) =>
    createStripeGateway({ host: await standIn.listen(...trouble) })
  return {
    gateway: await gatewayOver(null),
    access: standIn.access,
    // Stripe has no books of refused captures, voids, increments and refunds; the idempotency key repeats the refusal.
    remembersRefusedSteps: false,
    // Stripe answers 409 while the first request of a key is under way.
    repetitionsWait: false,
    losingAnswers: await gatewayOver('loses-answers'),
    unreachable: createStripeGateway({ host: { protocol: 'http', host: '127.0.0.1', port: await unusedPort() } }),
    inventingAnswers: await gatewayOver('invents-states'),
    approvedCard: cardOf('4242424242424242'),
    declinedCard: cardOf('4000000000009995'),
    async countAuthorizations(invoiceId) {
      return books.of(invoiceId).filter(({ lastError }) => lastError === null).length
    },
    async capturedMinor(invoiceId) {
      return books.of(invoiceId).reduce((sum, { received }) => sum + received, 0)
    },
    async refundedMinor(invoiceId) {
      return books.refundedOf(invoiceId)
    },
    close: () => standIn.close(),
  }
})

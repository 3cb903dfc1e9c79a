import { SECRET_KEY, startStripeStandIn } from '../../../stand-ins/stripe/stripe.ts'
import { describeGateway } from '../contract.ts'
import { ledgerBooks } from '../ledger-books.ts'
import { makeStripeHarness, SLOW_CARD } from './harness.ts'

describeGateway('Stripe', async () => {
  const standIn = await startStripeStandIn()
  const { harness } = await makeStripeHarness({
    target: standIn.url,
    secretKey: SECRET_KEY,
    pendingCard: SLOW_CARD,
    books: ledgerBooks(standIn.ledger),
    close: () => standIn.close(),
  })
  return harness
})

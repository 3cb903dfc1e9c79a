import Stripe from 'stripe'
import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { type Arrival, type GatewayHarness, type TestCard, TOLD } from '../contract/harness.ts'
import { openLines, type Sent } from '../line.ts'

/** The gateway's own books, by our invoice. */
export type StripeBooks = Pick<GatewayHarness, 'countAuthorizations' | 'capturedMinor' | 'refundedMinor'>

const WEBHOOK_SECRET = 'whsec_holdfast_planted'

const cardOf = (number: string): TestCard => ({
  card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
  scheme: 'visa',
})

/** Stripe's own test cards. Source: its page "Testing". */
const APPROVED = '4242424242424242'
const DECLINED = '4000000000009995'
const NEEDS_AUTHENTICATION = '4000002500003155'

interface Setting {
  /** Where Stripe is: a stand-in, or a test host. */
  target: string
  secretKey: string
  settings?: Readonly<Record<string, string>>
  books: StripeBooks
  pendingCard: TestCard | null
  close?(): Promise<void>
}

/** Stripe behind lines of our own, for the conformance suite. */
export async function makeStripeHarness({ target, secretKey, settings = {}, books, pendingCard, close }: Setting) {
  const lines = await openLines(target, isAboutMoney)
  const over: GatewayHarness['over'] = async (trouble) => createStripeGateway({ baseUrl: await lines.open(trouble) })
  const harness = {
    gateway: createStripeGateway({ baseUrl: await lines.open() }),
    access: { credentials: { secret_key: secretKey, webhook_secret: WEBHOOK_SECRET }, settings },
    // Stripe has no books of refused captures, voids, increments and refunds; the idempotency key repeats the refusal.
    remembersRefusedSteps: false,
    // Stripe answers 409 while the first request of a key is under way.
    repetitionsWait: false,
    over,
    inventStatus,
    misstate,
    approvedCard: cardOf(APPROVED),
    declinedCard: cardOf(DECLINED),
    pendingCard: pendingCard === null ? null : { ...pendingCard, step: 'authorization' },
    actionCard: cardOf(NEEDS_AUTHENTICATION),
    notifications: { known: () => arrivalOf(SUCCEEDED), invented: () => INVENTED.map(arrivalOf) },
    ...books,
    async close() {
      await lines.close()
      await close?.()
    },
  } satisfies GatewayHarness
  return { harness, lines }
}

export const SLOW_CARD = cardOf('4000000000009979')

/** To hand out a card, and to read a PaymentIntent before a step, moves nothing: its answers are not lost. */
function isAboutMoney({ method, path }: Sent): boolean {
  if (method === 'POST') return path !== '/v1/payment_methods'
  return ['payment_intents/search', 'balance_transactions', 'events'].some((list) => path.startsWith(`/v1/${list}`))
}

type Json = Record<string, unknown>

/** A state of its own in every place where one stands. */
function inventStatus(answer: unknown): unknown {
  const { status, data, ...fields } = answer as Json
  return {
    ...fields,
    ...(typeof status === 'string' && { status: 'approved_in_principle' }),
    ...(Array.isArray(data) && { data: data.map(inventStatus) }),
  }
}

function misstate(answer: unknown): unknown {
  const { amountMinor: amount, currency } = TOLD
  return { ...(answer as Json), amount, amount_capturable: amount, currency: currency.toLowerCase() }
}

const INTENT = { id: 'pi_1', object: 'payment_intent', metadata: { reference: 'tr_op_1', invoice_id: 'iv_1' } }
const SUCCEEDED = { type: 'payment_intent.succeeded', object: { ...INTENT, status: 'succeeded' } }
const INVENTED = [
  { type: 'payment_intent.approved_in_principle', object: { ...INTENT, status: 'succeeded' } },
  { type: 'payment_intent.succeeded', object: { ...INTENT, status: 'approved_in_principle' } },
  { type: 'payment_intent.succeeded', object: {} },
  { type: 'payment_intent.succeeded', object: { ...INTENT, metadata: { reference: 7 } } },
  {
    type: 'refund.updated',
    object: { id: 're_1', status: 'approved_in_principle', payment_intent: 'pi_1', metadata: { reference: 'tr_op_1' } },
  },
  { type: 'refund.updated', object: { id: 're_1', status: 'failed', payment_intent: 'pi_1', metadata: null } },
  { type: 'charge.dispute.closed', object: { id: 'dp_1', status: 'approved_in_principle', payment_intent: 'pi_1' } },
  { type: 'charge.dispute.created', object: {} },
  { type: 'radar.early_fraud_warning.created', object: {} },
]

/** An event as Stripe sends it, signed now. */
function arrivalOf({ type, object }: { type: string; object: object }): Arrival {
  const payload = JSON.stringify({ id: `evt_${type}`, object: 'event', type, data: { object } })
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET })
  return { rawBody: new TextEncoder().encode(payload), headers: { 'stripe-signature': signature } }
}

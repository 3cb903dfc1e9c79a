import type { EventName } from '../../../../domain/webhook-event.ts'
import { declined, type Shop } from './shop.ts'

/** How an event is made to happen; the invoice that it is about, where there is one. */
export type Recipe = (shop: Shop) => Promise<string | undefined>

const DAY_S = 24 * 60 * 60

const authorized: Recipe = (shop) => shop.authorize()
const captured: Recipe = (shop) => shop.capture()
const disputed =
  (scenario: string): Recipe =>
  (shop) =>
    shop.capture(scenario)

const declinedPayment: Recipe = async (shop) => {
  const [id, source] = await Promise.all([shop.invoice(), shop.card('do-not-honor')])
  await declined(shop.client.invoices.authorize(id, { source }))
  return id
}

const capturedAs =
  (scenario: string): Recipe =>
  async (shop) => {
    const id = await shop.authorize(scenario)
    await declined(shop.client.invoices.capture(id))
    return id
  }

const voidedAs =
  (scenario: string): Recipe =>
  async (shop) => {
    const id = await shop.authorize(scenario)
    await declined(shop.client.invoices.void(id))
    return id
  }

const refundedAs =
  (scenario: string): Recipe =>
  async (shop) => {
    const id = await shop.capture(scenario)
    await declined(shop.client.invoices.refund(id, { amount: '5.00' }))
    return id
  }

const passed =
  (seconds: number): Recipe =>
  async (shop) => {
    const id = await shop.authorize()
    await shop.client.invoices.advanceClock(id, { seconds })
    return id
  }

/** Of what is about no invoice. */
const made =
  (make: (shop: Shop) => Promise<unknown>): Recipe =>
  async (shop) => {
    await make(shop)
    return undefined
  }

/** Each event as it happens in truth, by ordinary calls. */
export const RECIPES: Readonly<Partial<Record<EventName, Recipe>>> = {
  'transaction.requested': authorized,
  'transaction.pending': (shop) => shop.authorize('authorization-lost-approved'),
  'transaction.authorized': authorized,
  'transaction.authorization.incremented': async (shop) => {
    const id = await shop.authorize('approved', { incremental: true })
    await shop.client.invoices.incrementAuthorization(id, { amount: '5.00' })
    return id
  },
  'transaction.authorization.expiring': passed(6 * DAY_S),
  'transaction.captured': captured,
  'transaction.failed': declinedPayment,
  'transaction.voided': voidedAs('approved'),
  'transaction.refunded': refundedAs('approved'),
  'transaction.operation.capture.pending': capturedAs('capture-pending-approved'),
  'transaction.operation.capture.failed': capturedAs('capture-fails'),
  'transaction.operation.void.pending': voidedAs('void-lost'),
  'transaction.operation.void.failed': voidedAs('void-fails'),
  'transaction.operation.refund.pending': refundedAs('refund-pending-approved'),
  'transaction.operation.refund.failed': refundedAs('refunds-declined'),
  'transaction.chargeback.retrieval-request': disputed('retrieval-request'),
  'transaction.chargeback.fraud-notification': disputed('fraud-notification'),
  'transaction.chargeback.inquiry-closed': disputed('retrieval-request-closed'),
  'transaction.chargeback.answered': disputed('chargeback-answered'),
  'transaction.chargeback.created': disputed('chargeback'),
  'transaction.chargeback.won': disputed('chargeback-won'),
  'transaction.chargeback.lost': disputed('chargeback-lost'),
  'invoice.completed': captured,
  'invoice.pending': capturedAs('capture-pending-approved'),
  'invoice.expired': (shop) => shop.invoice({ expires_at: new Date(Date.now() + 2000).toISOString() }),
  'customer.created': made((shop) => shop.customer()),
  'customer.updated': made(async (shop) =>
    shop.client.customers.update(await shop.customer(), { last_name: 'Martin' }),
  ),
  'customer.deleted': made(async (shop) => shop.client.customers.delete(await shop.customer())),
  'customer.token.created': made((shop) => shop.token()),
  'customer.token.updated': made(async (shop) => {
    const { customerId, tokenId } = await shop.token()
    await shop.client.customers.tokens.update(customerId, tokenId, { description: 'The blue one' })
  }),
  'customer.token.deleted': made(async (shop) => {
    const { customerId, tokenId } = await shop.token()
    await shop.client.customers.tokens.delete(customerId, tokenId)
  }),
  'card.updated': made(async (shop) => {
    const { cardId } = await shop.token()
    await shop.client.cards.update(cardId, { name: 'Ann Martin' })
  }),
  'webhook-endpoint.test': made(async ({ client, endpoint }) => {
    const id = await endpoint()
    await client.webhookEndpoints.test(id)
    await client.webhookEndpoints.delete(id)
  }),
}

/** Events that no call makes happen while somebody waits, and how they come. */
export const NOT_MADE: Readonly<Partial<Record<EventName, string>>> = {
  'card.expires_soon': 'It is looked for once an hour: store a card that expires this month or the next, and wait.',
  'reconciliation.differences-found':
    'Pay with a card whose holder is SANDBOX:booked-less, and wait: a day is reconciled an hour after its end, in UTC.',
  'webhook-endpoint.disabled': 'Let a webhook endpoint of yours answer 410 to three events in a row.',
}

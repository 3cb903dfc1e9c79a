import Stripe from 'stripe'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { NotificationReading } from '../gateway.ts'
import { fromStripeAmount } from './amounts.ts'
import { INVOICE_ID, REFERENCE } from './requests.ts'

const SIGNATURE = 'stripe-signature'

/** Disputes that are only asked about, and may end without one. Source: Stripe's page "Dispute statuses". */
const INQUIRY = /^warning_/

/**
 * Proves with the endpoint's secret that Stripe has sent these very bytes, not more than five minutes ago, and reads them.
 * Events may come late and in any order, so that one about a call of ours says no more than that it is worth looking up.
 */
export function readNotification(
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
  credentials: Readonly<Record<string, string>>,
): NotificationReading {
  const signature = headers[SIGNATURE]
  const secret = credentials.webhook_secret
  if (secret === undefined || secret === '') return { kind: 'refused', reason: 'No webhook_secret is configured.' }
  if (signature === undefined) return { kind: 'refused', reason: `The header ${SIGNATURE} is missing.` }
  try {
    const event = Stripe.webhooks.constructEvent(rawBody, signature, secret)
    const read = [notificationOf(event), authorizationEnded(event)]
    return { kind: 'accepted', notifications: read.filter((notification) => notification !== null) }
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.name : 'unreadable' }
  }
}

/** Null for what does not concern a payment of ours. */
function notificationOf(event: Stripe.Event): GatewayNotification | null {
  switch (event.type) {
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.succeeded':
      return authorizationOutcome(event.id, event.data.object)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refundMoved(event.id, event.data.object)
    case 'charge.dispute.created':
      return dispute(
        event.data.object,
        INQUIRY.test(event.data.object.status) ? 'retrieval-request' : 'chargeback-created',
      )
    case 'charge.dispute.funds_withdrawn':
      return dispute(event.data.object, 'chargeback-created')
    case 'charge.dispute.closed':
      return disputeClosed(event.data.object)
    case 'radar.early_fraud_warning.created':
      return fraudWarning(event.id, event.data.object)
    default:
      return null
  }
}

function authorizationOutcome(gatewayNotificationId: string, intent: Stripe.PaymentIntent): GatewayNotification | null {
  const reference = referenceOf(intent.metadata)
  if (reference === null) return null
  return {
    kind: 'outcome',
    gatewayNotificationId,
    type: 'authorization',
    reference,
    gatewayAuthorizationId: intent.id,
    outcome: null,
  }
}

/**
 * A PaymentIntent that has succeeded or was cancelled stays so, so that the order of events does not matter. Whoever did it:
 * the merchant may have in Stripe's dashboard, and Stripe does at the end of an authorization.
 */
function authorizationEnded(event: Stripe.Event): GatewayNotification | null {
  if (event.type !== 'payment_intent.canceled' && event.type !== 'payment_intent.succeeded') return null
  const { id, status, metadata, currency, amount_received: received } = event.data.object
  const reference = referenceOf(metadata)
  if (reference === null || event.type !== `payment_intent.${status}` || typeof currency !== 'string') return null
  const capturedMinor = fromStripeAmount(received, currency)
  if (!Number.isSafeInteger(capturedMinor) || capturedMinor < 0) return null
  return {
    kind: 'authorization-ended',
    gatewayNotificationId: `${id}-ended`,
    reference,
    gatewayAuthorizationId: id,
    capturedMinor,
    currency: currency.toUpperCase(),
  }
}

function refundMoved(gatewayNotificationId: string, refund: Stripe.Refund): GatewayNotification | null {
  const reference = referenceOf(refund.metadata)
  const gatewayAuthorizationId = idOf(refund.payment_intent)
  if (reference === null || gatewayAuthorizationId === null) return null
  if (refund.status !== 'failed')
    return { kind: 'outcome', gatewayNotificationId, type: 'refund', reference, gatewayAuthorizationId, outcome: null }
  return {
    // Told by `refund.failed` and by `refund.updated` alike.
    gatewayNotificationId: `${refund.id}-refund-failed`,
    kind: 'refund-failed',
    gatewayAuthorizationId,
    invoiceId: refund.metadata?.[INVOICE_ID] ?? null,
    reference,
    ...money(refund),
    reason: refund.failure_reason ?? null,
  }
}

function disputeClosed(closed: Stripe.Dispute): GatewayNotification | null {
  switch (closed.status) {
    case 'won':
      return dispute(closed, 'chargeback-won')
    case 'lost':
      return dispute(closed, 'chargeback-lost')
    default:
      return null
  }
}

/** Several events may report the same step of one dispute, so the step is part of the id. */
function dispute(
  about: Stripe.Dispute,
  kind: 'retrieval-request' | 'chargeback-created' | 'chargeback-won' | 'chargeback-lost',
): GatewayNotification | null {
  const gatewayAuthorizationId = idOf(about.payment_intent)
  if (gatewayAuthorizationId === null) return null
  return {
    gatewayNotificationId: `${about.id}-${kind}`,
    kind,
    disputeId: about.id,
    gatewayAuthorizationId,
    invoiceId: null,
    reference: null,
    ...money(about),
    reason: about.reason,
  }
}

/** Names no sum: the whole payment is meant. */
function fraudWarning(
  gatewayNotificationId: string,
  warning: Stripe.Radar.EarlyFraudWarning,
): GatewayNotification | null {
  const gatewayAuthorizationId = idOf(warning.payment_intent ?? null)
  if (gatewayAuthorizationId === null) return null
  return {
    gatewayNotificationId,
    kind: 'fraud-notification',
    gatewayAuthorizationId,
    invoiceId: null,
    reference: null,
    amountMinor: null,
    currency: null,
    reason: warning.fraud_type,
  }
}

/** Null for what no call of ours has made. */
function referenceOf(metadata: Stripe.Metadata | null): string | null {
  const reference: unknown = metadata?.[REFERENCE]
  return typeof reference === 'string' && reference !== '' ? reference : null
}

/** Throws where no sum of ours stands there: such an event is not to be read. */
function money({ amount, currency }: { amount: number; currency: string }) {
  const amountMinor = fromStripeAmount(amount, currency)
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new TypeError('The event names no sum.')
  return { amountMinor, currency: currency.toUpperCase() }
}

function idOf(object: string | { id: string } | null): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}

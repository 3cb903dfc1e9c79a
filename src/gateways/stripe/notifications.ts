import Stripe from 'stripe'
import { z } from 'zod'
import type { DisputeStep } from '../../../domain/dispute.ts'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { NotificationReading } from '../gateway.ts'
import { fromStripeAmount } from './amounts.ts'
import { NOTIFICATION_EVENTS, type NotificationEvent } from './notification-events.ts'
import { INVOICE_ID, REFERENCE } from './requests.ts'

const SIGNATURE = 'stripe-signature'

/** Disputes that are only asked about, and may end without one. Source: Stripe's page "Dispute statuses". */
const INQUIRY = /^warning_/

/** Evidence was handed in. */
const ANSWERED = /^(warning_)?under_review$/

const text = z.string().min(1)
/** An object of Stripe by its id, or as a whole where the account asks for that. */
const related = z
  .union([text, z.object({ id: text }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null)
/** Whoever else uses the account may have anything there. */
const metadata = z.record(z.string(), z.unknown()).nullish()
const sum = { amount: z.int().nonnegative(), currency: text }
/** Told for people alone. */
const reason = z.string().nullable().catch(null)

const INTENT = z.object({
  id: text,
  metadata,
  status: z.string().optional(),
  currency: text.optional().catch(undefined),
  amount_received: z.int().nonnegative().optional().catch(undefined),
})
const REFUND = z.object({
  id: text,
  metadata,
  status: z.string().nullish(),
  payment_intent: related,
  failure_reason: reason,
  ...sum,
})
/** In seconds; null or 0 where nothing can be answered any more. */
const evidence = z
  .object({ due_by: z.int().positive().max(8.64e12) })
  .transform(({ due_by }) => due_by)
  .nullish()
  .catch(null)
const DISPUTE = z.object({
  ...{ id: text, status: z.string(), payment_intent: related, reason, ...sum },
  evidence_details: evidence,
})
const WARNING = z.object({ payment_intent: related, fraud_type: reason })
const EVENT = z.object({ id: text, type: text, data: z.object({ object: z.unknown() }) })

type Event = z.output<typeof EVENT>
type Intent = z.output<typeof INTENT>
type Dispute = z.output<typeof DISPUTE>
type Metadata = z.output<typeof metadata>

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
  if (secret === undefined || secret === '') return { kind: 'refused', reason: 'no-secret' }
  if (signature === undefined) return { kind: 'refused', reason: 'unproven' }
  try {
    const event = EVENT.parse(Stripe.webhooks.constructEvent(rawBody, signature, secret))
    const read = [notificationOf(event), authorizationEnded(event), disputeAnswered(event)]
    return { kind: 'accepted', notifications: read.filter((notification) => notification !== null) }
  } catch (error) {
    const isUnproven = error instanceof Stripe.errors.StripeSignatureVerificationError
    return { kind: 'refused', reason: isUnproven ? 'unproven' : 'unreadable' }
  }
}

/** Null for what does not concern a payment of ours. */
function notificationOf({ id, type, data: { object } }: Event): GatewayNotification | null {
  const read: NotificationEvent | undefined = NOTIFICATION_EVENTS.find((event) => event === type)
  switch (read) {
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.succeeded':
      return authorizationOutcome(id, INTENT.parse(object))
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refundMoved(id, REFUND.parse(object))
    case 'charge.dispute.created':
      return disputeCreated(DISPUTE.parse(object))
    case 'charge.dispute.funds_withdrawn':
      return dispute(DISPUTE.parse(object), 'chargeback-created')
    case 'charge.dispute.closed':
      return disputeClosed(DISPUTE.parse(object))
    case 'radar.early_fraud_warning.created':
      return fraudWarning(id, WARNING.parse(object))
    case 'charge.dispute.updated':
    case undefined:
      return null
  }
}

function authorizationOutcome(gatewayNotificationId: string, intent: Intent): GatewayNotification | null {
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
function authorizationEnded({ type, data: { object } }: Event): GatewayNotification | null {
  if (type !== 'payment_intent.canceled' && type !== 'payment_intent.succeeded') return null
  const { id, status, metadata, currency, amount_received: received } = INTENT.parse(object)
  const reference = referenceOf(metadata)
  if (reference === null || type !== `payment_intent.${status}`) return null
  if (received === undefined || currency === undefined) return null
  const capturedMinor = fromStripeAmount(received, currency)
  if (!Number.isSafeInteger(capturedMinor)) return null
  return {
    kind: 'authorization-ended',
    gatewayNotificationId: `${id}-ended`,
    reference,
    gatewayAuthorizationId: id,
    capturedMinor,
    currency: currency.toUpperCase(),
  }
}

function refundMoved(gatewayNotificationId: string, refund: z.output<typeof REFUND>): GatewayNotification | null {
  const reference = referenceOf(refund.metadata)
  const gatewayAuthorizationId = refund.payment_intent
  if (reference === null || gatewayAuthorizationId === null) return null
  if (refund.status !== 'failed')
    return { kind: 'outcome', gatewayNotificationId, type: 'refund', reference, gatewayAuthorizationId, outcome: null }
  return {
    // Told by `refund.failed` and by `refund.updated` alike.
    gatewayNotificationId: `${refund.id}-refund-failed`,
    kind: 'refund-failed',
    gatewayAuthorizationId,
    invoiceId: wordIn(refund.metadata, INVOICE_ID),
    reference,
    ...money(refund),
    reason: refund.failure_reason,
  }
}

const disputeCreated = (about: Dispute) =>
  dispute(about, INQUIRY.test(about.status) ? 'retrieval-request' : 'chargeback-created')

function disputeClosed(closed: Dispute): GatewayNotification | null {
  switch (closed.status) {
    case 'won':
      return dispute(closed, 'chargeback-won')
    case 'lost':
      return dispute(closed, 'chargeback-lost')
    case 'warning_closed':
      return dispute(closed, 'inquiry-closed')
    default:
      return null
  }
}

/** An inquiry that becomes a chargeback is answered once more. Evidence may be there from the beginning. */
function disputeAnswered({ type, data: { object } }: Event): GatewayNotification | null {
  if (type !== 'charge.dispute.created' && type !== 'charge.dispute.updated') return null
  const about = DISPUTE.parse(object)
  return ANSWERED.test(about.status) ? dispute(about, 'dispute-answered', about.status) : null
}

/** Several events may report the same step of one dispute, so the step is part of the id. */
function dispute(
  about: Dispute,
  kind: Exclude<DisputeStep, 'fraud-notification'>,
  told: string = kind,
): GatewayNotification | null {
  const gatewayAuthorizationId = about.payment_intent
  if (gatewayAuthorizationId === null) return null
  return {
    gatewayNotificationId: `${about.id}-${told}`,
    kind,
    disputeId: about.id,
    gatewayAuthorizationId,
    invoiceId: null,
    reference: null,
    ...money(about),
    reason: about.reason,
    ...(about.evidence_details != null && { evidenceDueAt: about.evidence_details * 1_000 }),
  }
}

/** Names no sum: the whole payment is meant. */
function fraudWarning(gatewayNotificationId: string, warning: z.output<typeof WARNING>): GatewayNotification | null {
  const gatewayAuthorizationId = warning.payment_intent
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
const referenceOf = (given: Metadata): string | null => wordIn(given, REFERENCE)

function wordIn(given: Metadata, name: string): string | null {
  const word = given?.[name]
  return typeof word === 'string' && word !== '' ? word : null
}

/** Throws where no sum of ours stands there: such an event is not to be read. */
function money({ amount, currency }: { amount: number; currency: string }) {
  const amountMinor = fromStripeAmount(amount, currency)
  if (!Number.isSafeInteger(amountMinor)) throw new TypeError('The event names no sum.')
  return { amountMinor, currency: currency.toUpperCase() }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { DISPUTE_STEPS } from '../../../domain/dispute.ts'
import type { GatewayNotification, NotificationRefusal } from '../../../domain/gateway-notification.ts'
import { OPERATION_TYPES } from '../../../domain/operation.ts'
import type { GatewayAccess, NotificationReading } from '../gateway.ts'

/** `sha256=` and the HMAC of the body in hexadecimal, made with the account's notification key. */
const SIGNATURE_HEADER = 'simulator-signature'

/** A shorter key would be easy to guess. */
const KEY_MIN_LENGTH = 16

const SIGNATURE = /^sha256=([0-9a-f]{64})$/

const text = z.string().min(1)
const cardCheck = z.enum(['passed', 'failed', 'unchecked', 'unavailable', 'unknown'])
const cardChecks = z.object({ cvcCheck: cardCheck, avsCheck: cardCheck })
const knownOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approved'),
    gatewayOperationId: text,
    amountMinor: z.int().nonnegative(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    schemeTransactionId: z.string().exactOptional(),
    authorizationCode: z.string().exactOptional(),
    cardChecks: cardChecks.exactOptional(),
    isSale: z.boolean().exactOptional(),
  }),
  z.object({
    kind: z.literal('declined'),
    code: text,
    gatewayCode: z.string(),
    recommendationCode: z.string().exactOptional(),
    merchantAdviceCode: z.string().exactOptional(),
    cardChecks: cardChecks.exactOptional(),
    holdsNothing: z.boolean().exactOptional(),
  }),
  z.object({ kind: z.literal('pending'), gatewayOperationId: text }),
])

/** The fields of every notification. The others depend on the kind. */
const anySchema = z.object({ kind: z.string(), gatewayNotificationId: text })

const outcomeSchema = anySchema.extend({
  kind: z.literal('outcome'),
  type: z.enum(OPERATION_TYPES).exclude(['request', 'three_d_s_check', 'chargeback']),
  reference: text,
  gatewayAuthorizationId: text.nullable(),
  // An unreadable outcome is left to a look-up.
  outcome: knownOutcome.nullable().catch(null),
})

const disputeSchema = anySchema.extend({
  kind: z.enum([...DISPUTE_STEPS, 'refund-failed']),
  gatewayAuthorizationId: text.nullable(),
  invoiceId: text.nullable(),
  reference: text.nullable(),
  amountMinor: z.int().nonnegative().nullable(),
  currency: z.string().length(3).nullable(),
  reason: z.string().nullable(),
  disputeId: text.exactOptional(),
  evidenceDueAt: z.int().nonnegative().exactOptional(),
})

const notificationSchema = z.discriminatedUnion('kind', [outcomeSchema, disputeSchema])

/** The signing key in an account's credentials; null without a usable one. */
export function notificationKeyIn(credentials: GatewayAccess['credentials']): string | null {
  const key = credentials.notification_key
  return key !== undefined && key.length >= KEY_MIN_LENGTH ? key : null
}

/** A notification for sending: JSON, and the headers that prove it. */
export function signNotification(
  notification: GatewayNotification,
  key: string,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(notification)
  const signature = `sha256=${signatureOf(Buffer.from(body), key).toString('hex')}`
  return { body, headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature } }
}

/** Verifies and parses one notification. An unknown kind concerns no payment. */
export function readNotification(
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
  { credentials }: Pick<GatewayAccess, 'credentials' | 'settings'>,
): NotificationReading {
  const key = notificationKeyIn(credentials)
  if (key === null) return refused('no-secret')
  const [, given] = SIGNATURE.exec(headers[SIGNATURE_HEADER] ?? '') ?? []
  if (given === undefined || !timingSafeEqual(Buffer.from(given, 'hex'), signatureOf(rawBody, key))) {
    return refused('unproven')
  }
  const body = parse(rawBody)
  if (!anySchema.safeParse(body).success) return refused('unreadable')
  const notification = notificationSchema.safeParse(body)
  return { kind: 'accepted', notifications: notification.success ? [notification.data] : [] }
}

function signatureOf(body: Uint8Array, key: string): Buffer {
  return createHmac('sha256', key).update(body).digest()
}

function parse(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody))
  } catch {
    return undefined
  }
}

function refused(reason: NotificationRefusal): NotificationReading {
  return { kind: 'refused', reason }
}

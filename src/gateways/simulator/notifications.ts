import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { DISPUTE_STEPS } from '../../../domain/dispute.ts'
import type { GatewayAccess, Notification, NotificationReading } from '../gateway.ts'
import { readOutcome } from './log.ts'
import { operationTypeSchema } from './wire.ts'

/** `sha256=` and the HMAC of the body's bytes as hexadecimal digits, made with the account's notification key. */
const SIGNATURE_HEADER = 'simulator-signature'

/** A shorter key would be easy to guess. */
const KEY_MIN_LENGTH = 16

const SIGNATURE = /^sha256=([0-9a-f]{64})$/

/** What every notification has. Which others a kind has is looked at once the kind is known. */
const anySchema = z.object({ kind: z.string(), gatewayNoticeId: z.string().min(1) })

const settledSchema = z.object({
  kind: z.literal('settled'),
  gatewayNoticeId: z.string().min(1),
  type: operationTypeSchema,
  reference: z.string().min(1),
  gatewayAuthorizationId: z.string().min(1).nullable(),
  outcome: z.unknown(),
})

const noticeSchema = z.object({
  kind: z.literal('notice'),
  gatewayNoticeId: z.string().min(1),
  what: z.enum([...DISPUTE_STEPS, 'refund-failed']),
  gatewayAuthorizationId: z.string().min(1),
  invoiceId: z.string().min(1).nullable(),
  reference: z.string().min(1).nullable(),
  amountMinor: z.int().nonnegative().nullable(),
  currency: z.string().length(3).nullable(),
  reason: z.string().nullable(),
})

/** The key in credentials with which what is told unasked is signed; null where there is none that is usable. */
export function notificationKeyIn(credentials: GatewayAccess['credentials']): string | null {
  const key = credentials.notification_key
  return key !== undefined && key.length >= KEY_MIN_LENGTH ? key : null
}

/** What is told, as it travels: the JSON of the port, and headers that prove it. */
export function signNotification(
  notification: Notification,
  key: string,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(notification)
  const signature = `sha256=${signatureOf(Buffer.from(body), key).toString('hex')}`
  return { body, headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature } }
}

/** Proves and reads one notification. What the simulator tells in words that nobody knows concerns no payment. */
export function readNotification(
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
  { credentials }: Pick<GatewayAccess, 'credentials' | 'settings'>,
): NotificationReading {
  const key = notificationKeyIn(credentials)
  if (key === null) return refused('no usable notification key is configured')
  const [, given] = SIGNATURE.exec(headers[SIGNATURE_HEADER] ?? '') ?? []
  if (given === undefined || !timingSafeEqual(Buffer.from(given, 'hex'), signatureOf(rawBody, key))) {
    return refused('the body is not signed with the key')
  }
  const body = parse(rawBody)
  if (!anySchema.safeParse(body).success) return refused('the body is no notification')
  return { kind: 'accepted', notifications: notificationsIn(body) }
}

function notificationsIn(body: unknown): Notification[] {
  const notice = noticeSchema.safeParse(body)
  if (notice.success) return [notice.data]
  const settled = settledSchema.safeParse(body)
  if (!settled.success) return []
  const outcome = readOutcome(settled.data.outcome)
  // What is not known word for word is left to a look-up.
  return [{ ...settled.data, outcome: outcome.kind === 'unknown' ? null : outcome }]
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

function refused(reason: string): NotificationReading {
  return { kind: 'refused', reason }
}

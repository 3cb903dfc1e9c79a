import { z } from 'zod'
import { DISPUTE_STEPS } from '../../domain/dispute.ts'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import { OPERATION_TYPES } from '../../domain/operation.ts'
import { readNotification as readFromAdyen } from './adyen/notifications.ts'
import { cleanOutcome, cleanTexts, TEXT_LENGTH_MAX } from './clean-texts.ts'
import type { Gateway, NotificationReading } from './gateway.ts'
import { readNotification as readFromSimulator } from './simulator/notifications.ts'
import { readNotification as readFromStripe } from './stripe/notifications.ts'

/**
 * Verifies and parses the notifications of each gateway that sends any. It contains no other code of the adapters, which the
 * process that is reached from outside loads only for a person who tests an account.
 */
export const NOTIFICATION_READERS: ReadonlyMap<string, NonNullable<Gateway['readNotification']>> = new Map([
  ['simulator', readFromSimulator],
  ['stripe', (rawBody, headers, { credentials }) => readFromStripe(rawBody, headers, credentials)],
  ['adyen', (rawBody, _headers, access) => readFromAdyen(rawBody, access)],
])

/** An id or a word, as the columns take it. */
const word = z.string().max(TEXT_LENGTH_MAX)
const minorUnits = z.int().nonnegative()
/** Epoch ms that a column takes. */
const instantMs = z.int().min(0).max(8.64e15)
const any = z.object({ gatewayNotificationId: word, gatewayAuthorizationId: word.nullable() })

/** Whatever an adapter has read: every value has the type that its column has. */
const NOTIFICATION: z.ZodType = z.discriminatedUnion('kind', [
  any.extend({
    kind: z.literal('outcome'),
    type: z.enum(OPERATION_TYPES),
    reference: word,
    outcome: z.looseObject({ kind: z.string() }).nullable(),
  }),
  any.extend({
    kind: z.literal('authorization-ended'),
    reference: word,
    gatewayAuthorizationId: word,
    capturedMinor: minorUnits,
    currency: word,
  }),
  any.extend({
    kind: z.enum([...DISPUTE_STEPS, 'refund-failed']),
    disputeId: word.optional(),
    invoiceId: word.nullable(),
    reference: word.nullable(),
    amountMinor: minorUnits.nullable(),
    currency: word.nullable(),
    reason: z.string().nullable(),
    evidenceDueAt: instantMs.optional(),
  }),
])

/** False for values that no gateway sends and no column takes. */
const isStorable = (notification: GatewayNotification): boolean => NOTIFICATION.safeParse(notification).success

/** Verifies and parses a posted body as notifications of a gateway. Header names are lower case. */
export function readNotifications(
  gatewayName: string,
  ...posted: Parameters<NonNullable<Gateway['readNotification']>>
): NotificationReading {
  const reading = NOTIFICATION_READERS.get(gatewayName)?.(...posted)
  if (reading === undefined) return { kind: 'refused', reason: 'unreadable' }
  if (reading.kind === 'refused') return reading
  return { kind: 'accepted', notifications: reading.notifications.map(clean).filter(isStorable) }
}

function clean(notification: GatewayNotification): GatewayNotification {
  const cleaned = cleanTexts(notification)
  if (cleaned.kind !== 'outcome' || cleaned.outcome === null) return cleaned
  return { ...cleaned, outcome: cleanOutcome(cleaned.outcome) }
}

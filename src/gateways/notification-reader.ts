import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import { readNotification as readFromAdyen } from './adyen/notifications.ts'
import { cleanOutcome, cleanTexts, TEXT_LENGTH_MAX } from './clean-texts.ts'
import type { Gateway, NotificationReading } from './gateway.ts'
import { readNotification as readFromSimulator } from './simulator/notifications.ts'
import { readNotification as readFromStripe } from './stripe/notifications.ts'

/**
 * Verifies and parses the notifications of each gateway that sends any. It contains no other code of the adapters: the
 * process that is reached from outside cannot make calls.
 */
export const NOTIFICATION_READERS: ReadonlyMap<string, NonNullable<Gateway['readNotification']>> = new Map([
  ['simulator', readFromSimulator],
  ['stripe', (rawBody, headers, { credentials }) => readFromStripe(rawBody, headers, credentials)],
  ['adyen', (rawBody, _headers, access) => readFromAdyen(rawBody, access)],
])

/** Verifies and parses a posted body as notifications of a gateway. Header names are lower case. */
export function readNotifications(
  gatewayName: string,
  ...posted: Parameters<NonNullable<Gateway['readNotification']>>
): NotificationReading {
  const reading = NOTIFICATION_READERS.get(gatewayName)?.(...posted)
  if (reading === undefined) return { kind: 'refused', reason: 'The gateway sends no notifications.' }
  if (reading.kind === 'refused') return reading
  return { kind: 'accepted', notifications: reading.notifications.map(clean).filter(isStorable) }
}

function clean(notification: GatewayNotification): GatewayNotification {
  const cleaned = cleanTexts(notification)
  if (cleaned.kind !== 'outcome' || cleaned.outcome === null) return cleaned
  return { ...cleaned, outcome: cleanOutcome(cleaned.outcome) }
}

/** False for values that no gateway sends and no column takes. */
function isStorable(notification: GatewayNotification): boolean {
  const { gatewayNotificationId, gatewayAuthorizationId, reference } = notification
  const disputeId = 'disputeId' in notification ? notification.disputeId : null
  const ids = [gatewayNotificationId, gatewayAuthorizationId, reference, disputeId]
  const amounts = [
    'amountMinor' in notification ? notification.amountMinor : null,
    'capturedMinor' in notification ? notification.capturedMinor : null,
  ]
  return (
    ids.every((id) => (id?.length ?? 0) <= TEXT_LENGTH_MAX) &&
    amounts.every((amount) => amount === null || Number.isSafeInteger(amount))
  )
}

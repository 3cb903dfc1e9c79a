import type { GatewayAccess, NotificationReading } from '../../../src/gateways/gateway.ts'

/**
 * Proves with `notification_key` that these very bytes come from Placeholder, in a time that does not depend on them, and reads
 * them. What is not proven is refused; an event that nobody has heard of is accepted and moves nothing.
 */
export function readNotification(
  _rawBody: Uint8Array,
  _headers: Readonly<Record<string, string | undefined>>,
  _access: Pick<GatewayAccess, 'credentials' | 'settings'>,
): NotificationReading {
  throw new Error('placeholder: notifications are not written yet')
}

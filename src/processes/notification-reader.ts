import type { ToldNotice } from '../../domain/gateway-notice.ts'
import { readNotification as readFromAdyen } from '../gateways/adyen/notifications.ts'
import type { Gateway, Notification } from '../gateways/gateway.ts'
import { readNotification as readFromSimulator } from '../gateways/simulator/notifications.ts'
import { readNotification as readFromStripe } from '../gateways/stripe/notifications.ts'
import type { NotificationReader } from '../http/dependencies.ts'
import type { Vault } from '../vault/vault.ts'

/** Longer than any id that a gateway makes, and short enough for an index. */
const ID_LENGTH_MAX = 255

/**
 * What proves and reads the notifications of each gateway that posts any. Of the adapters nothing else is here: the process
 * that is reached from outside has no code that could make a call.
 */
export const NOTIFICATION_READERS: ReadonlyMap<string, NonNullable<Gateway['readNotification']>> = new Map([
  ['simulator', readFromSimulator],
  ['stripe', (rawBody, headers, { credentials }) => readFromStripe(rawBody, headers, credentials)],
  ['adyen', (rawBody, _headers, access) => readFromAdyen(rawBody, access)],
])

/** Proves and reads notifications, with the credentials that the vault opens. */
export function createNotificationReader({ vault }: { vault: Pick<Vault, 'openCredentials'> }): NotificationReader {
  return {
    canRead: (gatewayName) => NOTIFICATION_READERS.has(gatewayName),
    read(configuration, rawBody, headers) {
      const access = { credentials: vault.openCredentials(configuration), settings: configuration.settings }
      const reading = NOTIFICATION_READERS.get(configuration.gatewayName)?.(rawBody, headers, access)
      if (reading === undefined) return { kind: 'refused', reason: 'The gateway sends no notifications.' }
      if (reading.kind === 'refused') return reading
      return { kind: 'accepted', notices: reading.notifications.map(noticeOf).filter(isStorable) }
    },
  }
}

function noticeOf(notification: Notification): ToldNotice {
  const { gatewayNoticeId, reference, gatewayAuthorizationId = null } = notification
  const ids = { gatewayNoticeId, reference, gatewayAuthorizationId }
  if (notification.kind === 'settled') {
    const { type: operationType, outcome } = notification
    const nothing = { invoiceId: null, amountMinor: null, currency: null, reason: null }
    return storableText({ ...ids, ...nothing, what: 'settled', operationType, outcome })
  }
  const { what, invoiceId, amountMinor, currency, reason } = notification
  const sum =
    amountMinor === null || currency === null ? { amountMinor: null, currency: null } : { amountMinor, currency }
  return storableText({ ...ids, ...sum, what, invoiceId, reason, operationType: null, outcome: null })
}

/** What PostgreSQL keeps in no text is left out: it would be an error each time the gateway sends it again. */
function storableText<T>(value: T): T {
  const clean = (_: string, part: unknown) =>
    typeof part === 'string' ? part.replaceAll('\u0000', '').toWellFormed() : part
  return JSON.parse(JSON.stringify(value, clean)) as T
}

/** False for what no gateway sends, and no column takes. */
function isStorable({ gatewayNoticeId, gatewayAuthorizationId, reference, amountMinor }: ToldNotice): boolean {
  const ids = [gatewayNoticeId, gatewayAuthorizationId, reference]
  return (
    ids.every((id) => (id?.length ?? 0) <= ID_LENGTH_MAX) && (amountMinor === null || Number.isSafeInteger(amountMinor))
  )
}

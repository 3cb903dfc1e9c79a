import type { ToldNotice } from '../../domain/gateway-notice.ts'
import { readNotification as readFromAdyen } from '../gateways/adyen/notifications.ts'
import { cleanOutcome, cleanTexts, TEXT_LENGTH_MAX } from '../gateways/clean-texts.ts'
import type { Gateway, Notification } from '../gateways/gateway.ts'
import { readNotification as readFromSimulator } from '../gateways/simulator/notifications.ts'
import { readNotification as readFromStripe } from '../gateways/stripe/notifications.ts'
import type { NotificationReader } from '../http/dependencies.ts'
import type { Vault } from '../vault/vault.ts'

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
    const { type: operationType } = notification
    const outcome = notification.outcome === null ? null : cleanOutcome(notification.outcome)
    const nothing = { invoiceId: null, amountMinor: null, currency: null, reason: null }
    return cleanTexts({ ...ids, ...nothing, what: 'settled', operationType, outcome })
  }
  if (notification.kind === 'ended') {
    const { capturedMinor: amountMinor, currency } = notification
    const nothing = { invoiceId: null, reason: null, operationType: null, outcome: null }
    return cleanTexts({ ...ids, ...nothing, what: 'authorization-ended', amountMinor, currency })
  }
  const { what, invoiceId, amountMinor, currency, reason } = notification
  const sum =
    amountMinor === null || currency === null ? { amountMinor: null, currency: null } : { amountMinor, currency }
  return cleanTexts({ ...ids, ...sum, what, invoiceId, reason, operationType: null, outcome: null })
}

/** False for what no gateway sends, and no column takes. */
function isStorable({ gatewayNoticeId, gatewayAuthorizationId, reference, amountMinor }: ToldNotice): boolean {
  const ids = [gatewayNoticeId, gatewayAuthorizationId, reference]
  return (
    ids.every((id) => (id?.length ?? 0) <= TEXT_LENGTH_MAX) &&
    (amountMinor === null || Number.isSafeInteger(amountMinor))
  )
}

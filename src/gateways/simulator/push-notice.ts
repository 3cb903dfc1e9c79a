import type { GatewayAccess, Notification } from '../gateway.ts'
import { notificationKeyIn, signNotification } from './notifications.ts'
import { readSwitches } from './settings.ts'

/** Longer than an endpoint that answers fast ever takes; a notice that takes longer is brought again. */
const TIMEOUT_MS = 10_000

/** Stands in the address for the account that is told, whose id is not known before it is there. */
const CONFIGURATION_PLACEHOLDER = '{configuration}'

/**
 * Posts what is told unasked to where the account wants it.
 *
 * @returns false where the account has its notices brought by the courier, so that nothing was posted.
 * @throws Error where it was not accepted, or cannot be posted; of the answer it tells the status alone.
 */
export async function pushNotice(
  notification: Notification,
  { gatewayConfigurationId, credentials, settings }: GatewayAccess,
): Promise<boolean> {
  const { noticesUrl = null } = readSwitches(settings) ?? {}
  if (noticesUrl === null) return false
  const key = notificationKeyIn(credentials)
  if (key === null) throw new Error('A notice cannot be posted without the credential notification_key.')
  const answer = await fetch(noticesUrl.replace(CONFIGURATION_PLACEHOLDER, gatewayConfigurationId), {
    method: 'POST',
    ...signNotification(notification, key),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`A notice was answered with ${answer.status}.`)
  return true
}

import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { Clock } from '../clock.ts'
import {
  createNotificationDispatcher,
  type NotificationDispatcherOptions,
} from '../gateways/simulator/notification-dispatcher.ts'
import { notificationKeyIn, signNotification } from '../gateways/simulator/notifications.ts'
import type { Logger } from '../logger.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import type { Orm } from '../persistence/orm.ts'
import { findAccount } from '../persistence/queries/projects/find-gateway-configuration.ts'
import { execute } from '../persistence/statements.ts'
import type { Shutdown } from '../shutdown.ts'
import type { Credentials, Vault } from '../vault/vault.ts'
import { startSweep } from './sweep.ts'

/** Often enough that a chargeback follows its sandbox payment quickly; one small indexed statement each time. */
const INTERVAL_MS = 500

/** An endpoint that takes longer is sent the notification again. */
const TIMEOUT_MS = 5_000

export interface SimulatorNotificationsOptions {
  /** Where this process takes notifications, such as `http://127.0.0.1:3000`. */
  url: string
  /** Signs the notifications of accounts that have no key of their own: of this process, which posts to itself. */
  simulatorKey: string
}

/** Posts the notifications of the simulator, as another gateway would. Every process that takes notifications does it. */
export function sendSimulatorNotifications(
  core: { orm: Orm; vault: Vault; clock: Clock; logger: Logger },
  options: SimulatorNotificationsOptions,
  shutdown: Shutdown,
): void {
  const run = async (stopping: AbortSignal) => {
    const dispatcher = createNotificationDispatcher({
      execute: (sql, values) => execute(core.orm, sql, values),
      clock: core.clock,
      post: createPost(core, { ...options, signal: stopping }),
    })
    await dispatcher.postDue()
  }
  startSweep({ name: 'The notifications of the simulator', intervalMs: INTERVAL_MS, run }, core.logger, shutdown)
}

/**
 * Posts a notification to the address of its account. The account is read each time: it may have changed.
 *
 * @throws Error where it is not accepted; of the answer it tells the status alone.
 */
export function createPost(
  { orm, vault }: { orm: Orm; vault: Pick<Vault, 'decryptCredentials'> },
  { url, simulatorKey, signal }: SimulatorNotificationsOptions & { signal?: AbortSignal },
): NotificationDispatcherOptions['post'] {
  return async (notification: GatewayNotification, gatewayConfigurationId: string) => {
    const configuration = await findAccount(orm.em.fork(), gatewayConfigurationId)
    const credentials = configuration === null ? {} : notificationCredentials(vault, configuration, simulatorKey)
    const key = notificationKeyIn(credentials)
    if (key === null) throw new Error('A notification cannot be signed.')
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(new URL(`/gateways/simulator/notifications/${gatewayConfigurationId}`, url), {
      method: 'POST',
      ...signNotification(notification, key),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`A notification was answered with ${answer.status}.`)
  }
}

/** The credentials that prove notifications of an account; of the simulator's, where need be with the key of this process. */
export function notificationCredentials(
  vault: Pick<Vault, 'decryptCredentials'>,
  configuration: GatewayConfigurationRow,
  simulatorKey: string,
): Credentials {
  const credentials = vault.decryptCredentials(configuration)
  return configuration.gatewayName === 'simulator' ? { notification_key: simulatorKey, ...credentials } : credentials
}

import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { Clock } from '../clock.ts'
import type { Execute } from '../gateways/simulator/ledger.ts'
import { postDueNotifications } from '../gateways/simulator/notification-dispatcher.ts'
import { notificationKeyIn, signNotification } from '../gateways/simulator/notifications.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import type { Orm } from '../persistence/orm.ts'
import { findAccount } from '../persistence/queries/projects/gateway-configurations.ts'
import { execute } from '../persistence/statements.ts'
import type { Credentials, Vault } from '../vault/vault.ts'

/** A notification is sent again to an endpoint that takes longer. */
const TIMEOUT_MS = 5_000

export interface PostOptions {
  orm: Orm
  vault: Pick<Vault, 'decryptCredentials'>
  /** Where this process receives notifications, such as `http://127.0.0.1:3000`. */
  url: string
  /** Signs notifications of accounts without a key of their own; the process posts them to itself. */
  simulatorKey: string
}

/** Posts due notifications of the simulator, as another gateway would. */
export function sendSimulatorNotifications(options: PostOptions & { clock: Clock }, stopping: AbortSignal) {
  const { orm, clock } = options
  const run: Execute = (sql, values) => execute(orm, sql, values)
  return postDueNotifications({ execute: run, clock, post: createPost(options, stopping) })
}

/**
 * Posts a notification for its account. The account is read each time: it may have changed.
 *
 * @throws Error where it is not accepted; the error contains only the status of the answer.
 */
export function createPost({ orm, vault, url, simulatorKey }: PostOptions, stopping?: AbortSignal) {
  return async (notification: GatewayNotification, gatewayConfigurationId: string): Promise<void> => {
    const account = await findAccount(orm.em.fork(), gatewayConfigurationId)
    const key = account === null ? null : notificationKeyIn(notificationCredentials(vault, account, simulatorKey))
    if (key === null) throw new Error('A notification cannot be signed.')
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(new URL(`/gateways/simulator/notifications/${gatewayConfigurationId}`, url), {
      method: 'POST',
      ...signNotification(notification, key),
      redirect: 'manual',
      signal: stopping === undefined ? timeout : AbortSignal.any([timeout, stopping]),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`A notification was answered with ${answer.status}.`)
  }
}

/** The credentials that verify an account's notifications; the simulator's default to the key of this process. */
export function notificationCredentials(
  vault: Pick<Vault, 'decryptCredentials'>,
  configuration: GatewayConfigurationRow,
  simulatorKey: string,
): Credentials {
  const credentials = vault.decryptCredentials(configuration)
  return configuration.gatewayName === 'simulator' ? { notification_key: simulatorKey, ...credentials } : credentials
}

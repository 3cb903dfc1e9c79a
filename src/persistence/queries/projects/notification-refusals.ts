import type { NotificationRefusal } from '../../../../domain/gateway-notification.ts'
import { NotificationRefusalEntity, type NotificationRefusalRow } from '../../entities/notification-refusal.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The refused notifications of an account; null where the last one was proven, or none has come. */
export function findNotificationRefusal(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  gatewayConfigurationId: string,
): Promise<NotificationRefusalRow | null> {
  return em.findOne(NotificationRefusalEntity, { projectId, sandbox, gatewayConfigurationId })
}

export async function recordNotificationRefusal(
  em: EntityManager,
  gatewayConfigurationId: string,
  reason: NotificationRefusal,
  at: Date,
): Promise<void> {
  await em.execute(
    `insert into notification_refusal (project_id, sandbox, gateway_configuration_id, reason, first_at, last_at)
     select project_id, sandbox, id, ?, ?, ? from gateway_configuration where id = ?
     on conflict (gateway_configuration_id) do update
        set reason = excluded.reason, times = notification_refusal.times + 1, last_at = excluded.last_at`,
    [reason, at, at, gatewayConfigurationId],
  )
}

/** One was proven: what is set up is right now. */
export async function forgetNotificationRefusal(em: EntityManager, gatewayConfigurationId: string): Promise<void> {
  await em.execute('delete from notification_refusal where gateway_configuration_id = ?', [gatewayConfigurationId])
}

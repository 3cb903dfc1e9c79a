import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { NotificationRefusal } from '../../../domain/gateway-notification.ts'

/** The notifications of an account that were refused since the last one that was proven. */
export const NotificationRefusalEntity = defineEntity({
  name: 'NotificationRefusal',
  tableName: 'notification_refusal',
  properties: {
    gatewayConfigurationId: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    /** Of the last one. */
    reason: p.string().$type<NotificationRefusal>(),
    times: p.integer(),
    firstAt: p.datetime(3),
    lastAt: p.datetime(3),
  },
})

export type NotificationRefusalRow = InferEntity<typeof NotificationRefusalEntity>

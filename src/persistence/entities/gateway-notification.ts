import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'

/** A notification of a gateway: stored first, applied to the payment afterwards. */
export const GatewayNotificationEntity = defineEntity({
  name: 'GatewayNotification',
  tableName: 'gateway_notification',
  properties: {
    /** In the order of arrival, counted by the database. */
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.string(),
    sandbox: p.boolean(),
    gatewayConfigurationId: p.string(),
    gatewayNotificationId: p.string(),
    /** Null until its payment is found. */
    invoiceId: p.string().nullable(),
    kind: p.string().$type<GatewayNotification['kind']>(),
    /** Our reference of the call: the id of the attempt. */
    reference: p.string().nullable(),
    /** For the outcome of a call. `outcome` is null where only a look-up can find it. */
    operationType: p.string().$type<GatewayOperationType>().nullable(),
    outcome: p.json<Outcome>().nullable(),
    gatewayAuthorizationId: p.string().nullable(),
    /** Null where the gateway gives no amount. */
    amountMinor: p.bigint('number').nullable(),
    currency: p.string().nullable(),
    reason: p.string().nullable(),
    /** The gateway's id of the dispute. */
    disputeId: p.string().nullable(),
    /** Until when the gateway takes evidence. */
    evidenceDueAt: p.datetime(3).nullable(),
    receivedAt: p.datetime(3),
    appliedAt: p.datetime(3).nullable(),
  },
})

export type GatewayNotificationRow = InferEntity<typeof GatewayNotificationEntity>

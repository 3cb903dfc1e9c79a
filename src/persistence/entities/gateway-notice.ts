import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { GatewayNotice } from '../../../domain/gateway-notice.ts'

/** What a gateway told unasked: stored first, applied to the payment afterwards. */
export const GatewayNoticeEntity = defineEntity({
  name: 'GatewayNotice',
  tableName: 'gateway_notice',
  properties: {
    /** In the order of arrival; the database counts. */
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.string(),
    sandbox: p.boolean(),
    gatewayConfigurationId: p.string(),
    gatewayNoticeId: p.string(),
    invoiceId: p.string(),
    what: p.string().$type<GatewayNotice['what']>(),
    reference: p.string().nullable(),
    amountMinor: p.bigint('number'),
    currency: p.string(),
    reason: p.string().nullable(),
    receivedAt: p.datetime(3),
    appliedAt: p.datetime(3).nullable(),
  },
})

export type GatewayNoticeRow = InferEntity<typeof GatewayNoticeEntity>

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { DisabledReason } from '../../../domain/endpoint-health.ts'
import type { EventName } from '../../../domain/webhook-event.ts'

/** A URL that receives a project's events. A deleted one stays as the target of earlier deliveries. */
export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    url: p.string(),
    description: p.string().nullable(),
    /** Null for all events. */
    eventsWhitelist: p.array<EventName>().nullable(),
    enabled: p.boolean(),
    disabledReason: p.string().$type<DisabledReason>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    signWithEd25519: p.boolean(),
    /** Since when all deliveries have failed, without a pause long enough to call the failures sporadic. */
    failingSince: p.datetime(3).nullable(),
    lastFailureAt: p.datetime(3).nullable(),
    /** Consecutive answers with status 410. */
    goneCount: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
  },
})

export type WebhookEndpointRow = InferEntity<typeof WebhookEndpointEntity>

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { DisabledReason } from '../../../domain/endpoint-health.ts'
import type { EventName } from '../../../domain/webhook-event.ts'

/** A URL to which a project wants its events sent. A deleted one stays as the target of what was sent to it. */
export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    url: p.string(),
    description: p.string().nullable(),
    /** Null takes all. */
    eventsWhitelist: p.array<EventName>().nullable(),
    enabled: p.boolean(),
    disabledReason: p.string().$type<DisabledReason>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    signWithEd25519: p.boolean(),
    /** Since when nothing was accepted, without a pause that would make the failures sporadic. */
    failingSince: p.datetime(3).nullable(),
    lastFailureAt: p.datetime(3).nullable(),
    /** Answers 410 in a row. */
    goneCount: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
  },
})

export type WebhookEndpointRow = InferEntity<typeof WebhookEndpointEntity>

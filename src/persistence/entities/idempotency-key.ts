import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** A merchant's idempotency key, and the answer that every repetition of its request gets. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    requestHash: p.string(),
    operationId: p.string().nullable(),
    status: p.integer().nullable(),
    body: p.text().nullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
  },
})

export type IdempotencyKeyRow = InferEntity<typeof IdempotencyKeyEntity>

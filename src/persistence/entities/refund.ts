import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { RefundReason } from '../../../domain/command.ts'

/** A refund, done or under way. Its attempt and its result are operations of the transaction. */
export const RefundEntity = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    transactionId: p.string(),
    /** The attempt. */
    operationId: p.string(),
    amountMinor: p.bigint('number'),
    currency: p.string(),
    reason: p.string().$type<RefundReason>(),
    information: p.string().nullable(),
    metadata: p.json<Record<string, string>>(),
    detailIds: p.json<string[]>().nullable(),
    status: p.string().$type<RefundStatus>(),
    errorCode: p.string().nullable(),
    failedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

export type RefundRow = InferEntity<typeof RefundEntity>

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { BookEntry, BookedType, DifferenceKind, SettlementLine } from '../../../domain/books.ts'

/** What our books and those of a gateway do not agree about, as both sides stood when it was found. */
export const ReconciliationDifferenceEntity = defineEntity({
  name: 'ReconciliationDifference',
  tableName: 'reconciliation_difference',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    /** That found it. */
    reconciliationId: p.string(),
    gatewayConfigurationId: p.string(),
    kind: p.string().$type<DifferenceKind>(),
    status: p.string().$type<DifferenceStatus>(),
    /** The attempt; null where our books have none. */
    operationId: p.string().nullable(),
    transactionId: p.string().nullable(),
    type: p.string().$type<BookedType>(),
    ourState: p.string().$type<BookEntry['state']>().nullable(),
    ourAmountMinor: p.bigint('number').nullable(),
    ourCurrency: p.string().nullable(),
    /** The gateway's id of its line; null where it has none. */
    lineId: p.string().nullable(),
    gatewayReference: p.string().nullable(),
    gatewayState: p.string().$type<SettlementLine['state']>().nullable(),
    gatewayAmountMinor: p.bigint('number').nullable(),
    gatewayCurrency: p.string().nullable(),
    gatewayBookedAt: p.datetime(3).nullable(),
    resolvedAt: p.datetime(3).nullable(),
    /** `person:<id>`, `api_key:<id>`, or `reconciliation:<id>`, which found both sides in agreement. */
    resolvedBy: p.string().nullable(),
    resolution: p.string().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export const DIFFERENCE_STATUSES = ['open', 'resolved'] as const
export type DifferenceStatus = (typeof DIFFERENCE_STATUSES)[number]

export type ReconciliationDifferenceRow = InferEntity<typeof ReconciliationDifferenceEntity>

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** One comparison of our books with what an account at a gateway has booked. */
export const ReconciliationEntity = defineEntity({
  name: 'Reconciliation',
  tableName: 'reconciliation',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    gatewayConfigurationId: p.string(),
    source: p.string().$type<ReconciliationSource>(),
    /** The day in UTC that the gateway has listed, as `2026-11-23`; null for a file. */
    day: p.string().columnType('date').nullable(),
    fileHash: p.string().nullable(),
    status: p.string().$type<ReconciliationStatus>(),
    /** Also says who may write: the one who has counted last. */
    tries: p.integer(),
    nextTryAt: p.datetime(3).nullable(),
    /** Why the last try has failed. */
    failure: p.string().nullable(),
    listCursor: p.string().nullable(),
    isListed: p.boolean(),
    linesCount: p.integer(),
    differencesCount: p.integer(),
    judgedUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
  },
})

export const RECONCILIATION_SOURCES = ['list', 'file'] as const
export type ReconciliationSource = (typeof RECONCILIATION_SOURCES)[number]

export const RECONCILIATION_STATUSES = ['waiting', 'completed'] as const
export type ReconciliationStatus = (typeof RECONCILIATION_STATUSES)[number]

export type ReconciliationRow = InferEntity<typeof ReconciliationEntity>

import { defineEntity, p } from '@mikro-orm/postgresql'

/** A row for each authorization, by which rules count tries. It is kept for the longest interval of the rules. */
export const VelocityRecordEntity = defineEntity({
  name: 'VelocityRecord',
  tableName: 'velocity_record',
  properties: {
    operationId: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    invoiceId: p.string(),
    cardFingerprint: p.string().nullable(),
    cardIin: p.string().nullable(),
    customerId: p.string().nullable(),
    ipAddress: p.string().nullable(),
    /** True for a client's attempt, until its outcome shows that it is no failure of the card. */
    isClientFailure: p.boolean().default(false),
    /** The payment's time. */
    at: p.datetime(3),
    createdAt: p.datetime(3),
  },
})

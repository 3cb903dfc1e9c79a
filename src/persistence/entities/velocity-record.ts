import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** A row for each authorization, by which rules count tries. It is kept as long as rules may look back. */
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
    /** True of an attempt of a client until its outcome says that it is no failure of the card. */
    isClientFailure: p.boolean().default(false),
    /** Of the payment's clock. */
    at: p.datetime(3),
    createdAt: p.datetime(3),
  },
})

export type VelocityRecordRow = InferEntity<typeof VelocityRecordEntity>

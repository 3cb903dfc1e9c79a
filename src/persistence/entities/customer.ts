import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

export type Sex = 'male' | 'female'

/** A merchant's customer. A deleted one keeps its row without personal data. */
export const CustomerEntity = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    /** The token charged where the customer's id is the source. */
    defaultTokenId: p.string().nullable(),
    email: p.string().nullable(),
    firstName: p.string().nullable(),
    lastName: p.string().nullable(),
    address1: p.string().name('address1').nullable(),
    address2: p.string().name('address2').nullable(),
    city: p.string().nullable(),
    state: p.string().nullable(),
    zip: p.string().nullable(),
    countryCode: p.string().nullable(),
    phoneNumber: p.string().nullable(),
    phoneDialingCode: p.string().nullable(),
    legalDocument: p.string().nullable(),
    ipAddress: p.string().nullable(),
    sex: p.string().$type<Sex>().nullable(),
    dateOfBirth: p.datetime(3).nullable(),
    isBusiness: p.boolean(),
    /** Cannot be changed once it is set. */
    currency: p.string().nullable(),
    /** Stored for the merchant, in `currency`; no payment uses it. */
    balanceMinor: p.bigint('number'),
    metadata: p.json<Record<string, string>>(),
    referenceId: p.string().nullable(),
    registeredAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type CustomerRow = InferEntity<typeof CustomerEntity>

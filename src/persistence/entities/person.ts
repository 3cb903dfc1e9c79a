import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** Somebody who signs in to the dashboard. The row stays for good, since the record names people by their ids. */
export const PersonEntity = defineEntity({
  name: 'Person',
  tableName: 'person',
  properties: {
    id: p.string().primary(),
    /** In lower case. */
    email: p.string(),
    name: p.string(),
    /** See `src/vault/password.ts`. */
    passwordHash: p.string(),
    /** Of the one-time link to another password. */
    resetHash: p.string().nullable(),
    resetExpiresAt: p.datetime(3).nullable(),
    /** The secret of an authenticator app. */
    totpCiphertext: p.blob().nullable(),
    totpKeyId: p.string().nullable(),
    /** The last step of time whose code was used. */
    totpStep: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
    /** Since then the person cannot sign in. */
    disabledAt: p.datetime(3).nullable(),
    lastSignedInAt: p.datetime(3).nullable(),
  },
})

export type PersonRow = InferEntity<typeof PersonEntity>

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { Permission } from '../../../domain/permission.ts'

/** A secret key, stored only as a keyed hash. It decides the environment of its calls. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    /** HMAC-SHA-256 of the whole secret, hexadecimal. */
    secretHash: p.string(),
    /** A name for people. */
    name: p.string().nullable(),
    permissions: p.array<Permission>(),
    /** The last four characters of the secret, by which people recognize their keys. */
    secretEnding: p.string().nullable(),
    /** Exact to the minute. */
    lastUsedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

export type ApiKeyRow = InferEntity<typeof ApiKeyEntity>

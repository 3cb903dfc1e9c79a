import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { Permission } from '../../../domain/permission.ts'

/** A secret key, kept as a keyed hash only. The key decides the environment of the calls made with it. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    /** HMAC-SHA-256 of the whole secret, hexadecimal. */
    secretHash: p.string(),
    /** What people call it. */
    name: p.string().nullable(),
    permissions: p.array<Permission>(),
    /** The last four characters of the secret, by which people tell their keys apart. */
    secretEnding: p.string().nullable(),
    /** Exact to the minute. */
    lastUsedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

export type ApiKeyRow = InferEntity<typeof ApiKeyEntity>

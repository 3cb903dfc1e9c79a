import { authorTextOf } from '../../http/acts.ts'
import { ApiError } from '../../http/api-error.ts'
import { type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { neverCompressed } from '../../http/middleware/compression.ts'
import { stillAdmitted } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import type { ApiKeyRow } from '../../persistence/entities/api-key.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../persistence/queries/projects/api-keys.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { NEW_API_KEY_REQUEST } from '../contract.ts'
import { readRequest } from '../input.ts'

/** The secret keys of this environment, also revoked ones, the newest first. */
export function listKeys({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const keys = await keysIn(orm.em.fork(), scopeOf(ctx))
    ctx.body = { success: true, api_keys: keys.map(present) }
  }
}

/** Makes a secret key of this environment; the secret is shown this once. */
export function createKey({ orm, vault, clock, randomBytes }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { name, permissions } = readRequest(ctx, NEW_API_KEY_REQUEST)
    const making = { randomBytes, hashSecret: vault.hashSecret, now: clock.now() }
    const { key, secretKey } = await orm.em.fork().transactional(async (em) => {
      await stillAdmitted(ctx, em)
      const wanted = { ...making, ...scopeOf(ctx), name, permissions, actor: authorTextOf(ctx) }
      const made = await createApiKey(em, wanted)
      return { key: await keyIn(em, scopeOf(ctx), made.apiKeyId), secretKey: made.secretKey }
    })
    neverCompressed(ctx)
    ctx.body = { success: true, api_key: present(key), secret_key: secretKey }
  }
}

/** Revokes a secret key for good, from the next request on. */
export function revokeKey({ orm, clock }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { id = '' } = ctx.params
    const key = await orm.em.fork().transactional(async (em) => {
      await stillAdmitted(ctx, em)
      await keyIn(em, scopeOf(ctx), id)
      await revokeApiKey(em, { id, actor: authorTextOf(ctx), now: clock.now() })
      return keyIn(em, scopeOf(ctx), id)
    })
    ctx.body = { success: true, api_key: present(key) }
  }
}

async function keysIn(em: EntityManager, { projectId, sandbox }: Scope): Promise<ApiKeyRow[]> {
  const keys = await listApiKeys(em, projectId)
  return keys.filter((key) => key.sandbox === sandbox).reverse()
}

async function keyIn(em: EntityManager, scope: Scope, id: string): Promise<ApiKeyRow> {
  const key = (await keysIn(em, scope)).find((one) => one.id === id)
  if (key === undefined) throw new ApiError('resource.api-key.not-found')
  return key
}

function present(row: ApiKeyRow) {
  return {
    id: row.id,
    name: row.name ?? null,
    permissions: row.permissions,
    secret_ending: row.secretEnding ?? null,
    created_at: presentTimestamp(row.createdAt),
    last_used_at: presentTimestamp(row.lastUsedAt),
    revoked_at: presentTimestamp(row.revokedAt),
  }
}

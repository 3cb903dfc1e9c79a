import { managesApiKeys } from '../../../domain/role.ts'
import { authorTextOf } from '../../http/acts.ts'
import { ApiError } from '../../http/api-error.ts'
import { scopeOf } from '../../http/context.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import type { ApiKeyRow } from '../../persistence/entities/api-key.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../persistence/queries/projects/api-keys.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { call } from '../call.ts'
import {
  type ApiKey,
  apiKeyAnswer,
  apiKeysAnswer,
  NEW_API_KEY_REQUEST,
  newApiKeyAnswer,
  sandboxKeyAnswer,
} from '../contract.ts'

export const API_KEYS = [
  // Those of this environment, also revoked ones, the newest first.
  call('GET /api-keys', {
    who: everyRole,
    answers: apiKeysAnswer,
    run: async ({ ctx, em }) => ({ api_keys: (await keysIn(em, scopeOf(ctx))).map(present) }),
  }),

  // Makes a secret key of this environment; the secret is shown this once.
  call('POST /api-keys', {
    who: managesApiKeys,
    reads: NEW_API_KEY_REQUEST,
    answers: newApiKeyAnswer,
    isSecret: true,
    async run({ ctx, deps: { randomBytes, vault, clock }, read, change }) {
      const making = { randomBytes, hashSecret: vault.hashSecret, now: clock.now() }
      const wanted = { ...making, ...scopeOf(ctx), ...read(), actor: authorTextOf(ctx) }
      return change(async (em) => {
        const { apiKeyId, secretKey } = await createApiKey(em, wanted)
        return { api_key: present(await keyIn(em, scopeOf(ctx), apiKeyId)), secret_key: secretKey }
      })
    },
  }),

  // The key of the sandbox that `npm start` has made, for the samples of the reference; those who see it can make keys anyway.
  call('GET /sandbox-key', {
    who: managesApiKeys,
    answers: sandboxKeyAnswer,
    isSecret: true,
    async run({ ctx, deps: { sandboxKey } }) {
      const { projectId, sandbox } = scopeOf(ctx)
      return { secret_key: (sandbox && sandboxKey?.(projectId)) || null }
    },
  }),

  // Revokes a secret key for good, from the next request on.
  call('DELETE /api-keys/:id', {
    who: managesApiKeys,
    answers: apiKeyAnswer,
    run: ({ ctx, deps, id, change }) =>
      change(async (em) => {
        await keyIn(em, scopeOf(ctx), id)
        await revokeApiKey(em, { id, actor: authorTextOf(ctx), now: deps.clock.now() })
        return { api_key: present(await keyIn(em, scopeOf(ctx), id)) }
      }),
  }),
]

async function keysIn(em: EntityManager, { projectId, sandbox }: Scope): Promise<ApiKeyRow[]> {
  const keys = await listApiKeys(em, projectId)
  return keys.filter((key) => key.sandbox === sandbox).reverse()
}

async function keyIn(em: EntityManager, scope: Scope, id: string): Promise<ApiKeyRow> {
  const key = (await keysIn(em, scope)).find((one) => one.id === id)
  if (key === undefined) throw new ApiError('resource.api-key.not-found')
  return key
}

function present(row: ApiKeyRow): ApiKey {
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

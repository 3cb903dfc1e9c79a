import { environmentOf } from '../../../domain/environment.ts'
import type { Orm } from '../../persistence/orm.ts'
import { findApiKey } from '../../persistence/queries/projects/find-api-key.ts'
import type { Vault } from '../../vault/vault.ts'
import { ApiError } from '../api-error.ts'
import type { ApiMiddleware, Caller } from '../context.ts'

/** `test-` says that the caller means the sandbox; the secret key decides. */
const PROJECT_ID = /^(test-)?(proj_[0-9A-Za-z]{1,64})$/

/** Longer than any secret key; what is longer is not hashed. */
const SECRET_LENGTH_MAX = 128

interface Credentials {
  projectId: string
  secret: string
  meansSandbox: boolean
}

/**
 * HTTP Basic with the project id and its secret key. Every refusal is the same 401, whether the project exists, the
 * key is wrong or revoked, or the prefix says sandbox and the key is live.
 */
export function authenticate({
  orm,
  vault,
}: {
  orm: Orm
  vault: Pick<Vault, 'hashSecret' | 'isSecretOf'>
}): ApiMiddleware {
  return async (ctx, next) => {
    const credentials = readCredentials(ctx.get('Authorization'))
    const caller = credentials === null ? null : await findCaller(credentials)
    if (caller === null) {
      throw new ApiError('request.authentication.invalid', {
        headers: { 'WWW-Authenticate': 'Basic realm="holdfast", charset="UTF-8"' },
      })
    }
    ctx.state.caller = caller
    await next()
  }

  async function findCaller({ projectId, secret, meansSandbox }: Credentials): Promise<Caller | null> {
    const key = await findApiKey(orm.em.fork(), vault.hashSecret(secret))
    if (key === null || !vault.isSecretOf(secret, key.secretHash) || key.projectId !== projectId) return null
    if (meansSandbox && !key.sandbox) return null
    return { projectId: key.projectId, environment: environmentOf(key.sandbox), sandbox: key.sandbox }
  }
}

function readCredentials(header: string): Credentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const project = PROJECT_ID.exec(text.slice(0, Math.max(colon, 0)))
  const secret = text.slice(colon + 1)
  if (project?.[2] === undefined || secret === '' || secret.length > SECRET_LENGTH_MAX) return null
  return { projectId: project[2], secret, meansSandbox: project[1] !== undefined }
}

import { environmentOf } from '../../../domain/environment.ts'
import { isIdentifier } from '../../../domain/identifiers.ts'
import type { Permission } from '../../../domain/permission.ts'
import { PERMISSIONS_OF_ROLE, type Role } from '../../../domain/role.ts'
import { type AdmittedReading, readAdmitted } from '../../persistence/queries/lists/list-entity.ts'
import { PAYMENT_READ } from '../../persistence/queries/payments/find-payment.ts'
import { admitClient, countFailedAuthentication, type Usage } from '../../rate-limit/buckets.ts'
import type { AdmitKey } from '../../rate-limit/key-admission.ts'
import { ApiError, rateExceeded, unauthenticated } from '../api-error.ts'
import { networksOf } from '../client-address.ts'
import type { ApiContext, ApiMiddleware, ApiState, Caller } from '../context.ts'
import { type Credentials, credentialsProblem, readCredentials } from '../credentials.ts'
import type { AppDeps } from '../dependencies.ts'
import { resourceOf } from '../expansion/resources.ts'
import { type Filters, refuseUnknownParameters } from '../input/query.ts'
import { authenticatePerson, isOfPerson } from '../people/authenticate-person.ts'
import type { Access } from '../route-access.ts'
import { refuseBeyond } from './limit-address.ts'

interface Admitted extends Pick<ApiState, 'found'> {
  caller: Caller
  usage: Usage
}

type Deps = Pick<AppDeps, 'orm' | 'vault' | 'clock' | 'randomBytes' | 'isReachedByHttps' | 'publicUrl'> & {
  admitKey: AdmitKey
}

/**
 * HTTP Basic with the project id and its secret key; where clients may call, also with the project id alone. All refusals
 * are a 401 that tells what the header alone tells. Every request of a known caller counts towards a limit, also a failed one. The pages of the dashboard
 * call with the session of a person instead.
 *
 * @param filters of a list, the fields of `filter`.
 * @throws ApiError 401; 403 where a key lacks the permission; 429 where the bucket is empty; 400 for an unknown parameter.
 */
export function authenticate(deps: Deps, access: Access, filters: Filters = {}): ApiMiddleware {
  const reading = readingFor(deps, access)
  const refuseUnknown = refuseUnknownParameters(access.query, filters)
  const { permission } = access
  const neededRole = {
    may: (role: Role) => PERMISSIONS_OF_ROLE[role].includes(permission),
    what: `what needs the permission "${permission}"`,
  }
  return async (ctx, next) => {
    if (isOfPerson(ctx)) {
      await authenticatePerson(deps, ctx, neededRole)
      refuseUnknown(ctx)
      return next()
    }
    const header = ctx.get('Authorization')
    const refused = () => unauthenticated({ message: credentialsProblem(header, access.isOpenToClients === true) })
    const credentials = readCredentials(header)
    if (credentials === null) throw refused()
    const isClient = credentials.secret === ''
    // Refused without a look-up, which would show whether the project exists.
    if (isClient && access.isOpenToClients !== true) throw refused()
    const admitted = isClient
      ? await findClient(deps, ctx, credentials)
      : await findKey(deps, credentials, access.isSecondary ?? false, reading(ctx))
    if (admitted === null) {
      await countFailure(deps, ctx)
      throw refused()
    }
    admit(ctx, admitted)
    if (admitted.caller.kind === 'key') {
      refusePages(ctx)
      requirePermission(admitted.caller, access.permission)
    }
    refuseUnknown(ctx)
    await next()
  }
}

/**
 * Counts requests to unknown addresses: with a valid key towards its caller's limit, with a wrong one as a failed
 * authentication, so that an unknown address is no way to try secrets.
 *
 * @throws ApiError 429 where the bucket is empty.
 */
export function recognize(deps: Deps): ApiMiddleware {
  return async (ctx, next) => {
    const credentials = readCredentials(ctx.get('Authorization'))
    if (credentials !== null && credentials.secret !== '') {
      const admitted = await findKey(deps, credentials, false)
      if (admitted === null) await countFailure(deps, ctx)
      else admit(ctx, admitted)
    }
    await next()
  }
}

async function findKey(
  { vault, admitKey }: Deps,
  { projectId, secret, meansSandbox }: Credentials,
  isSecondary: boolean,
  reading: AdmittedReading | null = null,
): Promise<Admitted | null> {
  const secretHash = vault.hashSecret(secret)
  const key = await admitKey({ projectId, secretHash, meansSandbox, isSecondary }, reading)
  if (key === null || !vault.isSameHash(secretHash, key.secretHash)) return null
  const { usage, secretHash: _, found, ...known } = key
  return { caller: { ...known, kind: 'key' }, usage, ...(reading !== null && { found }) }
}

/** The row to read as the request is admitted; null where the address contains no valid id. */
function readingFor({ orm }: Deps, { reads }: Access): (ctx: ApiContext) => AdmittedReading | null {
  if (reads === undefined) return () => null
  const { kind, ...read } = reads === 'payment' ? { kind: 'invoice' as const, ...PAYMENT_READ } : resourceOf(reads)
  let statement: AdmittedReading['statement'] | undefined
  return ({ params: { id = '' } }) => {
    if (!isIdentifier(kind, id)) return null
    statement ??= readAdmitted(orm, read)
    return { statement, id }
  }
}

async function findClient(
  { orm }: Deps,
  ctx: ApiContext,
  { projectId, meansSandbox }: Credentials,
): Promise<Admitted | null> {
  const where = { sandbox: meansSandbox, environment: environmentOf(meansSandbox) }
  const asked = { projectId, ...where, networks: networksOf(ctx.ip), invoiceId: invoiceIn(ctx) }
  const client = await admitClient(orm.em.fork(), asked)
  if (client === null) return null
  const { usage, ...known } = client
  return { caller: { ...known, ...where, kind: 'client', apiKeyId: null, permissions: [] }, usage }
}

function admit(ctx: ApiContext, { caller, usage, found }: Admitted): void {
  ctx.state.caller = caller
  if (found !== undefined) ctx.state.found = found
  ctx.state.usage = usage
  if (!usage.isAllowed) throw rateExceeded(usage)
}

function invoiceIn(ctx: ApiContext): string | null {
  const { id = '' } = ctx.params
  return isIdentifier('invoice', id) ? id : null
}

/** The values of `Sec-Fetch-Site` of a request that no page of another site has made. */
const OWN_SITES: readonly string[] = ['', 'same-origin', 'none']

/**
 * Refuses changes that a web page makes with a secret key. A browser in which somebody has entered a key sends it with the
 * forms of any page. It then also sends `Sec-Fetch-Site`, or `Origin` in older versions. Servers send neither.
 *
 * @throws ApiError 403.
 */
function refusePages(ctx: ApiContext): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return
  if (OWN_SITES.includes(ctx.get('Sec-Fetch-Site').toLowerCase()) && ctx.get('Origin') === '') return
  throw new ApiError(
    'request.authentication.missing-permission',
    'A page may not use a secret key: send the request from a server, without Origin and Sec-Fetch-Site.',
  )
}

function requirePermission(caller: Caller, permission: Permission): void {
  if (caller.permissions.includes(permission)) return
  const message = `The secret key lacks the permission "${permission}".`
  throw new ApiError('request.authentication.missing-permission', message)
}

/**
 * Counts wrong credentials by address, in a limit of its own.
 *
 * @throws ApiError 429 after too many.
 */
async function countFailure({ orm }: Deps, ctx: ApiContext): Promise<void> {
  refuseBeyond(ctx, await countFailedAuthentication(orm.em.fork(), networksOf(ctx.ip)))
}

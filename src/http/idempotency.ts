import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { IdempotencyClaim } from '../../domain/command.ts'
import { answerLostKey, claimKey, type FoundKey, findKey, type KeptAnswer, keepAnswer } from '../idempotency/record.ts'
import { inTurn } from '../persistence/in-turn.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { type Changes, makeChanges } from '../persistence/queries/webhooks/project-event.ts'
import type { Vault } from '../vault/vault.ts'
import { ApiError } from './api-error.ts'
import { clientSecretIn } from './clients/client-secret.ts'
import { type ApiContext, type ApiMiddleware, callerOf, scopeOf } from './context.ts'
import type { AppDeps } from './dependencies.ts'
import { isOnlyNull, withoutNulls } from './input/input.ts'
import { bodyOf, type Fields } from './middleware/body.ts'
import { withFacts } from './route-access.ts'

const HEADER = 'Idempotency-Key'
/** Shows the merchant that the answer is the kept one of an earlier request with the same key. */
const REPLAYED_HEADER = 'Idempotent-Replayed'

/** Printable ASCII, as headers allow, and up to Stripe's length: room for a UUID with a prefix. */
const KEY = /^[\x20-\x7e]{1,255}$/

/** Polls soon, because most answers come soon, and then less often, because a hundred requests may wait. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 250
const PAUSE_GROWTH = 1.5

/**
 * Judges a request and writes, on this EntityManager only; returns the body of the answer, whose status is 200. Events go
 * through `changes`, which announces them after the commit.
 */
type Mutate<Body extends object> = (ctx: ApiContext, em: EntityManager, changes: Changes) => Promise<Body>

/** Adds parts of an answer outside of body and database, such as a header. */
type Decorate<Body extends object> = (ctx: ApiContext, body: Body) => void

/** Converts the text of an answer for storage and back to the same bytes. */
export interface Keeping {
  toStored(text: string): string
  fromStored(stored: string): string
}

const IN_PLAIN: Keeping = { toStored: (text) => text, fromStored: (stored) => stored }

/**
 * A route that changes our own rows in one database transaction and moves no money. With an `Idempotency-Key` the same
 * transaction keeps the answer: an error leaves nothing behind, and a repeated request gets the same bytes without
 * repeating the work. A concurrent repetition waits for the lock of the first, and after the lock timeout is asked to come
 * again. `mutate` must not use another EntityManager: other requests may hold every other connection.
 *
 * @example
 * mutation(deps, async (ctx, em) => {
 *   const input = readCardInput(bodyOf(ctx))
 *   await insertCard(em, row)
 *   return { success: true, card: presentCard(row) }
 * })
 */
export function mutation<Body extends object>(
  deps: Pick<AppDeps, 'orm' | 'vault' | 'clock' | 'randomBytes' | 'announce'>,
  mutate: Mutate<Body>,
  decorate: Decorate<Body> = () => {},
  keeping: Keeping = IN_PLAIN,
): ApiMiddleware {
  const route: ApiMiddleware = async (ctx) => {
    const claim = claimOf(ctx, deps.vault)
    const em = deps.orm.em.fork()
    // Requests that change the same object, or carry the same key, share a limited number of connections.
    const object: string | undefined = ctx.params.id ?? claim?.id
    const change = <Result>(make: (transaction: EntityManager, changes: Changes) => Promise<Result>) =>
      object === undefined ? makeChanges(deps, em, make) : inTurn(em, object, () => makeChanges(deps, em, make))
    if (claim === null) {
      const body = await change((transaction, changes) => mutate(ctx, transaction, changes))
      ctx.body = body
      decorate(ctx, body)
    } else {
      const { text, isReplayed } = await change((transaction, changes) => mutateOnce(ctx, transaction, changes, claim))
      sendKeptAnswer(ctx, { status: 200, body: text }, isReplayed)
      decorate(ctx, JSON.parse(text) as Body)
    }
  }
  return withFacts(route, { keepsAnswers: true })

  async function mutateOnce(ctx: ApiContext, em: EntityManager, changes: Changes, claim: IdempotencyClaim) {
    const now = deps.clock.now()
    if ((await claimKey(em, scopeOf(ctx), claim, null, now)) === 'taken') {
      const found = ofSameBody(await findKey(em, claim, now))
      // The key was deleted between the claim and this read, after its 72 hours.
      if (found.kind === 'free') throw new ApiError('request.still-processing')
      if (found.kind !== 'answered') throw new Error('A key was committed without its answer.')
      return { text: keeping.fromStored(found.body), isReplayed: true }
    }
    const text = JSON.stringify(await mutate(ctx, em, changes))
    await keepAnswer(em, claim, { status: 200, body: keeping.toStored(text) }, now)
    return { text, isReplayed: false }
  }
}

/**
 * Has a payment execute a command and answers; the claim travels with the command.
 *
 * @returns the operation of the answered command.
 */
type Pay = (ctx: ApiContext, idempotency: IdempotencyClaim | null) => Promise<string>

type PaymentDeps = Pick<AppDeps, 'orm' | 'vault' | 'clock' | 'waits'>

/**
 * A route that moves money. The payment claims the `Idempotency-Key` with its attempt and keeps the answer with its
 * outcome, each under its row lock. The kept answer wins over anything that this request itself found: of several requests
 * with one key one is executed, the others wait for it, and all get the same bytes.
 */
export function paymentMutation(deps: PaymentDeps, pay: Pay): ApiMiddleware {
  const route: ApiMiddleware = async (ctx) => {
    const claim = claimOf(ctx, deps.vault)
    if (claim === null) {
      await pay(ctx, null)
    } else if (!(await replay(deps, ctx, claim, null))) {
      await payOnce(deps, ctx, claim, pay)
    }
  }
  return withFacts(route, { keepsAnswers: true })
}

async function payOnce(deps: PaymentDeps, ctx: ApiContext, claim: IdempotencyClaim, pay: Pay): Promise<void> {
  let operationId: string
  try {
    operationId = await pay(ctx, claim)
  } catch (error) {
    // A repetition is often refused: the answer of the first request with the key, if there is one, takes precedence.
    if (error instanceof ApiError && (await replay(deps, ctx, claim, null))) return
    throw error
  }
  await replay(deps, ctx, claim, operationId)
}

/**
 * Sends the answer of a key as soon as it is kept.
 *
 * @param own the operation that the request began, if any: its answer is no replay.
 * @returns false where the key is free.
 * @throws ApiError where the key came with another body, or its request is still under way after `idempotencyMs`.
 */
async function replay(
  { orm, clock, waits }: PaymentDeps,
  ctx: ApiContext,
  claim: IdempotencyClaim,
  own: string | null,
): Promise<boolean> {
  const em = orm.em.fork()
  const waitsUntil = performance.now() + waits.idempotencyMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    const found = ofSameBody(await findKey(em, claim, clock.now()))
    if (found.kind === 'free') return false
    if (found.kind === 'answered') {
      sendKeptAnswer(ctx, found, found.operationId !== own)
      return true
    }
    if (performance.now() > waitsUntil) throw new ApiError('request.still-processing')
    if (found.kind === 'lost') await inTurn(em, claim.id, () => answerLostKey(em.fork(), claim, clock.now()))
    else await sleep(pause)
  }
}

/**
 * The claim of a request's `Idempotency-Key`; null without one, and for an empty one, which a client library sends with every
 * call (source: processout-ruby). A key is scoped to its project, environment, method and
 * address in any spelling. The merchant's server, each of its people, and clients with different client secrets have
 * separate keys, so that none gets an answer meant for another. The claim reveals neither the key nor the body.
 *
 * @throws ApiError where the key is too long, or has other characters.
 */
function claimOf(ctx: ApiContext, vault: Pick<Vault, 'hashRequest'>): IdempotencyClaim | null {
  const key = ctx.headers[HEADER.toLowerCase()]
  if (key === undefined || key === '') return null
  if (typeof key !== 'string' || !KEY.test(key)) throw invalidKey(`${HEADER} has 1 to 255 printable ASCII characters.`)
  const { projectId, environment, kind, personId } = callerOf(ctx)
  // The route and its ids: `/invoices` and `/invoices/` are one address, and an id may be percent-encoded.
  const address = [String(ctx._matchedRoute), ctx.params]
  const whose = kind === 'key' ? [] : [kind, kind === 'person' ? personId : clientSecretIn(ctx)]
  return {
    id: vault.hashRequest(JSON.stringify(['key', projectId, environment, ctx.method, ...address, key, ...whose])),
    requestHash: vault.hashRequest(JSON.stringify(['body', canonicalJson(meantBy(bodyOf(ctx).fields))])),
    requestId: ctx.state.requestId,
  }
}

/** The meaning of a body: null equals an absent field, except the null that cancels a scheduled capture. */
function meantBy(fields: Fields): Fields {
  const given = withoutNulls(fields)
  return isOnlyNull(fields, 'auto_capture_at') ? { ...given, auto_capture_at: null } : given
}

/** @throws ApiError where the key was used before with another body. */
function ofSameBody(found: FoundKey): Exclude<FoundKey, { kind: 'of another body' }> {
  if (found.kind !== 'of another body') return found
  throw invalidKey('This idempotency key was used before with another body. Use a new key for a new request.')
}

function invalidKey(message: string): ApiError {
  return new ApiError('request.idempotency-key.invalid', { message })
}

/** Sends the exact kept bytes. */
function sendKeptAnswer(ctx: ApiContext, { status, body }: KeptAnswer, isReplayed: boolean): void {
  const { error_type: errorType } = JSON.parse(body) as { error_type?: string }
  if (errorType !== undefined) ctx.state.errorType = errorType
  ctx.status = status
  ctx.type = 'json'
  ctx.body = body
  if (isReplayed) ctx.set(REPLAYED_HEADER, 'true')
}

import type { IdempotencyClaim } from '../../../domain/command.ts'
import { inTurn } from '../../persistence/in-turn.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { claimKey, completeKey, findKey } from '../../persistence/queries/payments/idempotency-keys.ts'
import { makeChanges } from '../../persistence/queries/webhooks/make-changes.ts'
import type { Changes } from '../../persistence/queries/webhooks/project-event.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { claimOf } from './claim.ts'
import { IN_PLAIN, type Keeping } from './keeping.ts'
import { keptAnswerOf, refuseOtherBody, sendKeptAnswer } from './kept-answer.ts'

/**
 * Judges a request and writes, on this EntityManager only; gives the body of the answer, whose status is 200. Events go
 * through `changes`, which announces them after the commit.
 */
type Mutate<Body extends object> = (ctx: ApiContext, em: EntityManager, changes: Changes) => Promise<Body>

/** Adds what belongs to an answer and is in neither its body nor the database, such as a header. */
type Decorate<Body extends object> = (ctx: ApiContext, body: Body) => void

/**
 * A route that changes rows of our own and moves no money, in one database transaction. With an `Idempotency-Key` the
 * same transaction keeps the answer, so that either both are there or neither: an error leaves nothing behind, and a
 * request that comes again gets the same bytes, without the work being done a second time. One that comes meanwhile waits for
 * the first as for any lock, and is then told to come again. `mutate` must not ask for another EntityManager: other requests
 * may hold every other connection.
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
  return async (ctx) => {
    const claim = claimOf(ctx, deps.vault)
    const em = deps.orm.em.fork()
    // What changes one object takes turns, and so does what comes with one key.
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

  async function mutateOnce(ctx: ApiContext, em: EntityManager, changes: Changes, claim: IdempotencyClaim) {
    const now = deps.clock.now()
    if ((await claimKey(em, scopeOf(ctx), claim, null, now)) === 'taken') {
      return { text: keeping.told(await keptText(em, claim)), isReplayed: true }
    }
    const text = JSON.stringify(await mutate(ctx, em, changes))
    await completeKey(em, claim, { status: 200, body: keeping.kept(text) }, now)
    return { text, isReplayed: false }
  }
}

/** The text that was kept for a key that came before. */
async function keptText(em: EntityManager, claim: IdempotencyClaim): Promise<string> {
  const row = await findKey(em, claim.id)
  // It went between the claim and this look: its 72 hours are over.
  if (row === null) throw new ApiError('request.still-processing')
  refuseOtherBody(row, claim)
  const answer = keptAnswerOf(row)
  if (answer === null) throw new Error('A key was committed without its answer.')
  return answer.body
}

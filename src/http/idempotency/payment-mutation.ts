import { setTimeout as sleep } from 'node:timers/promises'
import type { IdempotencyClaim } from '../../../domain/command.ts'
import { inTurn } from '../../persistence/in-turn.ts'
import { findKey, type KeptAnswer } from '../../persistence/queries/payments/idempotency-keys.ts'
import { ApiError } from '../api-error.ts'
import type { ApiContext, ApiMiddleware } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { claimOf } from './claim.ts'
import { keptAnswerOf, refuseOtherBody, sendKeptAnswer } from './kept-answer.ts'
import { completeLostKey, LOST_AFTER_MS } from './lost-answer.ts'

/** How long a repeated request waits for the first one: longer than a gateway usually takes. */
const WAIT_MS = 5_000
/** Asked soon, because most answers come soon, and then less often, because a hundred may wait. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 250
const PAUSE_GROWTH = 1.5

/**
 * Has a payment do something and answers; the claim goes with the command.
 *
 * @returns the operation of the command that was answered.
 */
type Pay = (ctx: ApiContext, idempotency: IdempotencyClaim | null) => Promise<string>

type Deps = Pick<AppDeps, 'orm' | 'vault' | 'clock'>

/**
 * A route that moves money. With an `Idempotency-Key`, what was kept for the key is the answer, whatever this request
 * found: the payment claims the key with its attempt and keeps the answer with its outcome, each under its row lock. So
 * of requests with the same key one is carried out, and all get its bytes; while it is under way, the others wait.
 */
export function paymentMutation(deps: Deps, pay: Pay): ApiMiddleware {
  return async (ctx) => {
    const claim = claimOf(ctx, deps.vault)
    if (claim === null) {
      await pay(ctx, null)
    } else if (!(await replay(deps, ctx, claim, null))) {
      await payOnce(deps, ctx, claim, pay)
    }
  }
}

async function payOnce(deps: Deps, ctx: ApiContext, claim: IdempotencyClaim, pay: Pay): Promise<void> {
  let operationId: string
  try {
    operationId = await pay(ctx, claim)
  } catch (error) {
    // Refused, as a repetition often is: what a request with the same key has done meanwhile is the answer.
    if (error instanceof ApiError && (await replay(deps, ctx, claim, null))) return
    throw error
  }
  await replay(deps, ctx, claim, operationId)
}

/**
 * Sends what is kept for a key, as soon as it is.
 *
 * @param own the operation that the request began, if any: its answer is no repetition.
 * @returns false where the key is free.
 * @throws ApiError where the key came with another body, or its request is still under way after 5 s.
 */
async function replay(deps: Deps, ctx: ApiContext, claim: IdempotencyClaim, own: string | null): Promise<boolean> {
  const kept = await awaitAnswer(deps, claim)
  if (kept === null) return false
  sendKeptAnswer(ctx, kept.answer, kept.operationId !== own)
  return true
}

interface Kept {
  answer: KeptAnswer
  operationId: string | null
}

async function awaitAnswer({ orm, clock }: Deps, claim: IdempotencyClaim): Promise<Kept | null> {
  const em = orm.em.fork()
  const waitsUntil = performance.now() + WAIT_MS
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    const row = await findKey(em, claim.id)
    if (row === null) return null
    refuseOtherBody(row, claim)
    const answer = keptAnswerOf(row)
    if (answer !== null) return { answer, operationId: row.operationId ?? null }
    if (performance.now() > waitsUntil) throw new ApiError('request.still-processing')
    const isLost = clock.now().getTime() - row.createdAt.getTime() > LOST_AFTER_MS
    if (isLost) await inTurn(em, claim.id, () => completeLostKey(em.fork(), row, claim, clock.now()))
    else await sleep(pause)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { randomText } from '../../../domain/identifiers.ts'
import { type ClockMove, paymentTime } from '../../../domain/test-clock.ts'
import { ApiError, invalidState } from '../../http/api-error.ts'
import { type ApiMiddleware, callerOf, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { paymentMutation } from '../../http/idempotency.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { findKey, keepAnswer } from '../../idempotency/record.ts'
import { presentClockAdvance } from '../../objects/test-clock.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findTransactionOfInvoice } from '../../persistence/queries/payments/find-payment.ts'
import { beginMove, type ClockOwner, endMove, readClock } from '../../persistence/queries/payments/test-clock.ts'
import { findPendingEvents } from '../../persistence/queries/webhooks/pending-events.ts'
import { isLostAnswer } from '../../temporal/client.ts'
import { TimeSkippingNotAllowed } from '../../temporal/test-clock.ts'
import { invoiceIn } from '../invoices/invoices.ts'
import { type Advancing, advanceClock } from './advance-clock.ts'
import { readClockAdvance } from './clock-input.ts'
import { descriptionOf } from './execute-command.ts'
import { keepFirst } from './respond.ts'

/** With the wait for another advance it is less than the 30 s for which merchants wait. */
const MOVES_FOR_MS = 20_000
/** Longer than an advance takes: only that of a process that died is still held then. */
const HELD_FOR_MS = MOVES_FOR_MS + 10_000
const PAUSE_MS = 100

type ClockDeps = Pick<AppDeps, 'orm' | 'testClock' | 'vault' | 'clock' | 'randomBytes' | 'logger' | 'waits'>

/**
 * Advances the clock of a sandbox payment, and answers with the payment as it is then. An answer is kept for its
 * `Idempotency-Key` when the target is reached; until then the same key goes on to the same target.
 */
export function advanceTestClock(deps: ClockDeps): ApiMiddleware {
  return paymentMutation(deps, async (ctx, idempotency) => {
    const em = deps.orm.em.fork()
    const invoice = await invoiceIn(ctx, em)
    if (callerOf(ctx).environment === 'live') throw new ApiError('request.clock.sandbox-only')
    const targetOf = readClockAdvance(bodyOf(ctx))
    const owner = { ...scopeOf(ctx), invoiceId: invoice.id }
    const key = idempotency?.id ?? null
    await refuseIfNothingWaits(deps, em, owner, key)
    const name = `clock-${randomText(deps.randomBytes)}`
    const move = await begin(deps, em, owner, { key, targetOf })
    let isOver = false
    try {
      // Of two equal requests at once the second one finds the answer of the first.
      isOver = idempotency !== null && (await findKey(em.fork(), idempotency, deps.clock.now())).kind === 'answered'
      if (isOver) return name
      const isComplete = await advance(deps, em, { payment: descriptionOf(invoice), owner, target: move.target })
      const transaction = await findTransactionOfInvoice(em, owner, owner.invoiceId)
      if (transaction === null) throw new Error('The payment is gone whose clock was advanced.')
      const now = deps.clock.now()
      const time = paymentTime(transaction, now.getTime())
      const body = presentClockAdvance(transaction, move, { time, isComplete })
      const kept = { status: 200, body: JSON.stringify(body) }
      if (isComplete)
        await keepFirst(em, owner, { idempotency, name, now }, (inner, claim) => keepAnswer(inner, claim, kept, now))
      isOver = isComplete
      ctx.body = body
      return name
    } finally {
      await endMove(em, owner, move, isOver)
    }
  })
}

const NOTHING_WAITS =
  'Nothing of this payment waits: no step becomes due, and none of its webhooks is to be sent again. Its clock stays.'

/** @throws ApiError where the time that passes changes nothing. An advance that is not finished goes on all the same. */
async function refuseIfNothingWaits(
  { clock }: ClockDeps,
  em: EntityManager,
  owner: ClockOwner,
  key: string | null,
): Promise<void> {
  const transaction = await findTransactionOfInvoice(em, owner, owner.invoiceId)
  if (transaction === null)
    throw invalidState('Nothing was paid yet, so nothing waits. The clock begins with a payment.')
  if (key !== null && transaction.clockMove?.key === key) return
  const { isAwaiting } = await readClock(em, owner, clock.now())
  if (isAwaiting || (await findPendingEvents(em, owner, owner.invoiceId)).length > 0) return
  throw invalidState(NOTHING_WAITS)
}

/** @throws ApiError while another advance is under way, and where its instant is not allowed. */
async function begin(
  { clock, waits }: ClockDeps,
  em: EntityManager,
  owner: ClockOwner,
  { key, targetOf }: { key: string | null; targetOf: (time: number) => number },
): Promise<ClockMove> {
  const waitsUntil = performance.now() + waits.testClockMs
  for (;;) {
    const now = clock.now()
    const heldUntil = new Date(now.getTime() + HELD_FOR_MS)
    const move = await beginMove(em, owner, { now, heldUntil, key }, targetOf)
    if (move !== 'busy') return move
    if (performance.now() > waitsUntil) throw new ApiError('request.still-processing')
    await sleep(PAUSE_MS)
  }
}

/**
 * @returns false if not all that was due has happened in time.
 * @throws ApiError where the server does not skip time, or did not begin to.
 */
async function advance(deps: ClockDeps, em: EntityManager, advancing: Advancing): Promise<boolean> {
  const progress = { hasMoved: false }
  try {
    await deps.testClock.within(Date.now() + MOVES_FOR_MS, () => advanceClock(deps, em, advancing, progress))
    return true
  } catch (error) {
    if (error instanceof TimeSkippingNotAllowed) throw new ApiError('request.clock.not-available')
    if (!isLostAnswer(error)) throw error
    const about = { err: error, invoice_id: advancing.owner.invoiceId }
    deps.logger.warn(about, 'The clock of a payment was not advanced to its target in time')
    if (!progress.hasMoved) throw new ApiError('request.not-started')
    return false
  }
}

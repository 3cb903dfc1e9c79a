import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import type { GatewayOperationType, LookUp, Outcome } from '../../../domain/operation.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { FollowUpRequest, Gateway } from '../gateway.ts'
import { gatewayOperationId } from './facts.ts'
import { createLog, type Execute, type FollowUpEntry, type Found, type Logged } from './log.ts'
import { refusal } from './scenario.ts'
import { declined, judgeAuthorization } from './verdict.ts'

export interface SimulatorOptions {
  execute: Execute
  /** Dates the log, the scheme's ids and what is told unasked; the machine's clock by default. */
  clock?: Clock
}

type FollowUpType = Exclude<GatewayOperationType, 'authorization'>

const LOST: Outcome = { kind: 'unknown', reason: 'The answer of the gateway was lost.' }

const REFUSALS: FollowUpEntry['refusals'] = {
  unknown: declined(refusal('gateway.transaction-not-found')),
  currency: declined(refusal('gateway.validation-error')),
  closed: declined(refusal('gateway.invalid-state')),
  amount: declined(refusal('gateway.validation-error')),
}

/** How many look-ups of an outcome that comes late tell nothing. */
const SILENT_LOOK_UPS = 3

/**
 * A whole gateway inside the sandbox: it keeps books of its own in the schema `simulator`, refuses what a gateway
 * would refuse, and plays the story of the test card it is given. See the README beside this file.
 */
export function createSimulator({ execute, clock = systemClock }: SimulatorOptions): Gateway {
  const log = createLog(execute)
  const entryOf = (type: FollowUpType, request: FollowUpRequest): FollowUpEntry => ({
    ...request,
    askedAt: clock.now(),
    approval: {
      kind: 'approved',
      gatewayOperationId: gatewayOperationId(type, request.reference),
      amountMinor: request.amountMinor,
      currency: request.currency,
    },
    refusals: REFUSALS,
  })

  return {
    name: 'simulator',
    capabilities: ALL_CAPABILITIES,
    referencesAreIdempotent: true,

    authorize: (request, signal) =>
      answered(signal, async () => {
        const entry = judgeAuthorization(request, clock.now())
        return entry.delivery === 'not-sent' ? entry.outcome : delivered(await log.authorize(entry))
      }),
    capture: (request, signal) =>
      answered(signal, async () => delivered(await log.capture(entryOf('capture', request), request.isFinal))),
    increment: (request, signal) =>
      answered(signal, async () =>
        delivered(await log.increment(entryOf('increment_authorization', request), request.targetTotalMinor)),
      ),
    void: (request, signal) => answered(signal, async () => delivered(await log.void(entryOf('void', request)))),
    refund: (request, signal) => answered(signal, async () => delivered(await log.refund(entryOf('refund', request)))),

    async lookUp({ reference, type }, signal): Promise<LookUp> {
      try {
        return told(await untilAborted(signal, () => log.lookUp(reference, type)))
      } catch (error) {
        return { kind: 'unreachable', reason: reasonOf(error) }
      }
    },
  }
}

/** The truth, unless it gets lost on its way to us. */
function delivered({ outcome, delivery, isSameRequest }: Logged): Outcome {
  if (!isSameRequest) return { kind: 'unknown', reason: 'The reference was used for another request before.' }
  return delivery === null ? outcome : LOST
}

/** What a look-up answers. */
function told(found: Found | null): LookUp {
  if (found === null) return { kind: 'never-seen' }
  const { outcome, delivery, lookedUp } = found
  if (delivery === 'never-resolved' || (delivery === 'late' && lookedUp <= SILENT_LOOK_UPS)) {
    return { kind: 'unreachable', reason: 'The gateway cannot tell what happened.' }
  }
  return outcome.kind === 'unknown' ? { kind: 'unreachable', reason: outcome.reason } : { kind: 'found', outcome }
}

/** Once a call has begun, whatever goes wrong leaves its outcome unknown. */
async function answered(signal: AbortSignal, call: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await untilAborted(signal, call)
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) }
  }
}

/** Ends the wait, not the work: what the gateway was asked, it goes on doing. */
async function untilAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([call(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The kind of failure only: messages of a database may quote what was sent. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return error instanceof Error ? `No answer: ${error.name}${code}.` : 'No answer.'
}

import type { GatewayOperationType, LookUp, Outcome } from '../../../domain/operation.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { AuthorizeRequest, FollowUpRequest, Gateway } from '../gateway.ts'
import { gatewayOperationId } from './facts.ts'
import { createLog, type Execute, type FollowUpEntry, type Logged } from './log.ts'
import { refusal, SCENARIOS, type Script, scenarioOf } from './scenarios.ts'
import { findTestCard } from './test-cards.ts'
import { judgeAuthorization } from './verdict.ts'

export interface SimulatorOptions {
  execute: Execute
  /** Dates the log and the scheme's ids; the machine's clock by default. */
  clock?: Clock
}

type FollowUpType = Exclude<GatewayOperationType, 'authorization'>

const LOST: Outcome = { kind: 'unknown', reason: 'The answer of the gateway was lost.' }

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
    scripts: DECLINES[type],
  })

  return {
    name: 'simulator',
    capabilities: { authorize: true, partialCapture: true, partialVoid: true, incrementalAuthorization: true },
    referencesAreIdempotent: true,

    authorize: (request, signal) =>
      answered(signal, async () => {
        const script = scriptOf(request)
        if (script?.delivery === 'not-sent' && script.decline) return { kind: 'declined', ...script.decline }
        return delivered(await log.authorize(judgeAuthorization(request, clock.now())), script)
      }),
    capture: (request, signal) =>
      answered(signal, async () => {
        const logged = await log.capture(entryOf('capture', request), request.isFinal)
        return delivered(logged, scenarioOf(logged.scenario).capture)
      }),
    increment: (request, signal) =>
      answered(signal, async () => {
        const logged = await log.increment(entryOf('increment_authorization', request), request.targetTotalMinor)
        return delivered(logged, scenarioOf(logged.scenario).increment)
      }),
    void: (request, signal) =>
      answered(signal, async () => {
        const logged = await log.void(entryOf('void', request))
        return delivered(logged, scenarioOf(logged.scenario).void)
      }),

    async lookUp({ reference, type }, signal): Promise<LookUp> {
      try {
        const outcome = await untilAborted(signal, () => log.find(reference, type))
        if (outcome === null) return { kind: 'never-seen' }
        return outcome.kind === 'unknown' ? { kind: 'unreachable', reason: outcome.reason } : { kind: 'found', outcome }
      } catch (error) {
        return { kind: 'unreachable', reason: reasonOf(error) }
      }
    },
  }
}

const declined = (...of: Parameters<typeof refusal>): Outcome => ({ kind: 'declined', ...refusal(...of) })

const REFUSALS: FollowUpEntry['refusals'] = {
  unknown: declined('gateway.transaction-not-found'),
  currency: declined('gateway.validation-error'),
  closed: declined('gateway.invalid-state'),
  amount: declined('gateway.validation-error'),
}

/** The declines of the scenarios, in the shape that the statements look them up in. */
function declinesAt(step: 'capture' | 'increment' | 'void'): FollowUpEntry['scripts'] {
  const scripts: FollowUpEntry['scripts'] = {}
  for (const key of Object.keys(SCENARIOS)) {
    const script: (Script & { from?: number }) | undefined = scenarioOf(key)[step]
    if (script?.decline) scripts[key] = { from: script.from ?? 1, outcome: { kind: 'declined', ...script.decline } }
  }
  return scripts
}

const DECLINES: Record<FollowUpType, FollowUpEntry['scripts']> = {
  capture: declinesAt('capture'),
  increment_authorization: declinesAt('increment'),
  void: declinesAt('void'),
}

function scriptOf({ card }: AuthorizeRequest): Script | undefined {
  const testCard = findTestCard(card.number)
  return testCard === null ? undefined : scenarioOf(testCard.scenario).authorize
}

/** The truth, unless it gets lost on its way to us. */
function delivered({ outcome, isSameRequest }: Logged, script: Script | undefined): Outcome {
  if (!isSameRequest) return { kind: 'unknown', reason: 'The reference was used for another request before.' }
  return script?.delivery === 'lost' ? LOST : outcome
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

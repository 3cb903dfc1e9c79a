import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import { type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { Gateway, LookUpRequest } from '../gateway.ts'
import { drawDelay, drawFault, type Random } from './faults.ts'
import type { Execute } from './ledger.ts'
import { readNotification } from './notifications.ts'
import { decline, unknown } from './scenarios.ts'
import { type FaultSettings, readFaultSettings } from './settings.ts'
import { createSimulatedGateway, FAILURE_CODE, LOST, type Step } from './simulated-gateway.ts'
import { scenarioKeyOf, scenarioOf } from './test-cards.ts'

export interface SimulatorOptions {
  /** Reaches the ledger of the simulator. */
  execute: Execute
  /** Dates the log, the scheme's ids and the notifications; the machine's clock by default. */
  clock?: Clock
  /** Decides faults and delays of accounts without a seed. */
  random?: Random
  /** Carries calls to the simulated gateway and answers back; tests lose answers on the way. */
  transport?: Transport
}

/** @param call what the simulated gateway does; resolves with its answer */
export type Transport = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

const WRONG_SETTINGS = decline('gateway.configuration-error', { gatewayCode: 'WRONG_SETTINGS', isNotSent: true })

const REFUSED = 'ECONNREFUSED'
const REFUSED_BY_CARD = notSent(REFUSED)

/** What arrives of an answer that a fault of the account loses or garbles. */
const NO_ANSWER = {
  lost: unknown('The connection to the gateway was reset.'),
  garbled: unknown('The simulator gave an answer that is not documented.'),
}

/**
 * A whole gateway inside the sandbox: it keeps a ledger of its own in the schema `simulator`, refuses what a gateway would
 * refuse, and plays the scenario of the test card it is given. See the README beside this file.
 */
export function createSimulator(options: SimulatorOptions): Gateway {
  const { execute, clock = systemClock, random = Math.random, transport = (call) => call() } = options
  const gateway = createSimulatedGateway({ execute, clock })

  /** What was asked is done also where nobody waits any more; but a process that stops does not wait for it. */
  const delayed = async <T>(settings: FaultSettings, reference: string, call: () => Promise<T>): Promise<T> => {
    if (settings.hang_ms > 0) await sleep(settings.hang_ms, undefined, { ref: false })
    const answer = await call()
    const ms = drawDelay(settings, reference, random)
    if (ms > 0) await sleep(ms, undefined, { ref: false })
    return answer
  }

  const perform = async (step: Step, signal: AbortSignal): Promise<Outcome> => {
    const { reference } = step.request
    const settings = readFaultSettings(step.request.settings)
    if (settings === null) return WRONG_SETTINGS
    if (refusesConnection(step)) return REFUSED_BY_CARD
    const fault = drawFault(settings, reference, random)
    if (fault === 'refused') return notSent(REFUSED)
    const call = async () => {
      const outcome = await gateway.perform(step, settings, fault === 'failed')
      return fault === 'lost' || fault === 'garbled' ? NO_ANSWER[fault] : outcome
    }
    // Once a call has begun, whatever goes wrong leaves its outcome unknown.
    return untilAborted(signal, () => transport(() => delayed(settings, reference, call))).catch(unanswered)
  }

  const lookUp = async (question: LookUpRequest, signal: AbortSignal): Promise<LookUp> => {
    const settings = readFaultSettings(question.settings)
    if (settings === null) return { kind: 'unreachable', reason: 'The settings of the account are wrong.' }
    const call = () => delayed(settings, question.reference, () => gateway.lookUp(question))
    return untilAborted(signal, () => transport(call)).catch((error) => ({ ...unanswered(error), kind: 'unreachable' }))
  }

  return {
    name: 'simulator',
    capabilities: ALL_CAPABILITIES,
    // Its ledger is never forgotten.
    referencesKeptForMs: Number.POSITIVE_INFINITY,
    isStaged: isScripted,
    authorize: (request, signal) => perform({ type: 'authorization', request }, signal),
    capture: (request, signal) => perform({ type: 'capture', request }, signal),
    increment: (request, signal) => perform({ type: 'increment_authorization', request }, signal),
    void: (request, signal) => perform({ type: 'void', request }, signal),
    refund: (request, signal) => perform({ type: 'refund', request }, signal),
    lookUp,
    readNotification,
  }
}

/**
 * What a card plays is no failure of the gateway: a merchant's tests must not close it to one another. The faults of an
 * account are there to look like one.
 */
function isScripted(outcome: Outcome): boolean {
  if (outcome === REFUSED_BY_CARD || (outcome.kind === 'unknown' && outcome.reason === LOST.reason)) return true
  return outcome.kind === 'declined' && outcome.isNotSent !== true && outcome.gatewayCode !== FAILURE_CODE
}

/** True for the card of which nothing is sent. */
function refusesConnection(step: Step): boolean {
  if (step.type !== 'authorization' || step.request.card === null) return false
  const key = scenarioKeyOf(step.request.card)
  return key !== null && scenarioOf(key).authorize?.isNotSent === true
}

/** Ends the wait, not the work: what the gateway was asked, it goes on doing. */
async function untilAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([call(), aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** The kind of failure only: messages of a database may quote what was sent. */
function unanswered(error: unknown) {
  // Errors are read by their fields: those of timers may be of another realm than the caller's classes.
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  if (typeof name !== 'string') return unknown('No answer.')
  return unknown(typeof code === 'string' ? `No answer: ${name} (${code}).` : `No answer: ${name}.`)
}

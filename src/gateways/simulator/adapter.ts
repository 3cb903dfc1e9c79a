import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import { type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { type ConnectionTest, connected, failedTest, unconnected } from '../connection-test.ts'
import type { Gateway, GatewayAccess, ListRequest, LookUpRequest } from '../gateway.ts'
import { drawDelay, drawFault, type Random } from './faults.ts'
import type { Execute } from './ledger.ts'
import { readNotification } from './notifications.ts'
import { decline, unknown } from './scenarios.ts'
import { type FaultSettings, readFaultSettings } from './settings.ts'
import { createSimulatedGateway, FAILURE_CODE, LOST, type Step } from './simulated-gateway.ts'
import { scenarioKeyOf, scenarioOf } from './test-cards.ts'

export interface SimulatorOptions {
  /** Runs SQL on the simulator's ledger. */
  execute: Execute
  /** The time of log entries, scheme ids and notifications; the machine's clock by default. */
  clock?: Clock
  /** Chooses faults and delays of accounts without a seed. */
  random?: Random
  /** Carries calls to the simulated gateway and answers back; tests use it to lose answers. */
  transport?: Transport
}

/** @param call the simulated call; resolves with its answer */
export type Transport = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

const WRONG_SETTINGS = decline('gateway.configuration-error', { gatewayCode: 'WRONG_SETTINGS', isNotSent: true })

const REFUSED = 'ECONNREFUSED'
const REFUSED_BY_CARD = notSent(REFUSED)

/** What arrives in place of an answer that a fault of the account loses or garbles. */
const NO_ANSWER = {
  lost: unknown('The connection to the gateway was reset.'),
  garbled: unknown('The simulator gave an answer that is not documented.'),
}

/**
 * A complete gateway for the sandbox. It keeps its own ledger in the schema `simulator`, refuses what a gateway would
 * refuse, and plays the scenario of the test card. See the README beside this file.
 */
export function createSimulator(options: SimulatorOptions): Gateway {
  const { execute, clock = systemClock, random = Math.random, transport = (call) => call() } = options
  const gateway = createSimulatedGateway({ execute, clock })

  /** A call completes even if its caller no longer waits; but a stopping process does not wait for it. */
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
    // Once a call has begun, every error leaves its outcome unknown.
    return untilAborted(signal, () => transport(() => delayed(settings, reference, call))).catch(unanswered)
  }

  const lookUp = async (question: LookUpRequest, signal: AbortSignal): Promise<LookUp> => {
    const settings = readFaultSettings(question.settings)
    if (settings === null) return { kind: 'unreachable', reason: 'The settings of the account are wrong.' }
    const call = () => delayed(settings, question.reference, () => gateway.lookUp(question))
    return untilAborted(signal, () => transport(call)).catch((error) => ({ ...unanswered(error), kind: 'unreachable' }))
  }

  const listing =
    <Page>(list: (request: ListRequest) => Promise<Page>) =>
    async (request: ListRequest, signal: AbortSignal): Promise<Page | { kind: 'unreachable'; reason: string }> => {
      const settings = readFaultSettings(request.settings)
      if (settings === null) return { kind: 'unreachable', reason: 'The settings of the account are wrong.' }
      const reference = `list ${request.from.toISOString()}`
      const call = () => delayed(settings, reference, () => list(request))
      return untilAborted(signal, () => transport(call)).catch((error) => {
        return { ...unanswered(error), kind: 'unreachable' as const }
      })
    }

  const testConnection = async ({ settings: given }: GatewayAccess, signal: AbortSignal): Promise<ConnectionTest> => {
    const settings = readFaultSettings(given)
    if (settings === null) return unconnected('unclear', 'WRONG_SETTINGS')
    const fault = drawFault(settings, randomUUID(), random)
    if (fault === 'refused') return unconnected('not-reached', REFUSED)
    if (fault !== null) return unconnected('unclear', fault)
    const call = () => delayed(settings, '', async () => connected(settings.account ?? null))
    return untilAborted(signal, () => transport(call)).catch((error) => failedTest(unanswered(error)))
  }

  return {
    name: 'simulator',
    capabilities: ALL_CAPABILITIES,
    // Its ledger keeps all references.
    referencesKeptForMs: Number.POSITIVE_INFINITY,
    isStaged: isScripted,
    authorize: (request, signal) => perform({ type: 'authorization', request }, signal),
    continueAuthorization: (request, signal) => perform({ type: 'continuation', request }, signal),
    authorizesInContinuation: true,
    capture: (request, signal) => perform({ type: 'capture', request }, signal),
    increment: (request, signal) => perform({ type: 'increment_authorization', request }, signal),
    void: (request, signal) => perform({ type: 'void', request }, signal),
    refund: (request, signal) => perform({ type: 'refund', request }, signal),
    lookUp,
    listSettlements: listing(gateway.listSettlements),
    listOperations: listing(gateway.listOperations),
    testConnection,
    readNotification,
  }
}

/**
 * A scripted outcome of a test card is no failure of the gateway: tests of one merchant must not open the circuit for
 * others. Faults of an account do count as failures.
 */
function isScripted(outcome: Outcome): boolean {
  if (outcome === REFUSED_BY_CARD || (outcome.kind === 'unknown' && outcome.reason === LOST.reason)) return true
  return outcome.kind === 'declined' && outcome.isNotSent !== true && outcome.gatewayCode !== FAILURE_CODE
}

/** True for the test card whose connection is refused. */
function refusesConnection(step: Step): boolean {
  if (step.type !== 'authorization' || step.request.card === null) return false
  const key = scenarioKeyOf(step.request.card)
  return key !== null && scenarioOf(key).authorize?.isNotSent === true
}

/** Ends the wait, not the work: the gateway completes the call. */
async function untilAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([call(), aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** Only the kind of the error: database messages may quote the request. */
function unanswered(error: unknown) {
  // Errors are recognized by their fields: those of timers may come from another realm.
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  if (typeof name !== 'string') return unknown('No answer.')
  return unknown(typeof code === 'string' ? `No answer: ${name} (${code}).` : `No answer: ${name}.`)
}

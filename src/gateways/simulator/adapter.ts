import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import { type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { Gateway, GatewayAccess } from '../gateway.ts'
import type { Call } from './call.ts'
import { drawFault, type Random } from './chance.ts'
import { createEngine, FAULT_CODE } from './engine.ts'
import { createHttpLine } from './http-line.ts'
import { createInProcessLine } from './in-process-line.ts'
import { type Line, LOST, reasonOf } from './line.ts'
import type { Execute } from './log.ts'
import { readNotification } from './notifications.ts'
import { readSwitches, type Switches } from './settings.ts'
import { storyOf } from './story.ts'

export interface SimulatorOptions {
  execute: Execute
  /** Dates the log, the scheme's ids and what is told unasked; the machine's clock by default. */
  clock?: Clock
  /** Decides faults and delays of accounts without a seed. */
  random?: Random
}

const WRONG_SETTINGS: Outcome = {
  kind: 'declined',
  code: 'gateway.configuration-error',
  gatewayCode: 'WRONG_SETTINGS',
  isNotSent: true,
}

const REFUSED = 'ECONNREFUSED'
const REFUSED_BY_CARD = notSent(REFUSED)

/**
 * A whole gateway inside the sandbox: it keeps books of its own in the schema `simulator`, refuses what a gateway
 * would refuse, and plays the story of the test card it is given. It works within this process, and asks a server in its
 * place where the settings of the account name one. See the README beside this file.
 */
export function createSimulator({ execute, clock = systemClock, random = Math.random }: SimulatorOptions): Gateway {
  const inProcess = createInProcessLine(createEngine({ execute, clock, random }))
  return gatewayOver(({ baseUrl }) => (baseUrl === null ? inProcess : createHttpLine(baseUrl)), random)
}

/**
 * The simulator behind its HTTP server, whatever the settings of an account say.
 *
 * @throws TypeError where the address is not one of this machine: cards go there in the clear.
 */
export function createSimulatorOverHttp(options: { baseUrl: string; random?: Random }): Gateway {
  const line = createHttpLine(options.baseUrl)
  return gatewayOver(() => line, options.random ?? Math.random)
}

function gatewayOver(lineOf: (switches: Switches) => Line, random: Random): Gateway {
  const ask = async (call: Call, { settings }: GatewayAccess, signal: AbortSignal): Promise<Outcome> => {
    const switches = readSwitches(settings)
    if (switches === null) return WRONG_SETTINGS
    const fault = drawFault(switches, call.request.reference, random)
    if (refusesConnection(call)) return REFUSED_BY_CARD
    if (fault === 'refused') return notSent(REFUSED)
    try {
      return await lineOf(switches).send(call, { switches, settings, fault }, signal)
    } catch (error) {
      // Once a call has begun, whatever goes wrong leaves its outcome unknown.
      return { kind: 'unknown', reason: reasonOf(error) }
    }
  }

  return {
    name: 'simulator',
    capabilities: ALL_CAPABILITIES,
    // Its books are never forgotten.
    referencesKeptForMs: Number.POSITIVE_INFINITY,
    isStaged: isPlayed,

    authorize: (request, signal) => ask({ type: 'authorization', request }, request, signal),
    capture: (request, signal) => ask({ type: 'capture', request }, request, signal),
    increment: (request, signal) => ask({ type: 'increment_authorization', request }, request, signal),
    void: (request, signal) => ask({ type: 'void', request }, request, signal),
    refund: (request, signal) => ask({ type: 'refund', request }, request, signal),

    async lookUp(question, signal): Promise<LookUp> {
      const { settings } = question
      const switches = readSwitches(settings)
      if (switches === null) return { kind: 'unreachable', reason: 'The settings of the account are wrong.' }
      try {
        return await lineOf(switches).lookUp(question, { switches, settings }, signal)
      } catch (error) {
        return { kind: 'unreachable', reason: reasonOf(error) }
      }
    },

    readNotification,
  }
}

/**
 * What a card plays is no failure of the gateway: a merchant's tests must not close it to one another. The faults of an
 * account are there to look like one.
 */
function isPlayed(outcome: Outcome): boolean {
  if (outcome === LOST || outcome === REFUSED_BY_CARD) return true
  return outcome.kind === 'declined' && outcome.isNotSent !== true && outcome.gatewayCode !== FAULT_CODE
}

/** True for the card that no line carries: nothing of it is sent, in the process or over HTTP. */
function refusesConnection(call: Call): boolean {
  if (call.type !== 'authorization' || call.request.card === null) return false
  return storyOf(call.request.card)?.scenario.authorize?.delivery === 'not-sent'
}

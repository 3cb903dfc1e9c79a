import { setTimeout as sleep } from 'node:timers/promises'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { Clock } from '../../clock.ts'
import type { Call, FollowUp, FollowUpType, Question } from './call.ts'
import { drawDelay, type Random } from './chance.ts'
import { gatewayOperationId } from './facts.ts'
import { createLog, type Execute, type FollowUpEntry, type Found, type Logged } from './log.ts'
import { refusal } from './scenario.ts'
import type { Fault, Switches } from './settings.ts'
import { declined, judgeAuthorization } from './verdict.ts'

export interface EngineOptions {
  execute: Execute
  clock: Clock
  random: Random
}

/** How the answer to a call travels: it arrives, or never does, or nobody can read it. */
export type Transmission =
  | { kind: 'answered'; outcome: Outcome }
  /** `isPlayed` by a test card; else the gateway has gone wrong. */
  | { kind: 'lost'; isPlayed: boolean }
  | { kind: 'garbled' }

/** What goes wrong with a call that has arrived. */
export type FaultOfCall = Exclude<Fault, 'refused'>

export interface Circumstances {
  switches: Switches
  fault: FaultOfCall | null
  /** Aborted when nobody waits for the answer any more; what was asked is done nevertheless. */
  waiting: AbortSignal
}

/** What the simulator does with a call that has arrived, over whichever line. */
export interface Engine {
  perform(call: Call, circumstances: Circumstances): Promise<Transmission>
  lookUp(question: Question, circumstances: Omit<Circumstances, 'fault'>): Promise<LookUp>
}

const REFUSALS: FollowUpEntry['refusals'] = {
  unknown: declined(refusal('gateway.transaction-not-found')),
  currency: declined(refusal('gateway.validation-error')),
  closed: declined(refusal('gateway.invalid-state')),
  released: { kind: 'declined', ...refusal('gateway.invalid-state'), holdsNothing: true },
  amount: declined(refusal('gateway.validation-error')),
}

/** A failure of the gateway itself is told apart from that of a test card by its word. */
export const FAULT_CODE = 'SERVICE_UNAVAILABLE'
const FAILED = { ...declined(refusal('gateway.internal-error')), gatewayCode: FAULT_CODE }

/** How many look-ups of an outcome that comes late tell nothing. */
const SILENT_LOOK_UPS = 3

export function createEngine({ execute, clock, random }: EngineOptions): Engine {
  const log = createLog(execute)

  const entryOf = (type: FollowUpType, request: FollowUp, isFailing: boolean): FollowUpEntry => {
    const operationId = gatewayOperationId(type, request.reference)
    const { amountMinor, currency } = request
    return {
      ...request,
      askedAt: clock.now(),
      // The statement names what is pending at first by the id, of a failure too; a decline is read without it.
      approval: isFailing
        ? Object.assign({ gatewayOperationId: operationId }, FAILED)
        : { kind: 'approved', gatewayOperationId: operationId, amountMinor, currency },
      refusals: REFUSALS,
    }
  }

  /** One statement. Null where the story refuses the connection, so that nothing is written of it. */
  const record = async (call: Call, isFailing: boolean, switches: Switches): Promise<Logged | null> => {
    switch (call.type) {
      case 'authorization': {
        const entry = judgeAuthorization(call.request, clock.now(), switches.notices)
        if (entry.delivery === 'not-sent') return null
        return log.authorize(isFailing ? { ...entry, outcome: FAILED, delivery: null, firstUse: null } : entry)
      }
      case 'capture':
        return log.capture(entryOf(call.type, call.request, isFailing), call.request.isFinal)
      case 'increment_authorization':
        return log.increment(entryOf(call.type, call.request, isFailing), call.request.targetTotalMinor)
      case 'void':
        return log.void(entryOf(call.type, call.request, isFailing))
      case 'refund':
        return log.refund(entryOf(call.type, call.request, isFailing))
    }
  }

  return {
    async perform(call, { switches, fault, waiting }) {
      // No end of the wait takes back what was sent; and a process that stops does not wait for it.
      if (switches.hangMs > 0) await sleep(switches.hangMs, undefined, { ref: false })
      const logged = await record(call, fault === 'failed', switches)
      await delay(switches, call.request.reference, random, waiting)
      // Who gets here with a card that refuses the connection has connected all the same.
      if (logged === null) return { kind: 'lost', isPlayed: true }
      if (fault === 'lost') return { kind: 'lost', isPlayed: false }
      return fault === 'garbled' ? { kind: 'garbled' } : transmit(logged)
    },

    async lookUp({ reference, type }, { switches, waiting }) {
      if (switches.hangMs > 0) await sleep(switches.hangMs, undefined, { signal: waiting })
      const found = await log.lookUp(reference, type)
      await delay(switches, reference, random, waiting)
      return told(found)
    },
  }
}

async function delay(switches: Switches, reference: string, random: Random, waiting: AbortSignal): Promise<void> {
  const ms = drawDelay(switches, reference, random)
  if (ms > 0) await sleep(ms, undefined, { signal: waiting })
}

/** The truth, unless it gets lost on its way. */
function transmit({ outcome, delivery, isSameRequest }: Logged): Transmission {
  if (!isSameRequest) {
    const reason = 'The reference was used for another request before.'
    return { kind: 'answered', outcome: { kind: 'unknown', reason } }
  }
  return delivery === null ? { kind: 'answered', outcome } : { kind: 'lost', isPlayed: true }
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

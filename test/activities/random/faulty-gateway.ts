import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import type { LoggedRequest } from '../../../src/gateways/simulator/read-log.ts'
import type { Fault, Scenario } from './model-steps.ts'

/** What we get to hear of a step: its end, or that there is none yet. */
export type Heard =
  | { kind: 'approved'; amountMinor: number; isSale: boolean }
  | { kind: 'declined'; isPassing: boolean }
  | { kind: 'open' }

/** The answers that a scenario withholds: of which step, and after how many look-ups it is told nevertheless. */
const WITHHELD: Partial<Record<Scenario, { type: GatewayOperationType; toldBy: number }>> = {
  'authorization-lost-approved': { type: 'authorization', toldBy: 1 },
  'authorization-lost-declined': { type: 'authorization', toldBy: 1 },
  'authorization-approved-late': { type: 'authorization', toldBy: 4 },
  'authorization-never-resolved': { type: 'authorization', toldBy: Number.POSITIVE_INFINITY },
  'capture-lost': { type: 'capture', toldBy: 1 },
  'capture-never-resolved': { type: 'capture', toldBy: Number.POSITIVE_INFINITY },
  'increment-lost': { type: 'increment_authorization', toldBy: 1 },
  'increment-never-resolved': { type: 'increment_authorization', toldBy: Number.POSITIVE_INFINITY },
  'void-lost': { type: 'void', toldBy: 1 },
  'void-never-resolved': { type: 'void', toldBy: Number.POSITIVE_INFINITY },
  'refund-lost': { type: 'refund', toldBy: 1 },
  'refund-never-resolved': { type: 'refund', toldBy: Number.POSITIVE_INFINITY },
}

/** The declines that the clock may try again. */
const PASSING = ['gateway.internal-error', 'gateway.network-error']

/**
 * What reaches us of a request, as the gateway's own log tells it. Null stands for a request that it never heard of: its
 * connection was refused.
 */
export function heardOf(request: LoggedRequest | null, { isExpiry }: { isExpiry: boolean }): Heard {
  if (request === null) return { kind: 'declined', isPassing: true }
  const { type, scenario, lookedUp, outcome } = request
  const withheld = WITHHELD[(scenario ?? 'approved') as Scenario]
  if (withheld?.type === type && lookedUp < withheld.toldBy) return { kind: 'open' }
  if (outcome.kind === 'approved')
    return { kind: 'approved', amountMinor: outcome.amountMinor, isSale: outcome.isSale === true }
  // At the end of an authorization a refusal tells nothing, unless it says that the money is free: it may have been taken.
  const isFree = outcome.kind === 'declined' && (outcome.holdsNothing === true || outcome.code === 'gateway.expired')
  if (isExpiry && outcome.kind === 'declined' && !isFree) return { kind: 'open' }
  if (outcome.kind === 'declined') return { kind: 'declined', isPassing: PASSING.includes(outcome.code) }
  return { kind: 'open' }
}

/** A gateway whose next call can be made to go wrong. */
export function createFaultyGateway() {
  let next: Fault = 'none'
  const faulty =
    <Request>(call: (request: Request, signal: AbortSignal) => Promise<Outcome>) =>
    async (request: Request, signal: AbortSignal): Promise<Outcome> => {
      const fault = next
      next = 'none'
      if (fault === 'unsent') throw new Error('The connection was closed before anything was sent.')
      const outcome = await call(request, signal)
      if (fault === 'lost') throw new Error('The connection was closed before the answer came.')
      return outcome
    }
  return {
    wrap: (gateway: Gateway): Gateway => ({
      ...gateway,
      authorize: faulty(gateway.authorize),
      capture: faulty(gateway.capture),
      increment: faulty(gateway.increment),
      void: faulty(gateway.void),
      refund: faulty(gateway.refund),
    }),
    /** A worker that dies is no fault of the gateway. */
    plan(fault: Fault): void {
      next = fault === 'died' ? 'none' : fault
    },
    /** Whether a fault is planned that has not happened. */
    get isPlanned(): boolean {
      return next !== 'none'
    },
  }
}

export type FaultyGateway = ReturnType<typeof createFaultyGateway>

import { bulkhead } from 'cockatiel'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { Clock } from '../../clock.ts'
import { changeCalls } from '../around-calls.ts'
import type { Gateway, GatewayAccess } from '../gateway.ts'
import { type Circuit, type CircuitChange, type CircuitOptions, createCircuit } from './circuit.ts'
import {
  CALLS_PER_GATEWAY_MAX,
  CIRCUITS_MAX,
  LOOK_UPS_PER_GATEWAY_MAX,
  OPEN_MS,
  readLimits,
  withoutGuardSettings,
} from './limits.ts'

export interface GuardOptions {
  clock: Clock
  /** Is told of every change of a circuit, in order, in the middle of a payment: it must neither throw nor take time. */
  onChange: (change: CircuitChange) => void
  /** How long a circuit stays open, each time in a row, in milliseconds; for tests, which do not wait so long. */
  openMs?: readonly number[]
  /** Circuits that are remembered; fewer for tests. */
  circuitsMax?: number
}

/**
 * The same gateway, where what one configuration suffers touches no other: each has its own places for calls and its own
 * circuit breaker. A call that finds no place, or an open circuit, is not sent, and says so; a call that is made ends as
 * the adapter says, whatever it does to the circuit.
 */
export function guardGateway(gateway: Gateway, options: GuardOptions): Gateway {
  const { clock, onChange, openMs = OPEN_MS, circuitsMax = CIRCUITS_MAX } = options
  const shared = { calls: bulkhead(CALLS_PER_GATEWAY_MAX), lookUps: bulkhead(LOOK_UPS_PER_GATEWAY_MAX) }
  const isStaged = (outcome: Outcome) => gateway.isStaged?.(outcome) === true
  const circuits = rememberCircuits(circuitsMax, (gatewayConfigurationId) =>
    createCircuit({ gatewayConfigurationId, shared, openMs, isStaged, clock, onChange }),
  )

  function call<Request extends GatewayAccess>(ask: (request: Request, signal: AbortSignal) => Promise<Outcome>) {
    return (request: Request, signal: AbortSignal): Promise<Outcome> => {
      const { callsMax, timeoutMs } = readLimits(request.settings)
      const theirs = forAdapter(request)
      return circuits
        .of(request.gatewayConfigurationId)
        .call(callsMax, () => ask(theirs, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])))
    }
  }

  return {
    ...changeCalls(gateway, call),
    lookUp: (request, signal): Promise<LookUp> =>
      circuits.of(request.gatewayConfigurationId).lookUp(() => gateway.lookUp(forAdapter(request), signal)),
  }
}

function forAdapter<Request extends GatewayAccess>(request: Request): Request {
  return { ...request, settings: withoutGuardSettings(request.settings) }
}

/** Circuits by configuration, no more than so many; the one that has been unused longest goes first. */
function rememberCircuits(max: number, create: (id: CircuitOptions['gatewayConfigurationId']) => Circuit) {
  const circuits = new Map<string, Circuit>()

  /** One with calls under way is not forgotten: its places are taken. One that is open goes after all that are closed. */
  function forgetOne(): void {
    const idle = [...circuits].filter(([, { isIdle }]) => isIdle)
    const [id] = idle.find(([, { state }]) => state === 'closed') ?? idle[0] ?? []
    if (id !== undefined) circuits.delete(id)
  }

  return {
    of(id: string): Circuit {
      const circuit = circuits.get(id)
      if (circuit === undefined && circuits.size >= max) forgetOne()
      const found = circuit ?? create(id)
      circuits.delete(id)
      circuits.set(id, found)
      return found
    },
  }
}

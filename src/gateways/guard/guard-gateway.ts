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
  /** Receives every change of a circuit, in order and during a payment: it must neither throw nor take time. */
  onChange: (change: CircuitChange) => void
  /** How long a circuit stays open, in milliseconds, for each opening in a row; tests use shorter times. */
  openMs?: readonly number[]
  /** The number of remembered circuits; tests use fewer. */
  circuitsMax?: number
}

/**
 * The same gateway with its configurations isolated from each other: each has its own permits and circuit breaker. A call
 * without a permit, or at an open circuit, is not sent, and its outcome says so. A call that is made returns the adapter's
 * outcome, whatever it does to the circuit.
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

  const { endAuthentication } = gateway
  return {
    ...changeCalls(gateway, call),
    ...(endAuthentication && {
      endAuthentication: (request, signal): Promise<LookUp> =>
        circuits.of(request.gatewayConfigurationId).lookUp(() => endAuthentication(forAdapter(request), signal)),
    }),
    lookUp: (request, signal): Promise<LookUp> =>
      circuits.of(request.gatewayConfigurationId).lookUp(() => gateway.lookUp(forAdapter(request), signal)),
  }
}

function forAdapter<Request extends GatewayAccess>(request: Request): Request {
  return { ...request, settings: withoutGuardSettings(request.settings) }
}

/** Circuits by configuration, limited in number; the least recently used is dropped first. */
function rememberCircuits(max: number, create: (id: CircuitOptions['gatewayConfigurationId']) => Circuit) {
  const circuits = new Map<string, Circuit>()

  /** Never drops a circuit with running calls, which hold its permits, and drops closed circuits before open ones. */
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

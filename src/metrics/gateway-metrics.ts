import { Gauge, Histogram, type Registry } from 'prom-client'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import type { Clock } from '../clock.ts'
import { changeCalls, type PaymentCall } from '../gateways/around-calls.ts'
import type { Gateway } from '../gateways/gateway.ts'
import type { CircuitChange } from '../gateways/guard/circuit.ts'

/** Up to the 15 s of the longest call. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 20]

/**
 * A circuit with payments changes every minute while it is open. One that has not changed for so long keeps nothing back:
 * the next payment passes.
 */
const OPEN_COUNTS_MS = 5 * 60 * 1000

export interface GatewayMetrics {
  /** The same gateway with its calls and look-ups measured. */
  measure(gateway: Gateway): Gateway
  /** Receives the changes of a gateway's circuits. */
  circuitChanged(gateway: string, change: CircuitChange): void
}

export function createGatewayMetrics(registry: Registry, clock: Clock): GatewayMetrics {
  const registers = [registry]
  const duration = new Histogram({
    name: 'holdfast_gateway_call_duration_seconds',
    help: 'Time of a call to a gateway, by operation and outcome; not_sent: an open circuit or a limit kept it here',
    labelNames: ['gateway', 'operation', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  const open = new Map<string, { gateway: string; changedAt: Date }>()
  new Gauge({
    name: 'holdfast_gateway_circuit_open',
    help: '1 for each gateway configuration to which this process sends no payments at present; none for all others',
    labelNames: ['gateway', 'gateway_configuration'],
    registers,
    collect() {
      this.reset()
      const since = clock.now().getTime() - OPEN_COUNTS_MS
      for (const [id, { gateway, changedAt }] of open) {
        if (changedAt.getTime() < since) open.delete(id)
        else this.set({ gateway, gateway_configuration: id }, 1)
      }
    },
  })

  async function timed<Result>(
    labels: { gateway: string; operation: string },
    call: () => Promise<Result>,
    outcomeOf: (result: Result) => string,
  ): Promise<Result> {
    const startedAt = performance.now()
    let outcome = 'thrown'
    try {
      const result = await call()
      outcome = outcomeOf(result)
      return result
    } finally {
      duration.observe({ ...labels, outcome }, (performance.now() - startedAt) / 1000)
    }
  }

  return {
    measure(gateway) {
      const { name, endAuthentication } = gateway
      const lookUp = <Request>(operation: string, ask: (request: Request, signal: AbortSignal) => Promise<LookUp>) => {
        return (request: Request, signal: AbortSignal) =>
          timed({ gateway: name, operation }, () => ask(request, signal), lookUpOutcome)
      }
      return {
        ...changeCalls(gateway, (ask, call) => (request, signal) => {
          return timed({ gateway: name, operation: OPERATIONS[call] }, () => ask(request, signal), callOutcome)
        }),
        lookUp: lookUp('look_up', gateway.lookUp),
        ...(endAuthentication && { endAuthentication: lookUp('end_authentication', endAuthentication) }),
      }
    },
    circuitChanged(gateway, { gatewayConfigurationId, state, changedAt }) {
      if (state === 'closed') open.delete(gatewayConfigurationId)
      else open.set(gatewayConfigurationId, { gateway, changedAt })
    },
  }
}

const OPERATIONS: Record<PaymentCall, string> = {
  authorize: 'authorize',
  continueAuthorization: 'continue_authorization',
  capture: 'capture',
  increment: 'increment',
  void: 'void',
  refund: 'refund',
}

function callOutcome(outcome: Outcome): string {
  if (outcome.kind === 'declined' && outcome.isNotSent === true) return 'not_sent'
  return outcome.kind.replaceAll('-', '_')
}

/** What was found counts as what became of the call. */
function lookUpOutcome(lookUp: LookUp): string {
  return lookUp.kind === 'found' ? callOutcome(lookUp.outcome) : lookUp.kind.replaceAll('-', '_')
}

import type { GatewayCircuitRow } from '../persistence/entities/gateway-circuit.ts'
import { presentTimestamp } from './timestamp.ts'

/**
 * Whether an account at a gateway is sent payments at present: `open` where a process sends none there because too many
 * failed, `half_open` where one is just trying whether the gateway is back, else `closed`. Of several processes the worst.
 *
 * @param circuits those of this account that are not closed, as `findCircuits` finds them
 */
export function presentCircuit(circuits: readonly GatewayCircuitRow[]) {
  const worst = circuits.find(({ state }) => state === 'open') ?? circuits[0]
  if (worst === undefined) return { state: 'closed', reason: null, changed_at: null, processes: 0 }
  return {
    state: worst.state === 'open' ? 'open' : 'half_open',
    reason: worst.reason,
    changed_at: presentTimestamp(worst.changedAt),
    processes: circuits.length,
  }
}

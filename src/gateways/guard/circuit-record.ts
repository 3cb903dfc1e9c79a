import type { Logger } from '../../logger.ts'
import type { CircuitChange } from './circuit.ts'

interface CircuitRecordDeps {
  logger: Logger
  /** Writes down how a circuit of this process is now. */
  record(change: CircuitChange): Promise<void>
}

/**
 * Says and writes down what becomes of circuits. Payments do not wait for it, and a database that fails leaves a line in
 * the log. Changes of one circuit that come faster than they can be written are written as the last of them.
 *
 * @returns what a guard is to tell its changes, and the end of all writing, for tests.
 */
export function createCircuitRecord({ logger, record }: CircuitRecordDeps) {
  const unwritten = new Map<string, CircuitChange>()
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    for (const [id, change] of unwritten) {
      unwritten.delete(id)
      await record(change).catch((err: unknown) =>
        logger.warn({ err, gateway_configuration_id: id }, 'The state of a circuit was not written down'),
      )
    }
    writing = null
  }

  return {
    changed(change: CircuitChange): void {
      const { gatewayConfigurationId, state, reason } = change
      const facts = { gateway_configuration_id: gatewayConfigurationId, state, reason }
      if (state === 'open') logger.warn(facts, 'A gateway fails: payments are not sent there for a while')
      else logger.info(facts, state === 'closed' ? 'A gateway is back' : 'A gateway is tried again')
      unwritten.set(gatewayConfigurationId, change)
      writing ??= writeAll()
    },
    async written(): Promise<void> {
      await writing
    },
  }
}

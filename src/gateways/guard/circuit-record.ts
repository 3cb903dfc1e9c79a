import type { Logger } from '../../logger.ts'
import type { CircuitChange } from './circuit.ts'

interface CircuitRecordDeps {
  logger: Logger
  /** Stores the current state of a circuit of this process. */
  record(change: CircuitChange): Promise<void>
}

/**
 * Logs and stores the changes of circuits. Payments do not wait for it, and a database error only leaves a line in the log.
 * If a circuit changes faster than its changes can be written, the last one is written.
 *
 * @returns the receiver of a guard's changes, and a promise for the end of all writing, for tests.
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

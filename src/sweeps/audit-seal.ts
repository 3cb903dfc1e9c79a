import { sealEntries } from '../audit/seal-entries.ts'
import type { Core } from '../processes/core.ts'
import type { Shutdown } from '../shutdown.ts'
import { startSweep } from './sweep.ts'

/** For so long whoever can write to the database could still change what was logged last and compute its hashes anew. */
const INTERVAL_MS = 60_000

/** Every worker process offers to seal the audit log each minute; one of them does it. */
export function sealAuditLog(core: Core, shutdown: Shutdown): void {
  const run = async (stopping: AbortSignal) => void (await sealEntries(core, stopping))
  startSweep({ name: 'The sealing of the audit log', intervalMs: INTERVAL_MS, run }, core.logger, shutdown)
}

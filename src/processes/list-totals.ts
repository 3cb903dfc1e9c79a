import { addUpListChanges } from '../persistence/queries/lists/list-totals.ts'
import type { Shutdown } from '../shutdown.ts'
import type { Core } from './core.ts'
import { startSweep } from './sweep.ts'

/** At a hundred payments a second a list then has some two thousand changes to add up, which takes it a millisecond. */
const INTERVAL_MS = 5_000

/** Every worker process adds up how many rows the lists have; what one has taken no other one takes. */
export function addUpLists({ orm, logger }: Core, shutdown: Shutdown): void {
  const run = (stopping: AbortSignal) => addUpListChanges(orm.em.fork(), stopping)
  startSweep({ name: 'The adding up of lists', intervalMs: INTERVAL_MS, run }, logger, shutdown)
}

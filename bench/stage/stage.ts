import type { Core } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { startUpdateFloor, type UpdateFloor } from '../floor/update-floor.ts'
import { type CostMeter, createCostMeter } from '../measure/cost-meter.ts'
import type { Role } from '../measure/costs.ts'
import { startApart } from './apart.ts'
import { startService } from './service.ts'

/** API and worker in one process, as `npm start` has them, or so many processes of each. */
export type Arrangement = 'together' | { apis: number; workers: number }

/** A whole Holdfast, running but cold, with the settings of `npm start`. */
export interface Stage {
  arrangement: Arrangement
  /** One for each API process. */
  baseUrls: readonly [string, ...string[]]
  /** To set up, to look into the books, and to ask Temporal; in the process of the bench. */
  core: Core
  /** A bare update-with-start on the same Temporal, with the same settings. */
  floor: UpdateFloor
  costs: CostMeter
}

export interface StageOptions {
  log: (line: string) => void
  logFile: string
  /** Temporal on PostgreSQL instead of the embedded server. */
  full: boolean
  quick: boolean
  shutdown: Shutdown
}

/** Starts a Holdfast and the servers it needs, of its own, and the floor beside it. */
export async function openStage(arrangement: Arrangement, options: StageOptions): Promise<Stage> {
  const { shutdown, quick, full, log, logFile } = options
  const servers = { log, logFile, full, countsStatements: true }
  const { core, baseUrls, roles, own } =
    arrangement === 'together'
      ? await startTogether(servers, shutdown)
      : { ...(await startApart({ ...arrangement, ...servers }, shutdown)), own: undefined }
  const costs = createCostMeter({ core, own, roles, quick, signal: shutdown.signal })
  return {
    arrangement,
    baseUrls,
    core,
    floor: await startUpdateFloor(core, shutdown),
    costs: full ? withoutTemporals(costs) : costs,
  }
}

/** Commits and bytes of the log are counted of a whole PostgreSQL, and in this one most of them are Temporal's. */
function withoutTemporals(costs: CostMeter): CostMeter {
  return {
    ...costs,
    async database(run) {
      const { counts, ...others } = await costs.database(run)
      const { commits: _, walBytes: __, ...own } = counts
      return { ...others, counts: own }
    },
  }
}

async function startTogether(options: Parameters<typeof startService>[1], shutdown: Shutdown) {
  const { baseUrl, ...core } = await startService(shutdown, options)
  const baseUrls: Stage['baseUrls'] = [baseUrl]
  return { core, baseUrls, roles: new Map<number, Role>(), own: 'service' as const }
}

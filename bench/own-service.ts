import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../src/clock.ts'
import { openDatabase } from '../src/database/open-database.ts'
import { readKeysFile } from '../src/keys/keys-file.ts'
import { createLogger } from '../src/logger.ts'
import type { Core } from '../src/processes/core.ts'
import { connectTemporal } from '../src/temporal/connection.ts'
import { TASK_QUEUES } from '../src/temporal/task-queues.ts'
import { createVault } from '../src/vault/vault.ts'
import { PRODUCTION_WAITS } from '../src/waits.ts'
import { npmStart } from '../test/support/processes/npm-start.ts'
import { type ProcessTime, readProcesses, treeOf } from './machine.ts'
import type { PartContext } from './part.ts'

/** `service` is API and worker, with npm. */
export type Program = 'service' | 'temporal' | 'postgres'

/** A Holdfast of `npm start`, whose process is its own and so has its own memory. */
export interface OwnService {
  core: Core
  baseUrls: readonly [string]
  /** Bytes of memory, pages that several processes share counted once; zeros where the system does not tell. */
  readMemory(): Record<Program, number>
  /** CPU milliseconds so far. */
  readCpuMs(): Record<Program, number>
  /** The bytes on the disk, of a folder of its data and all folders in it. */
  readDisk(folder: 'temporal' | 'postgres'): number
}

/** Opens its servers as well, for what the bench has to look at and to prepare. */
export async function startOwnService(dataFolder: string, context: PartContext): Promise<OwnService> {
  const { shutdown, logFile } = context
  const { pid, baseUrl } = await npmStart(dataFolder, context)
  const { DATABASE_URL, TEMPORAL_ADDRESS } = JSON.parse(readFileSync(join(dataFolder, 'servers.json'), 'utf8'))
  const keys = await readKeysFile(dataFolder)
  if (keys === undefined) throw new Error(`npm start has made no keys in ${dataFolder}.`)
  const orm = await openDatabase(DATABASE_URL)
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  const temporal = await connectTemporal(TEMPORAL_ADDRESS)
  shutdown.add({ name: 'The connection to Temporal', stop: () => temporal.close() })
  const destination = pino.destination({ dest: logFile, mkdir: true, append: true })
  const logger = createLogger({ level: 'warn', process: 'bench', destination })
  const sum = (of: (one: ProcessTime) => number) => {
    const sums = { service: 0, temporal: 0, postgres: 0 }
    for (const one of treeOf(readProcesses(), pid)) sums[programOf(one)] += of(one)
    return sums
  }
  return {
    core: {
      orm,
      temporal,
      taskQueues: TASK_QUEUES,
      vault: createVault(keys),
      clock: systemClock,
      randomBytes,
      waits: PRODUCTION_WAITS,
      logger,
    },
    baseUrls: [baseUrl],
    readMemory: () => sum((one) => memoryOf(one.pid)),
    readCpuMs: () => sum(({ ownMs, endedMs }) => ownMs + endedMs),
    readDisk: (folder) =>
      readdirSync(join(dataFolder, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0),
  }
}

/** Temporal's program is called as it was downloaded, with its version. */
function programOf({ name }: ProcessTime): Program {
  if (name.startsWith('temporal')) return 'temporal'
  return name === 'postgres' ? 'postgres' : 'service'
}

function memoryOf(pid: number): number {
  try {
    return 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

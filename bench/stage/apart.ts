import type { Core } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { Role } from '../measure/costs.ts'
import { openStageCore } from './core.ts'
import { startStageProcess } from './process.ts'
import { type StageServersOptions, startStageServers } from './servers.ts'

/** A Holdfast whose API and workers are processes of their own, as many as wanted, on the same servers. */
export interface Apart {
  baseUrls: readonly [string, ...string[]]
  /** Of the process that has started them. */
  core: Core
  /** By process id. */
  roles: Map<number, Role>
}

export interface ApartOptions extends StageServersOptions {
  apis: number
  workers: number
  logFile: string
}

/** Starts PostgreSQL and Temporal, and on them what `npm run api` and `npm run worker` start, so often. */
export async function startApart(
  { apis, workers, logFile, ...options }: ApartOptions,
  shutdown: Shutdown,
): Promise<Apart> {
  const servers = await startStageServers(shutdown, options)
  const core = await openStageCore(servers, logFile, shutdown)
  const start = (program: 'api' | 'worker', count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        startStageProcess(
          { program, servers, logFile: logFile.replace(/(\.log)?$/, `.${program}-${index + 1}.log`) },
          shutdown,
        ),
      ),
    )
  const [started, working] = await Promise.all([start('api', apis), start('worker', workers)])
  const [first, ...others] = started.map(({ baseUrl }) => baseUrl ?? '')
  if (first === undefined) throw new Error('Without an API nobody can ask anything.')
  return {
    baseUrls: [first, ...others],
    core,
    roles: new Map<number, Role>([
      ...started.map(({ pid }) => [pid, 'api'] as const),
      ...working.map(({ pid }) => [pid, 'worker'] as const),
    ]),
  }
}

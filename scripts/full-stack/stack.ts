import { join } from 'node:path'
import { LOOPBACK } from '../../src/embedded/ports.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { Progress } from '../../src/startup-error.ts'
import { serverInstance } from '../../test/support/processes/programs.ts'
import { startService } from '../../test/support/processes/service.ts'
import type { Program, Supervised } from '../../test/support/processes/supervised.ts'
import type { StackPlace } from './places.ts'
import { makeTemporalTables, startFullTemporal } from './temporal.ts'

const ALIVE_MS = 60_000

/** The parts that can be killed; each is started again when it ends, as a service manager does it. */
export const PARTS = ['api', 'worker', 'temporal', 'postgres'] as const
export type Part = (typeof PARTS)[number]

/** The set-up of `docker-compose.temporal.yml`, running as processes of this machine. */
export interface FullStack {
  baseUrl: string
  temporalAddress: string
  databaseUrl(): string
  parts: Record<Part, Supervised>
  /** Where the program of each run of API and worker logs. */
  logFolder: string
  /** Waits until all parts do their work. */
  ready(): Promise<void>
}

export interface FullStackOptions {
  place: StackPlace
  /** From `obtainGoPrograms(TEMPORAL_SERVER)`. */
  programs: { server: string; sql: string }
  /** The address of Temporal's UI, where there will be one. */
  temporalUiUrl: string | undefined
  say: Progress
}

/**
 * Starts PostgreSQL, Temporal on it, and all that stands on them. All of it stops with the process.
 *
 * @throws StartupError where a part does not come up.
 */
export async function startFullStack(options: FullStackOptions, shutdown: Shutdown): Promise<FullStack> {
  const { place, programs, temporalUiUrl, say } = options
  const { folder, temporalPorts, apiPort } = place
  const { signal } = shutdown
  // Servers that run do not keep this process alive by themselves.
  const alive = setInterval(() => undefined, ALIVE_MS)
  shutdown.add({ name: 'The wait', stop: async () => clearInterval(alive) })
  const temporalAddress = `${LOOPBACK}:${temporalPorts[0]}`
  const service = await startService({
    folder,
    postgresPort: place.postgresPort,
    temporalAddress,
    async temporalOn(databaseUrl) {
      await makeTemporalTables(programs.sql, databaseUrl)
      say('Temporal has its tables')
      return fullTemporalProgram(place, programs.server, databaseUrl, signal)
    },
    apiPorts: [apiPort],
    workerPorts: [place.workerHealthPort],
    environment: { ...(temporalUiUrl !== undefined && { TEMPORAL_UI_URL: temporalUiUrl }) },
    signal,
    say,
    failed: (reason) => shutdown.request(reason, 1),
  })
  shutdown.add({ name: 'The stack', stop: service.stop, kill: service.end })
  const { postgres, temporal, apis, workers, databaseUrl, logFolder, ready } = service
  const parts = { api: apis[0] as Supervised, worker: workers[0] as Supervised, temporal, postgres }
  return { baseUrl: `http://${LOOPBACK}:${apiPort}`, temporalAddress, databaseUrl, parts, logFolder, ready }
}

function fullTemporalProgram(place: StackPlace, server: string, databaseUrl: string, signal: AbortSignal): Program {
  const folder = join(place.folder, 'temporal')
  const options = { server, databaseUrl, ports: place.temporalPorts, folder, signal, log: () => undefined }
  return {
    kind: 'temporal',
    name: 'temporal',
    async start() {
      const started = await startFullTemporal(options)
      return serverInstance(started.pid, started)
    },
  }
}

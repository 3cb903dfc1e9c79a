import { join } from 'node:path'
import { LOOPBACK } from '../../src/embedded/ports.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { Progress } from '../../src/startup-error.ts'
import { serverInstance } from '../../test/support/processes/programs.ts'
import { startService } from '../../test/support/processes/service.ts'
import type { Program } from '../../test/support/processes/supervised.ts'
import type { StackPlace } from './places.ts'
import { makeTemporalTables, startFullTemporal } from './temporal.ts'
import type { TemporalPlace } from './temporal-environment.ts'

const ALIVE_MS = 60_000

/** The set-up of `docker-compose.temporal.yml`, running as processes of this machine; each is started again when it ends. */
export interface FullStack {
  baseUrl: string
  temporalAddress: string
  databaseUrl(): string
  /** Where the program of each run of API and worker logs. */
  logFolder: string
}

export interface FullStackOptions {
  place: StackPlace
  /** From `obtainGoPrograms(TEMPORAL_SERVER)`. */
  programs: { server: string; sql: string }
  /** The address of Temporal's UI, where there will be one. */
  temporalUiUrl: string | undefined
  say: Progress
}

interface FullTemporalProgramOptions extends TemporalPlace {
  programs: FullStackOptions['programs']
  folder: string
  signal: AbortSignal
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
    temporalOn: (databaseUrl) =>
      fullTemporalProgram({ programs, databaseUrl, ports: temporalPorts, folder: join(folder, 'temporal'), signal }),
    apiPorts: [apiPort],
    workerPorts: [place.workerHealthPort],
    environment: { ...(temporalUiUrl !== undefined && { TEMPORAL_UI_URL: temporalUiUrl }) },
    signal,
    say,
    failed: (reason) => shutdown.request(reason, 1),
  })
  shutdown.add({ name: 'The stack', stop: service.stop, kill: service.end })
  const { databaseUrl, logFolder } = service
  return { baseUrl: `http://${LOOPBACK}:${apiPort}`, temporalAddress, databaseUrl, logFolder }
}

/** Temporal's server as clusters run it, with its tables in this PostgreSQL, as a program that can be started again. */
export async function fullTemporalProgram(options: FullTemporalProgramOptions): Promise<Program> {
  const { programs, ...place } = options
  await makeTemporalTables(programs.sql, place.databaseUrl)
  return {
    kind: 'temporal',
    name: 'temporal',
    async start() {
      const started = await startFullTemporal({ server: programs.server, log: () => undefined, ...place })
      return serverInstance(started.pid, started)
    },
  }
}

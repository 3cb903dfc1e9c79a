import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { waitUntil } from '../../src/embedded/wait-until.ts'
import { type Progress, StartupError } from '../../src/startup-error.ts'
import { rememberPostgresData, removeRunFolder } from '../../test/support/guardian/run-folder.ts'
import type { ChaosOptions } from './options.ts'
import { ownEnvironment, postgresProgram, temporalProgram } from './programs.ts'
import { makeSite, receiverPrograms, type Site, servicePrograms } from './site.ts'
import { type Program, type Supervised, supervise } from './supervised.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Everything that was down starts at the same time, on a machine that may do other things as well. */
const READY_TIMEOUT_MS = 120_000

/** Everything that a run consists of: processes, ports, files. */
export interface Machine {
  databaseUrl(): string
  /** Addresses of the APIs. */
  apis: readonly string[]
  receivers: Site['receivers']
  processes(): readonly Supervised[]
  /** Runs one of the project's commands to its end and gives what it has printed. */
  command(script: string, ...args: string[]): Promise<string>
  /** Starts the APIs and workers. */
  startService(): void
  /** Starts the merchants' servers, which verify with these secrets by path. */
  startReceivers(secrets: Record<string, string>): void
  /** Waits until every process does its work. */
  ready(): Promise<void>
  /** Stops API and workers cleanly, so that nothing is committed any more. */
  stopService(): Promise<void>
  /** Ends what is left and removes the data. */
  remove(): Promise<void>
}

export interface MachineOptions extends Pick<ChaosOptions, 'seed' | 'trouble' | 'keep'> {
  signal: AbortSignal
  say: Progress
  /** Is told why a process cannot be kept running. */
  failed(reason: string): void
}

/** Makes a machine on which PostgreSQL and Temporal are starting. */
export async function makeMachine({ seed, trouble, keep, signal, say, failed }: MachineOptions): Promise<Machine> {
  const site = await makeSite({ signal, say })
  const { folder, logFolder, cliPath, temporalPort, apiPorts, receivers } = site
  const started: Supervised[] = []
  const start = (program: Program) => {
    const supervised = supervise(program, failed)
    started.push(supervised)
    supervised.start()
  }
  let databaseUrl = ''
  const remember = (server: { url: string; dataFolder: string }) => {
    databaseUrl = server.url
    rememberPostgresData(folder, server.dataFolder)
  }
  start(postgresProgram({ folder: join(folder, 'postgres'), port: site.postgresPort, started: remember }))
  start(temporalProgram({ folder: join(folder, 'temporal'), port: temporalPort, cliPath }))
  const environment = () => ({
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
    DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
  })

  return {
    databaseUrl: () => databaseUrl,
    apis: apiPorts.map((port) => `http://127.0.0.1:${port}`),
    receivers,
    processes: () => started,
    async command(script, ...args) {
      const env = { ...ownEnvironment(), HOME: folder, ...environment() }
      return (await promisify(execFile)(process.execPath, [script, ...args], { cwd: ROOT, env, signal })).stdout
    },
    startService() {
      for (const program of servicePrograms(site, environment())) start(program)
    },
    startReceivers(secrets) {
      for (const program of receiverPrograms(site, { seed, trouble, secrets })) start(program)
    },
    ready: () => waitForAll(started, logFolder, signal),
    async stopService() {
      await Promise.all(started.filter(({ kind }) => kind === 'api' || kind === 'worker').map((one) => one.stop()))
    },
    async remove() {
      const [postgres, temporal, ...others] = started
      // Servers last, so that nothing logs that they are gone.
      await Promise.all(others.map((one) => one.end()))
      await Promise.all([postgres?.end(), temporal?.end()])
      if (keep) say(`Logs and data are in ${folder}`)
      else removeRunFolder(folder)
    },
  }
}

async function waitForAll(started: readonly Supervised[], logFolder: string, signal: AbortSignal): Promise<void> {
  const isReady = async () => (await Promise.all(started.map((one) => one.isReady()))).every(Boolean)
  if (await waitUntil(isReady, READY_TIMEOUT_MS, signal)) return
  const missing = started.filter(({ isRunning }) => !isRunning()).map(({ name }) => name)
  throw new StartupError(
    `Not everything is ready after ${READY_TIMEOUT_MS / 1000} s (down: ${missing.join(', ') || 'nothing'}); with --keep the logs stay in ${logFolder}.`,
  )
}

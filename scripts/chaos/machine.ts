import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isPortFree } from '../../src/embedded/ports.ts'
import { waitUntil } from '../../src/embedded/process-table.ts'
import { type Progress, StartupError } from '../../src/embedded/startup-error.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import {
  makeRunFolder,
  rememberPostgresData,
  removeRunFolder,
  removeStaleRuns,
} from '../../test/support/guardian/run-folder.ts'
import type { ChaosOptions } from './options.ts'
import { nodeProgram, postgresProgram, temporalProgram } from './programs.ts'
import type { ReceiverSettings } from './receiver.ts'
import { type Supervised, supervise } from './supervised.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CLI_CACHE = join(ROOT, '.test-data', 'temporal-cli')
/** Not in the project, because a PostgreSQL started by root runs as a user who may not enter everything there. */
const RUNS = join(tmpdir(), `holdfast-chaos-${userInfo().uid}`)

/** Below the ports that a system gives out by itself (Linux: from 32768 on): a killed server must get its port again. */
const PORTS = { from: 20_000, to: 32_000 }

/** Few enough for a small machine; each kind but the servers can lose one and go on. */
const APIS = 2
const WORKERS = 2
const RECEIVERS = 3

const READY_TIMEOUT_MS = 120_000

/** Everything that a run consists of: processes, ports, files. */
export interface Machine {
  databaseUrl(): string
  /** Addresses of the APIs. */
  apis: readonly string[]
  /** Addresses of the merchants' servers, and where each keeps what it has received. */
  receivers: readonly { url: string; file: string }[]
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
  /** Kills what is left and removes the data. */
  remove(): Promise<void>
}

export interface MachineOptions extends Pick<ChaosOptions, 'seed' | 'trouble' | 'keep'> {
  signal: AbortSignal
  say: Progress
  /** Is told why a process cannot be kept running. */
  failed(reason: string): void
}

/** Makes a folder, starts PostgreSQL and Temporal in it, and prepares them as an operator does. */
export async function makeMachine(options: MachineOptions): Promise<Machine> {
  const { seed, trouble, keep, signal, say, failed } = options
  const cliPath = await obtainTemporalCli({
    cacheFolder: CLI_CACHE,
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    searchPath: false,
    signal,
    log: say,
  })
  await removeStaleRuns(RUNS, say)
  const folder = makeRunFolder(RUNS)
  const logFolder = join(folder, 'logs')
  const ports = await freePorts(2 + APIS + RECEIVERS)
  const nextPort = () => ports.pop() as number
  const temporalPort = nextPort()
  let databaseUrl = ''
  const postgres = postgresProgram({
    folder: join(folder, 'postgres'),
    port: nextPort(),
    started: (server) => {
      databaseUrl = server.url
      rememberPostgresData(folder, server.dataFolder)
    },
  })
  const temporal = temporalProgram({ folder: join(folder, 'temporal'), port: temporalPort, cliPath })
  const servers = [postgres, temporal].map((program) => supervise(program, failed))
  const started: Supervised[] = [...servers]
  const environment = () => ({
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
    DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
  })
  const apiPorts = Array.from({ length: APIS }, nextPort)
  const receiverPorts = Array.from({ length: RECEIVERS }, nextPort)
  const receivers = receiverPorts.map((port, index) => ({
    url: `http://127.0.0.1:${port}`,
    file: join(folder, 'received', `${index + 1}.jsonl`),
  }))
  const service = () => started.filter(({ kind }) => kind === 'api' || kind === 'worker')
  const start = (program: Parameters<typeof supervise>[0]) => {
    const supervised = supervise(program, failed)
    started.push(supervised)
    supervised.start()
  }
  const ready = async () => {
    const isReady = async () => (await Promise.all(started.map((one) => one.isReady()))).every(Boolean)
    if (await waitUntil(isReady, READY_TIMEOUT_MS, signal)) return
    const missing = started.filter(({ isRunning }) => !isRunning()).map(({ name }) => name)
    throw new StartupError(
      `Not everything runs after ${READY_TIMEOUT_MS / 1000} s (${missing}); the logs are in ${logFolder}.`,
    )
  }

  for (const server of servers) server.start()

  return {
    databaseUrl: () => databaseUrl,
    apis: apiPorts.map((port) => `http://127.0.0.1:${port}`),
    receivers,
    processes: () => started,
    command: async (script, ...args) => {
      const env = { PATH: String(process.env.PATH), HOME: folder, ...environment() }
      return (await promisify(execFile)(process.execPath, [script, ...args], { cwd: ROOT, env, signal })).stdout
    },
    startService() {
      for (const [index, port] of apiPorts.entries()) {
        const name = `api-${index + 1}`
        const own = { ...environment(), PORT: String(port) }
        start(nodeProgram({ kind: 'api', name, script: 'src/api.ts', environment: own, logFolder }))
      }
      for (let index = 1; index <= WORKERS; index += 1) {
        const name = `worker-${index}`
        start(nodeProgram({ kind: 'worker', name, script: 'src/worker.ts', environment: environment(), logFolder }))
      }
    },
    startReceivers(secrets) {
      mkdirSync(join(folder, 'received'))
      for (const [index, port] of receiverPorts.entries()) {
        const name = `receiver-${index + 1}`
        const redirect = `${receivers[(index + 1) % RECEIVERS]?.url}/redirected`
        const settings: ReceiverSettings = {
          port,
          file: String(receivers[index]?.file),
          seed,
          trouble,
          redirect,
          secrets,
        }
        const settingsFile = join(folder, `${name}.json`)
        writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 })
        const script = 'scripts/chaos/receiver.ts'
        start(nodeProgram({ kind: 'receiver', name, script, args: [settingsFile], environment: {}, logFolder }))
      }
    },
    ready,
    async stopService() {
      await Promise.all(service().map((one) => one.stop()))
    },
    async remove() {
      // Servers last, so that nothing logs that they are gone.
      await Promise.all(started.filter((one) => !servers.includes(one)).map((one) => one.end()))
      await Promise.all(servers.map((server) => server.end()))
      if (keep) say(`Logs and data are in ${folder}`)
      else removeRunFolder(folder)
    },
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isPortFree(port)) ports.add(port)
  }
  return [...ports]
}

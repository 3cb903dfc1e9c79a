import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import type { Progress } from '../../src/startup-error.ts'
import { makeRunFolder, removeStaleRuns } from '../../test/support/guardian/run-folder.ts'
import type { ChaosOptions } from './options.ts'
import { nodeProgram } from './programs.ts'
import type { ReceiverSettings } from './receiver.ts'
import type { Program } from './supervised.ts'

const CLI_CACHE = fileURLToPath(new URL('../../.test-data/temporal-cli', import.meta.url))
/** Not in the project, because a PostgreSQL started by root runs as a user who may not enter everything there. */
const RUNS = join(tmpdir(), `holdfast-chaos-${userInfo().uid}`)

/** Few enough for a small machine; each kind but the servers can lose one and go on. */
const APIS = 2
const WORKERS = 2
const RECEIVERS = 3

/** Where a run keeps its files and what listens where. */
export interface Site {
  folder: string
  logFolder: string
  cliPath: string
  postgresPort: number
  temporalPort: number
  apiPorts: readonly number[]
  receivers: readonly ReceiverPlace[]
}

interface ReceiverPlace {
  port: number
  url: string
  /** What it has received. */
  file: string
}

/** Makes a folder for a run, after what killed runs have left behind is gone. */
export async function makeSite({ signal, say }: { signal: AbortSignal; say: Progress }): Promise<Site> {
  const cliPath = await obtainTemporalCli({
    cacheFolder: CLI_CACHE,
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    searchPath: false,
    signal,
    log: say,
  })
  await removeStaleRuns(RUNS, say)
  const [postgresPort = 0, temporalPort = 0, ...others] = await freePorts(2 + APIS + RECEIVERS)
  const folder = makeRunFolder(RUNS)
  const receivers = others.slice(APIS).map((port, index) => {
    return { port, url: `http://127.0.0.1:${port}`, file: join(folder, 'received', `${index + 1}.jsonl`) }
  })
  const logFolder = join(folder, 'logs')
  return { folder, logFolder, cliPath, postgresPort, temporalPort, apiPorts: others.slice(0, APIS), receivers }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

/** The APIs and workers, as many of each as an operator might run. */
export function servicePrograms({ apiPorts, logFolder }: Site, environment: Record<string, string>): Program[] {
  const apis = apiPorts.map((port, index) => {
    const own = { ...environment, PORT: String(port) }
    return nodeProgram({ kind: 'api', name: `api-${index + 1}`, script: 'src/api.ts', environment: own, logFolder })
  })
  const workers = Array.from({ length: WORKERS }, (_, index) =>
    nodeProgram({ kind: 'worker', name: `worker-${index + 1}`, script: 'src/worker.ts', environment, logFolder }),
  )
  return [...apis, ...workers]
}

/** The merchants' servers. Each redirects to the next, where nothing must arrive by that way. */
export function receiverPrograms(
  { folder, logFolder, receivers }: Site,
  behaviour: Pick<ChaosOptions, 'seed' | 'trouble'> & Pick<ReceiverSettings, 'secrets'>,
): Program[] {
  mkdirSync(join(folder, 'received'))
  return receivers.map(({ port, file }, index) => {
    const name = `receiver-${index + 1}`
    const redirect = `${receivers[(index + 1) % receivers.length]?.url}/redirected`
    const settings: ReceiverSettings = { ...behaviour, port, file, redirect }
    const settingsFile = join(folder, `${name}.json`)
    writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 })
    const script = 'scripts/chaos/receiver.ts'
    return nodeProgram({ kind: 'receiver', name, script, args: [settingsFile], environment: {}, logFolder })
  })
}

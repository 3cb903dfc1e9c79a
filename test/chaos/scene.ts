import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findPorts } from '../../scripts/full-stack/ports.ts'
import { say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import {
  makeRunFolder,
  POSTGRES_FOLDER,
  rememberPostgresData,
  removeRunFolder,
  removeStaleRuns,
  TEMPORAL_FOLDER,
} from '../support/guardian/run-folder.ts'
import { type Line, makeLine } from '../support/line.ts'
import { obtainCli } from '../support/processes/obtain-cli.ts'
import { CODEC_TOKEN, codecServerProgram, temporalProgram } from '../support/processes/programs.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { type Supervised, supervise } from '../support/processes/supervised.ts'
import { mountDisk, unmountDisk, unmountStaleDisks } from './disk.ts'
import type { ChaosOptions } from './options.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import { openShops, type Shop } from './shops.ts'
import { type StandIn, startStandIns } from './stand-in.ts'

/** Not in the project, because a PostgreSQL started by root runs as a user who may not enter everything there. */
const RUNS = join(tmpdir(), `holdfast-chaos-${userInfo().uid}`)

/** Few enough for a small machine; each kind but the servers can lose one and go on. */
const APIS = 2
const WORKERS = 2

/** A line with the names of its two ends, such as `worker-1` and `postgres`. */
export interface NamedLine extends Line {
  ends: readonly [string, string]
}

/** The service with its merchants, and a line in front of everything that one process asks of another. */
export interface Scene {
  folder: string
  service: Service
  receivers: Receivers
  shops: Shop[]
  lines: readonly NamedLine[]
  codecServer: Supervised
  /** Whether the codec server answers somebody with its token. */
  codecAnswers(): Promise<boolean>
  /** The folder that is PostgreSQL's own disk; null where it has none. */
  disk: string | null
  standIns: readonly StandIn[]
  /** Settings of APIs and workers from their next start on. */
  environment: Record<string, string>
  /** Of the run, which ends what a fault has started. */
  shutdown: Pick<Shutdown, 'add' | 'signal'>
}

/** Starts everything in a folder of its own, after what killed runs have left behind is gone. */
export async function openScene(options: ChaosOptions, shutdown: Shutdown): Promise<Scene> {
  const { signal } = shutdown
  const lines: NamedLine[] = []
  const lineTo = async (address: string, ...ends: [string, string]): Promise<string> => {
    const [host = '', port] = address.split(':')
    const line = await makeLine(host, Number(port))
    shutdown.add({ name: 'A line', stop: line.remove })
    lines.push({ ...line, ends })
    return line.address
  }
  const standIns = await startStandIns()
  const environment: Record<string, string> = {}
  for (const { title, setting, url, close } of standIns) {
    shutdown.add({ name: `The stand-in of ${title}`, stop: close })
    environment[setting] = `http://${await lineTo(new URL(url).host, 'workers', 'gateway')}`
  }
  const cliPath = await obtainCli(step, signal)
  unmountStaleDisks(RUNS)
  await removeStaleRuns(RUNS, step)
  const [postgresPort = 0, temporalPort = 0, codecPort = 0, ...ports] = await findPorts(3 + APIS + WORKERS)
  const folder = makeRunFolder(RUNS)
  const remove = async () => {
    if (options.keep) say(`Logs and data are in ${folder}`)
    else removeRunFolder(folder)
  }
  shutdown.add({ name: 'The folder', stop: remove, kill: remove })
  const disk = join(folder, POSTGRES_FOLDER)
  const hasDisk = mountDisk(disk)
  const unmount = async () => unmountDisk(disk)
  if (hasDisk) shutdown.add({ name: 'The disk', stop: unmount, kill: unmount })
  step('Starting PostgreSQL, Temporal, the APIs and workers')
  mkdirSync(join(folder, TEMPORAL_FOLDER))
  const apiPorts = ports.slice(0, APIS)
  const urls = await Promise.all(
    apiPorts.map(async (port, index) => `http://${await lineTo(`127.0.0.1:${port}`, 'merchants', `api-${index + 1}`)}`),
  )
  // Customers come by the API that no cell breaks, as a load balancer would lead them.
  environment.PUBLIC_URL = String(urls.at(-1))
  const service = await startService({
    folder,
    postgresPort,
    temporalAddress: `127.0.0.1:${temporalPort}`,
    temporalOn: async () => temporalProgram({ folder: join(folder, TEMPORAL_FOLDER), port: temporalPort, cliPath }),
    apiPorts,
    workerPorts: ports.slice(APIS),
    environment,
    async reach(name, { databaseUrl, temporalAddress }) {
      const url = new URL(databaseUrl)
      url.host = await lineTo(url.host, name, 'postgres')
      return { databaseUrl: url.href, temporalAddress: await lineTo(temporalAddress, name, 'temporal') }
    },
    onPostgres: (dataFolder) => rememberPostgresData(folder, dataFolder),
    signal,
    say: step,
    failed: (reason) => shutdown.request(reason, 1),
  })
  shutdown.add({ name: 'The service', stop: service.end, kill: service.end })
  const codecServer = supervise(
    codecServerProgram({ ...service, dataFolder: folder, port: codecPort }, environment),
    (reason) => shutdown.request(reason, 1),
  )
  codecServer.start()
  shutdown.add({ name: 'The codec server', stop: codecServer.end, kill: codecServer.end })
  const codecAnswers = async () => {
    const headers = { authorization: `Bearer ${CODEC_TOKEN}` }
    const answer = await fetch(`http://127.0.0.1:${codecPort}/decode`, { method: 'POST', headers, body: '{}' })
    return answer.ok
  }
  step('Opening shops')
  const receivers = await startReceivers(options, shutdown, (address) => lineTo(address, 'workers', 'receivers'))
  const shops = await openShops(service, urls, receivers, standIns)
  return {
    folder,
    service,
    receivers,
    shops,
    lines,
    environment,
    shutdown,
    standIns,
    codecServer,
    codecAnswers,
    disk: hasDisk ? disk : null,
  }
}

export function step(line: string): void {
  say(`  ${new Date().toISOString().slice(11, 19)}  ${line}`)
}

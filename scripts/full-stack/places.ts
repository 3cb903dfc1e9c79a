import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/config.ts'
import { takeDataFolder } from '../../src/embedded/data-folder.ts'
import { freePort, isPortFree, requireFreePort } from '../../src/embedded/ports.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { Progress } from '../../src/startup-error.ts'
import { findPorts } from './ports.ts'
import { endStaleFullTemporal } from './temporal.ts'
import { PORTS } from './temporal-environment.ts'

/** Where everything of a stack is: its folder, and its ports on loopback. */
export interface StackPlace {
  folder: string
  postgresPort: number
  /** The first is the one that clients ask. */
  temporalPorts: readonly [number, ...number[]]
  apiPort: number
  uiPort: number | undefined
  workerHealthPort: number
}

/** Where Temporal's tools look for a server when nothing else is said. */
const TEMPORAL_DEFAULT_PORT = 7233

/** The place of a stack that is kept, in the data folder, on the ports that the environment says, or the usual ones. */
export async function keptPlace(config: Config, shutdown: Shutdown, log: Progress): Promise<StackPlace> {
  const folder = join(config.dataFolder, 'full-stack')
  const { release, announceStop } = await takeDataFolder(folder, { log, signal: shutdown.signal })
  shutdown.add({ name: 'The data folder', stop: release })
  shutdown.onRequest(announceStop)
  // What a killed run has left behind holds the usual port.
  await endStaleFullTemporal(join(folder, 'temporal'), log)
  await requireFreePort(config.port, config.host, 'PORT')
  const { temporalUiPort: uiPort } = config
  if (uiPort !== undefined) await requireFreePort(uiPort, config.host, 'TEMPORAL_UI_PORT')
  const usual = (await isPortFree(TEMPORAL_DEFAULT_PORT)) ? TEMPORAL_DEFAULT_PORT : undefined
  const ports = await findPorts(PORTS)
  return {
    folder,
    postgresPort: config.postgresPort ?? (await freePort()),
    temporalPorts: [config.temporalPort ?? usual ?? Number(ports[0]), ...ports.slice(1)],
    apiPort: config.port === 0 ? await freePort() : config.port,
    uiPort,
    workerHealthPort: config.workerHealthPort ?? (await freePort()),
  }
}

/** The place of a stack for a smoke test: an empty folder, which goes with the process, and free ports. */
export async function emptyPlace(shutdown: Shutdown): Promise<StackPlace> {
  const folder = await makeEmptyFolder(shutdown)
  const [temporal = 0, ...ports] = await findPorts(PORTS + 3)
  const [postgresPort = 0, apiPort = 0, workerHealthPort = 0] = ports.splice(0, 3)
  return { folder, postgresPort, temporalPorts: [temporal, ...ports], apiPort, uiPort: undefined, workerHealthPort }
}

export async function makeEmptyFolder(shutdown: Shutdown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-full-stack-'))
  shutdown.add({ name: 'The data folder', stop: () => rm(folder, { recursive: true, force: true }) })
  // Started by root, PostgreSQL runs as a user who must be able to pass through.
  await chmod(folder, 0o711)
  return folder
}

import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { startChildServer } from '../../src/embedded/child-server.ts'
import { hiddenLoopback, startLoopbackProxy } from '../../src/embedded/loopback-proxy.ts'
import { freePort, LOOPBACK } from '../../src/embedded/ports.ts'
import { endStaleProcess } from '../../src/embedded/stale-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { Progress } from '../../src/startup-error.ts'

const CLEAN_STOP_MS = 5_000

export interface TemporalUiOptions {
  /** The program, from `obtainGoPrograms(TEMPORAL_UI)`. */
  program: string
  /** `host:port` of Temporal. */
  temporalAddress: string
  port: number
  /** Holds configuration, log and process id; made when missing. */
  folder: string
  log: Progress
}

/**
 * Starts Temporal's web interface, which stops with the process. A browser reaches it through a proxy that refuses the names
 * of other sites, as with the embedded server.
 *
 * @returns its address.
 */
export async function startTemporalUi(
  { program, temporalAddress, port, folder, log }: TemporalUiOptions,
  shutdown: Shutdown,
): Promise<string> {
  const pidFile = join(folder, 'temporal-ui.pid')
  await endStaleProcess({ pidFile, argument: folder, signal: 'SIGTERM', name: 'Temporal UI', log })
  const at = { host: hiddenLoopback(), port: await freePort() }
  await mkdir(join(folder, 'config'), { recursive: true, mode: 0o700 })
  // JSON is YAML, too. The program takes the file of the environment that it calls development unless told otherwise.
  await writeFile(
    join(folder, 'config', 'development.yaml'),
    JSON.stringify({
      temporalGrpcAddress: temporalAddress,
      ...at,
      enableUi: true,
      defaultNamespace: 'sandbox',
      disableNewsFetch: true,
      hideLogs: true,
    }),
  )
  const server = await startChildServer({
    name: 'Temporal UI',
    command: program,
    args: ['--root', folder, 'start'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() },
    cwd: folder,
    logFile: join(folder, 'temporal-ui.log'),
  })
  await writeFile(pidFile, `${server.pid}\n`)
  const proxy = await startLoopbackProxy(port, at)
  shutdown.add({
    name: 'Temporal UI',
    async stop() {
      proxy.stop()
      await server.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS })
    },
    kill: () => server.stop(),
  })
  return `http://${LOOPBACK}:${proxy.port}`
}

import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { startChildServer } from '../../src/embedded/child-server.ts'
import { hiddenLoopback, startLoopbackProxy } from '../../src/embedded/loopback-proxy.ts'
import { freePort, LOOPBACK } from '../../src/embedded/ports.ts'
import type { Shutdown } from '../../src/shutdown.ts'

const CLEAN_STOP_MS = 5_000

export interface TemporalUiOptions {
  /** The program, from `obtainGoPrograms(TEMPORAL_UI)`. */
  program: string
  /** `host:port` of Temporal. */
  temporalAddress: string
  port: number
  /** Holds configuration and log; made when missing. */
  folder: string
}

/**
 * Starts Temporal's web interface, which stops with the process. A browser reaches it through a proxy that refuses the names
 * of other sites, as with the embedded server.
 *
 * @returns its address.
 */
export async function startTemporalUi(
  { program, temporalAddress, port, folder }: TemporalUiOptions,
  shutdown: Shutdown,
): Promise<string> {
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

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { portTaken } from '../embedded/ports.ts'
import type { ApiState } from '../http/context.ts'
import { live, ready } from '../http/routes/service.ts'
import type { Shutdown } from '../shutdown.ts'
import type { Core } from './core.ts'

/** Whether both servers answer. */
export async function askServers({ orm, temporal }: Core): Promise<{ database: boolean; temporal: boolean }> {
  const [database, answered] = await Promise.all([
    orm.checkConnection(),
    temporal.connection.workflowService.getSystemInfo({}).then(
      () => true,
      () => false,
    ),
  ])
  return { database: database.ok, temporal: answered }
}

/**
 * Answers `/health/live` and `/health/ready` for a process without an API, as the API answers them. It is for whoever runs
 * the process, and ends first when the process stops.
 *
 * @returns the port.
 * @throws StartupError when the port is taken.
 */
export async function startHealthPart(
  core: Core,
  { host, port, shutdown }: { host: string; port: number; shutdown: Shutdown },
): Promise<number> {
  const router = new Router<ApiState>()
  router.get('/health/live', live())
  router.get('/health/ready', ready({ isReady: () => askServers(core) }))
  const server = new Koa().use(router.routes()).listen({ host, port })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? portTaken(port, host, 'WORKER_HEALTH_PORT') : error
  })
  shutdown.add({
    name: 'The health port',
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  })
  return (server.address() as AddressInfo).port
}

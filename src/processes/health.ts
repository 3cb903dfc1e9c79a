import { createServer } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { live, ready } from '../api/service/service.ts'
import type { ApiState } from '../http/context.ts'
import type { Shutdown } from '../shutdown.ts'
import type { Core } from './core.ts'
import { listenUntilStop } from './listen.ts'

/** Whether each of the servers answers in time; an absent one says nothing about the other. Never rejects. */
export async function askServers({
  orm,
  temporal: { connection },
  waits: { healthMs },
}: Pick<Core, 'orm' | 'temporal' | 'waits'>): Promise<{ database: boolean; temporal: boolean }> {
  const [database, temporal] = await Promise.all([
    answersInTime(
      orm.checkConnection().then(({ ok }) => ok),
      healthMs,
    ),
    answersInTime(
      connection.workflowService.getSystemInfo({}).then(() => true),
      healthMs,
    ),
  ])
  return { database, temporal }
}

async function answersInTime(question: Promise<boolean>, ms: number): Promise<boolean> {
  const { promise: outOfTime, resolve } = Promise.withResolvers<boolean>()
  const timeout = setTimeout(() => resolve(false), ms)
  try {
    return await Promise.race([question.catch(() => false), outOfTime])
  } finally {
    clearTimeout(timeout)
  }
}

/**
 * Answers `/health/live` and `/health/ready` for a process without an API, as the API answers them.
 *
 * @param isAtWork false while the process starts, which is not ready then.
 * @returns the port.
 * @throws StartupError when the port is taken.
 */
export async function startHealthPart(
  core: Core,
  { host, port, isAtWork, shutdown }: { host: string; port: number; isAtWork: () => boolean; shutdown: Shutdown },
): Promise<number> {
  const router = new Router<ApiState>()
  router.get('/health/live', live())
  const isServing = () => isAtWork() && !shutdown.signal.aborted
  router.get('/health/ready', ready({ isReady: () => askServers(core), isServing }))
  const server = createServer(new Koa().use(router.routes()).callback())
  return listenUntilStop(server, { name: 'The health port', host, port, variable: 'WORKER_HEALTH_PORT', shutdown })
}

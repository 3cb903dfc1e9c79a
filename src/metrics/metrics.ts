import type { Middleware } from 'koa'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { ApiState } from '../http/context.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import { readBacklog } from '../persistence/queries/statistics/backlog.ts'
import { poolOf } from '../persistence/statements.ts'
import type { WebhookSender } from '../webhooks/send.ts'
import { createBacklogMetrics } from './backlog-metrics.ts'
import { createGatewayMetrics, type GatewayMetrics } from './gateway-metrics.ts'
import { createPoolMetrics } from './pool-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { createWebhookMetrics } from './webhook-metrics.ts'

/** How often the delay of the event loop is sampled: each sample wakes the process. */
const EVENT_LOOP_SAMPLE_MS = 50

/** What a process measures of itself, and what measures it. docs/operations.md lists all of it. */
export interface Metrics {
  requests: Middleware<ApiState>
  gateways: GatewayMetrics
  webhooks(sender: WebhookSender): WebhookSender
  /** Everything, in the text format of Prometheus. */
  text(): Promise<string>
}

export interface MetricsDeps {
  orm: Orm
  clock: Clock
  logger: Logger
}

export async function createMetrics({ orm, clock, logger }: MetricsDeps): Promise<Metrics> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS })
  createPoolMetrics(registry, await poolOf(orm))
  const readWaiting = createBacklogMetrics(registry, {
    clock,
    logger,
    read: (missedBefore) => readBacklog(orm, missedBefore),
  })
  return {
    requests: createRequestMetrics(registry),
    gateways: createGatewayMetrics(registry, clock),
    webhooks: createWebhookMetrics(registry),
    async text() {
      await readWaiting()
      return registry.metrics()
    },
  }
}

import { createServer } from 'node:http'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Shutdown } from '../shutdown.ts'
import { listenUntilStop } from './listen.ts'

export interface MetricsPartOptions {
  host: string
  port: number
  /** `host:port` where the SDK of Temporal serves its own. */
  sdkAddress: string
  logger: Logger
  shutdown: Shutdown
}

/** The SDK's exporter is a thread of this process; it answers in milliseconds. */
const SDK_ANSWERS_WITHIN_MS = 2_000

/** Of the text format that both write. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Serves `/metrics` of this process, with those of Temporal's SDK, on a port of its own. It is for operators;
 * added first, it is there until everything else has stopped.
 *
 * @returns the port.
 * @throws StartupError when the port is taken.
 */
export async function startMetricsPart(
  metrics: Metrics,
  { host, port, sdkAddress, logger, shutdown }: MetricsPartOptions,
): Promise<number> {
  /** Nothing where they cannot be had: ours are still worth having. */
  const sdkText = async (): Promise<string> => {
    try {
      const signal = AbortSignal.timeout(SDK_ANSWERS_WITHIN_MS)
      return await (await fetch(`http://${sdkAddress}/metrics`, { signal })).text()
    } catch (error) {
      logger.warn({ err: error }, "The metrics of Temporal's SDK were not read")
      return ''
    }
  }
  const server = createServer(async ({ method, url }, response) => {
    if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) return void response.writeHead(404).end()
    try {
      const [own, sdk] = await Promise.all([metrics.text(), sdkText()])
      response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(`${own}${sdk}`)
    } catch (error) {
      logger.error({ err: error }, 'The metrics were not written')
      response.writeHead(500).end()
    }
  })
  return listenUntilStop(server, { name: 'The metrics', host, port, variable: 'METRICS_PORT', shutdown })
}

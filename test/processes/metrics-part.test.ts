import { afterEach, describe, expect, test } from '@jest/globals'
import type { Metrics } from '../../src/metrics/metrics.ts'
import { startMetricsPart } from '../../src/processes/metrics-part.ts'
import type { Shutdown, StopStep } from '../../src/shutdown.ts'
import { captureLog } from '../support/captured-log.ts'
import { listen } from '../support/listen.ts'

const NOBODY = '127.0.0.1:1'

const steps: StopStep[] = []
const shutdown = { add: (step: StopStep) => void steps.push(step) } as unknown as Shutdown
afterEach(async () => {
  for (const step of steps.splice(0)) await step.stop()
})

async function start({ sdkAddress = NOBODY, text = async () => 'ours 1\n', port = 0 } = {}): Promise<string> {
  const { logger } = captureLog()
  const metrics = { text } as Metrics
  return `http://127.0.0.1:${await startMetricsPart(metrics, { host: '127.0.0.1', port, sdkAddress, logger, shutdown })}`
}

/** As the SDK of Temporal serves its own. */
async function startSdk(): Promise<string> {
  const { url, close } = await listen((_, response) => response.end('temporal 1\n'))
  steps.push({ name: 'The SDK', stop: close })
  return new URL(url).host
}

describe('the port of the metrics', () => {
  test('serves those of the process, and with them those of the SDK', async () => {
    const answer = await fetch(`${await start({ sdkAddress: await startSdk() })}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await answer.text()).toBe('ours 1\ntemporal 1\n')
  })

  test('serves the former where the latter cannot be had', async () => {
    expect(await (await fetch(`${await start()}/metrics`)).text()).toBe('ours 1\n')
  })

  test('says that it failed where they cannot be written', async () => {
    const url = await start({ text: () => Promise.reject(new Error('a defect')) })
    expect((await fetch(`${url}/metrics`)).status).toBe(500)
  })

  test.each(['/', '/invoices', '/metrics/'])('answers nothing else: %s', async (path) => {
    expect((await fetch(`${await start()}${path}`)).status).toBe(404)
  })

  test('is closed when the process stops', async () => {
    const url = await start()
    await steps.splice(0)[0]?.stop()
    await expect(fetch(`${url}/metrics`)).rejects.toThrow()
  })

  test('names the setting where it is taken', async () => {
    const port = Number(new URL(await start()).port)
    await expect(start({ port })).rejects.toThrow(/METRICS_PORT/)
  })
})

import { afterEach, describe, expect, test } from '@jest/globals'
import type { Core } from '../../src/processes/core.ts'
import { startHealthPart } from '../../src/processes/health.ts'
import type { Shutdown, StopStep } from '../../src/shutdown.ts'
import { TEST_WAITS } from '../support/waits.ts'

const steps: StopStep[] = []
afterEach(async () => {
  for (const step of steps.splice(0)) await step.stop()
})

const silent = () => new Promise<never>(() => undefined)

interface Servers {
  database: boolean | 'silent'
  temporal: boolean | 'silent'
}

/** A worker whose servers answer or do not, and how far it is. */
async function startWorker(servers: Servers, state = { isAtWork: true, isStopping: false }): Promise<string> {
  const core = {
    orm: { checkConnection: async () => (servers.database === 'silent' ? silent() : { ok: servers.database }) },
    temporal: {
      connection: {
        workflowService: {
          async getSystemInfo() {
            if (servers.temporal === 'silent') return silent()
            if (!servers.temporal) throw new Error('unavailable')
          },
        },
      },
    },
    waits: TEST_WAITS,
  } as unknown as Core
  const signal = {
    get aborted() {
      return state.isStopping
    },
  }
  const shutdown = { signal, add: (step: StopStep) => void steps.push(step) } as unknown as Shutdown
  const isAtWork = () => state.isAtWork
  return `http://127.0.0.1:${await startHealthPart(core, { host: '127.0.0.1', port: 0, isAtWork, shutdown })}`
}

async function ask(url: string, path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${url}${path}`)
  return { status: answer.status, body: answer.status === 404 ? null : await answer.json() }
}

describe('the health of a worker', () => {
  test('is answered as that of an API, from what it finds when it is asked', async () => {
    const servers = { database: true, temporal: true }
    const url = await startWorker(servers)
    expect(await ask(url, '/health/ready')).toEqual({
      status: 200,
      body: { success: true, database: true, temporal: true },
    })
    servers.temporal = false
    expect(await ask(url, '/health/ready')).toEqual({
      status: 503,
      body: { success: false, database: true, temporal: false },
    })
    expect(await ask(url, '/health/live')).toEqual({ status: 200, body: { success: true } })
  })

  test.each([
    [{ database: true, temporal: 'silent' } as const, { database: true, temporal: false }],
    [{ database: 'silent', temporal: true } as const, { database: false, temporal: true }],
  ])('with %j names only the server that says nothing', async (servers, body) => {
    expect(await ask(await startWorker(servers), '/health/ready')).toEqual({
      status: 503,
      body: { success: false, ...body },
    })
  })

  test('is 503 until it is at work, and from when it is to stop; it lives all the time', async () => {
    const state = { isAtWork: false, isStopping: false }
    const url = await startWorker({ database: true, temporal: true }, state)
    const statuses = async () => [(await ask(url, '/health/ready')).status, (await ask(url, '/health/live')).status]
    expect(await statuses()).toEqual([503, 200])
    state.isAtWork = true
    expect(await statuses()).toEqual([200, 200])
    state.isStopping = true
    expect(await statuses()).toEqual([503, 200])
  })

  test('is all that is answered there', async () => {
    const url = await startWorker({ database: true, temporal: true })
    expect((await ask(url, '/invoices')).status).toBe(404)
  })

  test('is not answered any more when the worker stops', async () => {
    const url = await startWorker({ database: true, temporal: true })
    await steps.splice(0)[0]?.stop()
    await expect(fetch(`${url}/health/live`)).rejects.toThrow()
  })

  test('names the setting where its port is taken', async () => {
    const port = Number(new URL(await startWorker({ database: true, temporal: true })).port)
    const shutdown = { add: () => undefined } as unknown as Shutdown
    const starting = startHealthPart({} as Core, { host: '127.0.0.1', port, isAtWork: () => true, shutdown })
    await expect(starting).rejects.toThrow(/WORKER_HEALTH_PORT/)
  })
})

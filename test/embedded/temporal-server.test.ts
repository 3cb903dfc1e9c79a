import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { tsToMs } from '@temporalio/common'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import { type RunningTemporal, type StartTemporalOptions, startTemporal } from '../../src/embedded/temporal-server.ts'
import { provisionTemporal } from '../../src/temporal/provision.ts'
import { waitFor } from '../support/wait-for.ts'

const namespaces = ['live', 'sandbox']
const log = () => undefined
const DAY_MS = 24 * 60 * 60 * 1000

let cliPath: string
let folder: string
beforeAll(async () => {
  // The run's guardian has put it there already.
  const cacheFolder = fileURLToPath(new URL('../../.test-data/temporal-cli/', import.meta.url))
  cliPath = await obtainTemporalCli({
    cacheFolder,
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    searchPath: false,
    log,
  })
  folder = join(await mkdtemp(join(tmpdir(), 'holdfast-temporal-')), 'my data')
})
afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }))

/** Once more where the server ends because another program has got a port that it has chosen for itself. */
async function start(options?: Partial<StartTemporalOptions>): Promise<RunningTemporal> {
  const attempt = () => startTemporal({ cliPath, folder, namespaces, log, ...options })
  try {
    return await attempt()
  } catch (error) {
    if (/ended with code 1\b/.test((error as Error).message)) return attempt()
    throw error
  }
}

async function withConnection<T>(address: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address })
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

/** A request with a `Host` of its own, which `fetch` does not let anybody choose. */
async function ask(port: number, host: string, path: string): Promise<{ status: number | undefined }> {
  const asking = request({ host: '127.0.0.1', port, path, headers: { host } }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode }
}

const startWorkflow = (connection: Connection, workflowId: string) =>
  new Client({ connection, namespace: 'sandbox' }).workflow.start('anyWorkflow', { workflowId, taskQueue: 'nobody' })

const statusOf = async (connection: Connection, workflowId: string) =>
  (await new Client({ connection, namespace: 'sandbox' }).workflow.getHandle(workflowId).describe()).status.name

const retentionOf = async (connection: Connection, namespace: string) =>
  tsToMs((await connection.workflowService.describeNamespace({ namespace })).config?.workflowExecutionRetentionTtl)

describe('the embedded Temporal server', () => {
  test('leaves nothing running when the port of its web interface is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port: uiPort } = server.address() as { port: number }
    await expect(start({ uiPort })).rejects.toThrow(
      `Port ${uiPort} on 127.0.0.1 is taken by another program; end that program or set TEMPORAL_UI_PORT to a free port, or set DATA_DIR,`,
    )
    server.close()
  })

  test('gives up when it is told to while starting, and leaves nothing running', async () => {
    const stop = new AbortController()
    stop.abort(new Error('given up'))
    await expect(start({ signal: stop.signal })).rejects.toThrow('given up')
    const pid = Number.parseInt(await readFile(join(folder, 'temporal.pid'), 'utf8'), 10)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('keeps workflows over a stop, an end without a stop and a kill, and closed ones for 30 days', async () => {
    const first = await start()
    await withConnection(first.address, (connection) => startWorkflow(connection, 'kept'))
    await first.stop()
    const abandoned = await start()
    await withConnection(abandoned.address, async (connection) => {
      expect(await statusOf(connection, 'kept')).toBe('RUNNING')
      for (const namespace of namespaces) expect(await retentionOf(connection, namespace)).toBe(30 * DAY_MS)
      await startWorkflow(connection, 'survived')
    })
    // As after the process that had started it was killed.
    const next = await start()
    expect(await abandoned.exited).toBe('Temporal ended with code 0')
    await withConnection(next.address, async (connection) => {
      expect(await statusOf(connection, 'survived')).toBe('RUNNING')
    })
    await next.kill()
    expect(await next.exited).toBe('Temporal ended by SIGKILL')
    await (await start()).stop()
  })
})

describe('an embedded Temporal server with a web interface', () => {
  let temporal: RunningTemporal
  let uiPort: number
  let logFile: string

  beforeAll(async () => {
    uiPort = await freePort()
    logFile = join(folder, 'http.log')
    const options = { inMemory: true, folder: join(folder, 'web'), namespaces: ['live'] }
    temporal = await start({ ...options, uiPort, logFile, codecEndpoint: 'http://127.0.0.1:8081' })
  })
  afterAll(() => temporal?.kill())

  test('shows it on loopback', async () => {
    const response = await fetch(`http://127.0.0.1:${uiPort}/namespaces/live/workflows`)
    expect(response.status).toBe(200)
    expect(temporal.uiUrl).toBe(`http://127.0.0.1:${uiPort}`)
    // What the interface reads and writes goes through as well, with its answers as they are.
    await waitFor(async () => (await ask(uiPort, `127.0.0.1:${uiPort}`, '/api/v1/namespaces/live')).status === 200)
    const settings = await fetch(`http://127.0.0.1:${uiPort}/api/v1/settings`)
    expect(await settings.json()).toMatchObject({ Codec: { Endpoint: 'http://127.0.0.1:8081' } })
  })

  test('answers no page whose own name was made to point to this machine', async () => {
    for (const host of ['localhost', `localhost:${uiPort}`, '127.0.0.1', '127.9.8.7:1', '[::1]:80', 'LOCALHOST'])
      expect([host, (await ask(uiPort, host, '/api/v1/settings')).status]).toEqual([host, 200])
    const names = [
      'evil.example',
      `evil.example:${uiPort}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'x@127.0.0.1',
    ]
    for (const host of names)
      for (const path of ['/', '/api/v1/settings', '/api/v1/namespaces'])
        expect([host, (await ask(uiPort, host, path)).status]).toEqual([host, 403])
  })

  test('has no HTTP interface beside it', async () => {
    const logged = await waitFor(async () => /Temporal HTTP: +\S+:(\d+)/.exec(await readFile(logFile, 'utf8')))
    const port = Number(logged[1])
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'evil.example'])
      expect((await ask(port, host, '/api/v1/namespaces')).status).toBe(403)
  })

  test('gets the namespaces and search attributes that it lacks, and keeps its retention', async () => {
    await withConnection(temporal.address, async (connection) => {
      const setRetention = {
        namespace: 'live',
        config: { workflowExecutionRetentionTtl: { seconds: 259_200 as never } },
      }
      await connection.workflowService.updateNamespace(setRetention)
      await provisionTemporal(connection, { namespaces })
      // Usable at once: the workflow names an attribute in the namespace that was just made.
      await new Client({ connection, namespace: 'sandbox' }).workflow.start('anyWorkflow', {
        workflowId: 'first',
        taskQueue: 'nobody',
        typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.paymentStatus, value: 'authorized' }],
      })
      expect(await retentionOf(connection, 'live')).toBe(3 * DAY_MS)
      expect(await retentionOf(connection, 'sandbox')).toBe(90 * DAY_MS)
      // Where all is there it only asks: nothing is made, and nothing waited for.
      const asked: string[] = []
      const listening = <T extends object>(service: T): T =>
        new Proxy(service, {
          get(target, name) {
            const value = Reflect.get(target, name)
            if (typeof value !== 'function') return value
            return (...args: unknown[]) => {
              asked.push(String(name))
              return value.apply(target, args)
            }
          },
        })
      const { workflowService, operatorService } = connection
      const services = { workflowService: listening(workflowService), operatorService: listening(operatorService) }
      await provisionTemporal(services, { namespaces })
      expect(asked.toSorted()).toEqual(
        ['describeNamespace', 'listWorkflowExecutions'].flatMap((name) => namespaces.map(() => name)),
      )
    })
  })

  test('ends its web interface with the server', async () => {
    await temporal.kill()
    await expect(fetch(`http://127.0.0.1:${uiPort}`)).rejects.toThrow()
  })
})

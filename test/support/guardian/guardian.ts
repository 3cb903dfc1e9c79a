/**
 * Owns the servers of one test run; started by `startGuardian`, prints its address, ends when its input ends.
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { obtainTemporalCli } from '../../../src/embedded/temporal-cli.ts'
import { makeParts } from './parts.ts'
import { makeRunFolder, removeStaleRuns } from './run-folder.ts'

const TEST_DATA = fileURLToPath(new URL('../../../.test-data/', import.meta.url))

const say = (line: string): void => void process.stderr.write(`${line}\n`)

// The run's terminal sends these to the run as well, whose end closes our input; only then is it time to go.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const runsFolder = join(TEST_DATA, 'runs')
await removeStaleRuns(runsFolder, say)
const folder = makeRunFolder(runsFolder)
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

try {
  const cliPath = await obtainTemporalCli({
    cacheFolder: join(TEST_DATA, 'temporal-cli'),
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    // Every machine runs its tests against the same version.
    searchPath: false,
    log: say,
  })
  await guard(cliPath)
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}

async function guard(cliPath: string): Promise<void> {
  const parts = makeParts({ folder, cliPath, log: say })
  const requests = createServer(
    (request, response) => void answer(response, parts.provide(request.url?.slice(1) ?? '')),
  )
  requests.listen(0, '127.0.0.1')
  await once(requests, 'listening')
  process.stdout.write(`http://127.0.0.1:${(requests.address() as AddressInfo).port}\n`)
  process.stdin.resume()
  await once(process.stdin, 'close')
  requests.close()
  requests.closeAllConnections()
  await parts.stop()
}

async function answer(response: ServerResponse, part: Promise<unknown>): Promise<void> {
  try {
    const body = JSON.stringify(await part)
    response.setHeader('content-type', 'application/json').end(body)
  } catch (error) {
    response.writeHead(500).end((error as Error).message)
  }
}

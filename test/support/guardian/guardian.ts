/**
 * Owns the servers of one test run; started by `startGuardian`, prints its address, ends when its input ends.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { obtainTemporalCli } from '../../../src/embedded/temporal-cli.ts'
import { STARTED } from '../servers.ts'
import { makeParts } from './parts.ts'
import { makeRunFolder, memoryFolder, removeRunFolder, removeStaleRuns } from './run-folder.ts'

/** Not in the project, because a PostgreSQL started by root runs as a user who may not enter everything there. */
const RUNS = join(process.env.TMPDIR ?? memoryFolder() ?? tmpdir(), `holdfast-tests-${userInfo().uid}`)

const say = (line: string): void => void process.stderr.write(`${line}\n`)

// The run's terminal sends these to the run as well, whose end closes our input; only then is it time to go.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

await removeStaleRuns(RUNS, say)
const folder = makeRunFolder(RUNS)
process.on('exit', () => removeRunFolder(folder))

try {
  const cliPath = await obtainTemporalCli({
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
  const requests = createServer((request, response) => {
    const name = request.url?.slice(1) ?? ''
    void answer(response, name === STARTED ? parts.started() : parts.provide(name))
  })
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

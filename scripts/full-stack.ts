/**
 * `npm run stack:full`: the set-up of `docker-compose.temporal.yml` without containers. PostgreSQL, the full Temporal server
 * with its tables there, the namespaces of production, and API and worker as processes of their own.
 */
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { removeServersFile, writeServersFile } from '../src/embedded/servers-file.ts'
import { createProgram, runProgram, TERMINAL } from '../src/processes/command-line.ts'
import { runProcess, say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { smoke } from '../test/full-stack/smoke.ts'
import { keptPlace, type StackPlace } from './full-stack/places.ts'
import { type FullStack, startFullStack } from './full-stack/stack.ts'
import { startTemporalUi } from './full-stack/ui.ts'
import { obtainGoPrograms, TEMPORAL_SERVER, TEMPORAL_UI } from './go-programs.ts'

const ABOUT = `Runs the set-up of docker-compose.temporal.yml without containers: PostgreSQL, Temporal ${TEMPORAL_SERVER.version} as \
clusters run it, with its tables in that PostgreSQL, its UI, the namespaces live and sandbox, an API and a worker. Each part is \
started again when it ends. Ctrl-C stops all of it; the data stays in DATA_DIR/full-stack.`

const NOTES = `
Temporal and its UI are built with Go (1.26.8 or later): once, which takes some five minutes.

PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT (off: no UI), POSTGRES_PORT, WORKER_HEALTH_PORT and DATA_DIR are heeded.`

const SMOKE = `does the main job on a set-up of its own, kills each part while merchants pay, compares \
the books of both sides, and ends: with code 0 where nothing was lost or made twice`

const program = createProgram('stack:full', TERMINAL)
  .description(ABOUT)
  .option('--smoke', SMOKE)
  .addHelpText('after', NOTES)
  .action(async ({ smoke: isSmoke }: { smoke?: true }) => void (await runProcess(isSmoke ? runSmoke : runStack)))
process.exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)

async function runSmoke(shutdown: Shutdown): Promise<void> {
  shutdown.watchParent()
  const programs = await obtainGoPrograms(TEMPORAL_SERVER, { signal: shutdown.signal, log: step })
  say(`\n${await smoke(programs, shutdown, step)}\n`)
  shutdown.request('PASSED: no payment was lost or made twice, and all came to an end. Stopping', 0)
}

async function runStack(shutdown: Shutdown): Promise<void> {
  shutdown.watchParent()
  const config = readConfig()
  const { signal } = shutdown
  const place = await keptPlace(config, shutdown, step)
  // What may have to be built comes first, so that nothing waits for it half started.
  const programs = await obtainGoPrograms(TEMPORAL_SERVER, { signal, log: step })
  const temporalUiUrl = await startUi(place, shutdown)
  const stack = await startFullStack({ place, programs, temporalUiUrl, say: step }, shutdown)
  const { temporalAddress } = stack
  // As `npm run api` and `npm run worker` do unless told otherwise.
  await writeServersFile(place.folder, { databaseUrl: stack.databaseUrl(), temporalAddress, encryptsPayloads: true })
  shutdown.add({ name: 'The list of servers', stop: () => removeServersFile(place.folder) })
  say(greeting(stack, place, temporalUiUrl))
}

/** It waits for Temporal by itself. */
async function startUi({ uiPort: port, temporalPorts, folder }: StackPlace, shutdown: Shutdown) {
  if (port === undefined) return undefined
  const { ui: program } = await obtainGoPrograms(TEMPORAL_UI, { signal: shutdown.signal, log: step })
  const temporalAddress = `127.0.0.1:${temporalPorts[0]}`
  return startTemporalUi({ program, temporalAddress, port, folder: join(folder, 'temporal-ui'), log: step }, shutdown)
}

function greeting(stack: FullStack, place: StackPlace, temporalUiUrl: string | undefined): string {
  const command = `DATA_DIR='${place.folder}' npm run admin --`
  return `
The production set-up runs. Stop it with Ctrl-C.

  API           ${stack.baseUrl}
  Dashboard     ${stack.baseUrl}/dashboard/
  Temporal UI   ${temporalUiUrl ?? 'off'}
  Temporal      ${stack.temporalAddress}
  PostgreSQL    127.0.0.1:${place.postgresPort}
  Worker        http://127.0.0.1:${place.workerHealthPort}/health/ready
  Logs          ${stack.logFolder}

Make a project and invite its owner, in another terminal:

${command} projects create "My shop"
${command} people invite ada@shop.example PROJECT_ID owner
`
}

function step(line: string): void {
  say(`  ${line}`)
}

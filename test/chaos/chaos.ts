/** `npm run chaos`: kills the service's processes at random under payments, and looks whether anything was lost. */
import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPorts } from '../../scripts/full-stack/ports.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { runProgram, TERMINAL } from '../../src/processes/command-line.ts'
import { runProcess, say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import {
  makeRunFolder,
  rememberPostgresData,
  removeRunFolder,
  removeStaleRuns,
} from '../support/guardian/run-folder.ts'
import { obtainCli } from '../support/processes/obtain-cli.ts'
import { temporalProgram } from '../support/processes/programs.ts'
import { startService } from '../support/processes/service.ts'
import { auditWebhooks } from './audit-webhooks.ts'
import { auditBooks, readCommitted, waitUntilIdle } from './books.ts'
import { type ChaosOptions, chaosProgram } from './command-line.ts'
import { killAtRandom } from './killer.ts'
import { startReceivers } from './receivers.ts'
import { renderReport } from './report.ts'
import { findUnfetchable, openShops } from './shops.ts'
import { runStories, type Stories } from './stories.ts'

/** Not in the project, because a PostgreSQL started by root runs as a user who may not enter everything there. */
const RUNS = join(tmpdir(), `holdfast-chaos-${userInfo().uid}`)

/** Few enough for a small machine; each kind but the servers can lose one and go on. */
const APIS = 2
const WORKERS = 2
const PROGRESS_EVERY_MS = 10_000
/** Before the first kill, so that the report also tells of ordinary days; longer where no capture has succeeded by then. */
const UNDISTURBED_MS = 2_000
const FIRST_CAPTURE_POLL_MS = 100

process.exitCode = await runProgram(
  chaosProgram(TERMINAL, (options) => runProcess((shutdown) => run(options, shutdown))),
  process.argv.slice(2),
  TERMINAL,
)

async function run(options: ChaosOptions, shutdown: Shutdown): Promise<void> {
  const startedAt = performance.now()
  const { signal } = shutdown
  let isComplete = false
  // Whoever asked for a run must not take one that was cut short for one that passed.
  shutdown.add({
    name: 'The run',
    stop: async () => {
      if (!isComplete) throw new Error('it has no result')
    },
  })
  const service = await start(options, shutdown)
  step('Opening shops')
  const receivers = await startReceivers(options, shutdown)
  const shops = await openShops(service, receivers)

  step(`Killing ${options.kills} processes, seed ${options.seed}`)
  const stories = runStories({ ...options, shops, receivers, signal })
  const processes = [service.postgres, service.temporal, ...service.apis, ...service.workers, ...receivers.all]
  const progress = () => {
    const killed = processes.reduce((sum, one) => sum + one.kills(), 0)
    const { begun, requests, failed } = stories.counts()
    step(`${killed} of ${options.kills} killed, ${begun} stories, ${requests} requests, of which ${failed} failed`)
  }
  const timer = setInterval(progress, PROGRESS_EVERY_MS)
  try {
    await sleep(UNDISTURBED_MS, undefined, { signal })
    await waitForFirstCapture(stories, options.patience * 1000, signal)
    await killAtRandom(processes, options, signal)
    // What was asked for while something was down is answered when it is back, or never.
    await Promise.all([service.ready(), stories.finish()])
  } finally {
    clearInterval(timer)
    await stories.finish()
  }
  progress()
  step('Everything runs again; waiting until all has come to its end')
  const orm = await openDatabase(service.databaseUrl())
  try {
    const faults = await waitUntilIdle(orm, options.patience * 1000, signal, step)
    step('Fetching every event')
    faults.push(...(await findUnfetchable(shops, (await readCommitted(orm)).events, signal)))
    await service.stopService()
    const committed = await readCommitted(orm)
    const payments = await auditBooks(orm, stories.orders)
    const webhooks = auditWebhooks({
      ...committed,
      endpoints: shops.flatMap(({ endpoints }) => endpoints),
      ownUrlOf: stories.ownUrlOf,
      arrivals: receivers.arrivals,
    })
    faults.push(...payments.faults, ...webhooks.faults)
    const seconds = (performance.now() - startedAt) / 1000
    const outcome = { faults, payments, webhooks, events: committed.events.length, processes, seconds }
    say(`\n${renderReport({ ...outcome, stories: stories.counts() })}\n`)
    isComplete = true
    const isFine = faults.length === 0
    shutdown.request(isFine ? 'Cleaning up' : 'Cleaning up after a run that failed', isFine ? 0 : 1)
  } finally {
    await orm.close(true)
  }
}

/**
 * A run without a payment that has succeeded has proved nothing, and a slow machine may need longer for the first one than
 * all the kills take.
 */
async function waitForFirstCapture(stories: Stories, patienceMs: number, signal: AbortSignal): Promise<void> {
  const patience = AbortSignal.timeout(patienceMs)
  while (!stories.hasCapture()) {
    if (patience.aborted) throw new Error(`No capture has succeeded in ${patienceMs / 1000} s, before the first kill`)
    await sleep(FIRST_CAPTURE_POLL_MS, undefined, { signal })
  }
}

/** Starts the service in a folder of its own, after what killed runs have left behind is gone. */
async function start({ keep }: ChaosOptions, shutdown: Shutdown) {
  const { signal } = shutdown
  const cliPath = await obtainCli(step, signal)
  await removeStaleRuns(RUNS, step)
  const [postgresPort = 0, temporalPort = 0, ...ports] = await findPorts(2 + APIS + WORKERS)
  const folder = makeRunFolder(RUNS)
  const remove = async () => {
    if (keep) say(`Logs and data are in ${folder}`)
    else removeRunFolder(folder)
  }
  shutdown.add({ name: 'The folder', stop: remove, kill: remove })
  step('Starting PostgreSQL, Temporal, the APIs and workers')
  mkdirSync(join(folder, 'temporal'))
  const service = await startService({
    folder,
    postgresPort,
    temporalAddress: `127.0.0.1:${temporalPort}`,
    temporalOn: async () => temporalProgram({ folder: join(folder, 'temporal'), port: temporalPort, cliPath }),
    apiPorts: ports.slice(0, APIS),
    workerPorts: ports.slice(APIS),
    onPostgres: (dataFolder) => rememberPostgresData(folder, dataFolder),
    signal,
    say: step,
    failed: (reason) => shutdown.request(reason, 1),
  })
  shutdown.add({ name: 'The service', stop: service.end, kill: service.end })
  return service
}

function step(line: string): void {
  say(`  ${new Date().toISOString().slice(11, 19)}  ${line}`)
}

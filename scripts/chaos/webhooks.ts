/** `npm run chaos:webhooks`: kills the service's processes at random and looks whether a webhook was lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/persistence/open-database.ts'
import { runProcess, say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { readArrivals } from './arrivals.ts'
import { audit, type Evidence } from './audit.ts'
import { readCommitted } from './committed.ts'
import { findUnfetchable } from './fetch-events.ts'
import { killAtRandom } from './killer.ts'
import { type Machine, makeMachine } from './machine.ts'
import { type ChaosOptions, HELP, readOptions, wantsHelp } from './options.ts'
import { renderReport } from './report.ts'
import { openAccounts, registerEndpoints, type Shop } from './shops.ts'
import { playScenarios, type Stories } from './stories.ts'
import { waitUntilIdle } from './wait-until-idle.ts'

const PROGRESS_EVERY_MS = 10_000
/** Before the first kill, so that the report also tells of ordinary days. */
const UNDISTURBED_MS = 2_000

const args = process.argv.slice(2)
if (wantsHelp(args)) say(HELP)
else await runProcess(run)

async function run(shutdown: Shutdown): Promise<void> {
  const options = readOptions(args)
  const startedAt = performance.now()
  const failed = (reason: string) => shutdown.request(reason, 1)
  const { signal } = shutdown
  let isComplete = false
  // Whoever asked for a run must not take one that was cut short for one that passed.
  shutdown.add({
    name: 'The run',
    stop: async () => {
      if (!isComplete) throw new Error('it has no result')
    },
  })
  const machine = await makeMachine({ ...options, signal, say: step, failed })
  shutdown.add({ name: 'The machine', stop: () => machine.remove(), kill: () => machine.remove() })

  const shops = await prepare(machine)
  const stories = await disturb(machine, shops, options, signal)
  const { others, evidence } = await gather(machine, shops, stories, options, signal)
  const findings = audit(evidence)
  const seconds = (performance.now() - startedAt) / 1000
  const { events } = evidence
  const processes = machine.processes()
  say(`\n${renderReport({ findings, events: events.length, others, stories: stories.counts(), processes, seconds })}\n`)
  isComplete = true
  const isFine = findings.faults.length === 0 && others.length === 0
  shutdown.request(isFine ? 'Cleaning up' : 'Cleaning up after a run that failed', isFine ? 0 : 1)
}

/** Starts everything and registers who receives what. */
async function prepare(machine: Machine): Promise<Shop[]> {
  step('Starting PostgreSQL and Temporal')
  await Promise.all([machine.ready(), machine.command('scripts/keys.ts')])
  await machine.command('scripts/migrate.ts')
  step('Starting the APIs, workers and receivers')
  machine.startService()
  const [accounts] = await Promise.all([openAccounts(machine), machine.ready()])
  const { shops, secrets } = await registerEndpoints(machine, accounts)
  machine.startReceivers(secrets)
  await machine.ready()
  return shops
}

/** Sends payments and kills processes meanwhile; ends when all kills are done and everything runs again. */
async function disturb(machine: Machine, shops: Shop[], options: ChaosOptions, signal: AbortSignal): Promise<Stories> {
  step(`Killing ${options.kills} processes, seed ${options.seed}`)
  const stories = playScenarios({ ...options, shops, receivers: machine.receivers })
  const progress = setInterval(() => step(describe(machine, stories, options)), PROGRESS_EVERY_MS)
  try {
    await sleep(UNDISTURBED_MS, undefined, { signal })
    await killAtRandom(machine.processes(), options, signal)
    // What was asked for while something was down is answered when it is back, or never.
    await Promise.all([machine.ready(), stories.finish()])
  } finally {
    clearInterval(progress)
    await stories.finish()
  }
  step(`${describe(machine, stories, options)}; everything runs again`)
  return stories
}

/** Waits for the end of every delivery, and collects what was committed and what arrived. */
async function gather(
  machine: Machine,
  shops: readonly Shop[],
  stories: Stories,
  { patienceMs }: ChaosOptions,
  signal: AbortSignal,
): Promise<{ others: string[]; evidence: Evidence }> {
  const orm = await openDatabase(machine.databaseUrl())
  try {
    const em = orm.em.fork()
    const isIdle = await waitUntilIdle(em, { patienceMs, signal, say: step })
    const others = isIdle ? [] : [`Something is still on its way after ${patienceMs / 1000} s`]
    step('Fetching every event')
    others.push(...(await findUnfetchable(shops, (await readCommitted(em)).events, signal)))
    await machine.stopService()
    return {
      others,
      evidence: {
        ...(await readCommitted(em)),
        endpoints: shops.flatMap(({ endpoints }) => endpoints),
        ownUrlOf: stories.ownUrlOf,
        arrivals: machine.receivers.flatMap(({ url, file }) =>
          readArrivals(file).map((arrival) => ({ ...arrival, url: `${url}${arrival.path}` })),
        ),
      },
    }
  } finally {
    await orm.close(true)
  }
}

function describe(machine: Machine, stories: Stories, { kills }: ChaosOptions): string {
  const killed = machine.processes().reduce((sum, one) => sum + one.kills(), 0)
  const { begun, requests, failed } = stories.counts()
  return `${killed} of ${kills} killed, ${begun} stories, ${requests} requests, of which ${failed} failed`
}

function step(line: string): void {
  say(`  ${new Date().toISOString().slice(11, 19)}  ${line}`)
}

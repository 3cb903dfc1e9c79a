/** `npm run chaos`: breaks parts of the service under payments, and looks whether anything was lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram, TERMINAL } from '../../src/processes/command-line.ts'
import { runProcess, say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { chaosProgram } from './command-line.ts'
import { askForUntold, misbehaveInTurn } from './faults.ts'
import { killAtRandom } from './killer.ts'
import { pieceOf } from './long-run.ts'
import { runMatrix } from './matrix.ts'
import type { ChaosOptions } from './options.ts'
import { writePage } from './reliability-page.ts'
import { renderReport } from './report.ts'
import { keepResults } from './results.ts'
import { openScene, step } from './scene.ts'
import { runStories, type Stories } from './stories.ts'
import { runVacuity } from './vacuity.ts'
import { judge } from './verdict.ts'

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
  let isComplete = false
  // Whoever asked for a run must not take one that was cut short for one that passed.
  shutdown.add({
    name: 'The run',
    stop: async () => {
      if (!isComplete) throw new Error('it has no result')
    },
  })
  const isMatrix = options.matrix || options.cell !== undefined
  const runOne = options.vacuity ? runVacuity : isMatrix ? runMatrix : runKills
  const isFine = await runOne(options, shutdown)
  isComplete = true
  shutdown.request(isFine ? 'Cleaning up' : 'Cleaning up after a run that failed', isFine ? 0 : 1)
}

/** Kills processes at random. */
async function runKills(options: ChaosOptions, shutdown: Shutdown): Promise<boolean> {
  const startedAt = performance.now()
  const { signal } = shutdown
  const scene = await openScene(options, shutdown)
  const { service, receivers, shops, standIns } = scene
  step(`Killing ${options.kills} processes, seed ${options.seed}`)
  const stories = runStories({ ...options, name: 'Order', shops, receivers, operate: service.command, signal })
  const processes = [service.postgres, service.temporal, ...service.apis, ...service.workers, ...receivers.all]
  const progress = () => {
    const killed = processes.reduce((sum, one) => sum + one.kills(), 0)
    const { begun } = stories.counts()
    const { sent, failed } = stories.requests
    step(`${killed} of ${options.kills} killed, ${begun} stories, ${sent} requests, of which ${failed} failed`)
  }
  const timer = setInterval(progress, PROGRESS_EVERY_MS)
  try {
    await sleep(UNDISTURBED_MS, undefined, { signal })
    await waitForFirstCapture(stories, options.patience * 1000, signal)
    const lastingMs = (options.long ?? 0) * 60_000
    await Promise.all([killAtRandom(processes, options, signal), misbehaveInTurn(scene, options.seed, lastingMs)])
    // What was asked for while something was down is answered when it is back, or never.
    await Promise.all([service.ready(), stories.finish()])
    if (lastingMs > 0) await askForUntold(scene)
  } finally {
    clearInterval(timer)
    await stories.finish()
  }
  progress()
  step('Everything runs again; waiting until all has come to its end')
  const { patience } = options
  const { databaseUrl, stopService } = service
  const evidence = {
    databaseUrl: databaseUrl(),
    shops,
    receivers,
    standIns,
    stories,
    patience,
    stopService,
    signal,
    step,
  }
  const verdict = await judge(evidence)
  const seconds = (performance.now() - startedAt) / 1000
  say(`\n${renderReport({ ...verdict, processes, seconds, stories })}\n`)
  if (options.long !== undefined)
    writePage(keepResults({ long: { [options.seed]: pieceOf(options, stories, verdict) } }))
  return verdict.faults.length === 0
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

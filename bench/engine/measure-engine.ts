import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { activityInfo } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { startOptions } from '../../src/temporal/client.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { createTaskSlots } from '../../src/temporal/task-slots.ts'
import { tunerOf } from '../../src/temporal/workers.ts'
import type { Result } from '../client/messages.ts'
import { startFloorWorker } from '../floor/floor-worker.ts'
import { monotonicMs } from '../measure/clock.ts'
import { endOfTasks } from '../measure/end-of-tasks.ts'
import { closedLoop } from '../measure/load.ts'
import { meanCpu } from '../measure/mean-cpu.ts'
import type { Watched } from '../measure/quiet.ts'
import { terminateAll } from '../measure/terminate-all.ts'
import type { PartResult } from '../parts/part.ts'
import { type BesideFloor, besideFloor, type Loop } from '../payments/beside-floor.ts'
import type { StagedContext } from '../payments/measure-way.ts'
import { FLOOR_NAME } from '../payments/part-of-way.ts'
import { type Figure, figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'

const WORKFLOWS = fileURLToPath(new URL('./workflows.ts', import.meta.url))
const TASK_QUEUE = 'engine'

/** What a payment asks of Temporal, one thing more with each. */
const RUNGS = [
  { name: 'eager start with one local activity', workflow: 'stepWorkflow', isShown: false },
  { name: 'the same, and wait', workflow: 'waitingWorkflow', isShown: false },
  { name: 'the same, and shown to staff', workflow: 'shownWorkflow', isShown: true },
] as const
type Rung = (typeof RUNGS)[number]

const LOOPS = { one: { concurrency: 1, durationMs: 6_000 }, eight: { concurrency: 8, durationMs: 8_000 } }
const QUICK_MS = 1_500
const WARM_UP = 150
const WARM_UP_QUICK = 20
/** The last ones may end in any order. */
const LAST = 16

type Measured = Omit<BesideFloor<Run>, 'own'> & { own: Omit<BesideFloor<Run>['own'], 'outcome'> }
type Repeat = Watched & Record<string, Record<keyof typeof LOOPS, Measured>>

interface Engine {
  client: Client
  /** Whom the activity of a workflow answers. */
  answers: Map<string, () => void>
}

interface Run {
  startedAt: number
  endedAt: number
  results: Result[]
  workflowIds: string[]
}

/**
 * What Temporal and its SDK take of a payment, without anything of ours: no HTTP, no PostgreSQL, an activity that does
 * nothing. It is the floor under our own work, as the bare update-with-start is that under everything.
 */
export async function measureEngine(context: StagedContext): Promise<PartResult> {
  const { stage, shutdown, signal, quick, quietly, say, repeats: times } = context
  const answers = new Map<string, () => void>()
  const nothing = async () => answers.get(String(activityInfo().workflowExecution?.workflowId))?.()
  const options = { taskQueue: TASK_QUEUE, workflowsPath: WORKFLOWS, activities: { nothing } }
  await startFloorWorker(stage.core, { ...options, slots: { tuner: tunerOf(createTaskSlots()) } }, shutdown)
  const client = stage.core.temporal.clients.sandbox
  const engine = { client, answers }
  say('Warming up')
  for (let index = 0; index < (quick ? WARM_UP_QUICK : WARM_UP); index += 1) {
    await stage.floor.update()
    for (const rung of RUNGS) await answerOf(engine, rung)
  }
  const measure = async (rung: Rung, loop: Loop): Promise<Measured> => {
    const { own, floor } = await besideFloor(
      stage,
      { ...loop, ...(quick && { durationMs: QUICK_MS }) },
      signal,
      (load) => runRung(engine, rung, load, signal),
      ({ workflowIds }) => endOfTasks(client, workflowIds.slice(-LAST)),
    )
    // What waits for a week would be there with everything that comes after it.
    await terminateAll(client, rung.workflow, signal)
    const { outcome: _, ...brief } = own
    return { own: brief, floor }
  }
  const repeats: Repeat[] = []
  for (let index = 1; index <= times; index += 1) {
    const repeat = await quietly.run(async () => {
      const measured: Record<string, Record<keyof typeof LOOPS, Measured>> = {}
      for (const rung of RUNGS)
        measured[rung.name] = { one: await measure(rung, LOOPS.one), eight: await measure(rung, LOOPS.eight) }
      return measured as Repeat
    })
    repeats.push(repeat)
    say(`${index} of ${times}: ${inBrief(repeat)}`)
  }
  const all = (rung: Rung) => repeats.map((repeat) => repeat[rung.name] as Record<keyof typeof LOOPS, Measured>)
  const floors = RUNGS.flatMap((rung) => all(rung).map(({ eight }) => eight.floor.cpuMs))
  const [cheapest] = RUNGS
  return {
    figures: RUNGS.flatMap((rung) => figuresOf(rung, all(rung))),
    costs: [
      ...RUNGS.map((rung) => ({
        operation: rung.name,
        cpuMs: meanCpu(all(rung).map(({ eight }) => eight.own.cpuMs)),
        counts: {},
      })),
      { operation: FLOOR_NAME, cpuMs: meanCpu(floors), counts: {} },
    ],
    audit: { repeats: all(cheapest).length },
    repeats,
  }
}

function figuresOf({ name }: Rung, repeats: readonly Record<keyof typeof LOOPS, Measured>[]): Figure[] {
  return [
    figureOf(
      { name: `${name}, p50, 1 caller`, unit: 'ms', besideName: FLOOR_NAME },
      repeats.map(({ one }) => ({ measured: one.own.p50, beside: one.floor.p50 })),
    ),
    figureOf(
      { name: `${name}, 8 callers`, unit: '/s', besideName: FLOOR_NAME },
      repeats.map(({ eight }) => ({ measured: eight.own.ratePerSecond, beside: eight.floor.ratePerSecond })),
    ),
  ]
}

async function runRung(
  engine: Engine,
  rung: Rung,
  { concurrency, durationMs }: Loop,
  signal: AbortSignal,
): Promise<Run> {
  const run: Run = { startedAt: monotonicMs(), endedAt: 0, results: [], workflowIds: [] }
  await closedLoop({ concurrency, durationMs, signal }, async (startedAt) => {
    run.workflowIds.push(await answerOf(engine, rung))
    const endedAt = monotonicMs()
    const index = run.results.length
    run.results.push({ index, tookMs: endedAt - startedAt, endedAt, statuses: [], kept: {} })
    return endedAt - startedAt
  })
  return { ...run, endedAt: monotonicMs() }
}

/**
 * Starts a workflow, and waits until its activity answers, as a request waits for its payment.
 *
 * @throws Error where the start was not eager: it is another thing that is measured then.
 */
async function answerOf({ client, answers }: Engine, { workflow, isShown }: Rung): Promise<string> {
  const invoiceId = `iv_${randomUUID().replaceAll('-', '')}`
  const payment = { projectId: 'engine', environment: 'sandbox', invoiceId, orderId: null } as const
  const { typedSearchAttributes, staticSummary, workflowId } = startOptions(
    { ...payment, amountMinor: 2_900, currency: 'EUR' },
    TASK_QUEUES,
  )
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  answers.set(workflowId, resolve)
  const handle = await client.workflow.start(workflow, {
    workflowId,
    taskQueue: TASK_QUEUE,
    requestEagerStart: true,
    args: [],
    ...(isShown && { typedSearchAttributes, staticSummary }),
  })
  if (!handle.eagerlyStarted) throw new Error('A start was not eager.')
  await answered
  answers.delete(workflowId)
  return workflowId
}

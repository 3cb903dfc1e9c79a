import { randomUUID } from 'node:crypto'
import { activityInfo } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { startOptions } from '../../src/temporal/client.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { meanOf } from '../costs.ts'
import { type BesideFloor, besideFloor, FLOOR_NAME, type Loop, startBenchWorker } from '../floor.ts'
import { closedLoop, monotonicMs } from '../load.ts'
import { LOOPS, loopFigures, SIZE, SIZE_QUICK } from '../measure-way.ts'
import type { Part, PartResult, StagedContext } from '../part.ts'
import { endOfTasks, terminateAll } from '../temporal.ts'

const TASK_QUEUE = 'engine'

/** What a payment asks of Temporal, one thing more with each. */
const RUNGS = [
  { name: 'eager start with one local activity', workflow: 'stepWorkflow', isShown: false },
  { name: 'the same, and wait', workflow: 'waitingWorkflow', isShown: false },
  { name: 'the same, and shown to staff', workflow: 'shownWorkflow', isShown: true },
] as const
type Rung = (typeof RUNGS)[number]

const QUICK_MS = 1_500
/** The last ones may end in any order. */
const LAST = 16

interface Engine {
  client: Client
  /** Whom the activity of a workflow answers. */
  answers: Map<string, () => void>
}

type Measured = Record<keyof typeof LOOPS, BesideFloor>

export const part: Part = {
  name: 'engine',
  title: "Temporal's own part",
  about: 'What Temporal and its SDK take of a payment when nothing of ours is in it, beside a bare update-with-start.',
  stage: 'together',
  run: measure,
}

/** No HTTP, no PostgreSQL, an activity that does nothing: the floor under our own work. */
async function measure(context: StagedContext): Promise<PartResult> {
  const { stage, shutdown, signal, quick, say } = context
  const answers = new Map<string, () => void>()
  const nothing = async () => answers.get(String(activityInfo().workflowExecution?.workflowId))?.()
  await startBenchWorker(stage.core, TASK_QUEUE, { nothing }, shutdown)
  const client = stage.core.temporal.clients.sandbox
  const engine = { client, answers }
  say('Warming up')
  const { warmUp } = quick ? SIZE_QUICK : SIZE
  await stage.floor.warmUp(warmUp / 2)
  for (let index = 0; index < warmUp / 2; index += 1) for (const rung of RUNGS) await answerOf(engine, rung)
  const measureLoop = async (rung: Rung, loop: Loop): Promise<BesideFloor> => {
    const measured = await besideFloor(
      stage,
      { ...loop, ...(quick && { durationMs: QUICK_MS }) },
      signal,
      (load) => runRung(engine, rung, load, signal),
      ({ workflowIds }) => endOfTasks(client, workflowIds.slice(-LAST)),
    )
    // What waits for a week would be there with everything that comes after it.
    await terminateAll(client, rung.workflow, signal)
    return measured
  }
  const repeats = await context.repeat(async () => {
    const measured: Partial<Record<Rung['name'], Measured>> = {}
    for (const rung of RUNGS)
      measured[rung.name] = { one: await measureLoop(rung, LOOPS.one), eight: await measureLoop(rung, LOOPS.eight) }
    return measured as Record<Rung['name'], Measured>
  })
  const of = ({ name }: Rung) => repeats.map((repeat) => repeat[name])
  const cpuOf = (measured: readonly Measured[], side: keyof BesideFloor) =>
    meanOf(measured.map(({ eight }) => eight[side].cpuMs))
  return {
    figures: RUNGS.flatMap((rung) => loopFigures(rung.name, of(rung))),
    costs: [
      ...RUNGS.map((rung) => ({ operation: rung.name, cpuMs: cpuOf(of(rung), 'own'), counts: {} })),
      { operation: FLOOR_NAME, cpuMs: cpuOf(RUNGS.flatMap(of), 'floor'), counts: {} },
    ],
    audit: { repeats: repeats.length },
    repeats,
  }
}

async function runRung(engine: Engine, rung: Rung, loop: Loop, signal: AbortSignal) {
  const [startedAt, workflowIds] = [monotonicMs(), [] as string[]]
  const latencies = await closedLoop({ ...loop, signal }, async (begunAt) => {
    workflowIds.push(await answerOf(engine, rung))
    return monotonicMs() - begunAt
  })
  return { startedAt, endedAt: monotonicMs(), results: latencies.map((tookMs) => ({ tookMs })), workflowIds }
}

/** Starts a workflow, and waits until its activity answers, as a request waits for its payment. */
async function answerOf({ client, answers }: Engine, { workflow, isShown }: Rung): Promise<string> {
  const invoiceId = `iv_${randomUUID().replaceAll('-', '')}`
  const payment = { projectId: 'engine', environment: 'sandbox', invoiceId, orderId: null } as const
  const described = startOptions({ ...payment, amountMinor: 2_900, currency: 'EUR' }, TASK_QUEUES)
  const { typedSearchAttributes, staticSummary, workflowId } = described
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  answers.set(workflowId, resolve)
  const handle = await client.workflow.start(workflow, {
    workflowId,
    taskQueue: TASK_QUEUE,
    requestEagerStart: true,
    args: [],
    ...(isShown && { typedSearchAttributes, staticSummary }),
  })
  // It would be another thing that is measured.
  if (!handle.eagerlyStarted) throw new Error('A start was not eager.')
  await answered
  answers.delete(workflowId)
  return workflowId
}

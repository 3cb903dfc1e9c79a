import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { endOfTasks } from '../measure/end-of-tasks.ts'
import { meanCpu } from '../measure/mean-cpu.ts'
import { rateOfLastHalf } from '../measure/statistics.ts'
import type { PartResult } from '../parts/part.ts'
import { type Bar, figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { besideFloor } from './beside-floor.ts'
import { type FullPath, openFullPath, type Paths } from './full-path.ts'
import { HEADROOM, type StagedContext } from './measure-way.ts'
import { FLOOR_NAME } from './part-of-way.ts'

const CONCURRENCY = 8
const RUN_MS = 10_000
const QUICK_MS = 2_000
const WARM_UP = 150
const WARM_UP_QUICK = 20
const COUNTED = 50
const COUNTED_QUICK = 10
const LAST = 16

/** How many whole paths a second, from the invoice until the last webhook has arrived. */
export async function measureFullPath(context: StagedContext, bar: Bar): Promise<PartResult> {
  const { stage, quick, quietly, say, repeats: times } = context
  const path = await openFullPath(context)
  const loop = { concurrency: CONCURRENCY, durationMs: quick ? QUICK_MS : RUN_MS }
  say('Warming up')
  const ratePerSecond = await warmUp(context, path)
  const count = CONCURRENCY + Math.ceil((HEADROOM * ratePerSecond * loop.durationMs) / 1000)
  const endOf = async ({ endedAt, invoiceIds }: Paths) => {
    const last = invoiceIds.slice(-LAST).map(paymentWorkflowId)
    return Math.max(
      endedAt,
      await path.endpoint.allArrived(),
      await endOfTasks(stage.core.temporal.clients.sandbox, last),
    )
  }
  const measureOnce = async () => {
    await path.stock(count)
    await path.endpoint.enable()
    const { own, floor } = await besideFloor(
      stage,
      loop,
      context.signal,
      async (load) => {
        const paths = await path.run({ kind: 'closed', ...load }, count)
        // Before anything else is measured, everything must have arrived.
        await path.endpoint.allArrived()
        return paths
      },
      endOf,
    )
    await path.endpoint.disable()
    const { outcome: _, ...brief } = own
    return { own: brief, floor, audit: await path.audit() }
  }
  const repeats = []
  for (let index = 1; index <= times; index += 1) {
    const repeat = await quietly.run(measureOnce)
    repeats.push(repeat)
    say(`${index} of ${times}: ${inBrief(repeat)}`)
  }
  say('Counting statements, workflow tasks and events')
  const counted = await countPaths(context, path)
  return {
    figures: [
      figureOf(
        { name: 'paths, 8 callers', unit: '/s', besideName: FLOOR_NAME, bar },
        repeats.map(({ own, floor }) => ({ measured: own.ratePerSecond, beside: floor.ratePerSecond })),
      ),
    ],
    costs: [
      { operation: 'full path', cpuMs: meanCpu(repeats.map(({ own }) => own.cpuMs)), ...counted },
      { operation: FLOOR_NAME, cpuMs: meanCpu(repeats.map(({ floor }) => floor.cpuMs)), counts: {} },
    ],
    audit: await path.audit(),
    repeats,
  }
}

async function warmUp({ stage, quick, signal }: StagedContext, path: FullPath): Promise<number> {
  const count = quick ? WARM_UP_QUICK : WARM_UP
  await path.stock(count)
  for (let index = 0; index < count; index += 1) {
    signal.throwIfAborted()
    await stage.floor.update()
  }
  await path.endpoint.enable()
  const { results } = await path.run({ kind: 'all', concurrency: CONCURRENCY }, count)
  await path.endpoint.allArrived()
  await path.endpoint.disable()
  return rateOfLastHalf(results.map(({ endedAt }) => endedAt))
}

async function countPaths({ stage, quick }: StagedContext, path: FullPath) {
  const count = quick ? COUNTED_QUICK : COUNTED
  await path.stock(count)
  await path.endpoint.enable()
  let invoiceIds: string[] = []
  const database = await stage.costs.database(async () => {
    const paths = await path.run({ kind: 'all', concurrency: 1 }, count)
    invoiceIds = paths.invoiceIds
    return count
  })
  await path.endpoint.allArrived()
  await path.endpoint.disable()
  const temporal = await path.histories(invoiceIds)
  return { ...database, counts: { ...database.counts, ...temporal } }
}

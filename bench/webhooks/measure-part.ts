import { webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { Costs } from '../measure/costs.ts'
import { meanCpu } from '../measure/mean-cpu.ts'
import type { Watched } from '../measure/quiet.ts'
import { median } from '../measure/statistics.ts'
import type { PartContext, PartResult } from '../parts/part.ts'
import { FLOOR_NAME } from '../payments/part-of-way.ts'
import { absoluteFigureOf, type Bar, type Figure, figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { startReceiver } from '../stage/receiver.ts'
import type { Stage } from '../stage/stage.ts'
import { type Arrivals, measureArrivals } from './arrival.ts'
import { audit } from './audit.ts'
import type { Bench } from './bench.ts'
import { type Ceiling, rate } from './ceiling.ts'
import { createDeliveries } from './deliveries.ts'
import { createMerchant, type Merchant } from './merchants.ts'
import { type Options, readOptions } from './options.ts'

/** An ordinary day: enough load to be felt, far from what makes everything wait. */
const SHARE_OF_CEILING = 0.25
const FLOOR_WORKFLOW = 'updatableWorkflow'
const OPERATION = 'event with its webhook'

const WARM_UP = 300
const QUICK_WARM_UP = 40
const QUICK_SECONDS = 2
/** One after the other, as many as make a mean with a digit after the point; histories are alike. */
const COUNTED = 100
const HISTORIES = 20

const SHARES = ['p50', 'p95', 'p99'] as const

type WebhookBars = Partial<Record<(typeof SHARES)[number], Bar>>
type StagedContext = PartContext & { stage: Stage }
type PartBench = Omit<Bench, 'floor'> & { floor: { start(): Promise<number> } }
type Loop = Ceiling & { cpuMs: { deliveries: Costs['cpuMs']; floor: Costs['cpuMs'] } }

/** How many webhooks go out in a second and what one costs, and how soon they arrive at a quarter of that. */
export async function measureWebhooks(context: StagedContext, bars: WebhookBars): Promise<PartResult> {
  const { repeats, quietly, say, stage, quick } = context
  const bench = await openBench(context)
  const merchant = await openMerchant(bench)
  say('Warming up')
  for (let index = 0; index < (quick ? QUICK_WARM_UP : WARM_UP); index += 1) {
    await bench.deliveries.deliver(merchant)
    await bench.floor.start()
  }
  const ceilings: (Loop & Watched)[] = []
  for (let index = 1; index <= repeats; index += 1) {
    ceilings.push(await quietly.run(() => measureLoop(bench, stage, merchant)))
    say(`As many as go out, ${index} of ${repeats}: ${inBrief(ceilings.at(-1))}`)
  }
  const ratePerSecond = SHARE_OF_CEILING * median(ceilings.map(({ deliveries }) => deliveries))
  const arrivals: (Arrivals & Watched)[] = []
  for (let index = 1; index <= repeats; index += 1) {
    arrivals.push(await quietly.run(() => measureArrivals(bench, merchant, { ratePerSecond, seed: index })))
    say(`A quarter of them, ${index} of ${repeats}: ${inBrief(arrivals.at(-1))}`)
  }
  say('Counting statements, workflow tasks and events')
  const counted = await count(bench, stage, merchant)
  return {
    figures: figuresOf({ ceilings, arrivals, ratePerSecond }, bench.options, bars),
    costs: [
      { operation: OPERATION, cpuMs: meanCpu(ceilings.map(({ cpuMs }) => cpuMs.deliveries)), ...counted },
      { operation: FLOOR_NAME, cpuMs: meanCpu(ceilings.map(({ cpuMs }) => cpuMs.floor)), counts: {} },
    ],
    audit: { ...(await audit(bench, [merchant])) },
    repeats: [...ceilings, ...arrivals],
  }
}

async function openBench({ stage, quick, shutdown, signal }: StagedContext): Promise<PartBench> {
  const service = { ...stage.core, baseUrl: stage.baseUrls[0] }
  const deliveries = createDeliveries(service, signal)
  const receiver = await startReceiver({ healthy: 1, silent: 0 }, shutdown, deliveries.onArrival)
  const usual = readOptions([]) as Options
  const options = quick ? { ...usual, ceilingSeconds: QUICK_SECONDS, arrivalSeconds: QUICK_SECONDS } : usual
  return { service, floor: { start: stage.floor.update }, receiver, deliveries, options, signal }
}

async function openMerchant({ service, receiver }: PartBench): Promise<Merchant> {
  const merchant = await createMerchant(service, 0)
  await merchant.enable(receiver.healthy[0] as string)
  return merchant
}

/** Both in a closed loop, one right after the other, with what they take. */
async function measureLoop(bench: PartBench, { costs }: Stage, merchant: Merchant): Promise<Loop> {
  const measure = (workflowType: string, operate: () => Promise<number>) => {
    let operations = 0
    const counting = () => {
      operations += 1
      return operate()
    }
    return costs.cpu(async () => ({ result: await rate(bench, workflowType, counting), operations }))
  }
  const floor = await measure(FLOOR_WORKFLOW, () => bench.floor.start())
  const deliveries = await measure('webhookWorkflow', () => bench.deliveries.deliver(merchant))
  return {
    deliveries: deliveries.result,
    floor: floor.result,
    cpuMs: { deliveries: deliveries.cpuMs, floor: floor.cpuMs },
  }
}

async function count(
  { deliveries }: PartBench,
  { costs }: Stage,
  merchant: Merchant,
): Promise<Pick<Costs, 'counts' | 'statements'>> {
  await costs.rest()
  const database = await costs.database(async () => {
    for (let index = 0; index < COUNTED; index += 1) await deliveries.deliver(merchant)
    return COUNTED
  })
  const some = deliveries.eventIdsOf(merchant).slice(-HISTORIES)
  const temporal = await costs.histories(
    some.map((eventId) => webhookWorkflowId(eventId, 0)),
    some.length,
  )
  return { ...database, counts: { ...database.counts, ...temporal } }
}

function figuresOf(
  { ceilings, arrivals, ratePerSecond }: { ceilings: Ceiling[]; arrivals: Arrivals[]; ratePerSecond: number },
  { concurrency }: Options,
  bars: WebhookBars,
): Figure[] {
  return [
    figureOf(
      { name: `webhooks, ${concurrency} callers`, unit: '/s', besideName: FLOOR_NAME },
      ceilings.map(({ deliveries, floor }) => ({ measured: deliveries, beside: floor })),
    ),
    ...SHARES.map((share): Figure => {
      const name = `commit to arrival, ${share} at ${ratePerSecond.toFixed(0)}/s`
      const values = arrivals.map(({ deliveries, floor }) => ({ measured: deliveries[share], beside: floor[share] }))
      return withBar(figureOf({ name, unit: 'ms', besideName: FLOOR_NAME }, values), bars[share])
    }),
  ]
}

/** These are held to what was measured, although they stand beside the floor. */
function withBar(figure: Figure, bar: Bar | undefined): Figure {
  const ofMeasured = bar === undefined ? undefined : { ...bar, of: 'measured' as const }
  const judged = absoluteFigureOf({ name: figure.name, unit: figure.unit, bar: ofMeasured }, [figure.measured])
  return judged.bar === undefined ? figure : { ...figure, bar: judged.bar }
}

import { monotonicMs } from '../measure/clock.ts'
import { openModel } from '../measure/load.ts'
import type { Watched } from '../measure/quiet.ts'
import { seededRandom } from '../measure/random.ts'
import { type Latencies, summarize } from '../measure/statistics.ts'
import type { PartResult } from '../parts/part.ts'
import { type Bar, type Figure, figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { type Audit, auditPayments } from './audit.ts'
import { FAULT_RATE, GATEWAY, gatewayDelays } from './gateway-delays.ts'
import { HEADROOM, type StagedContext, type WarmShop, warmUp } from './measure-way.ts'
import { FLOOR_NAME } from './part-of-way.ts'
import { resyncAll } from './resync.ts'
import type { Shop } from './shop.ts'
import { AUTHORIZE } from './ways.ts'

/** More callers than payments that a gateway of 150 ms needs to keep two cores busy. */
const CEILING = { concurrency: 32, durationMs: 12_000 }
const RUN_MS = 20_000
const QUICK_MS = 4_000

/** A quiet hour, an ordinary one, and one in which everything waits now and then. */
const SHARES = [0.25, 0.5, 0.75] as const
const ORDINARY = 0.5

/** So many standard deviations above its mean a Poisson process is in one run of a million. */
const DEVIATIONS = 5

interface AtRate {
  ratePerSecond: number
  /** From the planned instant to the answer, without the gateway's own delay; of those approved at once. */
  overhead: Latencies
  /** With the gateway's delay. */
  whole: Latencies
  floor: Latencies
  audit: Audit
}

/** What Holdfast adds to the delay of a gateway that answers as real ones do, at several shares of the most it can do. */
export async function measureOverhead(context: StagedContext, bar: Bar): Promise<PartResult> {
  const { repeats: times, quietly, quick, say } = context
  const warm = await warmUp(context, AUTHORIZE)
  const { shop } = warm
  await shop.setGateway(GATEWAY)
  const ceiling = await findCeiling(context, warm)
  say(`Ceiling with ${CEILING.concurrency} callers: ${ceiling.toFixed(1)}/s`)
  const repeats: ({ rates: AtRate[] } & Watched)[] = []
  for (let index = 1; index <= times; index += 1) {
    const repeat = await quietly.run(async () => {
      const rates: AtRate[] = []
      for (const share of SHARES) {
        const durationMs = quick ? QUICK_MS : RUN_MS
        rates.push(await measureAt(context, shop, { ratePerSecond: share * ceiling, durationMs, seed: index }))
      }
      return { rates }
    })
    repeats.push(repeat)
    say(`${index} of ${times}: ${inBrief(repeat)}`)
  }
  const figures = SHARES.flatMap((share, place) =>
    figuresAt(
      share,
      repeats.map(({ rates }) => rates[place] as AtRate),
      bar,
    ),
  )
  return { figures, audit: { ...repeats.at(-1)?.rates.at(-1)?.audit }, repeats: [{ ceiling }, ...repeats] }
}

function figuresAt(share: number, rates: readonly AtRate[], bar: Bar): Figure[] {
  const at = `at ${rates[0]?.ratePerSecond.toFixed(0)}/s, ${share} of the ceiling`
  return (['p50', 'p99'] as const).map((rank) =>
    figureOf(
      {
        name: `overhead, ${rank} ${at}`,
        unit: 'ms',
        besideName: FLOOR_NAME,
        bar: share === ORDINARY && rank === 'p99' ? { ...bar, of: 'measured' } : undefined,
      },
      rates.map(({ overhead, floor }) => ({ measured: overhead[rank], beside: floor[rank] })),
    ),
  )
}

/** Payments a second that are approved while as many callers as there can be wait. */
async function findCeiling(context: StagedContext, { shop, ratePerSecond }: WarmShop): Promise<number> {
  const { concurrency, durationMs } = context.quick ? { ...CEILING, durationMs: QUICK_MS } : CEILING
  const count = concurrency + Math.ceil((HEADROOM * ratePerSecond * durationMs) / 1000)
  const { results, startedAt } = await shop.tryToPay(AUTHORIZE, { kind: 'closed', concurrency, durationMs }, count)
  await sweep(context, shop)
  const approved = results.filter((result) => AUTHORIZE.toldOf(result) === AUTHORIZE.wanted)
  return (approved.filter(({ endedAt }) => endedAt <= startedAt + durationMs).length / durationMs) * 1000
}

/** The floor is offered the same instants, right before. */
async function measureAt(
  context: StagedContext,
  shop: Shop,
  load: { ratePerSecond: number; durationMs: number; seed: number },
): Promise<AtRate> {
  const { stage, signal } = context
  const count = mostOf((load.ratePerSecond * load.durationMs) / 1000)
  await shop.stock(count)
  await stage.costs.rest()
  const floor = await openModel({ ...load, random: seededRandom(load.seed), signal }, async (plannedAt) => {
    await stage.floor.update()
    return monotonicMs() - plannedAt
  })
  await stage.costs.rest()
  const { results, orders } = await shop.tryToPay(AUTHORIZE, { kind: 'open', ...load }, count)
  const failed = results.filter((result) => AUTHORIZE.toldOf(result) !== AUTHORIZE.wanted).length
  if (failed > mostOf(FAULT_RATE * results.length)) throw new Error(`${failed} of ${results.length} payments failed.`)
  const delays = await gatewayDelays(stage.core, shop)
  const approved = results.flatMap((result, place) => {
    const { invoiceId } = orders[place] as (typeof orders)[number]
    const delay = delays.get(invoiceId)
    if (shop.told.get(invoiceId) !== 'approved' || delay === undefined) return []
    return [{ overhead: result.tookMs - delay, whole: result.tookMs }]
  })
  return {
    ratePerSecond: load.ratePerSecond,
    overhead: summarize(approved.map(({ overhead }) => overhead)),
    whole: summarize(approved.map(({ whole }) => whole)),
    floor: summarize(floor),
    audit: await sweep(context, shop),
  }
}

/** More than a Poisson process gives that gives so many on average. */
function mostOf(mean: number): number {
  return Math.ceil(mean + DEVIATIONS * Math.sqrt(mean) + DEVIATIONS)
}

/** What became of payments that nobody was told of is looked up first. */
async function sweep({ stage, signal }: StagedContext, shop: Shop): Promise<Audit> {
  await stage.costs.rest()
  await resyncAll(stage.core, shop, signal)
  return auditPayments(stage.core, shop, shop.told)
}

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { auditOrders } from '../../test/support/order-audit.ts'
import type { Outcome, Result } from '../client.ts'
import { type Bar, type Figure, figureOf, summarize } from '../figures.ts'
import type { Part, PartContext, PartResult } from '../part.ts'
import { inBrief } from '../report.ts'
import { AUTHORIZE, type Order, openShop, PAIR, type Shop, toldOf } from '../shop.ts'
import { countRows, openStage, startApart, startTogether } from '../stage.ts'

/** Of what the service can do, which is measured first. */
const LEVELS = [0.5, 1, 2, 4]

const SIZE = { warmUp: 400, ceiling: 400, floodS: 10, afterS: 12 }
const SIZE_QUICK = { warmUp: 40, ceiling: 60, floodS: 2, afterS: 2 }

/** As many as reach the ceiling, and few enough to be within the share of one project. */
const CALLERS = 16
const OTHER_PER_SECOND = 2

/** How much slower than alone a merchant may be after the flood for things to be normal again. */
const NORMAL = 2

const REFUSED_WITHIN_MS = 100
const NORMAL_WITHIN_S = 10

export const part: Part = {
  name: 'overload',
  about: 'One merchant asks for up to four times what the service can do, while another one pays twice a second.',
  pieces: ['overload-apart'],
  isLong: true,
  run: measure,
}

/** What became of a flood. */
interface Flood {
  level: number
  acceptedPerSecond: number
  accepted: number
  refused: number
  /** Neither finished nor refused with a time to come again. */
  odd: number
  acceptedLongestMs: number
  refusedP99Ms: number
  otherP50Ms: number
  otherP99Ms: number
  otherRefused: number
  /** From the end of the flood until the other merchant's payments took as long as ever. */
  normalAfterS: number
  eventLoopP99Ms: number
  memoryMb: number
}

async function measure(context: PartContext): Promise<PartResult> {
  const { shutdown, quick, only, say } = context
  const size = quick ? SIZE_QUICK : SIZE
  const isApart = only?.includes('overload-apart') === true
  const stage = await openStage(context)
  const baseUrl = isApart ? await startApart(stage, context, '1') : await startTogether(stage, context)
  const greedy = await openShop(stage.core, [baseUrl], shutdown)
  const other = await openShop(stage.core, [baseUrl], shutdown)
  say('Warming up')
  await greedy.pay(AUTHORIZE, await greedy.orders(size.warmUp), CALLERS)
  await countRows(stage)
  const { startedAt, endedAt } = await greedy.pay(AUTHORIZE, await greedy.orders(size.ceiling), CALLERS)
  const ceiling = (size.ceiling / (endedAt - startedAt)) * 1000
  const alone = summarize(tookOf((await payEvenly(other, size.floodS)).results))
  say(`The service does ${ceiling.toFixed(0)} a second; the other merchant alone: ${inBrief(alone)}`)

  const stock: Order[] = []
  const floods: Flood[] = []
  for (const level of LEVELS) {
    const perSecond = level * ceiling
    const count = Math.ceil(perSecond * size.floodS)
    stock.push(...(await greedy.orders(Math.max(0, count - stock.length))))
    const orders = stock.splice(0, count)
    const watch = watchProcess()
    const paying = payEvenly(other, size.floodS + size.afterS)
    const flood = await greedy.client.run({ pace: { perSecond }, operations: orders.map(AUTHORIZE.requestsOf) })
    const { eventLoopP99Ms, memoryMb } = watch()
    const others = await paying
    const results = flood.results.map((result) => ({ ...result, order: orders[result.index] as Order }))
    const [accepted, refused] = [results.filter(isAccepted), results.filter(isRefused)]
    for (const { order } of accepted) greedy.told.set(order.invoiceId, 'approved')
    for (const { order } of refused) greedy.told.set(order.invoiceId, 'created')
    const odd = results.filter((result) => !isAccepted(result) && !isRefused(result))
    for (const { order } of odd) greedy.told.set(order.invoiceId, 'unknown')
    if (odd.length > 0) say(`Neither accepted nor refused: ${inBrief(Object.entries(countBy(odd, describe)))}`)
    stock.push(...refused.map(({ order }) => order))
    const during = others.results.slice(0, size.floodS * OTHER_PER_SECOND)
    const told = {
      level,
      acceptedPerSecond: (accepted.length / (flood.endedAt - flood.startedAt)) * 1000,
      accepted: accepted.length,
      refused: refused.length,
      odd: odd.length,
      acceptedLongestMs: Math.max(0, ...tookOf(accepted)),
      refusedP99Ms: refused.length === 0 ? 0 : summarize(tookOf(refused)).p99,
      otherP50Ms: summarize(tookOf(during)).p50,
      otherP99Ms: summarize(tookOf(during)).p99,
      otherRefused: others.results.filter((result) => toldOf(PAIR, result) !== PAIR.wanted).length,
      normalAfterS: normalAfter(others, size.floodS, alone.p99),
      eventLoopP99Ms,
      memoryMb,
    }
    floods.push(told)
    say(`${level} times: ${inBrief(told)}`)
  }
  const audit = await auditOrders(stage.core, greedy, greedy.told)
  await auditOrders(stage.core, other, other.told)
  return {
    figures: floods.flatMap((flood) => figuresOf(flood, { ceiling, alone })),
    audit: { ...audit },
    repeats: floods,
  }
}

function figuresOf(
  flood: Flood,
  { ceiling, alone }: { ceiling: number; alone: { p50: number; p99: number } },
): Figure[] {
  const named = (name: string) => `${flood.level} times the ceiling: ${name}`
  const figure = (name: string, unit: string, measured: number, bar?: Bar) =>
    figureOf({ name: named(name), unit, bar }, [measured])
  const beside = (name: string, unit: string, besideName: string, measured: number, besideIt: number) =>
    figureOf({ name: named(name), unit, besideName }, [{ measured, beside: besideIt }])
  return [
    beside('finished', '/s', 'ceiling', flood.acceptedPerSecond, ceiling),
    figure('refused, p99', 'ms', flood.refusedP99Ms, { atMost: REFUSED_WITHIN_MS }),
    figure('neither finished nor refused', '', flood.odd, { atMost: 0 }),
    beside('the other merchant, p50', 'ms', 'alone', flood.otherP50Ms, alone.p50),
    beside('the other merchant, p99', 'ms', 'alone', flood.otherP99Ms, alone.p99),
    figure('the other merchant, refused', '', flood.otherRefused, { atMost: 0 }),
    figure('as before again after', 's', flood.normalAfterS, { atMost: NORMAL_WITHIN_S }),
  ]
}

/** Authorizes and captures so many seconds long, twice a second. */
async function payEvenly(shop: Shop, seconds: number): Promise<Outcome> {
  const orders = await shop.orders(seconds * OTHER_PER_SECOND)
  const pace = { perSecond: OTHER_PER_SECOND }
  const outcome = await shop.client.run({ pace, operations: orders.map(PAIR.requestsOf) })
  for (const result of outcome.results) shop.told.set((orders[result.index] as Order).invoiceId, toldOf(PAIR, result))
  return outcome
}

/** The delay of the event loop of this process, which is the service unless that has processes of its own. */
function watchProcess() {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  return () => {
    delay.disable()
    return { eventLoopP99Ms: delay.percentile(99) / 1e6, memoryMb: process.memoryUsage().rss / 1e6 }
  }
}

/** Seconds from the end of the flood until the last payment had ended that took longer than is normal. */
function normalAfter({ results }: Outcome, floodS: number, aloneMs: number): number {
  const late = results.filter(({ tookMs }) => tookMs > NORMAL * aloneMs)
  const ends = late.map(({ index, tookMs }) => index / OTHER_PER_SECOND + tookMs / 1000 - floodS)
  return Math.max(0, ...ends)
}

const tookOf = (results: readonly Pick<Result, 'tookMs'>[]) => results.map(({ tookMs }) => tookMs)

const isAccepted = (result: Result) => toldOf(AUTHORIZE, result) === AUTHORIZE.wanted

const isRefused = ({ statuses, retryAfter }: Result) =>
  (statuses.at(-1) === 503 || statuses.at(-1) === 429) && retryAfter !== undefined

const describe = ({ statuses, kept }: Result) => `${statuses.at(-1)} ${kept.error ?? kept.status ?? ''}`

const countBy = <Item>(items: readonly Item[], nameOf: (item: Item) => string) =>
  Object.fromEntries([...Map.groupBy(items, nameOf)].map(([name, all]) => [name, all.length]))

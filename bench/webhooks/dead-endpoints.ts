import { monotonicMs } from '../measure/clock.ts'
import { openModel } from '../measure/load.ts'
import { seededRandom } from '../measure/random.ts'
import { type Latencies, summarize } from '../measure/statistics.ts'
import { terminateAll } from '../measure/terminate-all.ts'
import type { Bench } from './bench.ts'
import type { Merchant } from './merchants.ts'
import type { Population } from './population.ts'

/** How the healthy merchants fared while the dead ones had events, and while they had none. */
export interface Pair {
  withDead: Latencies
  withoutDead: Latencies
}

interface PairedLoad {
  /** Events of all healthy merchants together; a dead one has as many as a healthy one. */
  ratePerSecond: number
  /** Numbers the pair. */
  index: number
}

/** A run, whose instants are told by its seed. */
interface Load {
  ratePerSecond: number
  seed: number
}

/**
 * Runs with dead endpoints and without, with the same load of the healthy merchants at the same instants. Each comes twice,
 * in an order that reads the same from its end, and the other one begins in the next pair: what gets slower or faster with
 * time falls on both.
 */
export async function measurePair(bench: Bench, population: Population, load: PairedLoad): Promise<Pair> {
  const half = (number: number) => ({ ...load, seed: 2 * load.index + number })
  const alone = (number: number) => () => measureHealthy(bench, population.healthy, half(number))
  const withDead = (number: number) => amongOthers(bench, population, half(number), 'deadHost', alone(number))
  const withoutDead = (number: number) =>
    bench.options.beside === 'absent'
      ? alone(number)()
      : amongOthers(bench, population, half(number), 'livingHost', alone(number))
  const [outer, inner] = load.index % 2 === 0 ? [withoutDead, withDead] : [withDead, withoutDead]
  const first = await outer(0)
  const between = [...(await inner(0)), ...(await inner(1))]
  const around = [...first, ...(await outer(1))]
  const [dead, other] = outer === withDead ? [around, between] : [between, around]
  return { withDead: summarize(dead), withoutDead: summarize(other) }
}

/** Only what comes after the lead-in counts: by then the dead endpoints have attempts waiting, due and under way. */
async function measureHealthy(
  { options, deliveries, signal }: Bench,
  healthy: readonly Merchant[],
  { ratePerSecond, seed }: Load,
): Promise<number[]> {
  const countsFrom = monotonicMs() + options.leadInSeconds * 1000
  const random = seededRandom(seed)
  const latencies: number[] = []
  await openModel({ ratePerSecond, durationMs: wholeMs(options), random, signal }, async () => {
    const counts = monotonicMs() >= countsFrom
    const latency = await deliveries.deliver(oneOf(healthy, random))
    if (counts) latencies.push(latency)
    return latency
  })
  return latencies
}

async function amongOthers<Result>(
  bench: Bench,
  { healthy, dead }: Population,
  { ratePerSecond, seed }: Load,
  host: 'deadHost' | 'livingHost',
  measure: () => Promise<Result>,
): Promise<Result> {
  const { options, deliveries, service, receiver, signal } = bench
  await Promise.all(dead.map((other) => other.merchant.enable(other[host])))
  const random = seededRandom(~seed)
  const load = { ratePerSecond: (ratePerSecond * dead.length) / healthy.length, durationMs: wholeMs(options) }
  const merchants = dead.map(({ merchant }) => merchant)
  const toOthers = openModel({ ...load, random, signal }, async () => {
    await deliveries.fire(oneOf(merchants, random))
    return 0
  })
  const [measured] = await Promise.all([measure(), toOthers])
  // What waits for a retry would go on in the runs without them.
  await Promise.all(merchants.map((merchant) => merchant.disable()))
  receiver.hangUp()
  await giveUpDeliveries(service)
  await terminateAll(service.temporal.clients.sandbox, 'webhookWorkflow', signal)
  return measured
}

/** The sweep would start again what the record says is still to be sent. */
async function giveUpDeliveries({ orm }: Bench['service']): Promise<void> {
  await orm.em
    .fork()
    .execute("update delivery set status = 'failed', release_at = null, ended_at = now() where status = 'pending'")
}

function wholeMs({ leadInSeconds, pairSeconds }: Bench['options']): number {
  return (leadInSeconds + pairSeconds / 2) * 1000
}

function oneOf(merchants: readonly Merchant[], random: () => number): Merchant {
  return merchants[Math.floor(random() * merchants.length)] as Merchant
}

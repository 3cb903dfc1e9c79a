import { GATEWAY_TIMEOUT_MS } from '../../src/gateways/gateway.ts'
import { monotonicMs } from '../measure/clock.ts'
import { openModel } from '../measure/load.ts'
import { seededRandom } from '../measure/random.ts'
import { type Latencies, summarize } from '../measure/statistics.ts'
import { terminateAll } from '../measure/terminate-all.ts'
import { type Audit, auditPayments } from '../payments/audit.ts'
import { resyncAll } from '../payments/resync.ts'
import type { Service } from '../stage/service.ts'
import type { Merchant, Prepared } from './merchant.ts'
import type { Options } from './options.ts'

export interface Bench {
  service: Service
  /** At the gateway that is well. */
  well: Merchant
  /** At the one that hangs. */
  hanging: Merchant
  options: Options
  signal: AbortSignal
}

/** How payments at one gateway fared alone and beside one that hangs. */
export interface Pair {
  alone: Latencies
  beside: Latencies
  /** What all payments of the merchants came to so far, by the books of all sides. */
  audits: { well: Audit; hanging: Audit }
}

/** Longer than anybody waits for it: what arrives is done when nobody listens any more. */
const HANG_MS = GATEWAY_TIMEOUT_MS + 5_000

/** More than a Poisson process asks for in all but one run of a million. */
const DEVIATIONS = 5

/**
 * A pair of runs with the same load of the gateway that is well, at the same instants. The order alternates from pair to
 * pair, so that what gets slower or faster with time falls on both.
 */
export async function measurePair(bench: Bench, index: number): Promise<Pair> {
  const isAloneFirst = index % 2 === 0
  const first = await (isAloneFirst ? measureAlone : measureBeside)(bench, index)
  await sweep(bench)
  const second = await (isAloneFirst ? measureBeside : measureAlone)(bench, index)
  const audits = await sweep(bench)
  const [alone, beside] = isAloneFirst ? [first, second] : [second, first]
  return { alone, beside, audits }
}

async function measureAlone(bench: Bench, index: number): Promise<Latencies> {
  return measure(bench, index, await bench.well.prepare(mostOf(loadOf(bench.options, bench.options.rate))))
}

async function measureBeside(bench: Bench, index: number): Promise<Latencies> {
  const { well, hanging, options, signal } = bench
  const load = loadOf(options, options.hangingRate)
  const prepared = await well.prepare(mostOf(loadOf(options, options.rate)))
  const toHang = await hanging.prepare(mostOf(load))
  await hanging.setGateway({ hang_ms: String(HANG_MS) })
  let waiting = 0
  const askHanging = async () => {
    if (waiting >= options.hangingClients) return 0
    waiting += 1
    return hanging.pay(next(toHang)).finally(() => {
      waiting -= 1
    })
  }
  const [measured] = await Promise.all([
    measure(bench, index, prepared),
    openModel({ ...load, random: seededRandom(~index), signal }, askHanging),
  ])
  await hanging.setGateway({})
  return measured
}

async function measure({ well, options, signal }: Bench, index: number, prepared: Prepared[]): Promise<Latencies> {
  const countsFrom = monotonicMs() + options.leadInSeconds * 1000
  const latencies: number[] = []
  const random = seededRandom(index)
  await openModel({ ...loadOf(options, options.rate), random, signal }, async () => {
    const counts = monotonicMs() >= countsFrom
    const latency = await well.pay(next(prepared))
    if (counts) latencies.push(latency)
    return latency
  })
  return summarize(latencies)
}

/** Lets everything come to its end, compares all books, and leaves a quiet server. */
async function sweep({ service, well, hanging, signal }: Bench): Promise<Pair['audits']> {
  for (const merchant of [well, hanging]) await resyncAll(service, merchant, signal)
  const audits = {
    well: await auditPayments(service, well, well.told),
    hanging: await auditPayments(service, hanging, hanging.told),
  }
  // They would wait for the end of their authorizations, for days.
  await terminateAll(service.temporal.clients.sandbox, 'paymentWorkflow', signal)
  return audits
}

function loadOf({ leadInSeconds, runSeconds }: Options, ratePerSecond: number) {
  return { ratePerSecond, durationMs: (leadInSeconds + runSeconds) * 1000 }
}

function mostOf({ ratePerSecond, durationMs }: ReturnType<typeof loadOf>): number {
  const mean = (ratePerSecond * durationMs) / 1000
  return Math.ceil(mean + DEVIATIONS * Math.sqrt(mean))
}

function next<T>(prepared: T[]): T {
  const one = prepared.pop()
  if (one === undefined) throw new Error('More payments were asked for than were prepared.')
  return one
}

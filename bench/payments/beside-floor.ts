import type { Outcome } from '../client/messages.ts'
import { monotonicMs } from '../measure/clock.ts'
import type { Costs } from '../measure/costs.ts'
import { closedLoop } from '../measure/load.ts'
import { type Latencies, summarize } from '../measure/statistics.ts'
import type { Stage } from '../stage/stage.ts'

/** What a closed loop came to. */
export interface LoopResult extends Latencies {
  ratePerSecond: number
}

export interface BesideFloor<Own extends Outcome> {
  own: LoopResult & { outcome: Own; cpuMs: Costs['cpuMs']; threadMs: Record<string, number> }
  floor: LoopResult & { cpuMs: Costs['cpuMs'] }
}

export interface Loop {
  concurrency: number
  durationMs: number
}

/**
 * Measures something between two halves of the floor, with as many callers, so that what gets faster or slower with time
 * falls on both alike.
 *
 * @param run makes the operations of one loop.
 * @param endOf the instant at which the work of a loop was done; that of its last answer by default.
 */
export async function besideFloor<Own extends Outcome>(
  { floor, costs }: Pick<Stage, 'floor' | 'costs'>,
  loop: Loop,
  signal: AbortSignal,
  run: (loop: Loop) => Promise<Own>,
  endOf: (outcome: Own) => Promise<number> = async ({ endedAt }) => endedAt,
): Promise<BesideFloor<Own>> {
  const measureHalf = () =>
    costs.cpu(async () => {
      const startedAt = monotonicMs()
      const latencies = await closedLoop({ ...loop, durationMs: loop.durationMs / 2, signal }, floor.update)
      return { result: { latencies, tookMs: monotonicMs() - startedAt }, operations: latencies.length }
    })
  const before = await measureHalf()
  const {
    result: outcome,
    cpuMs,
    threadMs,
  } = await costs.cpu(async () => {
    const result = await run(loop)
    return { result, operations: result.results.length }
  })
  const after = await measureHalf()
  const latencies = [...before.result.latencies, ...after.result.latencies]
  const tookMs = before.result.tookMs + after.result.tookMs
  return {
    own: {
      ...summarize(outcome.results.map((result) => result.tookMs)),
      ratePerSecond: rate(outcome.results.length, (await endOf(outcome)) - outcome.startedAt),
      cpuMs,
      threadMs,
      outcome,
    },
    floor: {
      ...summarize(latencies),
      ratePerSecond: rate(latencies.length, tookMs),
      cpuMs: meanOf(before, after),
    },
  }
}

type Half = { result: { latencies: number[] }; cpuMs: Costs['cpuMs'] }

/** Each half counts as much as it has made. */
function meanOf(one: Half, other: Half): Costs['cpuMs'] {
  const [ones, others] = [one.result.latencies.length, other.result.latencies.length]
  const roles = Object.keys(one.cpuMs) as (keyof Costs['cpuMs'])[]
  return Object.fromEntries(
    roles.map((role) => [role, ((one.cpuMs[role] ?? 0) * ones + (other.cpuMs[role] ?? 0) * others) / (ones + others)]),
  )
}

function rate(count: number, tookMs: number): number {
  return (count / tookMs) * 1000
}

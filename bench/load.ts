import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds by the machine's monotonic clock, which reads the same in every process and is moved by no correction. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Makes an operation that was to begin at an instant, and gives what was measured of it, in milliseconds. */
type Operate = (plannedAt: number) => Promise<number>

/** Closed loop: so many callers, each of which asks again as soon as it was answered. Finds out how much can be done. */
export async function closedLoop(
  load: { concurrency: number; durationMs: number; signal?: AbortSignal },
  operate: Operate,
): Promise<number[]> {
  const endsAt = monotonicMs() + load.durationMs
  const measured: number[] = []
  const callOn = async () => {
    while (monotonicMs() < endsAt) {
      load.signal?.throwIfAborted()
      measured.push(await operate(monotonicMs()))
    }
  }
  await Promise.all(Array.from({ length: load.concurrency }, callOn))
  return measured
}

/**
 * Open model: operations begin when their time has come, however long the earlier ones take, as many strangers would
 * send them: with random pauses of an exponential distribution (a Poisson process), the same for the same random numbers.
 */
export async function openModel(
  load: { ratePerSecond: number; durationMs: number; random: () => number; signal?: AbortSignal },
  operate: Operate,
): Promise<number[]> {
  const startedAt = monotonicMs()
  const operations: Promise<number>[] = []
  const pause = () => (-Math.log(1 - load.random()) / load.ratePerSecond) * 1000
  for (let offset = pause(); offset < load.durationMs; offset += pause()) {
    const remaining = startedAt + offset - monotonicMs()
    if (remaining > 0) await sleep(remaining, undefined, load.signal && { signal: load.signal })
    const operation = operate(startedAt + offset)
    // Awaited below; until then a failure must not count as one that nobody looks at.
    operation.catch(() => undefined)
    operations.push(operation)
  }
  return Promise.all(operations)
}

const DEVIATIONS = 5

/** More than a Poisson process gives that gives so many on average, in all but one run of a million. */
export function mostOf(mean: number): number {
  return Math.ceil(mean + DEVIATIONS * Math.sqrt(mean) + DEVIATIONS)
}

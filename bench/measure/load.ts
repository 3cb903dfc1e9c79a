import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'

/**
 * Makes one operation and gives what was measured of it, in milliseconds.
 *
 * @param plannedAt when it was to begin, by the common clock: what counts from then counts the wait of a sender that is
 *   late itself, too.
 */
type Operate = (plannedAt: number) => Promise<number>

/**
 * Closed loop: so many callers, each of which asks again as soon as it was answered. Finds out how much can be done.
 *
 * @returns what was measured of every operation; all of them have ended.
 */
export async function closedLoop(
  load: { concurrency: number; durationMs: number; signal: AbortSignal },
  operate: Operate,
): Promise<number[]> {
  const endsAt = monotonicMs() + load.durationMs
  const measured: number[] = []
  const callOn = async () => {
    while (monotonicMs() < endsAt) {
      load.signal.throwIfAborted()
      measured.push(await operate(monotonicMs()))
    }
  }
  await Promise.all(Array.from({ length: load.concurrency }, callOn))
  return measured
}

/**
 * Open model: operations begin when their time has come, however long the earlier ones take, as many strangers would
 * send them: with random pauses of an exponential distribution (a Poisson process).
 *
 * @param random gives numbers from 0 to 1; the same ones give the same instants.
 * @returns what was measured of every operation; all of them have ended.
 */
export async function openModel(
  load: { ratePerSecond: number; durationMs: number; random: () => number; signal: AbortSignal },
  operate: Operate,
): Promise<number[]> {
  const startedAt = monotonicMs()
  const operations: Promise<number>[] = []
  for (const offset of poissonOffsets(load)) {
    const remaining = startedAt + offset - monotonicMs()
    if (remaining > 0) await sleep(remaining, undefined, { signal: load.signal })
    const operation = operate(startedAt + offset)
    // Awaited below; until then a failure must not count as one that nobody looks at.
    operation.catch(() => undefined)
    operations.push(operation)
  }
  return Promise.all(operations)
}

function* poissonOffsets({ ratePerSecond, durationMs, random }: Parameters<typeof openModel>[0]): Generator<number> {
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random()) / ratePerSecond) * 1000
    if (at >= durationMs) return
    yield at
  }
}

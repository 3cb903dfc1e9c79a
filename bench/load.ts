import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds by the machine's monotonic clock, which reads the same in every process and is moved by no correction. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Begins so many operations a second, whatever becomes of those before, as many merchants together do. */
export async function openLoop<Item, Result>(
  items: readonly Item[],
  { perSecond, signal }: { perSecond: number; signal?: AbortSignal | undefined },
  operate: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = monotonicMs()
  const results: Promise<Result>[] = []
  for (const [index, item] of items.entries()) {
    const early = startedAt + (index * 1000) / perSecond - monotonicMs()
    if (early > 0) await sleep(early, undefined, { signal })
    results.push(operate(item, index))
  }
  return Promise.all(results)
}

/** So many callers make so many operations; each asks again as soon as it was answered. */
export async function closedLoop<Item, Result>(
  items: readonly Item[],
  { callers, signal }: { callers: number; signal?: AbortSignal | undefined },
  operate: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let begun = 0
  const callOn = async () => {
    while (begun < items.length) {
      signal?.throwIfAborted()
      const index = begun
      begun += 1
      results.push(await operate(items[index] as Item, index))
    }
  }
  await Promise.all(Array.from({ length: callers }, callOn))
  return results
}

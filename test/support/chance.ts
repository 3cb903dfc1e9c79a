/** A number from 0 to 1 that looks random and is the same for the same seed. Source: the mulberry32 generator. */
export function chance(seed: number): number {
  let t = (seed + 0x6d2b79f5) | 0
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

/** Numbers from 0 to 1 that look random and are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return chance(state)
  }
}

/** One of them, all equally likely. */
export function pick<T>(random: () => number, choices: readonly T[]): T {
  if (choices.length === 0) throw new Error('There is nothing to choose from.')
  return choices[Math.floor(random() * choices.length)] as T
}

/**
 * Runs a story for every seed from 0 on, a few at once.
 *
 * @throws Error with the seeds that failed, each with its reason.
 */
export async function forSeeds(
  { count, atOnce }: { count: number; atOnce: number },
  story: (seed: number) => Promise<void>,
): Promise<void> {
  const seeds = Array.from({ length: count }, (_, seed) => seed)
  const failures: string[] = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const current = seed
        await story(current).catch((error: Error) => failures.push(`seed ${current}: ${error.message}`))
      }
    }),
  )
  if (failures.length > 0) throw new Error(`${failures.length} of ${count} failed:\n${failures.join('\n')}`)
}

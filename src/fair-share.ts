/** Releases a permit; called again, it does nothing. */
export type Release = () => void

/** Limits how many do something at once. */
export interface ConcurrencyLimit<Asker> {
  /** @returns null where no permit is free. */
  tryAcquire(asker: Asker): Release | null
}

export interface LimitWithLine<Asker> extends ConcurrencyLimit<Asker> {
  /** Stands in line where no permit is free. @returns null where the line is full, or the wait too long. */
  acquire(asker: Asker): Promise<Release | null>
}

/** Permits that all share who name this key. */
export interface Share {
  key: string
  permits: number
}

/** Whose permits are counted together, such as those of a project, and of what they are permits. */
export interface Sharer {
  who: string
  shares: readonly Share[]
}

const HALF = 1 / 2

/**
 * Of each share somebody gets at most a part, by default half, of the permits that others leave: 10 of 20 when alone, 5 beside
 * somebody who has 10. So whoever comes next finds permits, however many of them one asks for.
 */
export function createFairShares(part: () => number = () => HALF): ConcurrencyLimit<Sharer> {
  const taken = new Map<string, number>()
  const countOf = (key: string) => taken.get(key) ?? 0
  const add = (key: string, change: 1 | -1) => {
    const count = countOf(key) + change
    if (count === 0) taken.delete(key)
    else taken.set(key, count)
  }
  return {
    tryAcquire({ who, shares }) {
      const ownKeyOf = (key: string) => `${key} ${who}`
      const ofRest = part()
      const isFree = shares.every(({ key, permits }) => {
        const own = countOf(ownKeyOf(key))
        const takenByOthers = countOf(key) - own
        return own < Math.ceil((permits - takenByOthers) * ofRest)
      })
      if (!isFree) return null
      const keys = shares.flatMap(({ key }) => [key, ownKeyOf(key)])
      for (const key of keys) add(key, 1)
      return () => {
        for (const key of keys.splice(0)) add(key, -1)
      }
    },
  }
}

/** One share, of so many permits; who asks is the asker. */
export function createFairShare(permits: number, part?: () => number): ConcurrencyLimit<string> {
  const fairShares = createFairShares(part)
  const shares = [{ key: 'all', permits }]
  return { tryAcquire: (who) => fairShares.tryAcquire({ who, shares }) }
}

/**
 * A line for permits, so that whoever finds none gets the next one that is free for him.
 *
 * @param places in the line; what limits it elsewhere needs none here.
 */
export function createLine<Asker>({
  permits,
  places = UNLIMITED,
  waitMs,
}: {
  permits: ConcurrencyLimit<Asker>
  places?: ConcurrencyLimit<Asker>
  waitMs: number
}): LimitWithLine<Asker> {
  const line = new Set<{ asker: Asker; enter: (release: Release | null) => void }>()

  function tryAcquire(asker: Asker): Release | null {
    const release = permits.tryAcquire(asker)
    if (release === null) return null
    return () => {
      release()
      letIn()
    }
  }

  /** In the order in which they came, but for those who have their share. */
  function letIn(): void {
    for (const waiter of line) {
      const release = tryAcquire(waiter.asker)
      if (release === null) continue
      line.delete(waiter)
      waiter.enter(release)
    }
  }

  return {
    tryAcquire,
    async acquire(asker) {
      const free = tryAcquire(asker)
      if (free !== null) return free
      const leave = places.tryAcquire(asker)
      if (leave === null) return null
      const { promise, resolve: enter } = Promise.withResolvers<Release | null>()
      const waiter = { asker, enter }
      line.add(waiter)
      const timeout = setTimeout(() => {
        line.delete(waiter)
        enter(null)
      }, waitMs)
      try {
        return await promise
      } finally {
        clearTimeout(timeout)
        leave()
      }
    },
  }
}

const UNLIMITED: ConcurrencyLimit<unknown> = { tryAcquire: () => () => {} }

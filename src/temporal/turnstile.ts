/** How many requests on one payment go to Temporal at once; it refuses the eleventh update in flight on one workflow. */
const AT_ONCE_MAX = 8

/** How long a request waits for its turn before the merchant is told to come back. */
const WAIT_MS = 5_000

/** Lets a few callers in at once for each key, the others in the order in which they came. */
export interface Turnstile {
  /** @returns what to call on the way out; null where the wait was too long. */
  enter(key: string): Promise<(() => void) | null>
}

export function createTurnstile({ atOnceMax = AT_ONCE_MAX, waitMs = WAIT_MS } = {}): Turnstile {
  const gates = new Map<string, { inside: number; waiting: (() => void)[] }>()

  function leave(key: string): void {
    const gate = gates.get(key)
    if (gate === undefined) return
    const next = gate.waiting.shift()
    // Whoever is let in takes the place of the one who leaves.
    if (next !== undefined) next()
    else if (gate.inside === 1) gates.delete(key)
    else gate.inside -= 1
  }

  return {
    async enter(key) {
      const gate = gates.get(key) ?? { inside: 0, waiting: [] }
      gates.set(key, gate)
      let hasLeft = false
      const out = () => {
        if (!hasLeft) leave(key)
        hasLeft = true
      }
      if (gate.inside < atOnceMax) {
        gate.inside += 1
        return out
      }
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const turn = () => resolve(true)
      gate.waiting.push(turn)
      const timeout = setTimeout(() => {
        const place = gate.waiting.indexOf(turn)
        if (place >= 0) gate.waiting.splice(place, 1)
        resolve(place < 0)
      }, waitMs)
      const isIn = await promise
      clearTimeout(timeout)
      return isIn ? out : null
    },
  }
}

/** Lets a few callers in at once for each key, the others in the order in which they came. */
export interface KeyedSemaphore {
  /** @returns what to call on the way out; null where the wait was too long. */
  acquire(key: string): Promise<(() => void) | null>
}

export function createKeyedSemaphore({ permits, waitMs }: { permits: number; waitMs: number }): KeyedSemaphore {
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
    async acquire(key) {
      const gate = gates.get(key) ?? { inside: 0, waiting: [] }
      gates.set(key, gate)
      let hasLeft = false
      const release = () => {
        if (!hasLeft) leave(key)
        hasLeft = true
      }
      if (gate.inside < permits) {
        gate.inside += 1
        return release
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
      return isIn ? release : null
    },
  }
}

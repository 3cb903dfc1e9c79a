import { LOOK_UP_DELAYS_SECONDS, UNRESOLVED_AFTER_LOOK_UPS } from '../domain/backoff.ts'
import type { AttemptInFlight } from '../domain/payment.ts'

interface LookedUp {
  /** How many look-ups were made. */
  made: number
  /** When the last one was made, or the attempt was first seen in flight. Epoch ms. */
  lastAt: number
  /** Closed by staff, who know of it. */
  isAbandoned: boolean
}

/** When the outcomes that nobody knows are looked up next: each attempt in flight on its own schedule. */
export class LookUpSchedule {
  readonly #attempts = new Map<string, LookedUp>()

  /** Takes over what is in flight now; what has ended is forgotten. */
  follow(inFlight: readonly AttemptInFlight[], now: number): void {
    const ids = new Set(inFlight.map(({ operationId }) => operationId))
    for (const id of this.#attempts.keys()) if (!ids.has(id)) this.#attempts.delete(id)
    for (const { operationId, isAbandoned } of inFlight) {
      const { made, lastAt } = this.#attempts.get(operationId) ?? { made: 0, lastAt: now }
      this.#attempts.set(operationId, { made, lastAt, isAbandoned })
    }
  }

  made(operationId: string, now: number): void {
    const { made, isAbandoned } = this.#attempts.get(operationId) ?? { made: 0, isAbandoned: false }
    this.#attempts.set(operationId, { made: made + 1, lastAt: now, isAbandoned })
  }

  /** True where an outcome is still not known after all the waits of the schedule: somebody should look. */
  get isExhausted(): boolean {
    return [...this.#attempts.values()].some(
      ({ made, isAbandoned }) => !isAbandoned && made >= UNRESOLVED_AFTER_LOOK_UPS,
    )
  }

  /** The attempt that is looked up first, and which look-up of it that will be; null where nothing is in flight. */
  next(): { operationId: string; at: number; number: number } | null {
    const wakes = [...this.#attempts].map(([operationId, { made, lastAt }]) => {
      const delay = LOOK_UP_DELAYS_SECONDS[Math.min(made, LOOK_UP_DELAYS_SECONDS.length - 1)] ?? 0
      return { operationId, at: lastAt + delay * 1000, number: made + 1 }
    })
    return wakes.reduce<(typeof wakes)[number] | null>(
      (first, wake) => (first === null || wake.at < first.at ? wake : first),
      null,
    )
  }
}

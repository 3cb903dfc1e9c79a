import { LOOK_UP_DELAYS_SECONDS, UNRESOLVED_AFTER_LOOK_UPS } from '../domain/backoff.ts'
import type { AttemptInFlight } from '../domain/payment.ts'

interface LookedUp {
  /** How many look-ups were made. */
  made: number
  /** When the last one was made, or the attempt was first seen in flight. Epoch ms. */
  lastAt: number
}

/** When the outcomes that nobody knows are looked up next: each attempt in flight on its own schedule. */
export class LookUpSchedule {
  readonly #attempts = new Map<string, LookedUp>()

  /** Takes over what is in flight now; what has ended is forgotten. */
  follow(inFlight: readonly AttemptInFlight[], now: number): void {
    const ids = new Set(inFlight.map(({ operationId }) => operationId))
    for (const id of this.#attempts.keys()) if (!ids.has(id)) this.#attempts.delete(id)
    for (const id of ids) if (!this.#attempts.has(id)) this.#attempts.set(id, { made: 0, lastAt: now })
  }

  made(operationId: string, now: number): void {
    const before = this.#attempts.get(operationId)?.made ?? 0
    this.#attempts.set(operationId, { made: before + 1, lastAt: now })
  }

  /** True where an outcome is still not known after all the waits of the schedule: somebody should look. */
  get isExhausted(): boolean {
    return [...this.#attempts.values()].some(({ made }) => made >= UNRESOLVED_AFTER_LOOK_UPS)
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

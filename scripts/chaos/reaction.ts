import { createHash } from 'node:crypto'

/** What a receiver does with a webhook. */
export interface Reaction {
  /** Null closes the connection without an answer. */
  status: number | null
  headers: Record<string, string>
  delayMs: number
}

/** So often a webhook may be given trouble; then it is accepted, so that the longer waits of the schedule are rare. */
const TROUBLED_TIMES_MAX = 2
/** Longer than a webhook is waited for. */
const TOO_LATE_MS = 11_000

/** Everything that makes an attempt fail, and two that do not. A 410 would switch the endpoint off. */
const TROUBLES: readonly ((share: number) => Reaction)[] = [
  () => ({ status: 500, headers: {}, delayMs: 0 }),
  () => ({ status: 503, headers: { 'retry-after': '1' }, delayMs: 0 }),
  () => ({ status: 302, headers: {}, delayMs: 0 }),
  () => ({ status: null, headers: {}, delayMs: 0 }),
  () => ({ status: null, headers: {}, delayMs: TOO_LATE_MS }),
  (share) => ({ status: 200, headers: {}, delayMs: 3_000 * share }),
  (share) => ({ status: 204, headers: {}, delayMs: 3_000 * share }),
]

/**
 * @param webhook and the seed of the run: the same webhook gets the same answers.
 * @param time 1 when it comes for the first time.
 */
export function reactionTo(webhook: string, time: number, trouble: number): Reaction {
  const digest = createHash('sha256').update(`${webhook} ${time}`).digest()
  const share = (offset: number) => digest.readUInt32BE(offset) / 2 ** 32
  const isTroubled = time <= TROUBLED_TIMES_MAX && share(0) < trouble
  if (!isTroubled) return { status: 200, headers: {}, delayMs: 0 }
  const choice = TROUBLES[Math.floor(share(4) * TROUBLES.length)]
  return (choice as (typeof TROUBLES)[number])(share(8))
}

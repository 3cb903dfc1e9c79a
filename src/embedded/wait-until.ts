import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 50

/**
 * Waits until the condition holds; false when it does not within the time given.
 *
 * @throws the signal's reason when that is aborted first.
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    signal?.throwIfAborted()
    if (await condition()) return true
    if (Date.now() >= deadline) return false
    await sleep(POLL_INTERVAL_MS)
  }
}

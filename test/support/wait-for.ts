import { setTimeout as sleep } from 'node:timers/promises'

/** Servers answer within milliseconds. No machine is so busy that it takes this long: what is waited for does not come. */
const TIMEOUT_MS = 120_000
/** What takes long is asked for less often, so that the answer comes at most a tenth later than it could. */
const PAUSE_MIN_MS = 20
const PAUSE_MAX_MS = 250

/**
 * Asks again and again until the answer is truthy, and gives it. For what another process does in its own time;
 * what must not happen cannot be waited for.
 *
 * @throws Error with the last answer, or the last error, when time is up.
 */
export async function waitFor<T>(
  question: () => T | Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<NonNullable<Awaited<T>>> {
  const begun = Date.now()
  const deadline = begun + timeoutMs
  for (;;) {
    const { answer, error } = await attempt(question)
    if (answer) return answer
    if (Date.now() > deadline) {
      const last = error === undefined ? `the last answer is ${JSON.stringify(answer)}` : 'the last question failed'
      throw new Error(`Nothing after ${timeoutMs} ms; ${last}. Question: ${question}`, { cause: error })
    }
    await sleep(Math.min(Math.max((Date.now() - begun) / 10, PAUSE_MIN_MS), PAUSE_MAX_MS))
  }
}

async function attempt<T>(question: () => T | Promise<T>): Promise<{ answer?: Awaited<T>; error?: unknown }> {
  try {
    return { answer: await question() }
  } catch (error) {
    return { error }
  }
}

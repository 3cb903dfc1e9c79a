import type { Engine } from './engine.ts'
import { CONNECTION_RESET, type Line, LOST, UNHEARD_OF } from './line.ts'

/** The simulator within this process: a call is a statement on its books and nothing else. */
export function createInProcessLine(engine: Engine): Line {
  return {
    send: (call, { switches, fault }, signal) =>
      untilAborted(signal, async () => {
        const transmission = await engine.perform(call, { switches, fault, waiting: signal })
        switch (transmission.kind) {
          case 'answered':
            return transmission.outcome
          case 'lost':
            return transmission.isPlayed ? LOST : CONNECTION_RESET
          case 'garbled':
            return UNHEARD_OF
        }
      }),
    lookUp: (question, { switches }, signal) =>
      untilAborted(signal, () => engine.lookUp(question, { switches, waiting: signal })),
  }
}

/** Ends the wait, not the work: what the gateway was asked, it goes on doing. */
async function untilAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const work = call()
  // It may fail when nobody waits any more.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

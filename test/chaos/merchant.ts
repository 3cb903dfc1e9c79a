import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick } from '../support/chance.ts'
import type { Answer } from '../support/http-client.ts'
import type { Shop } from './shops.ts'

/** A merchant asks again where nobody answered, perhaps another API, with the same idempotency key. */
const RETRY_PAUSES_MS = [700, 1_400, 2_100, 4_000, 4_000, 8_000, 8_000, 8_000, 8_000]

/** A request that fails for good ends its story: what counts is what was committed. */
export class StoryEnded extends Error {}

/** What a merchant was told of a request. Of a `lost` one nobody has told what was done. */
export interface Told {
  verdict: 'answered' | 'refused' | 'lost'
  body: Answer['body']
}

/** Sends a request until it is answered for good. */
export type Send = (shop: Shop, method: 'post' | 'put' | 'delete', path: string, body?: object) => Promise<Told>

/** How the requests of all merchants went. */
export interface Requests {
  sent: number
  failed: number
  /** That were answered for good, however often they were sent. */
  settled: number
  /** That were refused since nothing was begun, at their first try, and which nobody has sent again. */
  notBegun: number
  /** From the first try of a request to its last, the longest. */
  longestMs: number
  /** Answers that the interface does not describe. */
  faults: string[]
}

export function createSend(requests: Requests, random: () => number, signal: AbortSignal): Send {
  return async (shop, method, path, body) => {
    const options = { headers: { 'idempotency-key': randomUUID() } }
    const since = performance.now()
    const end = (verdict: Told['verdict'], answer?: Answer): Told => {
      requests.longestMs = Math.max(requests.longestMs, performance.now() - since)
      if (verdict !== 'lost') requests.settled += 1
      return { verdict, body: answer?.body }
    }
    for (const pauseMs of [...RETRY_PAUSES_MS, null]) {
      signal.throwIfAborted()
      requests.sent += 1
      const client = pick(random, shop.clients)
      const asked = method === 'delete' ? client.delete(path, options) : client[method](path, body, options)
      const answer = await asked.catch((error: unknown) => {
        // Of fetch: there was no answer, or not all of it.
        if (!(error instanceof TypeError)) requests.faults.push((error as Error).message)
        return undefined
      })
      if (answer?.status === 200) return end('answered', answer)
      requests.failed += 1
      if (answer !== undefined && answer.status < 500 && answer.status !== 409) return end('refused', answer)
      // Some take the word of the service for it, and do not ask again.
      if (answer?.body?.error_type === 'request.not-started' && pauseMs === RETRY_PAUSES_MS[0] && random() < 0.5) {
        requests.notBegun += 1
        return end('refused', answer)
      }
      if (pauseMs !== null) await sleep(pauseMs, undefined, { signal })
    }
    return end('lost')
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Arrived, KeyRules } from './model.ts'

/** How long the first request of a key takes, so that others of the same key arrive meanwhile. */
const UNDER_WAY_MS = 10

/** The first answer to a key is the answer for good. */
export function keepAnswers<Fields>(rules: KeyRules) {
  const kept = new Map<string, { request: string; answer: Answer | null }>()

  /** @param failure what is answered in place of what was done, because the gateway has failed then */
  return async (request: Arrived<Fields>, act: () => Answer, failure?: Answer): Promise<Answer> => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string' || !rules.applies(request)) {
      const answer = act()
      return failure ?? answer
    }
    const asked = JSON.stringify([request.path, request.fields])
    const known = kept.get(key)
    if (known !== undefined && rules.otherRequest !== null && known.request !== asked) return rules.otherRequest
    if (known !== undefined) return known.answer ?? rules.underWay
    const entry: { request: string; answer: Answer | null } = { request: asked, answer: null }
    kept.set(key, entry)
    await sleep(UNDER_WAY_MS)
    const answer = act()
    entry.answer = rules.keepsFailures ? (failure ?? answer) : answer
    return failure ?? entry.answer
  }
}

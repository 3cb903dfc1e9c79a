import { type ConcurrencyLimit, createFairShare, createLine, type Release } from '../../fair-share.ts'
import type { Usage } from '../../rate-limit/buckets.ts'
import type { Waits } from '../../waits.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, type ApiMiddleware, type Caller, callerOf, type PlaceKind } from '../context.ts'
import { withFacts } from '../route-access.ts'

/**
 * Requests that wait for a payment, of all projects; as many as the slots of a worker. They cost little while they wait, and
 * all have their answer within seconds of the last one that was let in.
 */
const WAITING_MAX = 400

/**
 * Other requests that work at once: half of the connections of the process, so that the rest is free for payments, the
 * workers of `npm start`, notifications of gateways and people. More would only wait for one another.
 */
const WORKING_MAX = 10

/** Those that stand in line for it: a merchant's hundred requests at once are answered, one after the other. */
const IN_LINE_MAX = 400

interface Place {
  /**
   * Refuses a request at the door, at no cost, where its caller has no place left: one with the very credentials of requests
   * that have theirs. So nobody learns anything by credentials that are wrong.
   */
  turnAway: ApiMiddleware
  /** Behind the reading of the body, which may come slowly. */
  take: ApiMiddleware
}

export type Places = Readonly<Record<PlaceKind, Place>>

/**
 * How many requests a process takes upon itself. Of the places a project gets at most half of those that others leave, in each
 * environment; so do its clients, and each of its people. Whatever is let in is finished, and what is beyond is refused at once,
 * with nothing done.
 *
 * @throws ApiError 503 `request.not-started`.
 */
export function createPlaces({ turnMs }: Pick<Waits, 'turnMs'>): Places {
  const line = createFairShare(IN_LINE_MAX)
  const working = createLine({ permits: createFairShare(WORKING_MAX), places: line, waitMs: turnMs })
  const waiting = createFairShare(WAITING_MAX)
  return {
    waiting: placeOf('waiting', { take: waiting.tryAcquire, last: waiting }),
    working: placeOf('working', { take: working.acquire, last: line }),
  }
}

interface Limits {
  take(who: string): Release | null | Promise<Release | null>
  /** What is full where nobody gets a place any more. */
  last: ConcurrencyLimit<string>
}

function placeOf(kind: PlaceKind, { take, last }: Limits): Place {
  /** By the header with the secret key: whose requests have places, and how many. */
  const inside = new Map<string, { caller: Caller; usage: Usage | undefined; requests: number }>()

  function refuse(ctx: ApiContext): never {
    ctx.state.lackedPlace = kind
    throw new ApiError('request.not-started', 'The service has too much to do at the moment: this request did nothing.')
  }

  function isFull(who: string): boolean {
    const release = last.tryAcquire(who)
    release?.()
    return release === null
  }

  const turnAway: ApiMiddleware = (ctx, next) => {
    const known = inside.get(ctx.get('Authorization'))
    if (known === undefined || !isFull(nameOf(known.caller))) return next()
    // For the logs, and for the headers, which show the limit as it was a moment ago.
    ctx.state.caller = known.caller
    if (known.usage !== undefined) ctx.state.usage = known.usage
    return refuse(ctx)
  }

  const takeOne: ApiMiddleware = async (ctx, next) => {
    const caller = callerOf(ctx)
    const release = await take(nameOf(caller))
    if (release === null) return refuse(ctx)
    const leave = caller.kind === 'key' ? enter(ctx, caller) : () => {}
    try {
      await next()
    } finally {
      leave()
      release()
    }
  }

  function enter(ctx: ApiContext, caller: Caller): () => void {
    const credentials = ctx.get('Authorization')
    const own = { caller, usage: ctx.state.usage, requests: (inside.get(credentials)?.requests ?? 0) + 1 }
    inside.set(credentials, own)
    return () => {
      const left = inside.get(credentials)
      if (left === undefined) return
      left.requests -= 1
      if (left.requests === 0) inside.delete(credentials)
    }
  }

  return { turnAway, take: withFacts(takeOne, { place: kind }) }
}

/** Whose requests share places. Whoever has seen a page of the merchant can call as its client, and takes none from its servers. */
const nameOf = ({ kind, personId, environment, projectId }: Caller): string =>
  personId ?? `${kind} ${environment} ${projectId}`

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient } from '../support/http-client.ts'
import { CARD, ORDER, type OrderState } from '../support/order-audit.ts'

const CALLERS = 4
const RETRY_PAUSE_MS = 250
/** A part that was killed is back within a minute; what is unknown then is looked up within the next. */
const PATIENCE_MS = 180_000

/** A part of the service may be away, or a request of the same key still be under way. */
const TRY_AGAIN: readonly number[] = [409, 429, 500, 502, 503, 504]
/** The circuit of the gateway is open: the order failed for certain. */
const GATEWAY_CLOSED = 410

/** How it went, for merchants who order, authorize and capture, and repeat what was not answered. */
export interface MerchantLoad {
  /** What became of each order, by invoice. */
  told: Map<string, OrderState>
  /** Requests that were answered with an error, or not at all, and were sent again. */
  repeated: number
  /** The longest that a request took with all its repetitions. */
  longestMs: number
}

/** Has merchants order until told to end, and ends when each order is through. */
export function startMerchantLoad(client: HttpClient, signal: AbortSignal): { finish(): Promise<MerchantLoad> } {
  const load: MerchantLoad = { told: new Map(), repeated: 0, longestMs: 0 }
  let isOver = false
  const order = async () => {
    while (!isOver) await placeOrder(client, load, signal)
  }
  const all = Promise.all(Array.from({ length: CALLERS }, order))
  // Awaited in the end; until then a failure must not count as one that nobody looks at.
  all.catch(() => undefined)
  return {
    async finish() {
      isOver = true
      await all
      return load
    },
  }
}

async function placeOrder(client: HttpClient, load: MerchantLoad, signal: AbortSignal): Promise<void> {
  const ask = (path: string, body: object) => askPersistently(client, load, signal, path, body)
  const { invoice } = (await ask('/invoices', ORDER)).body
  const { card } = (await ask('/cards', CARD)).body
  const path = `/invoices/${invoice.id}`
  const authorized = await ask(`${path}/authorize`, { source: card.id })
  if (authorized.status === GATEWAY_CLOSED || (await isSettled(client, path, 'authorized', signal)) === 'failed') {
    load.told.set(invoice.id, 'failed')
    return
  }
  load.told.set(invoice.id, 'approved')
  await ask(`${path}/capture`, {})
  if ((await isSettled(client, path, 'completed', signal)) === 'failed') throw new Error(`${path} cannot be captured.`)
  load.told.set(invoice.id, 'captured')
}

/** Sends a request with the same idempotency key until it is answered for good. */
async function askPersistently(
  client: HttpClient,
  load: MerchantLoad,
  signal: AbortSignal,
  path: string,
  body: object,
) {
  const options = { headers: { 'idempotency-key': randomUUID() } }
  const since = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const answer = await client.post(path, body, options).catch(() => null)
    const tookMs = performance.now() - since
    if (answer !== null && !TRY_AGAIN.includes(answer.status)) {
      load.longestMs = Math.max(load.longestMs, tookMs)
      if (answer.status === 200 || answer.status === GATEWAY_CLOSED) return answer
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    if (tookMs > PATIENCE_MS)
      throw new Error(`POST ${path} has no answer but ${answer?.status ?? 'none'} after ${PATIENCE_MS / 1000} s.`)
    load.repeated += 1
    await sleep(RETRY_PAUSE_MS, undefined, { signal })
  }
}

/** Waits until the payment has the status, or has failed. */
async function isSettled(
  client: HttpClient,
  path: string,
  wanted: string,
  signal: AbortSignal,
): Promise<'as wanted' | 'failed'> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await client.get(`${path}?expand=transaction`).catch(() => null)
    const status = answer?.status === 200 ? answer.body.invoice.transaction?.status : undefined
    if (status === wanted) return 'as wanted'
    if (status === 'failed' || status === 'voided') return 'failed'
    if (performance.now() > deadline) throw new Error(`${path} is ${status} and was to be ${wanted}.`)
    await sleep(RETRY_PAUSE_MS, undefined, { signal })
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick, seededRandom } from '../support/chance.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { ORDER_AMOUNT, type Order } from './books.ts'
import type { ChaosOptions } from './command-line.ts'
import type { Receivers } from './receivers.ts'
import type { Shop } from './shops.ts'

/** What is asked of the API while its processes die, and how it went. */
export interface Stories {
  orders: readonly Order[]
  /** Whether a merchant knows a capture to have succeeded. */
  hasCapture(): boolean
  /** The URL that was asked for with an invoice of this name; null where there is none. */
  ownUrlOf(invoiceName: string): string | null
  counts(): { begun: number; finished: number; requests: number; failed: number }
  /** Begins no more and waits for those under way. */
  finish(): Promise<void>
}

interface StoriesOptions extends Pick<ChaosOptions, 'seed' | 'rate'> {
  shops: readonly Shop[]
  receivers: Receivers
  signal: AbortSignal
}

/** Where nothing answers for a while, no crowd gathers that would be too much for a small machine afterwards. */
const AT_ONCE_MAX = 25

/** A merchant asks again where nobody answered, perhaps another API, with the same idempotency key. */
const TRIES_MAX = 4
const RETRY_PAUSE_MS = 700

/** Approved most often; declined; an answer that was lost; a capture that fails. */
const CARDS = [
  ...Array<string>(7).fill('4242424242424242'),
  '4000000000002180',
  '4000000000007007',
  '4000000000000010',
] as const

/** A request that fails for good ends its story: what counts is what was committed. */
class StoryEnded extends Error {}

type Ask = (shop: Shop, method: 'post' | 'put', path: string, body: object) => Promise<Answer['body']>

/** Begins stories at a steady rate, whether or not anything answers. */
export function runStories({ seed, rate, shops, receivers, signal }: StoriesOptions): Stories {
  const random = seededRandom(seed)
  const ownUrls = new Map<string, string | null>()
  const orders: Order[] = []
  const underWay = new Set<Promise<void>>()
  const counts = { begun: 0, finished: 0, requests: 0, failed: 0 }

  const ask: Ask = async (shop, method, path, body) => {
    const options = { headers: { 'idempotency-key': randomUUID() } }
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted()
      counts.requests += 1
      const client: HttpClient = pick(random, shop.clients)
      const answer = await client[method](path, body, options).catch(() => undefined)
      if (answer?.status === 200) return answer.body
      counts.failed += 1
      // 409 where the first request of the key is still under way.
      const mayTryAgain = answer === undefined || answer.status >= 500 || answer.status === 409
      if (tries === TRIES_MAX || !mayTryAgain) throw new StoryEnded()
      await sleep(RETRY_PAUSE_MS * tries)
    }
  }
  const placeOrder = async (shop: Shop): Promise<Order> => {
    const name = `Order ${ownUrls.size + 1}`
    const ownUrl = chooseOwnUrl(random, shop, receivers.urls, ownUrls.size + 1)
    ownUrls.set(name, ownUrl)
    const fields = { name, amount: ORDER_AMOUNT, currency: 'EUR', ...(ownUrl !== null && { webhook_url: ownUrl }) }
    const { invoice } = await ask(shop, 'post', '/invoices', fields)
    const order: Order = { invoiceId: String(invoice.id), authorize: [], capture: [], refund: [] }
    orders.push(order)
    return order
  }
  const begin = () => {
    counts.begun += 1
    const shop = pick(random, shops)
    const story = random() < 0.25 ? runCustomerStory(ask, shop) : runPaymentStory(ask, shop, random, placeOrder)
    const ended: Promise<void> = story
      .then(() => {
        counts.finished += 1
      })
      .catch((error: unknown) => {
        if (!(error instanceof StoryEnded) && !signal.aborted) throw error
      })
      .finally(() => underWay.delete(ended))
    underWay.add(ended)
  }
  const timer = setInterval(() => {
    if (underWay.size < AT_ONCE_MAX) begin()
  }, 1000 / rate)

  return {
    orders,
    hasCapture: () => orders.some(({ capture }) => capture.some(({ isAcknowledged }) => isAcknowledged)),
    ownUrlOf: (name) => ownUrls.get(name) ?? null,
    counts: () => ({ ...counts }),
    async finish() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

/** None, one of the invoice alone, or that of an endpoint, to which nothing must go twice. */
function chooseOwnUrl(random: () => number, shop: Shop, urls: readonly string[], number: number): string | null {
  const choice = random()
  if (choice < 0.3 && shop.endpoints.length > 0) return null
  if (choice < 0.45 && shop.endpoints.length > 0) return pick(random, shop.endpoints).url
  return `${pick(random, urls)}/invoices/${number}`
}

async function runCustomerStory(ask: Ask, shop: Shop): Promise<void> {
  const { customer } = await ask(shop, 'post', '/customers', { email: 'ada@example.com', first_name: 'Ada' })
  await ask(shop, 'put', `/customers/${customer.id}`, { last_name: 'Lovelace' })
  const { card } = await ask(shop, 'post', '/cards', { number: CARDS[0], exp_month: 12, exp_year: 2040 })
  await ask(shop, 'put', `/cards/${card.id}`, { metadata: { color: 'blue' } })
}

/** Order, authorization, then a void, or a capture of all or of a part, and perhaps a refund of a part, once or twice. */
async function runPaymentStory(
  ask: Ask,
  shop: Shop,
  random: () => number,
  placeOrder: (shop: Shop) => Promise<Order>,
): Promise<void> {
  const order = await placeOrder(shop)
  const path = `/invoices/${order.invoiceId}`
  const move = async (verb: 'authorize' | 'capture' | 'refund', amountMinor: number, address: string, body: object) => {
    const asked = { amountMinor, isAcknowledged: false }
    order[verb].push(asked)
    const answer = await ask(shop, 'post', `${path}/${address}`, body)
    asked.isAcknowledged =
      verb === 'refund'
        ? answer.refund?.status === 'succeeded'
        : ['authorized', 'completed'].includes(answer.transaction?.status)
    return asked.isAcknowledged
  }
  const fields = { number: pick(random, CARDS), exp_month: 12, exp_year: 2040, cvc2: '123' }
  const { card } = await ask(shop, 'post', '/cards', fields)
  if (!(await move('authorize', 2_000, 'authorize', { source: card.id }))) return
  // A merchant's pause, in which something may die.
  await sleep(1_000 * random())
  if (random() < 0.2) {
    await ask(shop, 'post', `${path}/void`, {})
    return
  }
  const isPart = random() < 0.3
  const capture = isPart ? { capture_amount: '15.00' } : {}
  if (!(await move('capture', isPart ? 1_500 : 2_000, 'capture', capture))) return
  for (let refunds = 0; refunds < 2 && random() < 0.5; refunds += 1)
    await move('refund', 500, 'refunds', { amount: '5.00' })
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient } from '../../test/support/http-client.ts'
import type { ChaosOptions } from './options.ts'
import { pick, type Random, seededRandom } from './random.ts'
import type { Shop } from './shops.ts'

/** What is asked of the API while its processes die, and how it went. */
export interface Stories {
  /** The URL that was asked for with an invoice of this name; null where there is none. */
  ownUrlOf(invoiceName: string): string | null
  counts(): { begun: number; finished: number; requests: number; failed: number }
  /** Begins no more and waits for those under way. */
  finish(): Promise<void>
}

interface StoriesOptions extends Pick<ChaosOptions, 'seed' | 'rate'> {
  shops: readonly Shop[]
  receivers: readonly { url: string }[]
}

/** Where nothing answers for a while, no crowd gathers that would be too much for a small machine afterwards. */
const AT_ONCE_MAX = 25

/** A merchant asks again where nobody answered, perhaps another API; what comes of the first request comes as well. */
const TRIES_MAX = 3
const RETRY_PAUSE_MS = 700

/** Test cards by how often they pay: approved, declined, an answer that was lost, a capture that fails. */
const CARDS = [
  ...Array<string>(7).fill('4242424242424242'),
  '4000000000002180',
  '4000000000007007',
  '4000000000000010',
] as const

/** A request that fails for good ends its story: what counts is what was committed. */
class StoryEnded extends Error {}

/** Begins stories at a steady rate, whether or not anything answers. */
export function playScenarios({ seed, rate, shops, receivers }: StoriesOptions): Stories {
  const random = seededRandom(seed, 'stories')
  const ownUrls = new Map<string, string | null>()
  const underWay = new Set<Promise<void>>()
  const counts = { begun: 0, finished: 0, requests: 0, failed: 0 }

  const ask: Ask = async (shop, method, path, body) => {
    for (let tries = 1; ; tries += 1) {
      counts.requests += 1
      const client: HttpClient = pick(random, shop.clients)
      const answer = await client[method](path, body).catch(() => undefined)
      if (answer?.status === 200) return answer.body
      counts.failed += 1
      if (tries === TRIES_MAX || (answer !== undefined && answer.status < 500)) throw new StoryEnded()
      await sleep(RETRY_PAUSE_MS * tries)
    }
  }
  const placeOrder = async (shop: Shop) => {
    const name = `Order ${ownUrls.size + 1}`
    const ownUrl = chooseOwnUrl(random, shop, receivers, ownUrls.size + 1)
    ownUrls.set(name, ownUrl)
    const fields = { name, amount: '20.00', currency: 'EUR', ...(ownUrl !== null && { webhook_url: ownUrl }) }
    return String((await ask(shop, 'post', '/invoices', fields)).invoice.id)
  }
  const begin = () => {
    counts.begun += 1
    const shop = pick(random, shops)
    const story = random() < 0.25 ? playCustomer(ask, shop) : playPayment(ask, shop, random, placeOrder)
    const told: Promise<void> = story
      .then(() => {
        counts.finished += 1
      })
      .catch((error: unknown) => {
        if (!(error instanceof StoryEnded)) throw error
      })
      .finally(() => underWay.delete(told))
    underWay.add(told)
  }
  const timer = setInterval(() => {
    if (underWay.size < AT_ONCE_MAX) begin()
  }, 1000 / rate)

  return {
    ownUrlOf: (name) => ownUrls.get(name) ?? null,
    counts: () => ({ ...counts }),
    async finish() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

type Ask = (
  shop: Shop,
  method: 'post' | 'put',
  path: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer.
) => Promise<any>

/** None, one of the invoice alone, or that of an endpoint, to which nothing must go twice. */
function chooseOwnUrl(
  random: Random,
  shop: Shop,
  receivers: readonly { url: string }[],
  number: number,
): string | null {
  const choice = random()
  if (choice < 0.3 && shop.endpoints.length > 0) return null
  if (choice < 0.45 && shop.endpoints.length > 0) return pick(random, shop.endpoints).url
  return `${pick(random, receivers).url}/invoices/${number}`
}

async function playCustomer(ask: Ask, shop: Shop): Promise<void> {
  const { customer } = await ask(shop, 'post', '/customers', { email: 'ada@example.com', first_name: 'Ada' })
  await ask(shop, 'put', `/customers/${customer.id}`, { last_name: 'Lovelace' })
  const { card } = await ask(shop, 'post', '/cards', { number: CARDS[0], exp_month: 12, exp_year: 2040 })
  await ask(shop, 'put', `/cards/${card.id}`, { metadata: { color: 'blue' } })
}

async function playPayment(
  ask: Ask,
  shop: Shop,
  random: Random,
  placeOrder: (shop: Shop) => Promise<string>,
): Promise<void> {
  const invoiceId = await placeOrder(shop)
  const fields = { number: pick(random, CARDS), exp_month: 12, exp_year: 2040, cvc2: '123' }
  const { card } = await ask(shop, 'post', '/cards', fields)
  const { transaction } = await ask(shop, 'post', `/invoices/${invoiceId}/authorize`, { source: card.id })
  if (transaction?.status !== 'authorized') return
  // A merchant's pause, in which something may die.
  await sleep(1_000 * random())
  if (random() < 0.2) {
    await ask(shop, 'post', `/invoices/${invoiceId}/void`, {})
    return
  }
  await ask(shop, 'post', `/invoices/${invoiceId}/capture`, random() < 0.3 ? { capture_amount: '15.00' } : {})
  if (random() < 0.3) await ask(shop, 'post', `/invoices/${invoiceId}/refunds`, { amount: '5.00' })
}

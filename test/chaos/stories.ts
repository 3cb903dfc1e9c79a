import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import { challenge, challengeElsewhere, NoWayBack } from '../support/bank.ts'
import { pick, seededRandom } from '../support/chance.ts'
import type { Answer } from '../support/http-client.ts'
import type { Asked, Moves, Order } from './books.ts'
import { createSend, type Requests, type Send, StoryEnded, type Told } from './merchant.ts'
import type { ChaosOptions } from './options.ts'
import type { Receivers } from './receivers.ts'
import type { Shop } from './shops.ts'

/** What is asked of the API while something is broken, and how it went. */
export interface Stories {
  orders: readonly Order[]
  requests: Requests
  /** Those whose deletion was acknowledged. */
  deletedCustomers: ReadonlySet<string>
  /** Whether a merchant knows a capture to have succeeded. */
  hasCapture(): boolean
  /** The URL that was asked for with an invoice of this name; null where there is none. */
  ownUrlOf(invoiceName: string): string | null
  counts(): { begun: number; finished: number }
  /** Begins no more. */
  end(): void
  /** Begins no more and waits for those under way. */
  finish(): Promise<void>
}

export interface StoriesOptions extends Pick<ChaosOptions, 'seed' | 'rate'> {
  /** How many are on their way at most; while they are, none begins. By default as many as a small machine can take. */
  atOnceMax?: number
  /** Begins the names of its invoices, which are unique in a run. */
  name: string
  shops: readonly Shop[]
  receivers: Pick<Receivers, 'urls'>
  /** What an operator does with one of the service's commands. */
  operate(script: string, ...args: string[]): Promise<unknown>
  signal: AbortSignal
}

/** Where nothing answers for a while, no crowd gathers that would be too much for a small machine afterwards. */
export const AT_ONCE_MAX = 25

/** One story on its way. */
interface Telling extends Pick<StoriesOptions, 'operate' | 'signal'> {
  shop: Shop
  send: Send
  random: () => number
  /** What the fields of its card have that is special. */
  card: object
  order: Order
  /** Of the invoice's lines. */
  lineIds: readonly string[]
  customerId?: string
  deletedCustomers: Set<string>
}

/** @throws StoryEnded where the story cannot go on. */
type Step = (telling: Telling) => Promise<void>

interface Story {
  name: string
  /** How often it is told beside the others. */
  share: number
  /** Approved at every step of every gateway unless said otherwise. */
  cards?: Cards
  /** Fields of its invoice; null where it is about no invoice. */
  invoice?: object | null
  steps: readonly Step[]
}

/**
 * The fields of a card that make a gateway do what a story is about; a gateway that is not named cannot. The simulator and
 * Stripe go by the number, Adyen by the holder's name.
 */
type Cards = Partial<Record<Shop['gateway'], object>>

const APPROVED = { number: '4242424242424242' }
const EVERYWHERE: Cards = { simulator: APPROVED, stripe: APPROVED, adyen: APPROVED }
const SEVERAL_CAPTURES: Cards = { simulator: APPROVED, stripe: APPROVED }
const DECLINED: Cards = {
  simulator: { number: '4000000000000002' },
  stripe: { number: '4000000000000002' },
  adyen: { ...APPROVED, name: 'NOT_ENOUGH_BALANCE' },
}
const atSimulator = (number: string): Cards => ({ simulator: { number } })
/** Where the simulator goes by the card, and a stand-in is told what its customer or its issuer does. */
const toldElsewhere = (card: object): Cards => ({ ...EVERYWHERE, simulator: { ...APPROVED, ...card } })
/** Each gateway then wants the customer. */
const CHALLENGE = { challenge_indicator: 'challenge-requested' }

/** Of the lines of an invoice. */
const LINE_AMOUNTS = [500, 1_500] as const
const LINES = { details: LINE_AMOUNTS.map((minor) => ({ name: 'Tea', amount: amountText(minor), quantity: 1 })) }

/** Every story that merchants and staff have with a payment. An amount is in minor units. */
const STORIES: readonly Story[] = [
  { name: 'sale', share: 3, steps: [pay({ captures: true })] },
  {
    name: 'capture and refunds',
    share: 6,
    steps: [pay(), pause, capture(2_000), perhaps(refund(500)), perhaps(refund(500))],
  },
  { name: 'partial capture', share: 3, steps: [pay(), pause, capture(1_500), perhaps(refund(500))] },
  {
    name: 'captures in parts',
    share: 2,
    cards: SEVERAL_CAPTURES,
    steps: [pay(), capture(500, { capture_type: 'non-final' }), capture(1_500)],
  },
  {
    name: 'captures of lines',
    share: 2,
    cards: SEVERAL_CAPTURES,
    invoice: LINES,
    steps: [pay(), captureLine(0), pause, captureLine(1), refundLine(0)],
  },
  { name: 'void', share: 2, steps: [pay(), pause, voidAll] },
  {
    name: 'increment',
    share: 2,
    steps: [pay({ fields: { incremental: true } }), increment(500), pause, capture(2_500)],
  },
  { name: 'scheduled capture', share: 3, steps: [pay({ captureInMs: 4_000 })] },
  { name: 'scheduled capture dropped by staff', share: 0.5, steps: [pay({ captureInMs: 60_000 }), staffDropsCapture] },
  { name: '3-D Secure', share: 2, invoice: CHALLENGE, steps: [pay({ customer: 'passes' }), capture(2_000)] },
  { name: '3-D Secure, sale', share: 1, invoice: CHALLENGE, steps: [pay({ customer: 'passes', captures: true })] },
  {
    name: '3-D Secure that fails',
    share: 0.5,
    cards: toldElsewhere({ number: '4000000000007130' }),
    invoice: CHALLENGE,
    steps: [pay({ customer: 'fails' })],
  },
  {
    name: '3-D Secure without its customer',
    share: 0.5,
    invoice: CHALLENGE,
    steps: [pay({ customer: 'leaves' }), perhaps(giveUp)],
  },
  { name: 'decline', share: 1, cards: DECLINED, steps: [pay({ isDeclined: true })] },
  { name: 'answer that is lost', share: 1, cards: atSimulator('4000000000007007'), steps: [pay(), capture(2_000)] },
  { name: 'capture that is lost', share: 1, cards: atSimulator('4000000000007031'), steps: [pay(), capture(2_000)] },
  { name: 'capture that fails', share: 1, cards: atSimulator('4000000000000010'), steps: [pay(), capture(2_000)] },
  { name: 'capture that waits', share: 1, cards: atSimulator('4000000000007049'), steps: [pay(), capture(2_000)] },
  {
    name: 'refund that waits',
    share: 1,
    cards: atSimulator('4000000000007064'),
    steps: [pay({ captures: true }), refund(500)],
  },
  {
    name: 'chargeback',
    share: 0.5,
    cards: toldElsewhere({ number: '4000000000000069' }),
    steps: [pay({ captures: true }), dispute()],
  },
  {
    name: 'chargeback that is won',
    share: 1,
    cards: toldElsewhere({ number: '4000000000000200' }),
    steps: [pay({ captures: true }), dispute('won')],
  },
  {
    name: 'chargeback that is lost',
    share: 1,
    cards: toldElsewhere({ name: 'SANDBOX:chargeback-lost' }),
    steps: [pay({ captures: true }), dispute('lost')],
  },
  { name: 'customer', share: 3, invoice: null, steps: [makeCustomer, changeCustomer, makeCard] },
  { name: 'deletion', share: 2, invoice: null, steps: [makeCustomer, pause, deleteCustomer] },
]

/** Begins stories at a steady rate, whether or not anything answers. */
export function runStories(options: StoriesOptions): Stories {
  const { seed, rate, atOnceMax = AT_ONCE_MAX, name, shops, receivers, operate, signal } = options
  const random = seededRandom(seed)
  const ownUrls = new Map<string, string | null>()
  const orders: Order[] = []
  const deletedCustomers = new Set<string>()
  const underWay = new Set<Promise<void>>()
  const counts = { begun: 0, finished: 0 }
  const requests: Requests = { sent: 0, failed: 0, settled: 0, notBegun: 0, longestMs: 0, faults: [] }
  const send = createSend(requests, random, signal)
  const often = STORIES.flatMap((story) => Array<Story>(2 * story.share).fill(story))
  const toldAt = (gateway: Shop['gateway']) => often.filter(({ cards = EVERYWHERE }) => cards[gateway] !== undefined)

  const tell = async (shop: Shop, { name: story, cards = EVERYWHERE, invoice = {}, steps }: Story) => {
    const telling: Telling = {
      shop,
      send,
      random,
      card: cards[shop.gateway] ?? APPROVED,
      operate,
      signal,
      lineIds: [],
      deletedCustomers,
      order: { invoiceId: '', story, asked: [] },
    }
    if (invoice !== null) {
      const number = ownUrls.size + 1
      const ownUrl = chooseOwnUrl(random, shop, receivers.urls, `${name}-${number}`)
      ownUrls.set(`${name} ${number}`, ownUrl)
      const fields = { name: `${name} ${number}`, amount: '20.00', currency: 'EUR', ...invoice }
      const asked = await make(telling, '/invoices', { ...fields, ...(ownUrl !== null && { webhook_url: ownUrl }) })
      telling.order.invoiceId = String(asked.invoice.id)
      telling.lineIds = (asked.invoice.details ?? []).map(({ id }: { id: string }) => id)
      orders.push(telling.order)
    }
    for (const step of steps) await step(telling)
  }
  const begin = () => {
    counts.begun += 1
    const shop = pick(random, shops)
    const ended: Promise<void> = tell(shop, pick(random, toldAt(shop.gateway)))
      .then(() => {
        counts.finished += 1
      })
      .catch((error: Error) => {
        if (!(error instanceof StoryEnded) && !signal.aborted) requests.faults.push(String(error.stack))
      })
      .finally(() => underWay.delete(ended))
    underWay.add(ended)
  }
  const timer = setInterval(() => {
    if (underWay.size < atOnceMax) begin()
  }, 1000 / rate)

  return {
    orders,
    requests,
    deletedCustomers,
    hasCapture: () => orders.some(({ asked }) => asked.some(({ told, moves }) => told === 'done' && moves.captured)),
    ownUrlOf: (invoiceName) => ownUrls.get(invoiceName) ?? null,
    counts: () => ({ ...counts }),
    end: () => clearInterval(timer),
    async finish() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

/** None, one of the invoice alone, or that of an endpoint, to which nothing must go twice. */
function chooseOwnUrl(random: () => number, shop: Shop, urls: readonly string[], path: string): string | null {
  const choice = random()
  if (choice < 0.3 && shop.endpoints.length > 0) return null
  if (choice < 0.45 && shop.endpoints.length > 0) return pick(random, shop.endpoints).url
  return `${pick(random, urls)}/invoices/${path.replaceAll(/\W+/g, '-')}`
}

/** Makes something without which the story cannot go on. */
async function make({ shop, send }: Telling, path: string, fields: object): Promise<Answer['body']> {
  const { verdict, body } = await send(shop, 'post', path, fields)
  // A story that asks for what cannot be would end here unseen.
  if (body?.invalid_fields !== undefined) throw new Error(`${path}: ${body.message}`)
  if (verdict !== 'answered') throw new StoryEnded()
  return body
}

/** Asks for money to be moved, and keeps what was told of it; the story goes on where it was done. */
async function move(
  { shop, send, order, signal }: Telling,
  moves: Moves,
  address: string,
  body: object,
): Promise<Asked> {
  const asked: Asked = { moves, told: 'unknown' }
  order.asked.push(asked)
  const told = await send(shop, 'post', `/invoices/${order.invoiceId}/${address}`, body)
  asked.told = verdictOf(told)
  asked.action = told.body?.customer_action?.value
  const pending = asked.told === 'unknown' && asked.action === undefined ? told.body?.transaction?.id : undefined
  if (pending !== undefined && (await isMovedSoon(shop, pending, order, moves, signal))) asked.told = 'done'
  // Of a sale whose capture was refused the authorization stands.
  const isSale = moves.authorized !== undefined && moves.captured !== undefined
  if (isSale && asked.told === 'refused' && told.body?.transaction?.status === 'authorized')
    Object.assign(asked, { moves: { authorized: moves.authorized }, told: 'done' })
  if (asked.told !== 'done' && asked.action === undefined) throw new StoryEnded()
  return asked
}

/** As long as a merchant asks what has become of a payment whose outcome is pending. */
const OUTCOME_WITHIN_MS = 20_000
const OUTCOME_POLL_MS = 1_000

/**
 * Whether the payment has in time what was asked for last, beside what was done before. That no outcome is unknown says nothing
 * yet: a sale whose authorization was found is captured a moment later.
 */
async function isMovedSoon(
  { clients }: Shop,
  transactionId: string,
  { asked }: Order,
  moves: Moves,
  signal: AbortSignal,
): Promise<boolean> {
  const done = asked.filter(({ told }) => told === 'done').map((one) => one.moves)
  const wanted = Object.keys(moves).map((name): [string, number] => [
    `${name}_amount`,
    [...done, moves].reduce((sum, one) => sum + (one[name as keyof Moves] ?? 0), 0),
  ])
  const until = Date.now() + OUTCOME_WITHIN_MS
  for (let index = 0; Date.now() < until; index += 1) {
    await sleep(OUTCOME_POLL_MS, undefined, { signal })
    const answer = await clients[index % clients.length]
      ?.get(`/transactions/${transactionId}`)
      .catch((error: unknown) => {
        // Of fetch: there was no answer, or not all of it.
        if (!(error instanceof TypeError)) throw error
        return undefined
      })
    const amounts = answer?.status === 200 ? answer.body.transaction : {}
    if (wanted.every(([name, minor]) => Math.round(100 * Number(amounts[name])) >= minor)) return true
  }
  return false
}

function verdictOf({ verdict, body }: Told): Asked['told'] {
  if (verdict === 'refused') return 'refused'
  const isDone = body?.outcome === 'success' || body?.refund?.status === 'succeeded'
  return verdict === 'answered' && isDone ? 'done' : 'unknown'
}

interface Paying {
  captures?: boolean
  captureInMs?: number
  /** What the customer does, whom the bank wants to see. */
  customer?: 'passes' | 'fails' | 'leaves'
  isDeclined?: boolean
  fields?: object
}

function pay({ captures = false, captureInMs, customer, isDeclined = false, fields = {} }: Paying = {}): Step {
  return async (telling) => {
    const { order, card: own } = telling
    const { card } = await make(telling, '/cards', { ...own, exp_month: 12, exp_year: 2040, cvc2: '123' })
    const isPaid = !isDeclined && customer !== 'fails' && customer !== 'leaves'
    const moves = { ...(isPaid && { authorized: 2_000 }), ...(captures && { captured: 2_000 }) }
    const dueAt = captureInMs === undefined ? undefined : Date.now() + captureInMs
    const body = {
      authorize_only: !captures,
      ...(dueAt !== undefined && { auto_capture_at: new Date(dueAt).toISOString() }),
      ...(customer !== undefined && { enable_three_d_s_2: true }),
      ...fields,
    }
    const scheduled: Asked = { moves: { captured: 2_000 }, told: 'unknown', dueAt }
    if (dueAt !== undefined) order.asked.push(scheduled)
    const asked = await move(telling, moves, 'authorize', { source: card.id, ...body })
    if (dueAt !== undefined) scheduled.told = asked.told
    if (customer === 'passes' && asked.told === 'done')
      throw new Error(`${order.story} ${order.invoiceId}: the customer was not asked`)
    if (customer === undefined || customer === 'leaves' || asked.action === undefined) return
    const source = await meetBank(telling, asked.action, customer === 'passes')
    // One payment, whose second call ends what the first has begun.
    order.asked.pop()
    await move(telling, moves, 'authorize', { source, ...body })
  }
}

/** Gives the source of the next call. Whoever finds that no page opens goes away. */
async function meetBank(telling: Telling, action: string, passes: boolean): Promise<string> {
  const { standIn } = telling.shop
  const visit = async (page: string) => {
    const back = standIn?.model.visit(page, { passes, form: null })
    if (back == null) throw new Error(`The gateway has no customer at ${page}`)
    // Meanwhile the gateway may tell how it ended.
    await pause(telling)
    return back.return_url
  }
  // The simulator's bank goes by the card, once the code is right.
  const met = standIn === null ? challenge(action, '1234') : challengeElsewhere(action, visit)
  return met.catch((error: unknown) => {
    const isAway =
      error instanceof TypeError || (error instanceof NoWayBack && (error.status === 429 || error.status >= 500))
    throw isAway ? new StoryEnded() : error
  })
}

/** The merchant waits for the customer no longer. */
async function giveUp(telling: Telling): Promise<void> {
  await move(telling, {}, 'void', {})
}

/** The issuer takes the money back, and may decide. At the simulator the card says so. */
function dispute(end?: 'won' | 'lost'): Step {
  return async (telling) => {
    const { shop, order } = telling
    const isCapture = ({ kind, invoice_id }: Entry) => kind === 'capture' && invoice_id === order.invoiceId
    const captured = shop.standIn?.ledger.entries.find(isCapture)
    if (captured === undefined) return
    shop.standIn?.model.openDispute(captured, captured.amount_minor)
    await pause(telling)
    if (end !== undefined) shop.standIn?.model.endDispute(captured, end === 'won')
  }
}

async function pause({ random }: Telling): Promise<void> {
  await sleep(1_000 * random())
}

/** In half of the stories. */
function perhaps(step: Step): Step {
  return async (telling) => {
    if (telling.random() < 0.5) await step(telling)
  }
}

function capture(minor: number, fields: object = {}): Step {
  return async (telling) =>
    void (await move(telling, { captured: minor }, 'capture', { capture_amount: amountText(minor), ...fields }))
}

function captureLine(index: 0 | 1): Step {
  return async (telling) => {
    const fields = { invoice_detail_ids: [telling.lineIds[index]], capture_type: 'non-final' }
    await move(telling, { captured: LINE_AMOUNTS[index] }, 'capture', fields)
  }
}

function refundLine(index: 0 | 1): Step {
  return async (telling) => {
    await move(telling, { refunded: LINE_AMOUNTS[index] }, 'refunds', { invoice_detail_ids: [telling.lineIds[index]] })
  }
}

function increment(minor: number): Step {
  return async (telling) =>
    void (await move(telling, { authorized: minor }, 'increment_authorization', { amount: amountText(minor) }))
}

function refund(minor: number): Step {
  return async (telling) => void (await move(telling, { refunded: minor }, 'refunds', { amount: amountText(minor) }))
}

async function voidAll(telling: Telling): Promise<void> {
  await move(telling, { voided: 2_000 }, 'void', {})
}

/** Where the command fails nobody knows what it has done. */
async function staffDropsCapture({ order, operate }: Telling): Promise<void> {
  const scheduled = order.asked.find(({ dueAt }) => dueAt !== undefined)
  const dropped = await operate(
    'src/admin.ts',
    'payments',
    'cancel-capture',
    order.invoiceId,
    '--reason',
    'Asked for',
  ).then(
    () => true,
    () => false,
  )
  if (scheduled !== undefined) scheduled.told = dropped ? 'refused' : 'unknown'
}

async function makeCustomer(telling: Telling): Promise<void> {
  const fields = { email: 'ada@example.com', first_name: 'Ada' }
  telling.customerId = (await make(telling, '/customers', fields)).customer.id
}

async function changeCustomer({ shop, send, customerId }: Telling): Promise<void> {
  const { verdict } = await send(shop, 'put', `/customers/${customerId}`, { last_name: 'Lovelace' })
  if (verdict !== 'answered') throw new StoryEnded()
}

async function makeCard(telling: Telling): Promise<void> {
  const { card } = await make(telling, '/cards', { ...APPROVED, exp_month: 12, exp_year: 2040 })
  await telling.send(telling.shop, 'put', `/cards/${card.id}`, { metadata: { color: 'blue' } })
}

async function deleteCustomer({ shop, send, customerId, deletedCustomers }: Telling): Promise<void> {
  const { verdict } = await send(shop, 'delete', `/customers/${customerId}`)
  if (verdict === 'answered') deletedCustomers.add(String(customerId))
}

function amountText(minor: number): string {
  return (minor / 100).toFixed(2)
}

import { createServer } from 'node:http'
import { type Move, moveToThePast, untilCounted } from './past.ts'
import type { Sandbox } from './sandbox.ts'
import { CARDS, nameOf, type Order, orders, PEOPLE, type Person, price } from './story.ts'

/** Payments that are shown by themselves, by their invoices. */
export interface Shown {
  /** By a customer who was asked by the bank, with an increment, a scheduled capture and a refund. */
  featured: string
  declined: string
  waiting: string
  refunded: string
  released: string
  /** An event whose webhook is tried again. */
  eventId: string
}

export const LINES = [
  { name: 'Espresso beans 1 kg', amount: '24.50', quantity: 2 },
  { name: 'Stoneware mug', amount: '12.00', quantity: 1 },
]

const HOUR_MS = 3_600_000
const AT_ONCE = 6
const SAID_EVERY = 50

/** What fills the sandbox says how far it is, and gives up where it is asked to. */
interface Filling {
  say(line: string): void
  signal: AbortSignal
  /** Is waited for after the orders that nobody looks at, before those that are shown. */
  beforeShown?(): Promise<unknown>
}

/** Whether {@link fillShop} has begun here before. */
export async function isFilled({ sql, projectId }: Sandbox): Promise<boolean> {
  const [{ found }] = await sql(
    `select exists (select from invoice where project_id = $1 and sandbox and order_id = $2) as found`,
    [projectId.replace(/^test-/, ''), orders()[0]?.number],
  )
  return found
}

/**
 * Plays two months of a shop in the sandbox, call by call, and moves each to when it is said to have happened.
 *
 * @returns the payments that are shown by themselves.
 */
export async function fillShop(sandbox: Sandbox, { say, signal, beforeShown }: Filling): Promise<Shown> {
  const { call, sql } = sandbox
  const customers = new Map<Person, string>()
  for (const person of PEOPLE) {
    const { card: _, currency: __, ...fields } = person
    customers.set(person, (await call('POST', '/customers', fields)).customer.id)
  }
  const moves: Move[] = []

  /** Plays an order step by step, and notes when each is said to have happened. */
  async function play({ number, person, lines, amount, hoursAgo, steps }: Order): Promise<string> {
    const at = (after: number) => Date.now() - (hoursAgo - after) * HOUR_MS
    const began = new Date()
    const { invoice } = await call('POST', '/invoices', {
      ...{ name: lines.map(({ name }) => name).join(', '), order_id: number, customer_id: customers.get(person) },
      ...{ amount: price(amount), currency: person.currency, details: lines },
    })
    const invoiceId: string = invoice.id
    const note = (from: Date, after: number) => moves.push({ invoiceId, from, byMs: at(after) - Date.now() })
    note(new Date(began.getTime() - 1_000), 0)
    for (const step of steps) {
      const from = new Date()
      const path = `/invoices/${invoiceId}`
      if (step.do === 'dispute') {
        for (const [place, from] of (await disputeSteps(invoiceId, step.steps)).entries())
          note(from, step.after + place * 72)
        continue
      }
      if (step.do === 'authorize' || step.do === 'sale') {
        const name = step.name ?? nameOf(person)
        const source = await cardOf(step.card ?? person.card, name)
        await call('POST', `${path}/authorize`, { source, authorize_only: step.do === 'authorize', ...step.more })
      } else await call('POST', `${path}/${PATHS[step.do]}`, step.more ?? {})
      note(from, step.after)
    }
    return invoiceId
  }
  const PATHS = { capture: 'capture', void: 'void', refund: 'refunds', increment: 'increment_authorization' } as const

  async function cardOf(number: string, name: string): Promise<string> {
    const now = new Date()
    // A card that the issuer calls expired is in its last month.
    const expiry =
      number === CARDS.expired
        ? { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() }
        : { exp_month: 9, exp_year: 2030 }
    const { card } = await call('POST', '/cards', { number, name, ...expiry, cvc2: '123' })
    return card.id
  }

  /** When each step of the dispute came, as soon as all have. */
  async function disputeSteps(invoiceId: string, count: number): Promise<Date[]> {
    for (;;) {
      const found = await sql(
        `select operation.created_at as at from operation join transaction on transaction.id = operation.transaction_id
          where invoice_id = $1 and type = 'chargeback' order by operation.position`,
        [invoiceId],
      )
      if (found.length >= count) return found.map(({ at }) => new Date(at.getTime() - 2))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  const [ada, elodie, jurgen, , , lukasz, maria] = PEOPLE as [Person, Person, Person, Person, Person, Person, Person]
  const one = (number: string, person: Person, hoursAgo: number, steps: Order['steps']) =>
    play({ number, person, lines: LINES, amount: 6100, hoursAgo, steps })

  const waiting = orders()
  const count = waiting.length
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        signal.throwIfAborted()
        await play(next)
        const done = count - waiting.length
        if (done % SAID_EVERY === 0) say(`  ${done} of ${count} orders`)
      }
    }),
  )
  await beforeShown?.()
  // By the payment's own clock, so that its run shows the days that it waited.
  const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const featured = await one('4711', ada, 96, [
    { do: 'authorize', after: 0.02, card: CARDS.frictionless, more: { incremental: true, auto_capture_at: later(48) } },
  ])
  for (const [hours, after, path, body] of [
    [20, 20, 'increment_authorization', { amount: '12.00' }],
    [29, 48, null, {}],
    [0, 91, 'refunds', { amount: '12.00', reason: 'customer_request' }],
  ] as const) {
    const from = new Date()
    if (hours > 0) await call('POST', `/invoices/${featured}/clock/advance`, { seconds: hours * 3_600 })
    if (path !== null) await call('POST', `/invoices/${featured}/${path}`, body)
    moves.push({ invoiceId: featured, from, byMs: (after - 96) * HOUR_MS })
  }

  const shown = {
    featured,
    released: await one('4718', maria, 30, [
      { do: 'authorize', after: 0.02 },
      { do: 'capture', after: 22, more: { capture_amount: '49.00' } },
    ]),
    refunded: await one('4722', lukasz, 26, [
      { do: 'sale', after: 0.01 },
      { do: 'refund', after: 20, more: { amount: '12.00' } },
    ]),
    declined: await one('4725', elodie, 4, [{ do: 'sale', after: 0.01, card: '4000000000002206' }]),
    waiting: await one('4728', jurgen, 2, [
      { do: 'authorize', after: 0.01, more: { auto_capture_at: later(47), capture_amount: '49.00' } },
    ]),
  }
  await moveToThePast(sandbox, moves)
  const eventId = await failingWebhook(sandbox, await cardOf(CARDS.visa, nameOf(ada)))
  await untilCounted(sandbox)
  return { ...shown, eventId }
}

/** The first event of a payment whose shop answers 503 for the moment. */
async function failingWebhook({ call, sql }: Sandbox, source: string): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(503).end('Closed for a moment'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // What waits for an answer ends with this process.
  server.unref()
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const order = {
    ...{ name: 'Moka pot', amount: '38.00', currency: 'EUR', order_id: '4731' },
    webhook_url: `http://127.0.0.1:${port}/webhooks`,
  }
  const { invoice } = await call('POST', '/invoices', order)
  await call('POST', `/invoices/${invoice.id}/authorize`, { source, authorize_only: true })
  for (;;) {
    const [tried] = await sql(
      `select event.id from event join delivery on delivery.event_id = event.id
         join delivery_attempt on delivery_attempt.delivery_id = delivery.id
        where event.invoice_id = $1 and event.name = 'transaction.authorized' and response_code = 503`,
      [invoice.id],
    )
    if (tried !== undefined) return tried.id
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

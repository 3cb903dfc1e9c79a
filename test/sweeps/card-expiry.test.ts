import { createHash } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { presentCard } from '../../src/objects/card.ts'
import { presentCustomer } from '../../src/objects/customer.ts'
import { eraseEventData } from '../../src/objects/erased-event.ts'
import { presentToken } from '../../src/objects/token.ts'
import { CardEntity, type CardRow } from '../../src/persistence/entities/card.ts'
import { CustomerEntity, type CustomerRow } from '../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity, type CustomerTokenRow } from '../../src/persistence/entities/customer-token.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { lockCard } from '../../src/persistence/queries/customers/cards.ts'
import { emptyToken } from '../../src/persistence/queries/customers/customer-tokens.ts'
import { lockCustomer } from '../../src/persistence/queries/customers/customers.ts'
import { eraseCustomer } from '../../src/persistence/queries/customers/erase-customer.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { announceExpiringCards } from '../../src/sweeps/card-expiry.ts'
import { makeRows } from '../persistence/rows.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seededRandomBytes } from '../support/random.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const database = databaseForFile()
let projectId: string
let randomBytes: ReturnType<typeof seededRandomBytes>
/** The 21st of November 2026. */
const clock: AdjustableClock = fixedClock()

const DAY = 24 * 60 * 60_000
const THIS_MONTH = { expMonth: 11, expYear: 2026 }
const NEXT_MONTH = { expMonth: 12, expYear: 2026 }

beforeAll(async () => {
  randomBytes = seededRandomBytes(database.name)
  const options = { name: 'Shop', sandbox: true, randomBytes, hashSecret: sha256, now: clock.now() }
  projectId = (await createProject(database.orm.em.fork(), options)).projectId
})
// A card that a test has left would be announced in the next one.
afterEach(() => sweep())

const em = () => database.orm.em.fork()
const announce = () => {}
const sweep = (change: object = {}) =>
  announceExpiringCards({ orm: database.orm, clock, randomBytes, announce, ...change })
const eventsOf = (customerId: string) => em().find(EventEntity, { customerId }, { orderBy: { firedAt: 'asc' } })

interface Stored {
  card: CardRow
  token: CustomerTokenRow
  customer: CustomerRow
}

/** A customer's stored card that ends next month, or as it is said. */
async function makeStored(given: { card?: Partial<CardRow>; token?: Partial<CustomerTokenRow> } = {}): Promise<Stored> {
  const id = (kind: 'card' | 'token' | 'customer') => makeIdentifier(kind, randomBytes)
  const owner = { projectId, sandbox: true }
  const now = clock.now()
  const rows = makeRows('expiry')
  const customer = { ...rows.customer, ...owner, id: id('customer'), defaultTokenId: null }
  const source = { ...rows.card, ...owner, ...NEXT_MONTH, usedByInvoiceId: null, expiryAnnounced: null }
  const tokenId = id('token')
  const card = { ...source, id: id('card'), usedByTokenId: tokenId, ...given.card }
  const blank = emptyToken({ ...owner, id: tokenId, customerId: customer.id }, now)
  const token = { ...blank, type: 'card' as const, cardId: card.id, isChargeable: true, ...given.token }
  await em().transactional(async (inner) => {
    await inner.insert(CustomerEntity, customer)
    await inner.insert(CardEntity, card)
    await inner.insert(CustomerTokenEntity, token)
  })
  return { card, token, customer }
}

describe('the sweep of cards does not announce', () => {
  test.each([
    ['a card that ends in two months', { card: { expMonth: 1, expYear: 2027 } }],
    ['a card that has expired', { card: { expMonth: 10, expYear: 2026 } }],
    ['the same month of other years', { card: { expMonth: 12, expYear: 2027 } }],
    ['a card that was deleted', { card: { deletedAt: new Date(), numberCiphertext: null, numberKeyId: null } }],
    ['a token that was deleted', { token: { deletedAt: new Date() } }],
    ['a token that cannot be charged', { token: { isChargeable: false } }],
  ])('%s', async (_, given) => {
    const { customer } = await makeStored(given)
    await sweep()
    expect(await eventsOf(customer.id)).toEqual([])
  })

  test('a customer that was deleted', async () => {
    const { customer } = await makeStored()
    await em().transactional((inner) =>
      eraseCustomer(inner, customer, customer.id, { now: clock.now(), erase: eraseEventData }),
    )
    await sweep()
    expect(await eventsOf(customer.id)).toEqual([])
  })
})

describe('the sweep of cards', () => {
  test.each([
    ['this month', THIS_MONTH],
    ['next month', NEXT_MONTH],
  ])('announces a stored card whose last month is %s, with card, token and customer as they are', async (_, expiry) => {
    const { card, token, customer } = await makeStored({ card: expiry })
    await sweep()
    const [event, ...more] = await eventsOf(customer.id)
    expect(more).toEqual([])
    expect(event).toMatchObject({ name: 'card.expires_soon', projectId, sandbox: true, firedAt: clock.now() })
    expect(event).toMatchObject({ invoiceId: null, transactionId: null, sequence: null })
    expect(event?.data).toEqual({
      name: 'card.expires_soon',
      sandbox: true,
      card: presentCard(card, clock.now()),
      token: presentToken(token, customer),
      customer: presentCustomer(customer),
    })
    expect(event?.data).toMatchObject({ card: { expires_soon: true } })
  })

  test('announces a card once, however many sweep at once and however often', async () => {
    const stored = await Promise.all(Array.from({ length: 130 }, () => makeStored()))
    await Promise.all([sweep(), sweep(), sweep()])
    await sweep()
    clock.advance(20 * DAY)
    await sweep()
    clock.advance(-20 * DAY)
    const ids = stored.map(({ customer }) => customer.id)
    const events = await em().find(EventEntity, { customerId: { $in: ids } })
    expect(events.map(({ customerId }) => customerId).toSorted()).toEqual(ids.toSorted())
  })

  test('announces a card of January from the beginning of December in UTC on, wherever the service runs', async () => {
    const { customer } = await makeStored({ card: { expMonth: 1, expYear: 2027 } })
    const begin = clock.now().getTime()
    const told: number[] = []
    // Half an hour before and after, clocks of some zone show the other month.
    for (const instant of ['2026-11-30T23:30:00Z', '2026-12-01T00:30:00Z']) {
      clock.advance(Date.parse(instant) - clock.now().getTime())
      await sweep()
      told.push((await eventsOf(customer.id)).length)
    }
    clock.advance(begin - clock.now().getTime())
    expect(told).toEqual([0, 1])
  })

  test('announces it again when the card has got another expiry, and that is near', async () => {
    const { card, customer } = await makeStored({ card: THIS_MONTH })
    await sweep()
    await em().nativeUpdate(CardEntity, { id: card.id }, { expMonth: 6, expYear: 2030 })
    await sweep()
    expect(await eventsOf(customer.id)).toHaveLength(1)
    await em().nativeUpdate(CardEntity, { id: card.id }, NEXT_MONTH)
    await sweep()
    await sweep()
    expect(await eventsOf(customer.id)).toHaveLength(2)
  })

  test.each([
    ['a card that somebody is changing', ({ card }: Stored) => ({ lock: lockCard, id: card.id })],
    ['a customer that somebody is changing', ({ customer }: Stored) => ({ lock: lockCustomer, id: customer.id })],
  ])('passes over %s, and announces it the next time', async (_, held) => {
    const stored = await makeStored()
    const { lock, id } = held(stored)
    await em().transactional(async (holder) => {
      await lock(holder, stored.customer, id)
      await sweep()
      expect(await eventsOf(stored.customer.id)).toEqual([])
    })
    await sweep()
    expect(await eventsOf(stored.customer.id)).toHaveLength(1)
  })

  test('leaves nothing personal of customers that are deleted while it runs, and holds up no deletion', async () => {
    const stored = await Promise.all(Array.from({ length: 40 }, () => makeStored()))
    const erase = ({ customer }: Stored) =>
      em().transactional((inner) =>
        eraseCustomer(inner, customer, customer.id, { now: clock.now(), erase: eraseEventData }),
      )
    await Promise.all([sweep(), ...stored.map(erase), sweep()])
    const ids = stored.map(({ customer }) => customer.id)
    const events = await em().find(EventEntity, { customerId: { $in: ids } })
    for (const { data } of events) expect(data).toMatchObject({ customer: { email: null, first_name: null } })
    expect(await em().count(CustomerEntity, { id: { $in: ids }, deletedAt: null })).toBe(0)
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type HeldAuthorization, readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeStack, type Stack } from '../support/stack.ts'

/** Enough to meet at several points of the way; thirty take four minutes and find no more. */
const SEEDS_PER_PAIR = 6
/** As many payments at once as leave the machine able to make them collide. */
const AT_ONCE = 6
/** About as long as a command takes, so that the second one meets the first at every point of its way. */
const LAG_MAX_MS = 60

const DECLINED = '4000000000002180'

/** A number from 0 to 1 that looks random and is the same for the same seed. Source: the mulberry32 generator. */
function chance(seed: number): number {
  let t = (seed + 0x6d2b79f5) | 0
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const COMMANDS = {
  capture: ['capture', {}],
  'partial capture': ['capture', { capture_amount: '10.00' }],
  void: ['void', {}],
  'partial void': ['void', { amount: '9.00' }],
  increment: ['increment_authorization', { amount: '5.00' }],
} as const
type Name = keyof typeof COMMANDS

const NAMES = Object.keys(COMMANDS) as Name[]
const PAIRS = NAMES.flatMap((first, at) => NAMES.slice(at).map((second): [Name, Name] => [first, second]))

describe.each(['together', 'apart'] as const)('two requests at once, with API and worker %s', (mode) => {
  let stack: Stack

  beforeAll(async () => {
    stack = await makeStack({ mode })
  })
  afterAll(() => stack.stop())

  const send = (invoiceId: string, name: Name) => {
    const [verb, fields] = COMMANDS[name]
    return stack.post(`/invoices/${invoiceId}/${verb}`, fields)
  }
  const heldFor = async (invoiceId: string) => {
    const pool = await stack.database.orm.driver.getConnection().getNativeClient()
    return readSimulatorLog(async (sql, parameters) => (await pool.query(sql, [...parameters])).rows, { invoiceId })
  }

  /** Our books against the gateway's own, and against themselves. */
  const audit = async (invoiceId: string) => {
    const em = stack.database.orm.em.fork()
    const transaction = await em.findOneOrFail(TransactionEntity, { invoiceId })
    const operations = await em.find(OperationEntity, { transactionId: transaction.id })
    const events = await em.find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })
    const { requests, authorizations } = await heldFor(invoiceId)
    const sum = (field: 'authorizedMinor' | 'capturedMinor' | 'voidedMinor') =>
      authorizations.reduce((total: number, held: HeldAuthorization) => total + held[field], 0)

    expect(transaction).toMatchObject({
      authorizedMinor: sum('authorizedMinor'),
      capturedMinor: sum('capturedMinor'),
      voidedMinor: sum('voidedMinor'),
      attemptInFlightId: null,
    })
    // Every call has an attempt that was written before it, was made once, and has one final result.
    const attempts = operations.filter((row) => row.isAttempt).map(({ id }) => id)
    expect(requests.map(({ reference }) => reference).sort()).toEqual(attempts.sort())
    expect(requests.every(({ timesAsked }) => timesAsked === 1)).toBe(true)
    expect(operations.flatMap((row) => row.attemptOperationId ?? []).sort()).toEqual(attempts.sort())

    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
    const counted = (name: string) => events.filter((event) => event.name === name).length
    const approved = (type: string) =>
      operations.filter((row) => row.type === type && row.attemptOperationId != null && row.outcome === 'succeeded')
        .length
    expect(counted('transaction.authorized')).toBe(approved('authorization'))
    expect(counted('transaction.captured')).toBe(approved('capture'))
    expect(counted('invoice.completed')).toBe(approved('capture'))
    expect(counted('transaction.authorization.incremented')).toBe(approved('increment_authorization'))
    expect(counted('transaction.voided')).toBe(transaction.status === 'voided' ? 1 : 0)
    expect(await em.count(DeliveryEntity, { eventId: { $in: events.map(({ id }) => id) } })).toBe(0)
    return transaction
  }

  /** Runs a story for every seed, a few at once, and says which seed failed. */
  const forSeeds = async (story: (seed: number) => Promise<void>) => {
    const seeds = Array.from({ length: SEEDS_PER_PAIR }, (_, seed) => seed)
    const failures: string[] = []
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
          const current = seed
          await story(current).catch((error: Error) => failures.push(`seed ${current}: ${error.message}`))
        }
      }),
    )
    expect(failures).toEqual([])
  }

  test.each(PAIRS)('%s and %s keep the same books as the gateway', async (first, second) => {
    await forSeeds(async (seed) => {
      const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
      const [early, late] = chance(seed) < 0.5 ? [first, second] : [second, first]
      const answers = await Promise.all([
        send(invoiceId, early),
        sleep(chance(seed + 1000) * LAG_MAX_MS).then(() => send(invoiceId, late)),
      ])
      for (const { status } of answers) expect([200, 400]).toContain(status)
      const transaction = await audit(invoiceId)
      // A request that was answered as done was done: each success left its mark.
      const succeeded = answers.filter(({ status }) => status === 200).length
      expect(succeeded).toBeGreaterThan(0)
      if (transaction.status !== 'authorized') await stack.waitFor(() => stack.isClosed(invoiceId))
    })
  })

  test('any request and the scheduled capture keep the same books as the gateway', async () => {
    await forSeeds(async (seed) => {
      const due = Date.now() + 600
      const { invoiceId } = await stack.payInvoice({
        authorize: { incremental: true, auto_capture_at: new Date(due).toISOString(), capture_amount: '20.00' },
      })
      const name = NAMES[Math.floor(chance(seed) * NAMES.length)] ?? 'capture'
      await sleep(due - Date.now() + (chance(seed + 1000) - 0.3) * LAG_MAX_MS)
      const { status } = await send(invoiceId, name)
      expect([200, 400]).toContain(status)
      await stack.waitFor(() => stack.isClosed(invoiceId))
      await audit(invoiceId)
    })
  })

  test('a request to a run that is just ending is neither lost nor carried out twice', async () => {
    await forSeeds(async (seed) => {
      const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
      expect((await send(invoiceId, 'capture')).status).toBe(200)
      await sleep(chance(seed) * LAG_MAX_MS)
      const answers = await Promise.all(NAMES.map((name) => send(invoiceId, name)))
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400])
      expect(await audit(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    })
  })

  test('a second card right after a declined one pays the invoice once', async () => {
    await forSeeds(async (seed) => {
      const [invoice, bad, good] = await Promise.all([
        stack.createInvoice(),
        stack.createCard({ number: DECLINED }),
        stack.createCard(),
      ])
      const pay = (source: string) => stack.post(`/invoices/${invoice.id}/capture`, { source })
      expect((await pay(bad.id)).status).toBe(410)
      await sleep((chance(seed) * LAG_MAX_MS) / 2)
      expect(await pay(good.id)).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
      expect(await audit(invoice.id)).toMatchObject({ attemptsCount: 2, capturedMinor: 2900 })
    })
  })

  test('two sales with two cards charge one of them', async () => {
    await forSeeds(async (seed) => {
      const [invoice, one, two] = await Promise.all([stack.createInvoice(), stack.createCard(), stack.createCard()])
      const pay = (source: string, verb: string) =>
        stack.post(
          `/invoices/${invoice.id}/${verb}`,
          verb === 'authorize' ? { source, authorize_only: false } : { source },
        )
      const answers = await Promise.all([
        pay(one.id, 'capture'),
        sleep(chance(seed) * LAG_MAX_MS).then(() => pay(two.id, chance(seed + 1000) < 0.5 ? 'capture' : 'authorize')),
      ])
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 200,
          body: { outcome: 'success', transaction: { status: 'completed' } },
        })
      expect(await audit(invoice.id)).toMatchObject({ attemptsCount: 1, capturedMinor: 2900 })
      expect(await stack.gatewayRequests(invoice.id)).toHaveLength(2)
    })
  })

  test('a card given for two invoices pays one of them', async () => {
    await forSeeds(async (seed) => {
      const [one, two, card] = await Promise.all([stack.createInvoice(), stack.createInvoice(), stack.createCard()])
      const pay = (invoice: { id: string }) => stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id })
      const answers = await Promise.all([pay(one), sleep(chance(seed) * 20).then(() => pay(two))])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      const em = stack.database.orm.em.fork()
      expect(await em.count(TransactionEntity, { invoiceId: { $in: [one.id, two.id] } })).toBe(1)
    })
  })
})

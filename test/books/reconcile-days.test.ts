import { beforeEach, describe, expect, test } from '@jest/globals'
import type { SettlementLine } from '../../domain/books.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { reconcileDays } from '../../src/books/reconcile-days.ts'
import type { Gateway, ListRequest, SettlementPage } from '../../src/gateways/gateway.ts'
import { createGatewayRegistry } from '../../src/gateways/registry.ts'
import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { ReconciliationEntity, type ReconciliationRow } from '../../src/persistence/entities/reconciliation.ts'
import {
  ReconciliationDifferenceEntity,
  type ReconciliationDifferenceRow,
} from '../../src/persistence/entities/reconciliation-difference.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { resolveDifference } from '../../src/persistence/queries/reconciliations/differences.ts'
import { claimReconciliation, createDueReconciliations } from '../../src/persistence/queries/reconciliations/runs.ts'
import { captureLog } from '../support/captured-log.ts'
import { fixedClock } from '../support/clock.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const database = databaseForFile()
let actor: PaymentActor
let accountId: string
/** The beginning of the day in which the payments of a test are made. */
let today: number

/** Each test has a project of its own; the accounts of the others are gone, so that nothing is listed there. */
beforeEach(async () => {
  await em().nativeUpdate(GatewayConfigurationEntity, {}, { gatewayName: 'gone' })
  await em().nativeUpdate(ReconciliationEntity, { status: 'waiting' }, { nextTryAt: new Date('9999-01-01') })
  actor = await makePaymentActor(database)
  const { projectId } = actor
  accountId = (await em().findOneOrFail(GatewayConfigurationEntity, { projectId })).id
  today = Math.floor(Date.now() / DAY) * DAY
})

const em = () => database.orm.em.fork()
const runsOf = (id = accountId): Promise<ReconciliationRow[]> =>
  em().find(ReconciliationEntity, { gatewayConfigurationId: id }, { orderBy: { day: 'asc' } })
const differencesOf = (id = accountId): Promise<ReconciliationDifferenceRow[]> =>
  em().find(
    ReconciliationDifferenceEntity,
    { gatewayConfigurationId: id },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  )
const kindsOf = async () => (await differencesOf()).map(({ kind }) => kind)
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)

/** A simulator whose list is changed on its way. */
const simulator = (
  list?: (asked: ListRequest, ask: () => Promise<SettlementPage>) => Promise<SettlementPage>,
): Gateway => {
  const gateway = createSimulator({ execute: actor.execute })
  const ask = gateway.listSettlements
  if (ask === undefined) throw new Error('The simulator has a list.')
  return { ...gateway, ...(list && { listSettlements: (asked, signal) => list(asked, () => ask(asked, signal)) }) }
}

interface Conditions {
  gateway?: Gateway
  clock?: ReturnType<typeof fixedClock>
}

/** Reconciles so many days later, at two in the morning. */
async function reconcile(daysLater: number, { gateway = simulator(), clock }: Conditions = {}) {
  const log = captureLog()
  const announced: FiredEvent[] = []
  const now = clock ?? fixedClock(new Date(today + daysLater * DAY + 2 * HOUR).toISOString())
  const { orm, vault, randomBytes } = actor.deps
  const announce = (events: readonly FiredEvent[]) => void announced.push(...events)
  const gateways = createGatewayRegistry([gateway])
  await reconcileDays({ orm, vault, randomBytes, gateways, announce, clock: now, logger: log.logger })
  return { log, announced }
}

/** A payment of 29.00, captured as a whole or in parts. */
async function pay(
  scenario = 'approved',
  parts: readonly (number | null)[] = [null],
  currency = 'EUR',
): Promise<string> {
  const invoiceId = await actor.makeInvoice({ currency })
  await actor.step(invoiceId, actor.build.authorize(await actor.makeSource(scenario), { currency }))
  for (const [index, part] of parts.entries())
    await actor.step(
      invoiceId,
      actor.build.capture(part, { captureType: index === parts.length - 1 ? 'final' : 'non-final' }),
    )
  return invoiceId
}

const line = (change: Partial<SettlementLine> = {}): SettlementLine => ({
  id: 'line_1',
  type: 'capture',
  state: 'booked',
  reference: null,
  gatewayReference: 'cap_unknown',
  amountMinor: 100,
  currency: 'EUR',
  bookedAt: today + HOUR,
  ...change,
})

/** Adds a line to the list of one day. */
const withLine = (added: SettlementLine, day = today) =>
  simulator(async ({ from }, ask) => {
    const page = await ask()
    return page.kind === 'page' && from.getTime() === day ? { ...page, lines: [...page.lines, added] } : page
  })

describe('books that agree', () => {
  test('captures as a whole and in parts, refunds, a sale, a void and failures make no difference', async () => {
    const invoiceId = await pay()
    await actor.step(invoiceId, actor.build.refund(1_000))
    await actor.step(invoiceId, actor.build.refund())
    await pay('approved', [1_000, 900, 1_000])
    await pay('capture-fails')
    const sale = actor.build.authorize(await actor.makeSource('sale-only'), {
      mayFallBackToSale: true,
      authorizeOnly: false,
    })
    await actor.executeCommand(await actor.makeInvoice(), sale)
    const voided = await actor.makeInvoice()
    await actor.step(voided, actor.build.authorize(await actor.makeSource()))
    await actor.step(voided, actor.build.void())
    await reconcile(3)
    expect(await differencesOf()).toEqual([])
    const runs = await runsOf()
    expect(runs.map(({ status, day }) => [day, status])).toEqual(
      [0, 1, 2].map((days) => [dayOf(today + days * DAY), 'completed']),
    )
    expect(runs.reduce((sum, { linesCount }) => sum + linesCount, 0)).toBe(7)
  })

  test('a capture that the gateway books on the next day makes none, before or after', async () => {
    await pay('booked-late')
    await reconcile(1)
    await reconcile(2)
    await reconcile(3)
    expect(await differencesOf()).toEqual([])
  })

  test('captures that share an id at the gateway make none, also where our books learn of one of them a day later', async () => {
    const { id: transactionId } = await em().findOneOrFail(TransactionEntity, {
      invoiceId: await pay('approved', [1_000, 1_900]),
    })
    const results = { transactionId, type: 'capture', isAttempt: false } as const
    await em().nativeUpdate(OperationEntity, results, { gatewayOperationId: 'shared' })
    await em().nativeUpdate(
      OperationEntity,
      { ...results, amountMinor: 1_900 },
      { createdAt: new Date(today + DAY + HOUR) },
    )
    const sharing = simulator(async (_, ask) => {
      const page = await ask()
      if (page.kind !== 'page') return page
      return { ...page, lines: page.lines.map((each) => ({ ...each, gatewayReference: 'shared' })) }
    })
    for (const daysLater of [1, 2, 3, 4]) await reconcile(daysLater, { gateway: sharing })
    expect(await differencesOf()).toEqual([])
  })
})

describe('a payment of the simulator that is booked otherwise than it was done', () => {
  // What is a difference is proven in test/domain/books.test.ts; here once for each way in which the simulator can book.
  test('shows as a difference of its kind, once', async () => {
    const expected: Record<string, object> = {}
    const payWithDifference = async (scenario: string, difference: object, currency = 'EUR') => {
      const invoiceId = await pay(scenario, [null], currency)
      const { id: transactionId } = await em().findOneOrFail(TransactionEntity, { invoiceId })
      expected[transactionId] = { ...difference, status: 'open', type: 'capture', ourAmountMinor: 2_900 }
    }
    await payWithDifference('booked-never', { kind: 'missing-at-gateway' })
    await payWithDifference('booked-twice', { kind: 'twice' })
    await payWithDifference('booked-less', { kind: 'amount' })
    await payWithDifference('booked-and-taken-back', { kind: 'state' })
    for (const [currency, booked] of [
      ['EUR', 'USD'],
      ['USD', 'EUR'],
    ] as const) {
      const currencies = { ourCurrency: currency, gatewayCurrency: booked, gatewayAmountMinor: 2_900 }
      await payWithDifference('booked-in-other-currency', { kind: 'currency', ...currencies }, currency)
    }
    await pay('booked-with-another')
    for (const daysLater of [3, 3, 5]) {
      await reconcile(daysLater)
      const found = await differencesOf()
      const ours = found.filter(({ kind }) => kind !== 'missing-in-books')
      const byTransaction = Object.fromEntries(ours.map((difference) => [difference.transactionId, difference]))
      expect(byTransaction).toMatchObject(expected)
      expect(ours).toHaveLength(Object.keys(expected).length)
      const theirs = found.filter(({ kind }) => kind === 'missing-in-books')
      expect(theirs).toMatchObject([{ status: 'open', type: 'capture' }])
    }
  })

  test('what may come until the next day is missing only after it', async () => {
    await pay('booked-never')
    await pay('booked-with-another')
    await reconcile(1)
    expect(await kindsOf()).toEqual([])
    await reconcile(3)
    expect((await kindsOf()).toSorted()).toEqual(['missing-at-gateway', 'missing-in-books'])
  })

  test('days begin in UTC: what came in the last hour of one is missing once the next one is listed', async () => {
    const late = line({ bookedAt: today + 23 * HOUR })
    await reconcile(1, { gateway: withLine(late) })
    expect(await kindsOf()).toEqual([])
    await reconcile(2)
    expect(await kindsOf()).toEqual(['missing-in-books'])
  })

  test('an open outcome that the gateway has booked is a difference', async () => {
    await pay('capture-never-resolved')
    await reconcile(3)
    expect(await differencesOf()).toMatchObject([{ kind: 'state', ourState: 'open', gatewayState: 'booked' }])
  })
})

describe('a reconciliation', () => {
  test('of a day is one, however often and by however many it is begun', async () => {
    await pay('booked-twice')
    await Promise.all([reconcile(2), reconcile(2), reconcile(2)])
    await reconcile(2)
    expect(await runsOf()).toHaveLength(2)
    expect(await kindsOf()).toEqual(['twice'])
  })

  test('of days in which no process ran is made up for, none left out', async () => {
    await reconcile(1)
    await reconcile(12)
    expect((await runsOf()).map(({ day }) => day)).toEqual(
      Array.from({ length: 12 }, (_, days) => dayOf(today + days * DAY)),
    )
  })

  test('goes on after the last page that was stored', async () => {
    const asked: (string | null)[] = []
    const inPages = (fails: boolean) =>
      simulator(async ({ cursor, from }) => {
        if (from.getTime() !== today) return { kind: 'page', lines: [], next: null }
        asked.push(cursor)
        if (cursor === null) return { kind: 'page', lines: [line()], next: 'second' }
        if (fails) throw new TypeError('The process dies here.')
        return { kind: 'page', lines: [line({ id: 'line_2', gatewayReference: 'cap_other' })], next: null }
      })
    await reconcile(1, { gateway: inPages(true) })
    expect(await runsOf()).toMatchObject([{ status: 'waiting', linesCount: 1, failure: 'Failed: TypeError.' }])
    await reconcile(3, { gateway: inPages(false) })
    expect(asked).toEqual([null, 'second', 'second'])
    expect(await kindsOf()).toEqual(['missing-in-books', 'missing-in-books'])
    expect((await runsOf())[0]).toMatchObject({ status: 'completed', linesCount: 2, failure: null })
  })

  test('of a gateway that lists one page again and again ends, and is tried again', async () => {
    const turning = simulator(async () => ({ kind: 'page', lines: [], next: 'again' }))
    await reconcile(1, { gateway: turning })
    expect(await runsOf()).toMatchObject([{ status: 'waiting', failure: 'The gateway lists the same page again.' }])
  })

  test.each([-1, 0.5, 2 ** 53])(
    'of a gateway that lists an amount of %d minor units stores nothing, says so, and is tried again',
    async (amountMinor) => {
      await reconcile(1, { gateway: withLine(line({ amountMinor })) })
      expect(await runsOf()).toMatchObject([{ status: 'waiting', linesCount: 0, failure: 'Failed: RangeError.' }])
    },
  )

  test('of a gateway that does not answer says so, and is tried again, later each time', async () => {
    const silent = simulator(async () => ({ kind: 'unreachable', reason: 'The gateway is closed.' }))
    const clock = fixedClock(new Date(today + DAY + 2 * HOUR).toISOString())
    const tries = async () => (await runsOf())[0]?.tries
    const { log } = await reconcile(1, { gateway: silent, clock })
    expect(await runsOf()).toMatchObject([
      {
        status: 'waiting',
        tries: 1,
        failure: 'The gateway is closed.',
        nextTryAt: new Date(clock.now().getTime() + 60_000),
      },
    ])
    expect(log.text()).toContain('A reconciliation has failed; it is tried again')
    clock.advance(59_000)
    await reconcile(1, { gateway: silent, clock })
    expect(await tries()).toBe(1)
    clock.advance(1_000)
    await reconcile(1, { gateway: silent, clock })
    expect(await tries()).toBe(2)
    clock.advance(60_000)
    await reconcile(1, { gateway: silent, clock })
    expect(await tries()).toBe(2)
    clock.advance(240_000)
    await reconcile(1, { clock })
    expect(await runsOf()).toMatchObject([{ status: 'completed', tries: 3, failure: null, nextTryAt: null }])
  })

  test('that one process takes up at this moment is left to it, and another takes up the next one', async () => {
    const now = new Date(today + 2 * DAY + 2 * HOUR)
    const due = { gatewayNames: ['simulator'], lastDay: dayOf(today + DAY), now }
    await createDueReconciliations(em(), { ...due, randomBytes: actor.deps.randomBytes })
    const days = await em().transactional(async (holding) => {
      const one = await claimReconciliation(holding, now)
      const other = await claimReconciliation(em(), now)
      return [one?.day, other?.day]
    })
    expect(days).toEqual([dayOf(today), dayOf(today + DAY)])
  })

  test('of several days are listed by day, also where one statement made them', async () => {
    await reconcile(6)
    const listed = await em().find(
      ReconciliationEntity,
      { gatewayConfigurationId: accountId },
      { orderBy: { createdAt: 'asc' } },
    )
    expect(new Set(listed.map(({ createdAt }) => createdAt.getTime())).size).toBe(6)
    expect(listed.map(({ day }) => day)).toEqual((await runsOf()).map(({ day }) => day))
  })

  test('that was not heard of for ten minutes is taken over, and who had it writes no more', async () => {
    const clock = fixedClock(new Date(today + DAY + 2 * HOUR).toISOString())
    const slow = simulator(async () => {
      clock.advance(11 * 60_000)
      await reconcile(1, { clock })
      return { kind: 'page', lines: [line()], next: null }
    })
    await reconcile(1, { gateway: slow, clock })
    expect(await runsOf()).toMatchObject([{ status: 'completed', tries: 2, linesCount: 0 }])
    await reconcile(4)
    expect(await kindsOf()).toEqual([])
  })

  test('that another process has taken over and not ended yet gets nothing more from who had it', async () => {
    const clock = fixedClock(new Date(today + DAY + 2 * HOUR).toISOString())
    const slow = simulator(async () => {
      clock.advance(11 * 60_000)
      await claimReconciliation(em(), clock.now())
      return { kind: 'page', lines: [line()], next: null }
    })
    await reconcile(1, { gateway: slow, clock })
    expect(await runsOf()).toMatchObject([{ status: 'waiting', tries: 2, linesCount: 0, isListed: false }])
  })

  test('that cannot list a day judges nothing missing from that day on, until it can', async () => {
    await pay('booked-never')
    const withoutTheFirst = simulator(async ({ from }, ask) =>
      from.getTime() === today ? { kind: 'unreachable', reason: 'That day is lost.' } : ask(),
    )
    await reconcile(4, { gateway: withoutTheFirst })
    expect((await runsOf()).map(({ status }) => status)).toEqual(['waiting', 'completed', 'completed', 'completed'])
    expect(await kindsOf()).toEqual([])
    await reconcile(5)
    expect(await kindsOf()).toEqual(['missing-at-gateway'])
  })

  test('looks at every line of a list, also where the list is long and its lines were booked on days before', async () => {
    await reconcile(3)
    const lines = Array.from({ length: 201 }, (_, n) => line({ id: `line_${n}`, gatewayReference: `cap_${n}` }))
    const late = simulator(async () => ({ kind: 'page', lines, next: null }))
    await reconcile(4, { gateway: late })
    expect((await kindsOf()).length).toBe(201)
  })

  test('never takes a line for that of another account', async () => {
    await pay()
    const other = actor
    const otherAccount = accountId
    actor = await makePaymentActor(database)
    accountId = (await em().findOneOrFail(GatewayConfigurationEntity, { projectId: actor.projectId })).id
    const { operationId } = await captureOf(other, otherAccount)
    await reconcile(4, { gateway: withLineFor(accountId, line({ reference: operationId, gatewayReference: null })) })
    expect(await differencesOf(otherAccount)).toEqual([])
    expect(await differencesOf()).toMatchObject([{ kind: 'missing-in-books', transactionId: null }])
  })

  test('that finds something fires an event, and one that finds nothing does not', async () => {
    await pay('booked-less')
    await reconcile(1)
    await reconcile(3)
    const where = { projectId: actor.projectId, name: 'reconciliation.differences-found' as const }
    const events = await em().find(EventEntity, where)
    const [first] = await runsOf()
    expect(events).toMatchObject([{ data: { sandbox: true, reconciliation: { id: first?.id, differences_count: 1 } } }])
  })
})

/** The attempt of the capture of an account's only payment. */
async function captureOf({ deps }: PaymentActor, id: string): Promise<{ operationId: string }> {
  const [found] = await deps.orm.em
    .fork()
    .execute<{ id: string }[]>(
      "select id from operation where gateway_configuration_id = ? and type = 'capture' and is_attempt",
      [id],
    )
  return { operationId: String(found?.id) }
}

const withLineFor = (account: string, added: SettlementLine) =>
  simulator(async ({ gatewayConfigurationId, from }, ask) => {
    const page = await ask()
    const isHere = gatewayConfigurationId === account && from.getTime() === today
    return page.kind === 'page' && isHere ? { ...page, lines: [...page.lines, added] } : page
  })

describe('an open difference', () => {
  test('resolves itself when the line comes after all, and the audit log tells', async () => {
    await pay('booked-never')
    await reconcile(3)
    const [open] = await differencesOf()
    const { operationId } = await captureOf(actor, accountId)
    const late = line({ reference: operationId, amountMinor: 2_900, bookedAt: today + 3 * DAY })
    await reconcile(5, { gateway: withLine(late, today + 3 * DAY) })
    const run = (await runsOf())[3]
    expect(await differencesOf()).toMatchObject([
      {
        id: open?.id,
        status: 'resolved',
        resolvedBy: `reconciliation:${run?.id}`,
        resolution: 'Both sides agree by now.',
      },
    ])
    const acts = await em().execute<{ actor: string; facts: string }[]>(
      "select actor, facts from audit_entry where kind = 'reconciliation-difference.resolved' and project_id = ?",
      [actor.projectId],
    )
    expect(acts).toHaveLength(1)
    expect(acts[0]).toMatchObject({ actor: `reconciliation:${run?.id}` })
    expect(JSON.parse(String(acts[0]?.facts))).toMatchObject({ reconciliation_difference_id: open?.id })
  })

  test('resolves itself when the gateway has taken its line back', async () => {
    const unknown = line({ gatewayReference: 'cap_of_nobody' })
    await reconcile(1, { gateway: withLine(unknown) })
    await reconcile(3)
    expect(await kindsOf()).toEqual(['missing-in-books'])
    const takenBack = { ...unknown, state: 'reversed' } as const
    await reconcile(5, { gateway: withLine(takenBack, today + 3 * DAY) })
    expect(await differencesOf()).toMatchObject([{ status: 'resolved' }])
  })

  test('that somebody resolves at that moment keeps the name and the reason of that person', async () => {
    await pay('booked-less')
    await reconcile(1)
    const [open] = await differencesOf()
    if (open === undefined) throw new Error('There is no difference.')
    const person = { by: 'person:1', reason: 'A fee.' }
    for (const resolution of [person, { by: 'reconciliation:1', reason: 'Both sides agree by now.' }])
      await em().transactional((inner) => resolveDifference(inner, open, { ...resolution, now: new Date() }))
    expect(await differencesOf()).toMatchObject([{ resolvedBy: person.by, resolution: person.reason }])
  })

  test('that somebody has resolved is not opened again', async () => {
    await pay('booked-less')
    await reconcile(1)
    const resolved = {
      status: 'resolved',
      resolvedAt: new Date(),
      resolvedBy: 'person:1',
      resolution: 'A fee.',
    } as const
    await em().nativeUpdate(ReconciliationDifferenceEntity, { gatewayConfigurationId: accountId }, resolved)
    await em().nativeUpdate(
      ReconciliationEntity,
      { gatewayConfigurationId: accountId },
      { status: 'waiting', completedAt: null, nextTryAt: new Date(0), isListed: false },
    )
    await reconcile(3)
    expect(await differencesOf()).toMatchObject([{ status: 'resolved', resolvedBy: 'person:1' }])
  })
})

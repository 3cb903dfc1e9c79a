import { describe, expect, test } from '@jest/globals'
import { type BookEntry, compareBooks, type DifferenceKind, type SettlementLine } from '../../domain/books.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const TODAY = Date.UTC(2026, 10, 21)
/** Everything up to the end of the third day is listed; a side may be a day late. */
const LISTED = { until: TODAY + 3 * DAY, graceMs: DAY }
const NOON = TODAY + 12 * HOUR

const entry = (change: Partial<BookEntry> = {}): BookEntry => ({
  reference: 'tr_op_1',
  gatewayReference: 'cap_1',
  type: 'capture',
  state: 'succeeded',
  amountMinor: 2_900,
  currency: 'EUR',
  at: NOON,
  ...change,
})

const line = (change: Partial<SettlementLine> = {}): SettlementLine => ({
  id: 'line_1',
  type: 'capture',
  state: 'booked',
  reference: 'tr_op_1',
  gatewayReference: 'cap_1',
  amountMinor: 2_900,
  currency: 'EUR',
  bookedAt: NOON,
  ...change,
})

const second = (change: Partial<SettlementLine> = {}) => line({ id: 'line_2', bookedAt: NOON + HOUR, ...change })
const reversal = (change: Partial<SettlementLine> = {}) => second({ id: 'line_9', state: 'reversed', ...change })
const FOREIGN = { reference: null, gatewayReference: 'cap_foreign' }

const kindsOf = (entries: BookEntry[], lines: SettlementLine[], listed = LISTED) =>
  compareBooks(entries, lines, listed).map(({ kind }) => kind)

type Row = [title: string, BookEntry[], SettlementLine[], DifferenceKind[]]

const BOTH_MISSING: DifferenceKind[] = ['missing-at-gateway', 'missing-in-books']
const ONE_MISSING: DifferenceKind[] = ['missing-in-books']

describe('of our books and the list of a gateway', () => {
  test.each<Row>([
    ['a capture that both have', [entry()], [line()], []],
    ['a refund that both have', [entry({ type: 'refund' })], [line({ type: 'refund' })], []],
    ['a capture that only we have', [entry()], [], ['missing-at-gateway']],
    ['a capture that only the gateway has', [], [line()], ONE_MISSING],
    ['a refund where the gateway has a capture', [entry({ type: 'refund' })], [line()], BOTH_MISSING],
    ['another amount', [entry()], [line({ amountMinor: 2_901 })], ['amount']],
    ['another currency', [entry()], [line({ currency: 'USD' })], ['currency']],
    ['another currency and amount', [entry()], [line({ currency: 'USD', amountMinor: 3_400 })], ['currency']],
    ['a capture that is booked twice', [entry()], [line(), second()], ['twice']],
    ['twice, once with another amount', [entry()], [line(), second({ amountMinor: 1 })], ['twice']],
    ['a capture that was booked and taken back', [entry()], [line(), reversal()], ['state']],
    ['a capture that was taken back without being listed', [entry()], [reversal()], ['state']],
    ['a second booking that was taken back', [entry()], [line(), second(), reversal()], []],
    [
      'a reversal of neither amount takes back the last',
      [entry()],
      [line(), second({ amountMinor: 1 }), reversal({ amountMinor: 2 })],
      [],
    ],
    [
      'a wrong booking that was taken back',
      [entry()],
      [line({ amountMinor: 1 }), second(), reversal({ amountMinor: 1 })],
      [],
    ],
    ['a failure that the gateway has booked', [entry({ state: 'failed' })], [line()], ['state']],
    ['a failure that the gateway has booked twice', [entry({ state: 'failed' })], [line(), second()], ['twice']],
    ['a failure that the gateway has never booked', [entry({ state: 'failed' })], [], []],
    ['a failure that the gateway has booked and taken back', [entry({ state: 'failed' })], [line(), reversal()], []],
    ['an open outcome that the gateway has booked', [entry({ state: 'open' })], [line()], ['state']],
    ['an open outcome that the gateway has not booked', [entry({ state: 'open' })], [], []],
    ['an open outcome that was booked and taken back', [entry({ state: 'open' })], [line(), reversal()], []],
    ['a voided payment that the gateway has captured', [], [line(FOREIGN)], ONE_MISSING],
    ['a booking of nobody that was taken back', [], [line(FOREIGN), reversal(FOREIGN)], []],
    [
      'two bookings of nobody',
      [],
      [line(FOREIGN), second({ ...FOREIGN, gatewayReference: 'cap_other' })],
      ['missing-in-books', 'missing-in-books'],
    ],
    ['two of nobody, one of them taken back', [], [line(FOREIGN), second(), reversal(FOREIGN)], ONE_MISSING],
  ])('%s', (_, entries, lines, kinds) => {
    expect(kindsOf(entries, lines)).toEqual(kinds)
    expect(kindsOf(entries, lines.toReversed())).toEqual(kinds)
  })

  test('a difference holds both sides, and of several lines the last one', () => {
    const [ours, theirs] = [entry(), [line(), second()]]
    expect(compareBooks([ours], theirs, LISTED)).toEqual([{ kind: 'twice', entry: ours, line: theirs[1] }])
    expect(compareBooks([ours], [], LISTED)).toEqual([{ kind: 'missing-at-gateway', entry: ours, line: null }])
    expect(compareBooks([], theirs.slice(0, 1), LISTED)).toEqual([
      { kind: 'missing-in-books', entry: null, line: theirs[0] },
    ])
  })
})

describe('a line is that of an entry', () => {
  test.each<Row>([
    ['by the reference of the gateway alone', [entry()], [line({ reference: null })], []],
    ['by our reference alone', [entry()], [line({ gatewayReference: null })], []],
    ['by our reference where we know no other', [entry({ gatewayReference: null })], [line()], []],
    [
      'by that of the gateway, before ours',
      [entry(), entry({ reference: 'tr_op_2', gatewayReference: 'cap_2' })],
      [line({ reference: 'tr_op_2' }), second({ reference: 'tr_op_2', gatewayReference: 'cap_2' })],
      [],
    ],
    [
      'not by the absence of references',
      [entry({ gatewayReference: null })],
      [line({ reference: null, gatewayReference: null })],
      BOTH_MISSING,
    ],
  ])('%s', (_, entries, lines, kinds) => {
    expect(kindsOf(entries, lines)).toEqual(kinds)
  })

  describe('of several captures in part that share the reference of the gateway', () => {
    const parts = [entry({ amountMinor: 1_000 }), entry({ reference: 'tr_op_2', amountMinor: 1_900 })]
    const unnamed = { reference: null }

    test.each<[string, SettlementLine[], DifferenceKind[]]>([
      ['each by its own', [line({ amountMinor: 1_000 }), second({ reference: 'tr_op_2', amountMinor: 1_900 })], []],
      [
        'each by its amount',
        [line({ ...unnamed, amountMinor: 1_900 }), second({ ...unnamed, amountMinor: 1_000 })],
        [],
      ],
      ['one by its own', [line({ reference: 'tr_op_2', amountMinor: 1_000 })], ['missing-at-gateway', 'amount']],
      ['one of them is missing', [line({ ...unnamed, amountMinor: 1_900 })], ['missing-at-gateway']],
      [
        'one of them has another amount',
        [line({ ...unnamed, amountMinor: 1_900 }), second({ ...unnamed, amountMinor: 999 })],
        ['amount'],
      ],
      [
        'one more than we know',
        [
          line({ ...unnamed, amountMinor: 1_000 }),
          second({ ...unnamed, amountMinor: 1_900 }),
          line({ ...unnamed, id: 'line_3', amountMinor: 5, bookedAt: NOON + 2 * HOUR }),
        ],
        ['twice'],
      ],
      [
        'one of them was taken back',
        [
          line({ ...unnamed, amountMinor: 1_000 }),
          second({ ...unnamed, amountMinor: 1_900 }),
          reversal({ ...unnamed, amountMinor: 1_900, bookedAt: NOON + 2 * HOUR }),
        ],
        ['state'],
      ],
    ])('%s', (_, lines, kinds) => {
      expect(kindsOf(parts, lines)).toEqual(kinds)
    })
  })
})

describe('of two captures of the same amount that share the reference of the gateway', () => {
  const parts = [entry(), entry({ reference: 'tr_op_2' })]
  const unnamed = { reference: null }

  test.each<[string, SettlementLine[], DifferenceKind[]]>([
    ['each has a line', [line(unnamed), second(unnamed)], []],
    ['one has none', [line(unnamed)], ['missing-at-gateway']],
    [
      'one is booked, taken back and booked again',
      [line(unnamed), reversal(unnamed), line({ ...unnamed, id: 'line_3', bookedAt: NOON + 2 * HOUR })],
      ['missing-at-gateway'],
    ],
  ])('%s', (_, lines, kinds) => {
    expect(kindsOf(parts, lines)).toEqual(kinds)
    expect(kindsOf(parts, lines.toReversed())).toEqual(kinds)
  })
})

describe('at the end of a day', () => {
  const midnight = TODAY + DAY
  const listed = (until: number) => ({ until, graceMs: DAY })

  test.each<Row>([
    [
      'a capture of the last second that the gateway books on the next day',
      [entry({ at: midnight - 1_000 })],
      [line({ bookedAt: midnight + 1_000 })],
      [],
    ],
    [
      'a capture that the gateway books before our books know it',
      [entry({ at: midnight + 1_000 })],
      [line({ bookedAt: midnight - 1_000 })],
      [],
    ],
    [
      'a refund of a payment of days before',
      [entry({ type: 'refund', at: midnight - 1_000 })],
      [line({ type: 'refund', bookedAt: midnight })],
      [],
    ],
  ])('%s is no difference', (_, entries, lines, kinds) => {
    for (const until of [midnight, midnight + DAY, midnight + 9 * DAY])
      expect(kindsOf(entries, lines, listed(until))).toEqual(kinds)
  })

  test.each<[string, BookEntry[], SettlementLine[], DifferenceKind]>([
    ['a capture that only we have', [entry({ at: midnight - 1 })], [], 'missing-at-gateway'],
    ['a capture that only the gateway has', [], [line({ bookedAt: midnight - 1 })], 'missing-in-books'],
    ['an open outcome', [entry({ state: 'open', at: midnight - 1 })], [line()], 'state'],
  ])(
    '%s is a difference only once everything is listed that may come within the period of grace',
    (_, entries, lines, kind) => {
      expect(kindsOf(entries, lines, listed(midnight))).toEqual([])
      expect(kindsOf(entries, lines, listed(midnight + DAY - 1))).toEqual([])
      expect(kindsOf(entries, lines, listed(midnight + DAY))).toEqual([kind])
    },
  )

  test.each<[string, BookEntry, SettlementLine, DifferenceKind]>([
    ['another amount', entry({ at: midnight - 1 }), line({ amountMinor: 1 }), 'amount'],
    ['a failure that was booked', entry({ state: 'failed', at: midnight - 1 }), line(), 'state'],
  ])('%s is a difference at once', (_, ours, theirs, kind) => {
    expect(kindsOf([ours], [theirs], listed(midnight))).toEqual([kind])
  })
})

import { describe, expect, test } from '@jest/globals'
import {
  findTransition,
  IllegalTransition,
  TRANSACTION_STATUSES,
  TRANSITIONS,
  type TransactionStatus,
  type TransactionTrigger,
  transition,
} from '../../domain/transaction.ts'
import { EVENT_NAMES } from '../../domain/webhook-event.ts'

type State = TransactionStatus | null
/** Where a trigger leads, by the state it finds; what is not named is forbidden. */
type Moves = Partial<Record<TransactionStatus | 'none', TransactionStatus>>

/** Statuses after a capture, each of which stays as it is. */
const captured = {
  completed: 'completed',
  'partially-refunded': 'partially-refunded',
  refunded: 'refunded',
  'retrieval-request': 'retrieval-request',
  'fraud-notification': 'fraud-notification',
  'chargeback-initiated': 'chargeback-initiated',
  solved: 'solved',
  reversed: 'reversed',
} as const satisfies Moves
/** Those in which the issuer takes the money back, or argued about it: no refund ends such a status. */
const charged = { 'chargeback-initiated': 'chargeback-initiated', reversed: 'reversed' } as const
const argued = { ...charged, solved: 'solved' } as const
/** Money that was given back: that somebody asks about it says less. */
const given = { 'partially-refunded': 'partially-refunded', refunded: 'refunded' } as const
/** Those that tell of a dispute. */
const disputed = {
  'retrieval-request': 'retrieval-request',
  'fraud-notification': 'fraud-notification',
  ...argued,
} as const satisfies Moves
/** Those in which money was taken that was not given back whole. */
const paid = ['completed', 'partially-refunded', 'retrieval-request', 'fraud-notification', 'solved'] as const

const all = (from: readonly TransactionStatus[], to: TransactionStatus): Moves =>
  Object.fromEntries(from.map((status) => [status, to]))

/** The state machine a second time. */
const MOVES: Record<TransactionTrigger, Moves> = {
  'authorization-requested': { none: 'waiting', failed: 'waiting', blocked: 'waiting' },
  'authorization-approved': { waiting: 'authorized', pending: 'authorized' },
  'authorization-pending': { waiting: 'pending', pending: 'pending' },
  'authorization-declined': { waiting: 'failed', pending: 'failed' },
  'authorization-given-up': { waiting: 'voided', pending: 'voided' },
  'refused-by-rule': { waiting: 'blocked' },
  'sale-approved': { waiting: 'completed', pending: 'completed' },
  'increment-approved': { authorized: 'authorized' },
  'increment-pending': { authorized: 'authorized' },
  'increment-declined': { authorized: 'authorized' },
  'capture-approved': {
    ...captured,
    authorized: 'completed',
    'pending-capture': 'completed',
    refunded: 'partially-refunded',
  },
  'capture-pending': { ...captured, authorized: 'pending-capture', 'pending-capture': 'pending-capture' },
  'capture-declined': { ...captured, authorized: 'authorized', 'pending-capture': 'authorized' },
  'capture-declined-another-open': {
    ...captured,
    authorized: 'authorized',
    'pending-capture': 'pending-capture',
  },
  'capture-reversed': { ...Object.fromEntries(paid.map((status) => [status, status])), ...charged },
  'capture-reversed-rest-refunded': { ...disputed, 'partially-refunded': 'refunded' },
  'capture-reversed-in-full': all(['completed', ...Object.keys(disputed)] as TransactionStatus[], 'authorized'),
  'capture-reversed-another-open': all(
    ['completed', ...Object.keys(disputed)] as TransactionStatus[],
    'pending-capture',
  ),
  'partial-void-approved': { ...captured, authorized: 'authorized' },
  'full-void-approved': { ...captured, authorized: 'voided' },
  'void-pending': { ...captured, authorized: 'authorized' },
  'void-declined': { ...captured, authorized: 'authorized' },
  'partial-refund-approved': { ...all(paid, 'partially-refunded'), ...argued },
  'full-refund-approved': { ...all(paid, 'refunded'), ...argued },
  'refund-pending': captured,
  'refund-declined': captured,
  'refund-reversed-in-part': { ...captured, refunded: 'partially-refunded' },
  'refund-reversed-in-full': { ...captured, 'partially-refunded': 'completed', refunded: 'completed' },
  'retrieval-request': {
    ...given,
    completed: 'retrieval-request',
    'fraud-notification': 'fraud-notification',
    ...argued,
  },
  'fraud-notification': { ...given, ...all(['completed', 'retrieval-request'], 'fraud-notification'), ...argued },
  'inquiry-closed': captured,
  'dispute-answered': captured,
  'chargeback-created': all(Object.keys(captured) as TransactionStatus[], 'chargeback-initiated'),
  'chargeback-created-late': argued,
  'chargeback-told-again': argued,
  'chargeback-won': all([...paid, 'refunded', 'chargeback-initiated'], 'solved'),
  'chargeback-won-another-open': { 'chargeback-initiated': 'chargeback-initiated' },
  'chargeback-won-another-lost': { 'chargeback-initiated': 'reversed', reversed: 'reversed' },
  'chargeback-lost': all(Object.keys(captured) as TransactionStatus[], 'reversed'),
  'chargeback-lost-another-open': { 'chargeback-initiated': 'chargeback-initiated' },
}

const STATES: readonly State[] = [null, ...TRANSACTION_STATUSES]
const moves = (Object.keys(MOVES) as TransactionTrigger[]).flatMap((trigger) =>
  STATES.map((from) => ({ from, trigger, to: MOVES[trigger][from ?? 'none'] })),
)
describe('the state machine', () => {
  const forbidden = moves.filter((move) => move.to === undefined)
  const allowed = moves.filter((move) => move.to !== undefined)

  test.each(forbidden)('a transaction that is $from cannot take $trigger', ({ from, trigger }) => {
    expect(() => transition(from, trigger)).toThrow(IllegalTransition)
    expect(() => transition(from, trigger)).toThrow(`"${trigger}"`)
    expect(findTransition(from, trigger)).toBeNull()
  })

  test.each(allowed)('a transaction that is $from takes $trigger and is $to', ({ from, trigger, to }) => {
    expect(transition(from, trigger).to).toBe(to)
  })

  test('never lets money that was taken be merely reserved again, nor forgotten, unless its capture has failed', () => {
    const before: readonly State[] = [null, 'waiting', 'pending', 'authorized', 'pending-capture', 'failed', 'voided']
    const taken = Object.keys(captured)
    const untaken = TRANSITIONS.filter(({ from, to }) => from !== null && taken.includes(from) && before.includes(to))
    for (const { trigger, to } of untaken) {
      expect(['authorized', 'pending-capture']).toContain(to)
      expect(['capture-reversed-in-full', 'capture-reversed-another-open']).toContain(trigger)
    }
  })

  test('can reach every state that it can leave', () => {
    const reached = new Set<State>(TRANSITIONS.map(({ to }) => to))
    const left = new Set(TRANSITIONS.map(({ from }) => from))
    expect([...left].filter((from) => from !== null && !reached.has(from))).toEqual([])
  })
})

describe('the events of the state machine', () => {
  test('are ones that merchants are told of', () => {
    for (const { fires } of TRANSITIONS) for (const name of fires) expect(EVENT_NAMES).toHaveProperty([name])
  })

  test('tell of money that was taken, given back or let go only when a gateway approved that', () => {
    const only: [string, ...TransactionTrigger[]][] = [
      ['transaction.authorized', 'authorization-approved', 'sale-approved'],
      ['transaction.captured', 'capture-approved', 'sale-approved'],
      ['transaction.refunded', 'partial-refund-approved', 'full-refund-approved'],
      ['transaction.failed', 'authorization-declined', 'refused-by-rule'],
      ['transaction.authorization.incremented', 'increment-approved'],
    ]
    for (const { trigger, fires } of TRANSITIONS)
      for (const [name, ...triggers] of only)
        expect([name, trigger, fires.includes(name as never)]).toEqual([name, trigger, triggers.includes(trigger)])
  })

  test('tell that a payment was voided only when it becomes so, and that an invoice is paid only the first time', () => {
    for (const { from, to, fires } of TRANSITIONS) {
      expect(fires.includes('transaction.voided')).toBe(to === 'voided')
      const isFirst = to === 'completed' && (from === null || !Object.hasOwn(captured, from))
      expect(fires.includes('invoice.completed')).toBe(isFirst)
    }
  })

  test('tell of every step of a dispute, whatever becomes of the status', () => {
    const names = {
      'retrieval-request': 'transaction.chargeback.retrieval-request',
      'fraud-notification': 'transaction.chargeback.fraud-notification',
      'inquiry-closed': 'transaction.chargeback.inquiry-closed',
      'dispute-answered': 'transaction.chargeback.answered',
      'chargeback-created': 'transaction.chargeback.created',
      'chargeback-won': 'transaction.chargeback.won',
      'chargeback-lost': 'transaction.chargeback.lost',
    }
    for (const { trigger, fires } of TRANSITIONS)
      if (Object.hasOwn(names, trigger)) expect(fires).toEqual([names[trigger as keyof typeof names]])
  })

  test('say once that an authorization is awaited, and that an invoice is', () => {
    for (const { from, to, fires } of TRANSITIONS)
      if (from === to) expect(fires).not.toEqual(expect.arrayContaining(['transaction.pending', 'invoice.pending']))
  })
})

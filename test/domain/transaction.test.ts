import { describe, expect, test } from '@jest/globals'
import {
  IllegalTransition,
  TRANSACTION_STATUSES,
  TRANSITIONS,
  type TransactionStatus,
  type TransactionTrigger,
  transition,
} from '../../domain/transaction.ts'
import { EVENT_NAMES } from '../../domain/webhook-event.ts'

/** The state machine a second time, as from, trigger and to; null is the state before the first command. */
const ALLOWED: readonly [from: TransactionStatus | null, trigger: TransactionTrigger, to: TransactionStatus][] = [
  [null, 'authorization-requested', 'waiting'],
  ['failed', 'authorization-requested', 'waiting'],
  ['waiting', 'authorization-approved', 'authorized'],
  ['pending', 'authorization-approved', 'authorized'],
  ['waiting', 'authorization-pending', 'pending'],
  ['pending', 'authorization-pending', 'pending'],
  ['waiting', 'authorization-declined', 'failed'],
  ['pending', 'authorization-declined', 'failed'],
  ['authorized', 'increment-approved', 'authorized'],
  ['authorized', 'increment-pending', 'authorized'],
  ['authorized', 'increment-declined', 'authorized'],
  ['authorized', 'capture-approved', 'completed'],
  ['pending-capture', 'capture-approved', 'completed'],
  ['authorized', 'capture-pending', 'pending-capture'],
  ['pending-capture', 'capture-pending', 'pending-capture'],
  ['authorized', 'capture-declined', 'authorized'],
  ['pending-capture', 'capture-declined', 'authorized'],
  ['authorized', 'partial-void-approved', 'authorized'],
  ['authorized', 'full-void-approved', 'voided'],
  ['authorized', 'void-pending', 'authorized'],
  ['authorized', 'void-declined', 'authorized'],
]

const TRIGGERS = [...new Set(ALLOWED.map(([, trigger]) => trigger))]
const STATES = [null, ...TRANSACTION_STATUSES]

describe('the state machine', () => {
  const forbidden = STATES.flatMap((from) => TRIGGERS.map((trigger) => ({ from, trigger }))).filter(
    (move) => !ALLOWED.some(([from, trigger]) => from === move.from && trigger === move.trigger),
  )

  test.each(forbidden)('a transaction that is $from cannot take $trigger', ({ from, trigger }) => {
    expect(() => transition(from, trigger)).toThrow(IllegalTransition)
    expect(() => transition(from, trigger)).toThrow(`"${trigger}"`)
  })

  test.each(ALLOWED)('%s takes %s and is %s', (from, trigger, to) => {
    expect(transition(from, trigger).to).toBe(to)
  })

  test('says at most one thing about a state and a trigger', () => {
    expect(new Set(TRANSITIONS.map(({ from, trigger }) => `${from} ${trigger}`)).size).toBe(TRANSITIONS.length)
  })

  test('leaves no way out of a completed or a voided payment', () => {
    expect(TRANSITIONS.filter(({ from }) => from === 'completed' || from === 'voided')).toEqual([])
  })

  test('can reach every state that it can leave', () => {
    for (const { from } of TRANSITIONS) {
      if (from !== null) expect(TRANSITIONS.map(({ to }) => to)).toContain(from)
    }
  })

  test('fires events that merchants are told of', () => {
    for (const { fires } of TRANSITIONS) for (const name of fires) expect(EVENT_NAMES).toHaveProperty([name])
  })

  test('tells of money that was taken only when a capture was approved, and of an invoice that is paid with it', () => {
    for (const { trigger, fires } of TRANSITIONS) {
      expect(fires.includes('transaction.captured')).toBe(trigger === 'capture-approved')
      expect(fires.includes('invoice.completed')).toBe(trigger === 'capture-approved')
      expect(fires.includes('transaction.authorized')).toBe(trigger === 'authorization-approved')
      expect(fires.includes('transaction.voided')).toBe(trigger === 'full-void-approved')
      expect(fires.includes('transaction.failed')).toBe(trigger === 'authorization-declined')
    }
  })

  test('says once that an outcome is awaited, and not again each time it is still not known', () => {
    for (const { from, to, trigger, fires } of TRANSITIONS) {
      if (from === to && (trigger === 'authorization-pending' || trigger === 'capture-pending'))
        expect(fires).toEqual([])
    }
  })
})

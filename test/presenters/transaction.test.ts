import { describe, expect, test } from '@jest/globals'
import { TRANSACTION_STATUSES } from '../../domain/transaction.ts'
import { presentTransaction } from '../../src/presenters/transaction.ts'
import { makeRows } from '../persistence/rows.ts'

const { transaction, invoice, card, attempt, result } = makeRows('present')
const authorized = {
  ...transaction,
  status: 'authorized' as const,
  amountMinor: 3400,
  authorizedMinor: 3400,
  incrementedMinor: 500,
  capturedMinor: 0,
  voidedMinor: 0,
  refundedMinor: 0,
  attemptInFlightId: null,
  attemptInFlightType: null,
}

describe('a transaction', () => {
  test('prints its amounts with the digits of its currency', () => {
    const amounts = {
      amountMinor: 5000,
      authorizedMinor: 5000,
      capturedMinor: 3000,
      voidedMinor: 2000,
      refundedMinor: 500,
    }
    expect(presentTransaction({ ...authorized, ...amounts })).toMatchObject({
      amount: '50.00',
      authorized_amount: '50.00',
      captured_amount: '30.00',
      available_amount: '25.00',
      refunded_amount: '5.00',
      voided_amount: '20.00',
      incremented_amount: '5.00',
      auto_capture_amount: '29.00',
    })
    expect(presentTransaction({ ...authorized, ...amounts, currency: 'JPY' })).toMatchObject({ amount: '5000' })
    expect(presentTransaction({ ...authorized, ...amounts, currency: 'KWD' })).toMatchObject({ amount: '5.000' })
  })

  test('prints its instants in UTC with milliseconds', () => {
    expect(presentTransaction(transaction)).toMatchObject({
      authorized_at: '2026-11-21T01:17:10.123Z',
      authorization_expires_at: '2026-11-21T01:17:10.123Z',
      auto_capture_at: '2026-11-21T01:17:10.123Z',
    })
  })

  test('has null for what it does not have, and leaves no field out', () => {
    const { cardId, authorizedAt, errorCode, cardChecks, autoCaptureAmountMinor, ...rest } = transaction
    const bare = presentTransaction(rest as typeof transaction)
    expect(bare).toMatchObject({
      card_id: null,
      authorized_at: null,
      error_code: null,
      card_checks: null,
      auto_capture_amount: null,
    })
    expect(Object.keys(bare)).toEqual(Object.keys(presentTransaction(transaction)))
    expect(Object.values(bare)).not.toContain(undefined)
  })

  test('tells what happened to it', () => {
    expect(presentTransaction(authorized)).toMatchObject({
      authorized: true,
      captured: false,
      voided: false,
      refunded: false,
    })
    expect(presentTransaction({ ...authorized, status: 'failed', authorizedMinor: 0 })).toMatchObject({
      authorized: false,
    })
    expect(presentTransaction({ ...authorized, status: 'completed', capturedMinor: 3400 })).toMatchObject({
      captured: true,
    })
    expect(presentTransaction({ ...authorized, status: 'voided', voidedMinor: 3400 })).toMatchObject({ voided: true })
    expect(presentTransaction({ ...authorized, voidedMinor: 100 })).toMatchObject({ voided: false })
  })

  test('has its relations only where they were asked for', () => {
    expect(presentTransaction(transaction)).toMatchObject({ invoice: null, card: null, operations: null })
    expect(presentTransaction(transaction, { invoice, card, operations: [attempt, result] })).toMatchObject({
      invoice: { id: invoice.id, status: 'completed' },
      card: { id: card.id },
      operations: [
        { id: attempt.id, is_attempt: true, outcome: null },
        { id: result.id, is_attempt: false, attempt_operation_id: attempt.id, outcome: 'failed' },
      ],
    })
  })

  test('never shows what is the gateway’s or ours alone', () => {
    const shown = JSON.stringify(presentTransaction(transaction, { invoice, card, operations: [attempt, result] }))
    expect(shown).not.toMatch(/ciphertext|key_id|n1"|gateway_code|in_flight|event_count/i)
    expect(shown).not.toContain(card.numberCiphertext.toString('base64'))
  })
})

describe('what may still be asked for', () => {
  const actions = (change: Partial<typeof transaction>) =>
    presentTransaction({ ...authorized, ...change }).supported_actions

  test('is everything while the money is reserved', () => {
    expect(actions({})).toEqual(['capture', 'partial_capture', 'void', 'partial_void', 'increment_authorization'])
  })

  test.each([
    ['was not authorized for it', { incremental: false }],
    ['was raised ten times', { incrementAttempts: 10 }],
  ])('has no increment where the payment %s', (_, change) => {
    expect(actions(change)).toEqual(['capture', 'partial_capture', 'void', 'partial_void'])
  })

  test('is nothing while an attempt is under way', () => {
    expect(actions({ attemptInFlightId: 'tr_op_1', attemptInFlightType: 'capture' })).toEqual([])
  })

  test.each(TRANSACTION_STATUSES.filter((status) => status !== 'authorized'))(
    'is nothing in the status %s',
    (status) => {
      expect(actions({ status })).toEqual([])
    },
  )
})

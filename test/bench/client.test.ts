import { describe, expect, test } from '@jest/globals'
import { fillIn, readField } from '../../bench/client.ts'
import { AUTHORIZE, PAIR, toldOf, type Way } from '../../bench/shop.ts'
import { agreesWithRecord, type OrderState } from '../support/order-audit.ts'

describe('What was kept of an answer', () => {
  test('is nothing where the answer has no such field', () => {
    expect(readField({ invoice: null }, 'invoice.id')).toBeUndefined()
    expect(readField('text', 'invoice.id')).toBeUndefined()
    expect(readField({ invoice: { id: null } }, 'invoice.id')).toBeUndefined()
  })

  test('goes into what is asked next, and nothing else does', () => {
    const kept = { invoiceId: readField({ invoice: { id: 'iv_1' } }, 'invoice.id') ?? '' }
    expect(fillIn('/invoices/<invoiceId>/authorize?of=<other>', kept)).toBe('/invoices/iv_1/authorize?of=<other>')
  })
})

test('A customer is told what is wanted only where every answer says so', () => {
  const told = (way: Way, statuses: number[], status?: string) =>
    toldOf(way, { statuses, kept: status ? { status } : {} })
  expect(told(AUTHORIZE, [0])).toBe('unknown')
  expect(told(AUTHORIZE, [500])).toBe('unknown')
  expect(told(AUTHORIZE, [200], 'pending')).toBe('unknown')
  expect(told(AUTHORIZE, [200], 'authorized')).toBe('approved')
  expect(told(PAIR, [200, 500], 'authorized')).toBe('unknown')
  expect(told(PAIR, [200, 200], 'completed')).toBe('captured')
})

describe('What the record says of an order', () => {
  const nothing = { authorizedMinor: 0, capturedMinor: 0 }
  const authorized = { authorizedMinor: 2_900, capturedMinor: 0 }
  const captured = { authorizedMinor: 2_900, capturedMinor: 2_900 }

  test.each<[OrderState, Parameters<typeof agreesWithRecord>[1]]>([
    ['created', nothing],
    ['approved', undefined],
    ['approved', { ...authorized, authorizedMinor: 2_800 }],
    ['approved', captured],
    ['captured', authorized],
    ['captured', { ...captured, capturedMinor: 2_800 }],
    ['failed', authorized],
  ])('is wrong where the customer was told %s and it has %j', (told, record) => {
    expect(agreesWithRecord(told, record)).toBe(false)
  })

  test('is right where it is what the customer was told', () => {
    expect(agreesWithRecord('created', undefined)).toBe(true)
    expect(agreesWithRecord('approved', authorized)).toBe(true)
    expect(agreesWithRecord('captured', captured)).toBe(true)
    expect(agreesWithRecord('failed', nothing)).toBe(true)
    expect(agreesWithRecord('failed', undefined)).toBe(true)
  })
})

import { describe, expect, test } from '@jest/globals'
import { faultsOfOrder, type Order } from './books.ts'

const none: Order = { invoiceId: 'iv_1', authorize: [], capture: [], refund: [] }
const done = { amountMinor: 2_000, isAcknowledged: true }
const unanswered = { amountMinor: 2_000, isAcknowledged: false }

describe('an order that has no payment on record', () => {
  test('is sound where nothing was asked for, or nothing is known of what became of it', () => {
    expect(faultsOfOrder(none, undefined)).toEqual([])
    expect(faultsOfOrder({ ...none, authorize: [unanswered] }, undefined)).toEqual([])
  })

  test('is lost where an authorization was acknowledged', () => {
    expect(faultsOfOrder({ ...none, authorize: [done] }, undefined)).toEqual([
      'iv_1: authorize: 2000 to 2000 was to be recorded, and 0 is',
    ])
  })
})

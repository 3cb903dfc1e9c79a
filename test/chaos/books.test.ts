import { describe, expect, test } from '@jest/globals'
import { type Asked, faultsOfOrder } from './books.ts'

/** An order that has no payment on record. */
const faultsOf = (...asked: Asked[]) => faultsOfOrder({ invoiceId: 'iv_1', story: 'sale', asked }, undefined)
const moves = { authorized: 2_000 }

describe('an order that has no payment on record', () => {
  test.each<[string, Asked[]]>([
    ['nothing was asked for', []],
    ['nothing is known of what became of it', [{ moves, told: 'unknown' }]],
    ['it was refused', [{ moves, told: 'refused' }]],
  ])('is sound where %s', (_, asked) => {
    expect(faultsOf(...asked)).toEqual([])
  })

  test.each<[string, Asked]>([
    ['an authorization was acknowledged', { moves, told: 'done' }],
    ['its capture was scheduled', { moves, told: 'done', dueAt: 0 }],
  ])('is lost where %s', (_, asked) => {
    expect(faultsOf(asked)).toEqual(['sale iv_1: authorized: 2000 to 2000 was to be recorded, and 0 is'])
  })
})

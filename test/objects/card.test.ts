import { describe, expect, test } from '@jest/globals'
import { presentCard } from '../../src/objects/card.ts'
import { makeRows } from '../persistence/rows.ts'

describe('a card whose last month is January 2027', () => {
  const card = { ...makeRows('card').card, expMonth: 1, expYear: 2027 }

  // At both instants another month than in UTC is shown by the clocks of some zone.
  test.each([
    ['2026-11-30T23:30:00Z', false],
    ['2026-12-01T00:30:00Z', true],
    ['2026-12-31T23:30:00Z', true],
    ['2027-02-01T00:30:00Z', true],
  ])('at %s expires soon in UTC, wherever the service runs: %s', (now, expected) => {
    expect(presentCard(card, new Date(now)).expires_soon).toBe(expected)
  })
})

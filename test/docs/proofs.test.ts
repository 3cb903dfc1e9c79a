import { describe, expect, test } from '@jest/globals'
import { DECISIONS } from '../../scripts/docs/proofs/decisions.ts'
import { TRAPS } from '../../scripts/docs/proofs/traps.ts'
import { WHOLE } from '../../scripts/docs/proofs/whole.ts'
import { problemOf } from './proofs.ts'
import { testTitles } from './test-titles.ts'

describe('docs/proofs.md', () => {
  const claims = [...WHOLE, ...TRAPS, ...DECISIONS]

  test('names tests that are there', () => {
    const proofs = claims.flatMap((claim) => claim.proofs)
    expect(proofs.map(problemOf).filter((problem) => problem !== null)).toEqual([])
  })

  test('shows every claim by some test, and by each test once', () => {
    for (const { about, proofs } of claims) {
      const named = proofs.map(({ file, title }) => `${about}: ${file}: ${title}`)
      expect(named.length).toBeGreaterThan(0)
      expect(named).toEqual([...new Set(named)])
    }
  })

  test('has every decision in its place', () => {
    expect(DECISIONS).toHaveLength(37)
    expect(new Set(claims.map(({ about }) => about)).size).toBe(claims.length)
  })
})

describe('the title of a proof', () => {
  const OWN = 'test/docs/proofs.test.ts'

  test('is one of its file to the letter, and of no test that is skipped', () => {
    expect(testTitles(OWN)).toContain('has every decision in its place')
    expect(problemOf({ file: OWN, title: 'has every decision in its plaice' })).toBe(
      `${OWN} has no test "has every decision in its plaice"`,
    )
    expect(problemOf({ file: OWN, title: 'the title of a proof' })).not.toBeNull()
    expect(problemOf({ file: 'test/docs/none.test.ts', title: 'x' })).toBe('test/docs/none.test.ts is not there')
  })
})

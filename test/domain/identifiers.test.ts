import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { type IdentifierKind, makeIdentifier, PREFIXES, randomText } from '../../domain/identifiers.ts'

const KINDS = Object.keys(PREFIXES) as IdentifierKind[]

describe('an identifier', () => {
  test.each(KINDS)('of a %s is its prefix and 32 letters and digits', (kind) => {
    const id = makeIdentifier(kind, randomBytes)

    expect(id.startsWith(PREFIXES[kind])).toBe(true)
    expect(id.slice(PREFIXES[kind].length)).toMatch(/^[0-9A-Za-z]{32}$/)
  })
})

describe('random text', () => {
  test('leaves out the bytes that would make some characters likelier than others', () => {
    const bytes = [248, 255, 0, 61, 62, 247, 250]

    expect(randomText(() => Uint8Array.from(bytes), 4)).toBe('0z0z')
  })

  test('gives every byte below 248 to the 62 characters evenly, four to each', () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 248; byte += 1) {
      const character = randomText(() => Uint8Array.of(byte), 1)
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }

    expect(counts.size).toBe(62)
    expect(new Set(counts.values())).toEqual(new Set([4]))
  })
})

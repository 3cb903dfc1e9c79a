import { describe, expect, it } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { pooledRandomBytes } from '../../src/vault/random-bytes.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('Random bytes from a pool', () => {
  it('are never given out twice, also where the pool ends', () => {
    const randomBytes = pooledRandomBytes()
    const given = Array.from({ length: 2_000 }, () => hex(randomBytes(12)))
    expect(new Set(given).size).toBe(given.length)
    const ids = Array.from({ length: 2_000 }, () => makeIdentifier('invoice', randomBytes))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are as many as are asked for, also more than the pool has', () => {
    const randomBytes = pooledRandomBytes()
    for (const count of [0, 1, 32, 4_095, 4_096, 4_097, 100_000]) expect(randomBytes(count)).toHaveLength(count)
  })

  it.each([Number.NaN, -1, 1.5, undefined as never])('are refused for a count of %p, and go on after it', (count) => {
    const randomBytes = pooledRandomBytes()
    const first = hex(randomBytes(32))
    expect(() => randomBytes(count)).toThrow(RangeError)
    const next = hex(randomBytes(32))
    expect(next).toMatch(/^[0-9a-f]{64}$/)
    expect([first, '0'.repeat(64)]).not.toContain(next)
  })

  it('belong to whoever was given them: what he writes there reaches nobody else', () => {
    const randomBytes = pooledRandomBytes()
    const first = randomBytes(32)
    const kept = hex(first)
    randomBytes(4_096).fill(0)
    expect(hex(first)).toBe(kept)
    expect(first.buffer.byteLength).toBe(32)
    first.fill(0)
    expect(hex(randomBytes(32))).not.toBe(hex(first))
  })

  it('have every value about as often as any other', () => {
    const randomBytes = pooledRandomBytes()
    const times = new Array<number>(256).fill(0)
    const count = 256_000
    for (let index = 0; index < count; index += 32)
      for (const byte of randomBytes(32)) times[byte] = (times[byte] ?? 0) + 1
    // A thousand of each are expected, with a standard deviation of 32: eight of them are never reached.
    for (const seen of times) expect(Math.abs(seen - 1_000)).toBeLessThan(256)
  })
})

import { expect, test } from '@jest/globals'
import { pooledRandomBytes } from '../src/random-bytes.ts'

test('Random bytes have the asked length, also above that of the pool, and no part of them is given out twice', () => {
  const randomBytes = pooledRandomBytes()
  const given = [32, 4_000, 96, 64, 4_096, 5_000, 0, 32].map((count) => {
    const bytes = randomBytes(count)
    expect(bytes).toHaveLength(count)
    return Buffer.from(bytes).toString('hex')
  })
  const eights = given.flatMap((hex) => hex.match(/.{16}/g) ?? [])
  expect(new Set(eights).size).toBe(eights.length)
})

test('Writing into random bytes changes none that come later or came before', () => {
  const randomBytes = pooledRandomBytes()
  const first = randomBytes(32)
  const before = Buffer.from(first).toString('hex')
  randomBytes(32).fill(0)
  expect(Buffer.from(first).toString('hex')).toBe(before)
  expect(Buffer.from(randomBytes(32)).equals(Buffer.alloc(32))).toBe(false)
})

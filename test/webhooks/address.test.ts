import { describe, expect, test } from '@jest/globals'
import { canonicalAddress, classifyAddress } from '../../src/webhooks/address.ts'
import { ADDRESSES } from './ssrf-vectors.ts'

describe('where an address leads', () => {
  for (const [kind, addresses] of Object.entries(ADDRESSES)) {
    test.each(addresses)(`%s is ${kind}`, (address) => {
      expect(classifyAddress(address)).toBe(kind)
    })
  }
})

describe('the one notation of an address', () => {
  test.each(['', 'localhost', '127.1', '1.1.1.1 ', '[::1]', 'fe80::1%eth0', '::ffff:127.0.0.1%lo'])(
    'is none for what is no address: %j',
    (text) => {
      expect(canonicalAddress(text)).toBeNull()
    },
  )

  test.each([
    ['1.1.1.1', '1.1.1.1'],
    ['::ffff:1.1.1.1', '1.1.1.1'],
    ['::FFFF:101:101', '1.1.1.1'],
    ['64:ff9b::1.1.1.1', '1.1.1.1'],
    ['2606:4700::1111', '2606:4700:0:0:0:0:0:1111'],
    ['2606:4700:0000::0:1111', '2606:4700:0:0:0:0:0:1111'],
    ['::', '0:0:0:0:0:0:0:0'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })
})

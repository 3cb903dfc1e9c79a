import { describe, expect, test } from '@jest/globals'
import { clientAddress, networksOf } from '../../src/http/client-address.ts'

describe('callers are told apart', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['::ffff:0.0.0.1', '0.0.0.1'],
  ])('by the address of IPv4, however it is written: %s', (ip, block) => {
    expect(networksOf(ip)).toEqual([{ name: block, share: 1 }])
  })

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ])('by the network of IPv6 and its site, however it is written: %s', (ip, block) => {
    const site = `${block.split(':').slice(0, 3).join(':')}::/48`
    expect(networksOf(ip)).toEqual([
      { name: block, share: 1 },
      { name: site, share: 16 },
    ])
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:443', '192.0.2.1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['unknown', '198.51.100.7'],
  ["x' or 1=1", '198.51.100.7'],
  ['1'.repeat(4_000), '198.51.100.7'],
  ['', '198.51.100.7'],
])('what a proxy calls %j is the caller %s', async (ip, address) => {
  const ctx = { ip, request: { ip }, socket: { remoteAddress: '198.51.100.7' } }
  await clientAddress()(ctx as unknown as Parameters<ReturnType<typeof clientAddress>>[0], async () => undefined)
  expect(ctx.request.ip).toBe(address)
})

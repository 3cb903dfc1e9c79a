import { describe, expect, test } from '@jest/globals'
import { createTargetGuard, type ResolveHost } from '../../src/webhooks/target-guard.ts'

/** Fails the test's expectation by its answer: whoever asks it may connect. */
const resolvesToPublic: ResolveHost = async () => [{ address: '1.1.1.1', family: 4 }]
const resolvesTo =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const guard = (resolve: ResolveHost = resolvesToPublic) => createTargetGuard({ allowPrivateTargets: false, resolve })

describe('a target', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1:8080/path?query',
    'https://user:password@127.0.0.1/',
    'https://1.1.1.1@127.0.0.1/',
    'https://127.0.0.1#@1.1.1.1/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
  ])('that names a forbidden address is refused in every notation: %s', async (url) => {
    expect(await guard().check(url, 'live')).toEqual({ kind: 'refused', reason: 'forbidden_target' })
  })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['loopback over IPv6', ['::1']],
    ['the metadata service', ['169.254.169.254']],
    ['one public and one private address', ['1.1.1.1', '10.0.0.1']],
    ['a mapped address', ['::ffff:192.168.0.1']],
    ['an address with a zone', ['fe80::1%eth0']],
    ['something that is no address', ['elsewhere.example']],
  ])('whose name resolves to %s is refused', async (_, addresses) => {
    const check = await guard(resolvesTo(...addresses)).check('https://rebound.example/', 'live')
    expect(check).toEqual({ kind: 'refused', reason: 'forbidden_target' })
  })

  test('whose name cannot be resolved is refused', async () => {
    const failing = guard(() => Promise.reject(new Error('SERVFAIL')))
    expect(await failing.check('https://gone.example/', 'live')).toEqual({
      kind: 'refused',
      reason: 'dns_lookup_failed',
    })
    expect(await guard(resolvesTo()).check('https://empty.example/', 'live')).toEqual({
      kind: 'refused',
      reason: 'dns_lookup_failed',
    })
  })

  test('called localhost is refused by the system resolver', async () => {
    const system = createTargetGuard({ allowPrivateTargets: false })
    expect(await system.check('https://localhost/', 'live')).toMatchObject({ kind: 'refused' })
    expect(await system.check('http://localhost./', 'sandbox')).toMatchObject({ kind: 'refused' })
  })

  test('without TLS is refused in live, also where private targets are allowed', async () => {
    expect(await guard().check('http://example.com/', 'live')).toEqual({ kind: 'refused', reason: 'https_required' })
    const open = createTargetGuard({ allowPrivateTargets: true, resolve: resolvesToPublic })
    expect(await open.check('http://127.0.0.1/', 'live')).toEqual({ kind: 'refused', reason: 'https_required' })
    expect(await guard().check('http://example.com/', 'sandbox')).toMatchObject({ kind: 'allowed' })
  })

  test.each([
    '',
    'example.com',
    '//example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'https://',
    'https://[::1%25eth0]/',
    'https://exa mple.com/',
    'https://example.com:99999/',
    'https://%zz:password@example.com/',
  ])('that is no web address is refused: %s', async (url) => {
    expect(await guard().check(url, 'sandbox')).toEqual({ kind: 'refused', reason: 'invalid_url' })
  })

  test('with public addresses only is allowed, with exactly the addresses that were checked', async () => {
    const check = await guard(resolvesTo('1.1.1.1', '2606:4700:4700::1111')).check('https://example.com/hook', 'live')
    expect(check).toMatchObject({
      kind: 'allowed',
      addresses: [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700:4700::1111', family: 6 },
      ],
    })
  })

  test('that names a public address is allowed without asking a resolver', async () => {
    const check = await guard(() => Promise.reject(new Error('asked'))).check('https://[2606:4700::1]/', 'live')
    expect(check).toMatchObject({ kind: 'allowed', addresses: [{ address: '2606:4700::1', family: 6 }] })
  })
})

describe('where private targets are allowed', () => {
  const open = createTargetGuard({ allowPrivateTargets: true, resolve: resolvesToPublic })

  test.each([
    'http://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'http://0.0.0.0/',
    'http://[fe80::1]/',
    'http://224.0.0.1/',
  ])('metadata services and special ranges stay refused: %s', async (url) => {
    expect(await open.check(url, 'sandbox')).toEqual({ kind: 'refused', reason: 'forbidden_target' })
  })

  test.each(['http://127.0.0.1:3000/', 'http://10.1.2.3/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/'])(
    'loopback and private networks are allowed: %s',
    async (url) => {
      expect(await open.check(url, 'sandbox')).toMatchObject({ kind: 'allowed' })
    },
  )
})

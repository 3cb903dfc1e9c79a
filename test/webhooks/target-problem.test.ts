import { describe, expect, test } from '@jest/globals'
import { createTargetGuard } from '../../src/webhooks/target-guard.ts'
import { targetProblem } from '../../src/webhooks/target-problem.ts'
import { FORBIDDEN_HOSTS, INVALID_URLS, LOCAL_NAMES, LOOPBACK_HOSTS, LOOPBACK_URLS } from './ssrf-vectors.ts'

const STRICT = { allowPrivateTargets: false }
const OPEN = { allowPrivateTargets: true }

const ABSOLUTE = 'must be an absolute address, such as https://shop.example/webhooks'
const CHARACTERS = 'must not contain spaces, control characters or backslashes'
const SCHEME = 'must begin with https:// or, in the sandbox, http://'
const HOST = 'must name a host of letters, digits, hyphens and single dots'
const PORT = 'must name a port from 1 to 65535'
const CREDENTIALS = 'must not contain a user name or password'
const HTTPS = 'must be https in the live environment'
const LOCAL = 'must name a host on the public internet'
const ADDRESS = 'must not lead to a private, local or reserved address'

describe('whoever enters a URL for webhooks is told at once that it', () => {
  test.each([
    ['', ABSOLUTE],
    ['shop.example/webhooks', ABSOLUTE],
    ['//shop.example/webhooks', ABSOLUTE],
    ['https://', ABSOLUTE],
    ['https:///shop.example', ABSOLUTE],
    ['https:shop.example', ABSOLUTE],
    ['https://shop.example:99999/', ABSOLUTE],
    ['https://[::1%25eth0]/', ABSOLUTE],
    ['https://shop.example/web hooks', CHARACTERS],
    ['https://shop.example/\r\nhost: a', CHARACTERS],
    ['https://shop.example\\@127.0.0.1/', CHARACTERS],
    ['ftp://shop.example/', SCHEME],
    ['javascript:alert(1)', SCHEME],
    ['shop.example:443', SCHEME],
    ['https://shop..example/', HOST],
    ['https://*.shop.example/', HOST],
    [`https://${'a.'.repeat(123)}examples/`, HOST],
    ['https://shop.example:0/', PORT],
    ['https://user@shop.example/', CREDENTIALS],
    ['https://:password@shop.example/', CREDENTIALS],
    ['https://%zz@shop.example/', CREDENTIALS],
    ['http://shop.example/', HTTPS],
    ['http://127.0.0.1/', HTTPS],
    ['https://localhost/', LOCAL],
    ['https://api.localhost:8443/', LOCAL],
    ['https://postgres/', LOCAL],
    ['https://metadata.google.internal/', LOCAL],
    ['https://printer.local/', LOCAL],
    ['https://127.0.0.1/', ADDRESS],
    ['https://2130706433/', ADDRESS],
    ['https://192.168.1.10/', ADDRESS],
    ['https://169.254.169.254/', ADDRESS],
    ['https://[::1]/', ADDRESS],
    ['https://[fd00::1]/', ADDRESS],
  ])('cannot be used in live: %j %s', (url, message) => {
    expect(targetProblem(url, 'live', STRICT)).toBe(message)
  })

  test('is this machine or its network, in every notation', () => {
    const hosts = [...LOOPBACK_HOSTS, ...Object.values(FORBIDDEN_HOSTS).flat()]
    const urls = [
      ...hosts.map((host) => `https://${host}/`),
      ...LOOPBACK_URLS.map((url) => url.replace('{port}', '80')),
    ]
    const accepted = urls.filter((url) => targetProblem(url, 'sandbox', STRICT) === null)
    expect(accepted).toEqual([])
  })

  test.each(['https://169.254.169.254/', 'https://0.0.0.0/', 'https://[fe80::1]/', 'https://[fd00:ec2::254]/'])(
    'leads to a special range, also where private targets are allowed: %s',
    (url) => {
      expect(targetProblem(url, 'sandbox', OPEN)).toBe(ADDRESS)
    },
  )
})

describe('a URL is accepted', () => {
  test.each([
    'https://shop.example/webhooks',
    'https://SHOP.example:8443/webhooks?shop=1#top',
    'https://bücher.example/',
    'https://shop.example./',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]:8443/',
  ])('in live: %s', (url) => {
    expect(targetProblem(url, 'live', STRICT)).toBeNull()
  })

  test.each(['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://receiver:3000/', 'http://[::1]:3000/'])(
    'on this machine and in its network where private targets are allowed: %s',
    (url) => {
      expect(targetProblem(url, 'sandbox', OPEN)).toBeNull()
      expect(targetProblem(url.replace('http:', 'https:'), 'live', OPEN)).toBeNull()
    },
  )

  test('only if the guard does not refuse it for its text', async () => {
    const names = LOCAL_NAMES.map(([name]) => `https://${name}/`)
    const hosts = Object.values(FORBIDDEN_HOSTS).map(([host]) => `https://${host}/`)
    const resolve = async () => [{ address: '1.1.1.1', family: 4 }]
    for (const rule of [STRICT, OPEN]) {
      const guard = createTargetGuard({ ...rule, resolve, ownAddresses: () => [] })
      for (const url of [...names, ...hosts, ...INVALID_URLS, 'https://shop.example/', 'http://shop.example/']) {
        for (const environment of ['live', 'sandbox'] as const) {
          const { kind } = await guard.check(url, environment)
          const isAccepted = targetProblem(url, environment, rule) === null
          expect({ url, environment, isAccepted }).toEqual({ url, environment, isAccepted: kind === 'allowed' })
        }
      }
    }
  })
})

import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Environment } from '../../domain/environment.ts'
import { systemClock } from '../../src/clock.ts'
import { createWebhookSender } from '../../src/webhooks/send.ts'
import { createTargetGuard, type ResolvedAddress, type ResolveHost } from '../../src/webhooks/target-guard.ts'
import { runningForFile } from '../support/for-file.ts'
import { makeCanary } from './canary.ts'
import {
  BAD_ANSWERS,
  FORBIDDEN_HOSTS,
  INVALID_URLS,
  LOCAL_NAMES,
  LOOPBACK_HOSTS,
  LOOPBACK_URLS,
  PLAIN_HTTP_URLS,
} from './ssrf-vectors.ts'

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

const canary = runningForFile(makeCanary)
beforeEach(() => canary.clear())

/** Whatever a resolver says, also what its type forbids. */
const says =
  (answer: unknown): ResolveHost =>
  () =>
    Promise.resolve(answer as ResolvedAddress[])
const addressIn = (address: string): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 })
const saysAddress = (address: string) => says([addressIn(address)])

/** The worst of resolvers: whatever is not refused before it is asked leads to the canary. */
const saysLoopback = saysAddress('127.0.0.1')
const saysPublic = saysAddress('1.1.1.1')

interface Attempt {
  environment?: Environment
  allowPrivateTargets?: boolean
  resolve?: ResolveHost
  timeoutMs?: number
}

function send(url: string, attempt: Attempt = {}) {
  const { environment = 'sandbox', allowPrivateTargets = false, resolve = saysLoopback, timeoutMs = 5_000 } = attempt
  return createWebhookSender({ allowPrivateTargets, resolve, timeoutMs, clock: systemClock }).send({
    url: url.replaceAll('{port}', String(canary.port)),
    environment,
    messageId: 'ev_1',
    body: { event_id: 'ev_1', event_type: 'transaction.captured' },
    secrets: [],
  })
}

async function expectRefused(url: string, reason: string, attempt: Attempt = {}) {
  expect(await send(url, attempt)).toMatchObject({ delivered: false, status: null, reason })
  expect(canary.attempts()).toEqual([])
  expect(canary.arrivals()).toBe(0)
}

/** Where a hole would let the webhook through unencrypted, and where it would not. */
async function expectHostRefused(host: string, attempt: Attempt = {}) {
  await expectRefused(`http://${host}:{port}/`, 'forbidden_target', attempt)
  await expectRefused(`https://${host}:{port}/`, 'forbidden_target', { ...attempt, environment: 'live' })
  await expectRefused(`https://${host}/`, 'forbidden_target', attempt)
}

const forbidden = Object.entries(FORBIDDEN_HOSTS).flatMap(([kind, hosts]) => hosts.map((host) => ({ kind, host })))

describe('no connection is made to', () => {
  test.each(LOOPBACK_HOSTS)('this machine as %j', (host) => expectHostRefused(host))

  // A public address as the resolver's answer: only the literal itself can be what is refused.
  test.each(forbidden)('what is $kind: $host', ({ host }) => expectHostRefused(host, { resolve: saysPublic }))

  test.each(LOCAL_NAMES)('the local name %j, which is %s', (name, address) =>
    expectHostRefused(name, { resolve: saysAddress(address) }),
  )

  test.each(LOOPBACK_URLS)('this machine in disguise: %j', (url) => expectRefused(url, 'forbidden_target'))

  test.each(INVALID_URLS)('what is no web address: %j', async (url) => {
    await expectRefused(url, 'invalid_url')
    await expectRefused(url, 'invalid_url', { allowPrivateTargets: true })
  })

  test.each(PLAIN_HTTP_URLS)('an unencrypted target in live: %s', async (url) => {
    await expectRefused(url, 'https_required', { environment: 'live', resolve: saysPublic })
    await expectRefused(url, 'https_required', { environment: 'live', allowPrivateTargets: true })
  })

  test.each(BAD_ANSWERS)('a name of which the resolver says %s', async (_, answers) => {
    const resolve = says(answers.map(addressIn))
    await expectRefused('http://merchant.example:{port}/', 'forbidden_target', { resolve })
    await expectRefused('https://merchant.example:{port}/', 'forbidden_target', { resolve, environment: 'live' })
  })

  test.each([
    ['one bad address among a hundred', [...Array(99).fill(addressIn('1.1.1.1')), addressIn('192.168.0.1')]],
    ['one bad address at the end of a thousand', [...Array(999).fill(addressIn('2606:4700::1')), addressIn('::1')]],
    ['a number', [2_130_706_433]],
    ['nothing in particular', [null]],
    ['nothing in particular beside a public address', [addressIn('1.1.1.1'), undefined]],
    ['another family than it has', [{ address: '127.0.0.1', family: 6 }]],
    ['another family than it has, beside a public address', [{ address: '1.1.1.1' }, { address: '::1', family: 4 }]],
    ['no family', [{ address: '127.0.0.1' }]],
    ['a family that is none', [{ address: '10.0.0.1', family: 'IPv4' }]],
    ['no address', [{ family: 4 }]],
    ['an address that is no text', [{ address: ['1.1.1.1'], family: 4 }]],
    ['a text that changes when it is read', [{ address: { toString: (): string => '1.1.1.1' }, family: 4 }]],
    ['a text instead of a list', '1.1.1.1'],
    ['a list that is only announced', { length: 3 }],
  ])('a name of which the resolver says %s', (_, answer) =>
    expectRefused('http://merchant.example:{port}/', 'forbidden_target', { resolve: says(answer) }),
  )

  test.each<[string, ResolveHost]>([
    ['fails', () => Promise.reject(new Error('SERVFAIL'))],
    ['fails without a reason', () => Promise.reject(undefined)],
    [
      'fails at once',
      () => {
        throw new Error('EBADNAME')
      },
    ],
    ['knows no address', says([])],
    ['says nothing', says(undefined)],
    ['says null', says(null)],
    ['says an empty text', says('')],
    ['says a number', says(4)],
    ['says an object', says({ address: '127.0.0.1', family: 4 })],
    ['fails while its answer is read', says({ [Symbol.iterator]: () => ({ next: assert.fail }) })],
  ])('a name when the resolver %s', async (_, resolve) => {
    const result = await send('http://merchant.example:{port}/', { resolve })
    expect(result).toMatchObject({ delivered: false, status: null })
    expect(['dns_lookup_failed', 'forbidden_target']).toContain(result.reason)
    expect(canary.attempts()).toEqual([])
  })

  test('a name when the resolver never answers, or answers too late', async () => {
    const never: ResolveHost = () => new Promise(() => {})
    const late: ResolveHost = () =>
      new Promise((resolve) => setTimeout(() => resolve([{ address: '127.0.0.1', family: 4 }]), 150))
    const attempt = { timeoutMs: 50, allowPrivateTargets: true }
    await expectRefused('http://merchant.example:{port}/', 'timeout', { ...attempt, resolve: never })
    await expectRefused('http://merchant.example:{port}/', 'timeout', { ...attempt, resolve: late })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(canary.attempts()).toEqual([])
  })

  test('an address of this machine in a public range', async () => {
    for (const own of ['1.1.1.1', '2606:4700:4700::1111']) {
      const guard = createTargetGuard({
        allowPrivateTargets: false,
        ownAddresses: () => [own],
        resolve: saysAddress(own),
      })
      const host = own.includes(':') ? `[${own}]` : own
      for (const url of [`https://${host}/`, 'https://merchant.example/']) {
        expect(await guard.check(url, 'live')).toEqual({ kind: 'refused', reason: 'forbidden_target' })
      }
    }
    const ofInterfaces = Object.values(networkInterfaces()).flatMap((all = []) => all)
    for (const { address, family } of ofInterfaces) {
      await expectRefused(`http://${family === 'IPv6' ? `[${address}]` : address}:{port}/`, 'forbidden_target')
    }
  })
})

describe('where private targets are allowed, no connection is made to', () => {
  const special = forbidden.filter(({ kind }) =>
    ['unspecified', 'link-local', 'site-local', 'metadata services', 'multicast', 'documentation', 'reserved'].includes(
      kind,
    ),
  )
  test.each(special)('what is $kind: $host', ({ host }) =>
    expectHostRefused(host, { allowPrivateTargets: true, resolve: saysPublic }),
  )
})

describe('these attempts are real ones', () => {
  // What every machine listens on: some know but one address of 127.0.0.0/8, some no IPv6.
  const listening = ['127.0.0.1', ...(HAS_IPV6 ? ['[::1]', '[::ffff:7f00:1]'] : [])]
  const reachable = LOOPBACK_HOSTS.filter((host) => listening.includes(new URL(`http://${host}/`).hostname))
  test.each(reachable)('because %j arrives here where that is allowed', async (host) => {
    expect(await send(`http://${host}:{port}/`, { allowPrivateTargets: true })).toMatchObject({ delivered: true })
    expect(canary.arrivals()).toBe(1)
    expect(canary.attempts()).toHaveLength(1)
  })

  test.each(LOOPBACK_URLS)('because %j arrives here where that is allowed', async (url) => {
    await send(url, { allowPrivateTargets: true })
    expect(canary.attempts()).toEqual([`127.0.0.1:${canary.port}`])
  })
})

describe('a connection may be made to', () => {
  const guard = (resolve: ResolveHost) => createTargetGuard({ allowPrivateTargets: false, resolve })

  test.each([
    'https://1.1.1.1/',
    'https://8.8.8.8:8443/hook',
    'https://16843009/',
    'https://[2606:4700:4700::1111]/',
    'https://[2a00:1450:4001:81b::200e]:444/',
    'https://[::ffff:1.1.1.1]/',
    'https://[64:ff9b::1.1.1.1]/',
    'https://[2606:4700:0:5efe::1]/',
  ])('a public address, at any port: %s', async (url) => {
    const asked = guard(() => Promise.reject(new Error('asked')))
    expect(await asked.check(url, 'live')).toMatchObject({ kind: 'allowed' })
  })

  test.each([
    'https://merchant.example/',
    'https://merchant.example.:8443/hooks?order=1#top',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://under_score.merchant.example/',
    'https://localhost.example/',
    'https://internal.example/',
    'https://127.0.0.1.merchant.example/',
    'https://user:password@merchant.example/',
  ])('a name with a public address: %s', async (url) => {
    expect(await guard(saysPublic).check(url, 'live')).toMatchObject({
      kind: 'allowed',
      addresses: [{ address: '1.1.1.1', family: 4 }],
    })
  })

  test('the addresses of a name in the family that they have, and to no more than four of each', async () => {
    const addresses = [1, 2, 3, 4, 5, 6].flatMap((last) => [`1.1.1.${last}`, `2606:4700::${last}`])
    const check = await guard(says(addresses.map((address) => ({ address, family: 6 })))).check(
      'https://a.example',
      'live',
    )
    const tried = addresses.slice(0, 8).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    expect(check).toMatchObject({ kind: 'allowed', addresses: tried })
  })
})

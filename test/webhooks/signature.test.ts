import { spawnSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { makeEd25519Secret, makeHmacSecret, publicKeyOf, signatureHeaders } from '../../src/webhooks/signature.ts'
import { saySkipped } from '../gateways/skipped.ts'
import { seededRandomBytes } from '../support/random.ts'

const randomBytes = seededRandomBytes('signature')
const hmac = () => ({ scheme: 'hmac' as const, secret: makeHmacSecret(randomBytes) })
const ed25519 = () => ({ scheme: 'ed25519' as const, secret: makeEd25519Secret() })
const message = (timestamp = new Date()) => ({ id: 'ev_1-whe_1', timestamp, body: '{"event_id":"ev_1","é":1}' })

const verified = (secret: string, headers: Record<string, string>, body = message().body) =>
  new Webhook(secret).verify(body, headers)

/** Verified as a receiver would that knows the shown public key and node:crypto. */
function isSignedWith(publicKey: string, headers: Record<string, string>, body = message().body): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ').flatMap((one) => /^v1a,(.+)$/.exec(one)?.[1] ?? [])
  return signatures.some((signature) => verify(null, content, key, Buffer.from(signature, 'base64')))
}

describe('a signature is refused', () => {
  test('under another secret or key', () => {
    const headers = signatureHeaders(message(), [hmac(), ed25519()])
    expect(() => verified(hmac().secret, headers)).toThrow('No matching signature')
    expect(isSignedWith(publicKeyOf(ed25519().secret), headers)).toBe(false)
  })

  test('for another body, id or second', () => {
    const [secret, key] = [hmac(), ed25519()]
    const headers = signatureHeaders(message(), [secret, key])
    const later = String(Number(headers['webhook-timestamp']) + 1)
    for (const [body, changed] of [
      [`${message().body} `, {}],
      [message().body, { 'webhook-id': 'ev_2-whe_1' }],
      [message().body, { 'webhook-timestamp': later }],
    ] as const) {
      expect(() => verified(secret.secret, { ...headers, ...changed }, body)).toThrow('No matching signature')
      expect(isSignedWith(publicKeyOf(key.secret), { ...headers, ...changed }, body)).toBe(false)
    }
  })

  test('when it is older than five minutes, by the library of the standard', () => {
    const secret = hmac()
    const headers = signatureHeaders(message(new Date(Date.now() - 301_000)), [secret])
    expect(() => verified(secret.secret, headers)).toThrow('too old')
  })
})

describe('a webhook without a secret', () => {
  test('has an id and a timestamp, and no signature header', () => {
    expect(signatureHeaders(message(new Date(1_700_000_000_999)), [])).toEqual({
      'webhook-id': 'ev_1-whe_1',
      'webhook-timestamp': '1700000000',
    })
  })
})

describe('a signed webhook', () => {
  test('is verified by the official library with any of its secrets, whatever else is signed with', () => {
    const secrets = [hmac(), ed25519(), hmac(), ed25519()]
    const headers = signatureHeaders(message(), secrets)
    expect(headers['webhook-signature']?.split(' ').map((one) => one.split(',')[0])).toEqual(['v1', 'v1a', 'v1', 'v1a'])
    for (const { scheme, secret } of secrets) {
      if (scheme === 'hmac') expect(verified(secret, headers)).toEqual(JSON.parse(message().body))
      else expect(isSignedWith(publicKeyOf(secret), headers)).toBe(true)
    }
  })

  test('has the test vector of RFC 8032 for its key', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const expected = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex')
    expect(publicKeyOf(`whsk_${seed.toString('base64')}`)).toBe(`whpk_${expected.toString('base64')}`)
  })
})

describe('a new secret', () => {
  test('has 32 bytes in the notation of the standard, and is another each time', () => {
    const secrets = Array.from({ length: 50 }, () => [hmac().secret, ed25519().secret]).flat()
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) {
      expect(secret).toMatch(/^wh(sec|sk)_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')).toHaveLength(32)
    }
  })
})

describe('docs/webhooks.md', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, php = ''] = /```php\n(.*?)```/s.exec(page) ?? []
  const example = Object.fromEntries(
    [...page.matchAll(/^\| `?([\w-]+)`? \| `(.*)` \|$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

  test('has an example that is signed as it says', () => {
    const { secret = '', body = '' } = example
    const id = example['webhook-id'] ?? ''
    const timestamp = new Date(Number(example['webhook-timestamp']) * 1000)
    const { 'webhook-signature': signature } = signatureHeaders({ id, timestamp, body }, [{ scheme: 'hmac', secret }])
    expect(signature).toBe(example['webhook-signature'])
  })

  const hasPhp = spawnSync('php', ['--version']).status === 0
  if (!hasPhp) saySkipped('the PHP of docs/webhooks.md', 'there is no PHP')

  const testOrSkip = hasPhp ? test : test.skip
  testOrSkip('has PHP that takes what is genuine, and nothing else', () => {
    const [own, other] = [hmac(), hmac()]
    const { body } = message()
    const headers = signatureHeaders(message(), [other, own])
    const aged = (seconds: number) => signatureHeaders(message(new Date(Date.now() + seconds * 1000)), [own])
    const cases = [
      [body, headers, true],
      [body, aged(-240), true],
      [`${body} `, headers, false],
      [body, signatureHeaders(message(), [other]), false],
      [body, { ...headers, 'webhook-id': 'ev_2-whe_1' }, false],
      [body, { ...headers, 'webhook-signature': 'v1,%,v2 v1' }, false],
      [body, aged(-600), false],
      [body, aged(600), false],
      [body, {}, false],
    ] as const
    const program = `${php}
      foreach (json_decode(file_get_contents('php://stdin'), true) as [$body, $headers, $secret])
        $taken[] = isGenuine($body, $headers, $secret);
      echo json_encode($taken);`
    const input = JSON.stringify(cases.map(([text, sent]) => [text, sent, own.secret]))
    const { stdout } = spawnSync('php', ['-d', 'display_errors=1', '-r', program], { input, encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual(cases.map(([, , isGenuine]) => isGenuine))
  })
})

import { beforeAll, describe, expect, test } from '@jest/globals'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { createVault } from '../../src/vault/vault.ts'
import { findSecrets } from '../support/canary/find-secrets.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { interfaceForFile, startInterface } from './interface.ts'
import { addressOf, OPERATIONS } from './operations.ts'
import { basic, makeWorlds, type Worlds } from './worlds.ts'

const NUMBER = '5555555555554444'
const SPACED = '5555 5555 5555 4444'
const CVC = '7931'

const PLANTED: Readonly<Record<string, string>> = {
  number: NUMBER,
  'spaced number': SPACED,
  'live key': `key_live_${'a'.repeat(32)}`,
  'sandbox key': `key_sandbox_${'b'.repeat(32)}`,
  'test key': `key_test_${'c'.repeat(32)}`,
  'client secret': createVault(TEST_KEYS).clientSecretOf('iv_planted'),
  'signing secret': `whsec_${'e'.repeat(43)}=`,
  'key of Stripe': `sk_live_${'f'.repeat(24)}`,
  'key of Adyen': `AQE${'g'.repeat(40)}`,
  authorization: basic('proj_planted', 'a secret of somebody'),
}

const KNOWN = { numbers: [NUMBER], cvcs: [CVC], others: Object.values(PLANTED).slice(2) }

const api = interfaceForFile()
let worlds: Worlds

beforeAll(async () => {
  worlds = await makeWorlds(api.database)
})

/** A body that nobody accepts, with a secret in every place that a body has. */
const bodyWith = (secret: string) => ({
  nonsense: secret,
  [secret]: 'as a name',
  cvc: CVC,
  cvc2: CVC,
  card: { number: secret, security_code: CVC, verification_value: CVC, holder: { note: secret } },
  source: { card: { cvv: CVC, number: secret } },
  metadata: { note: secret, cvc: CVC, [`key ${secret}`]: 'x' },
  list: [secret, [secret, { number: secret }], { cvc: CVC }],
  client_secret: secret,
  credentials: { secret_key: secret, [secret]: secret },
  settings: { note: secret },
  secret,
  text: `{"number":"${secret}"} and ${secret}, ${secret}`,
})

const headersWith = (secret: string) => ({
  'user-agent': `shop/1 (${secret})`,
  'api-version': secret,
  'x-request-id': secret.replaceAll(/[^A-Za-z0-9._-]/g, '-'),
  'idempotency-key': secret,
  'x-service-client-secret': secret,
  'x-forwarded-for': secret,
  referer: `https://shop.example/${encodeURIComponent(secret)}`,
  cookie: `session=${secret}`,
})

async function send(
  operation: string,
  secret: string,
  authorization: string,
): Promise<{ status: number; text: string }> {
  const [method = ''] = operation.split(' ')
  const { body } = OPERATIONS[operation] ?? {}
  const query = new URLSearchParams({
    filter: `name:${secret}`,
    expand: secret,
    note: secret,
    [secret]: 'x',
    number: secret,
    cvc: CVC,
  })
  const address = `${addressOf(operation, { id: () => encodeURIComponent(secret) })}?${query}`
  const init = { method, headers: { ...headersWith(secret), authorization } }
  const content = { 'content-type': 'application/json' }
  const withBody = {
    ...init,
    headers: { ...init.headers, ...content },
    body: JSON.stringify({ ...body, ...bodyWith(secret) }),
  }
  const response = await fetch(new URL(address, api.url), body === undefined ? init : withBody)
  const headers = JSON.stringify([...response.headers].filter(([name]) => name !== 'x-request-id'))
  return { status: response.status, text: `${headers}\n${await response.text()}` }
}

const WHO: [string, (secret: string) => string][] = [
  ['the merchant', () => basic(worlds.mine.projectId, worlds.mine.secretKey)],
  ['a client', () => basic(`test-${worlds.mine.projectId}`, '')],
  ['nobody', (secret) => basic(worlds.mine.projectId, secret)],
]

describe('a secret that is put into every place of a request', () => {
  test.each(Object.keys(PLANTED).flatMap((what) => WHO.map(([who]) => [what, who] as const)))(
    'is in no answer: %s, sent by %s',
    async (what, who) => {
      const secret = PLANTED[what] ?? ''
      const authorize = WHO.find(([name]) => name === who)?.[1] ?? (() => '')
      const answers = await Promise.all(Object.keys(OPERATIONS).map((each) => send(each, secret, authorize(secret))))
      for (const { status, text } of answers) {
        expect(status).toBeLessThan(500)
        // Whoever has sent a secret knows it; a security code and a number are told to nobody all the same.
        expect(findSecrets(text, { ...KNOWN, others: [] }).filter((found) => found.includes('security code'))).toEqual(
          [],
        )
      }
      // All but what may be asked with anything in its query: of a client, the two that list what is nobody's.
      expect(answers.filter(({ status }) => status < 400).length).toBeLessThan(3)
      await api.flushRequestLog()
      // Full again, and their subjects stay to be looked through.
      await api.database.orm.em.getConnection().execute('update rate_limit_bucket set theoretical_arrival_us = 0')
    },
  )

  // Once for all of them: what is found is told by its name.
  test('is in no log and no row afterwards', async () => {
    await api.flushRequestLog()
    expect(findSecrets(api.log.text(), KNOWN)).toEqual([])
    expect(await api.database.inspect(KNOWN)).toEqual([])
  })

  test('was there to be found: every request of a known caller is in the request log', async () => {
    const rows = await api.database.orm.em
      .fork()
      .count(ApiRequestEntity, { projectId: worlds.mine.projectId, sandbox: true })
    expect(rows).toBeGreaterThan(Object.keys(OPERATIONS).length * Object.keys(PLANTED).length)
  })

  test('is in no log where a statement fails on it', async () => {
    const broken = await startInterface()
    const connection = broken.database.orm.em.getConnection()
    for (const [index, secret] of Object.values(PLANTED).entries()) {
      await connection.execute(`alter table invoice add constraint planted${index} check (name <> '${secret}')`)
      const answer = await broken.merchant.client.post('/invoices', { name: secret, amount: '1.00', currency: 'EUR' })
      expect(answer).toMatchObject({ status: 500, body: { error_type: 'server.internal-error' } })
      expect(findSecrets(JSON.stringify(answer.body), KNOWN)).toEqual([])
    }
    await broken.flushRequestLog()
    expect(broken.log.text()).toContain('planted0')
    expect(findSecrets(broken.log.text(), KNOWN)).toEqual([])
    expect(await broken.database.inspect(KNOWN)).toEqual([])
    await broken.stop()
  })
})

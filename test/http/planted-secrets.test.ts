import { describe, expect, test } from '@jest/globals'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { createVault } from '../../src/vault/vault.ts'
import { findSecrets } from '../support/canary/find-secrets.ts'
import { forFile } from '../support/for-file.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { basic } from './basic.ts'
import { makeFilledProjects } from './filled-projects.ts'
import { interfaceForFile, startInterface } from './interface.ts'
import { addressOf, OPERATIONS } from './operations.ts'

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
  authorization: basic('proj_planted:a secret of somebody'),
}

const KNOWN = { numbers: [NUMBER], cvcs: [CVC], others: Object.values(PLANTED).slice(2) }

const api = interfaceForFile()
const project = forFile(async () => (await makeFilledProjects(api.database)).mine)

/** A body that no operation accepts, with every secret in each place that a body has. */
const SECRETS = Object.values(PLANTED)
const asNames = Object.fromEntries(SECRETS.map((secret) => [secret, 'as a name']))
const BODY = {
  nonsense: SECRETS,
  ...asNames,
  cvc: CVC,
  cvc2: CVC,
  card: { number: NUMBER, security_code: CVC, verification_value: CVC, holder: { notes: SECRETS } },
  source: { card: { cvv: CVC, number: SPACED } },
  metadata: { notes: SECRETS, cvc: CVC, ...asNames },
  list: [SECRETS, SECRETS.map((number) => ({ number })), { cvc: CVC }],
  client_secret: SECRETS.join(),
  credentials: { secret_key: SECRETS.join(), ...asNames },
  settings: { note: SECRETS.join() },
  secret: SECRETS.join(),
  text: SECRETS.map((secret) => `{"number":"${secret}"} and ${secret}`).join(),
}

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

const QUERY = new URLSearchParams(
  SECRETS.flatMap((secret): [string, string][] => [
    ['filter', `name:${secret}`],
    ['expand', secret],
    ['note', secret],
    [secret, 'x'],
    ['number', secret],
    ['cvc', CVC],
  ]),
)

/** Sends all secrets in the body, or else in the query, and one of them in the address and the headers. */
async function send(operation: string, secret: string, authorization: string) {
  const [method = ''] = operation.split(' ')
  const { body } = OPERATIONS[operation] ?? {}
  const address = addressOf(operation, { id: () => encodeURIComponent(secret) })
  const headers = { ...headersWith(secret), authorization, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify({ ...body, ...BODY }) }
  const url = new URL(body === undefined ? `${address}?${QUERY}` : address, api.url)
  const response = await fetch(url, { method, headers, ...sent })
  const shown = JSON.stringify([...response.headers].filter(([name]) => name !== 'x-request-id'))
  return { status: response.status, text: `${shown}\n${await response.text()}` }
}

describe('a secret that is put into every place of a request', () => {
  const isOpen = (operation: string) => OPERATIONS[operation]?.isOpenToClients === true
  const merchant = () => basic(`${project.projectId}:${project.secretKey}`)

  test.each<[string, (operation: string) => boolean, (secret: string) => string]>([
    ['the merchant', () => true, merchant],
    ['a client', isOpen, () => basic(`test-${project.projectId}:`)],
    ['somebody with a wrong key', isOpen, (secret) => basic(`${project.projectId}:${secret}`)],
  ])('is in no answer to %s', async (_, holds, authorize) => {
    const asked = Object.keys(OPERATIONS).filter(holds)
    for (const [index, operation] of asked.entries()) {
      const secret = SECRETS[index % SECRETS.length] ?? ''
      const { status, text } = await send(operation, secret, authorize(secret))
      expect([operation, status < 500]).toEqual([operation, true])
      // Whoever has sent a secret knows it; a security code is told to nobody all the same.
      const found = findSecrets(text, { ...KNOWN, others: [] })
      expect(found.filter((what) => what.includes('security code'))).toEqual([])
    }
    await api.flushRequestLog()
  })

  // Once for all of them: what is found is told by its name.
  test('is in no log and no row afterwards', async () => {
    await api.flushRequestLog()
    expect(findSecrets(api.log.text(), KNOWN)).toEqual([])
    expect(await api.database.inspect(KNOWN)).toEqual([])
  })

  test('was there to be found: every request of a known caller is in the request log', async () => {
    const rows = await api.database.orm.em
      .fork()
      .count(ApiRequestEntity, { projectId: project.projectId, sandbox: true })
    expect(rows).toBeGreaterThan(Object.keys(OPERATIONS).length)
  })

  test('is in no log where a statement fails on it', async () => {
    const broken = await startInterface()
    const connection = broken.database.orm.em.getConnection()
    // No text takes a number as it is printed.
    for (const [index, secret] of SECRETS.filter((one) => one !== SPACED).entries()) {
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

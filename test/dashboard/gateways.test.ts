import { describe, expect, test } from '@jest/globals'
import { CONNECTION_TEST_LIMIT } from '../../domain/rate-limits.ts'
import { connectionAnswer, gatewayAccountAnswer, gatewaysAnswer } from '../../src/dashboard/contract.ts'
import { GATEWAYS } from '../../src/gateways/installed.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { signedForStripe } from '../api/gateway-configurations/notifying-gateways.ts'
import { interfaceForFile } from '../http/interface.ts'
import { forFile } from '../support/for-file.ts'
import { signedInAs } from './browser.ts'

const api = interfaceForFile({ waits: { ...PRODUCTION_WAITS, connectionTestMs: 50 } })
const owner = forFile(async () => signedInAs(api, 'owner'))
const support = forFile(async () => signedInAs(api, 'support'))

const make = async (name: string, settings: object = {}, gateway = 'simulator', credentials: object = {}) => {
  const path = `/gateways/${gateway}/gateway-configurations`
  const headers = { 'idempotency-key': `make ${name}` }
  const answer = await owner.ask('POST', path, { name, settings, credentials }, headers)
  expect(answer.body).toMatchObject({ success: true })
  return answer.body.gateway_configuration.id as string
}
const accountOf = async (id: string, by = owner) => {
  const { body } = await by.get(`/dashboard/gateway-configurations/${id}`)
  return gatewayAccountAnswer.parse(body).gateway_configuration
}
const tryOut = (id: string, by = owner) => by.post(`/dashboard/gateway-configurations/${id}/test`)

test('gateways tell the fields of an account as forms show them, for their environment', async () => {
  const { gateways } = gatewaysAnswer.parse((await owner.get('/dashboard/gateways')).body)
  expect(gateways.map(({ name }) => name)).toEqual(GATEWAYS.map(({ name }) => name))
  // Of live accounts alone.
  expect(JSON.stringify(gateways)).not.toContain('liveEndpointUrlPrefix')
  const adyen = gateways.find(({ name }) => name === 'adyen')
  const fields = Object.fromEntries((adyen?.settings ?? []).map((field) => [field.name, field]))
  expect(fields).toMatchObject({
    environment: { required: true, choices: [{ value: 'test', label: { en: 'Test', de: 'Test', fr: 'Test' } }] },
    timeout_ms: { rare: true, range: { min: 1_000, max: 15_000 } },
  })
})

describe('a test of an account', () => {
  test.each([
    ['answers', {}, 'works'],
    ['refuses connections', { fault_rate: '1', faults: 'refused' }, 'not-reached'],
    ['loses answers', { fault_rate: '1', faults: 'lost' }, 'unclear'],
    ['answers too late', { delay_ms: '5000' }, 'unclear'],
  ])('at a gateway that %s says so, and is kept in the audit log', async (name, settings, result) => {
    const id = await make(name, settings)
    const answer = await tryOut(id)
    expect([answer.status, connectionAnswer.parse(answer.body).connection.result]).toEqual([200, result])
    const by = { kind: 'person', name: expect.stringMatching(/^Person/) }
    expect((await accountOf(id)).changes).toMatchObject([
      { what: 'tested', result, by, fields: [] },
      { what: 'created', result: null, by },
    ])
  })

  test('is made by those who may change it, and no oftener than a few times a minute', async () => {
    const id = await make('Limited')
    const refused = await tryOut(id, support)
    expect([refused.status, refused.body.error_type]).toEqual([403, 'request.authentication.missing-permission'])
    const statuses = []
    for (let time = 0; time <= CONNECTION_TEST_LIMIT + 1; time += 1) statuses.push((await tryOut(id)).status)
    expect(statuses).toContain(200)
    expect(statuses.at(-1)).toBe(429)
    expect((await tryOut('gway_conf_none')).status).toBe(404)
  })
})

test('an account tells of notifications that were refused, until one is proven', async () => {
  const id = await make('Refusing', {}, 'stripe', { secret_key: 'sk_test_51Refusing', webhook_secret: 'whsec_right' })
  const refused = async () => (await accountOf(id, support)).refused_notifications
  const notify = async (
    secret: string,
    payload = JSON.stringify({ id: 'evt_1', type: 'ping', data: { object: {} } }),
  ) => {
    const { body, headers } = signedForStripe(payload, secret)
    const answer = await fetch(`${api.url}/gateways/stripe/notifications/${id}`, {
      method: 'POST',
      body: body as string,
      headers,
    })
    return answer.status
  }
  expect(await refused()).toBeNull()
  expect(await notify('whsec_wrong')).toBe(400)
  expect(await refused()).toMatchObject({ times: 1, reason: 'unproven' })
  expect(await notify('whsec_right', 'no event')).toBe(400)
  expect(await refused()).toMatchObject({ times: 2, reason: 'unreadable', first_at: expect.any(String) })
  // Anybody can have one refused at an account whose address is known, but no other account tells of it.
  expect((await accountOf(await make('Beside'))).refused_notifications).toBeNull()
  expect(await notify('whsec_right')).toBe(200)
  expect(await refused()).toBeNull()
})

test('an account tells the address for notifications, and by name alone what was changed', async () => {
  const id = await make('Stripe', {}, 'stripe', { secret_key: 'sk_test_51HoldfastOfTheDashboard' })
  const changes = {
    default_currency: 'EUR',
    credentials: { webhook_secret: 'whsec_of_the_dashboard' },
    settings: { account: 'acct_ofTheDashboard' },
  }
  const headers = { 'idempotency-key': 'change' }
  expect((await owner.ask('PUT', `/gateway-configurations/${id}`, changes, headers)).status).toBe(200)
  const account = await accountOf(id, support)
  expect(account.notification_address).toBe(`${api.url}/gateways/stripe/notifications/${id}`)
  expect(account.changes).toMatchObject([
    { what: 'changed', fields: ['default_currency', 'credentials.webhook_secret', 'settings.account'] },
    { what: 'created', fields: ['credentials.secret_key'] },
  ])
  expect(JSON.stringify(account)).not.toMatch(/sk_test_|whsec_|acct_/)
  expect((await accountOf(await make('Without'))).notification_address).toBeNull()
})

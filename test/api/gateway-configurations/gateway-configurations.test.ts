import { beforeEach, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { recordCircuit } from '../../../src/persistence/queries/projects/circuits.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { findSecrets } from '../../support/canary/find-secrets.ts'
import { forFile } from '../../support/for-file.ts'
import { TEST_KEYS } from '../../support/keys.ts'

const KEY = 'sk_test_51HoldfastTestOfConfigurations'
const LIVE_KEY = 'sk_live_51HoldfastTestOfConfigurations'
const HMAC = 'ab'.repeat(32)
const ADYEN_KEY = 'AQEyhmfxK4zNah1DNQ_of_a_test'
const NOTIFICATION_KEY = 'a key of this very test'
const STRIPE = { name: 'Stripe', credentials: { secret_key: KEY } }
const ADYEN = {
  name: 'Adyen',
  credentials: { apiKey: ADYEN_KEY, hmacKey: HMAC },
  settings: { merchantAccount: 'Shop', environment: 'test', returnUrl: 'https://shop.example/return' },
}

const api = interfaceForFile()
const live = forFile(async () => api.makeMerchant({ sandbox: false }))

beforeEach(async () => {
  await api.database.orm.em.fork().execute("delete from gateway_configuration where name <> 'Simulator'")
})

const vault = createVault(TEST_KEYS)
const em = () => api.database.orm.em.fork()
const rowOf = (id: string) => em().findOneOrFail(GatewayConfigurationEntity, { id })
const count = () => em().count(GatewayConfigurationEntity)
const create = (gateway: string, fields: object, { client } = api.merchant) =>
  client.post(`/gateways/${gateway}/gateway-configurations`, fields)
const made = async (gateway: string, fields: object, merchant = api.merchant) => {
  const { status, body } = await create(gateway, fields, merchant)
  expect([status, body.message]).toEqual([200, undefined])
  return body.gateway_configuration
}
const change = (id: string, fields: object, { client } = api.merchant) =>
  client.put(`/gateway-configurations/${id}`, fields)
const invalid = (name: string, message: string | RegExp, errorType = 'request.validation.error') => ({
  status: 400,
  body: {
    success: false,
    error_type: errorType,
    invalid_fields: [{ name, message: typeof message === 'string' ? message : expect.stringMatching(message) }],
  },
})
const NOT_FOUND = { status: 404, body: { error_type: 'resource.gateway-configuration.not-found' } }

describe('a gateway configuration is not created', () => {
  test('with credentials that the gateway does not take, which the answer does not repeat', async () => {
    const before = await count()
    const answer = await create('stripe', { name: 'A', credentials: { secret_key: LIVE_KEY } })
    expect(answer).toMatchObject(invalid('credentials.secret_key', /live-mode key, and this is the sandbox/))
    expect(JSON.stringify(answer.body)).not.toContain(LIVE_KEY)
    expect(await count()).toBe(before)
  })

  const NEEDED = ['credentials.apiKey', 'settings.merchantAccount', 'settings.environment', 'settings.returnUrl']
  const LIVE_PAGE_KEY = { default_currency: 'EUX', settings: { publishable_key: 'pk_live_1' } }
  const UNFIT = { credentials: { notification_key: 'short' }, settings: { fault_rate: '2', timeout_ms: '1' } }
  test.each<[gateway: string, fields: object, names: string[]]>([
    ['stripe', {}, ['name', 'credentials.secret_key']],
    ['stripe', LIVE_PAGE_KEY, ['name', 'default_currency', 'credentials.secret_key', 'settings.publishable_key']],
    [
      'stripe',
      { name: 'A', capabilities: { partial_void: true } },
      ['credentials.secret_key', 'capabilities.partial_void'],
    ],
    ['adyen', { name: 'A', credentials: { hmacKey: 'short' } }, [...NEEDED, 'credentials.hmacKey']],
    ['simulator', UNFIT, ['name', 'credentials.notification_key', 'settings.fault_rate', 'settings.timeout_ms']],
    ['stripe', { name: 'A', credentials: 'x' }, ['credentials', 'credentials.secret_key']],
  ])('at %s with %j: the answer names everything that is wrong', async (gateway, fields, names) => {
    for (const form of [false, true]) {
      const { status, body } = await api.merchant.client.post(`/gateways/${gateway}/gateway-configurations`, fields, {
        form,
      })
      const named = body.invalid_fields.map(({ name }: { name: string }) => name)
      expect([status, named.toSorted()]).toEqual([400, names.toSorted()])
    }
  })

  test('at a gateway that is not installed', async () => {
    const body = {
      error_type: 'resource.gateway.not-found',
      message: expect.stringMatching(/simulator, stripe, adyen/),
    }
    expect(await create('nobody', { name: 'A' })).toMatchObject({ status: 404, body })
  })

  test('at the simulator in the live environment', async () => {
    expect(await create('simulator', { name: 'A' }, live)).toMatchObject(invalid('gateway', /sandbox only/))
  })

  test('as the fifty-first, in whatever race, and in each environment by itself', async () => {
    const { client } = await api.makeMerchant({ sandbox: true })
    const ask = () => create('simulator', { name: 'One of many' }, { ...api.merchant, client })
    for (let n = 1; n < 48; n += 1) expect((await ask()).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 5 }, ask))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400, 400])
    const { body } = await client.get('/gateway-configurations')
    expect(body.total_count).toBe(50)
    const [{ id }] = body.gateway_configurations
    await client.delete(`/gateway-configurations/${id}`)
    expect((await ask()).status).toBe(200)
  })
})

describe('a gateway configuration', () => {
  test('is created with its name alone where the gateway needs nothing, and is enabled', async () => {
    const configuration = await made('simulator', { name: 'Second' })
    expect(configuration).toEqual({
      id: expect.stringMatching(/^gway_conf_/),
      project_id: api.merchant.projectId,
      gateway_name: 'simulator',
      gateway: { name: 'simulator', display_name: 'Simulator', can_refund: true },
      name: 'Second',
      enabled: true,
      enabled_at: api.clock.now().toISOString(),
      draining_since: null,
      default_currency: null,
      processing_region: null,
      merchant_account_country_code: null,
      default_preferred_scheme: null,
      public_keys: {},
      metadata: {},
      sandbox: true,
      created_at: api.clock.now().toISOString(),
      credentials: {},
      settings: {},
      capabilities: {
        authorize: true,
        partial_capture: true,
        multiple_captures: true,
        partial_void: true,
        incremental_authorization: true,
        refund: true,
        partial_refund: true,
        native_3ds: true,
        currencies: null,
        schemes: null,
      },
      authorization_validity: [],
      circuit: { state: 'closed', reason: null, changed_at: null, processes: 0 },
      updated_at: api.clock.now().toISOString(),
    })
    const { body } = await api.merchant.client.get(`/gateway-configurations/${configuration.id}`)
    expect(body.gateway_configuration).toEqual(configuration)
  })

  test('tells its own open circuit, alone, in a list and after a change, and no other account tells it', async () => {
    const [sick, well] = [await made('simulator', { name: 'Sick' }), await made('simulator', { name: 'Well' })]
    const change = { gatewayConfigurationId: sick.id, state: 'open', reason: 'No answer.' } as const
    await recordCircuit(em(), { ...change, process: 'host:1', changedAt: api.clock.now() })
    const open = { state: 'open', reason: 'No answer.', changed_at: api.clock.now().toISOString(), processes: 1 }
    const { client } = api.merchant
    expect((await client.get(`/gateway-configurations/${sick.id}`)).body.gateway_configuration.circuit).toEqual(open)
    const { body } = await client.put(`/gateway-configurations/${sick.id}`, { name: 'Still sick' })
    expect(body.gateway_configuration.circuit).toEqual(open)
    const listed: { id: string; circuit: object }[] = (await client.get('/gateway-configurations')).body
      .gateway_configurations
    const circuits = Object.fromEntries(listed.map(({ id, circuit }) => [id, circuit]))
    expect(circuits[sick.id]).toEqual(open)
    expect(circuits[well.id]).toMatchObject({ state: 'closed', processes: 0 })
  })

  test('is created with all that can be said of it, in JSON and in a form', async () => {
    const fields = {
      name: 'Everything',
      enabled: false,
      default_currency: 'eur',
      processing_region: 'EEA',
      merchant_account_country_code: 'fr',
      default_preferred_scheme: 'Carte Bancaire',
      metadata: { shop: '7' },
      credentials: { secret_key: KEY, webhook_secret: 'whsec_of_this_test' },
      settings: { account: 'acct_1', publishable_key: 'pk_test_1', timeout_ms: '5000' },
      capabilities: { multiple_captures: false, currencies: ['eur', 'EUR', 'USD'], schemes: ['visa'] },
      authorization_validity: [{ scheme: 'visa', initiation: 'merchant', seconds: 410_400 }, { seconds: 500_000 }],
    }
    const json = await made('stripe', fields)
    const { body } = await api.merchant.client.post('/gateways/stripe/gateway-configurations', fields, { form: true })
    const formed = body.gateway_configuration
    expect({ ...formed, id: '' }).toEqual({ ...json, id: '' })
    const setAt = { set_at: api.clock.now().toISOString() }
    expect(json).toMatchObject({
      enabled: false,
      enabled_at: null,
      default_currency: 'EUR',
      processing_region: 'EEA',
      merchant_account_country_code: 'FR',
      default_preferred_scheme: 'carte bancaire',
      metadata: { shop: '7' },
      credentials: { secret_key: setAt, webhook_secret: setAt },
      settings: fields.settings,
      public_keys: { publishable_key: 'pk_test_1' },
      capabilities: {
        authorize: true,
        multiple_captures: false,
        partial_void: false,
        currencies: ['EUR', 'USD'],
        schemes: ['visa'],
      },
      authorization_validity: [
        { scheme: 'visa', initiation: 'merchant', seconds: 410_400 },
        { scheme: null, initiation: null, seconds: 500_000 },
      ],
    })
    for (const { id } of [json, formed]) expect(vault.decryptCredentials(await rowOf(id))).toEqual(fields.credentials)
  })

  test('is changed in what is given, and in nothing else', async () => {
    const before = await made('stripe', { ...STRIPE, default_currency: 'EUR', settings: { account: 'acct_1' } })
    const { status, body } = await change(before.id, {
      name: 'Renamed',
      default_currency: '',
      enabled: null,
      metadata: { a: 'b' },
    })
    expect(status).toBe(200)
    expect(body.gateway_configuration).toEqual({
      ...before,
      name: 'Renamed',
      default_currency: null,
      metadata: { a: 'b' },
    })
    expect(vault.decryptCredentials(await rowOf(before.id))).toEqual(STRIPE.credentials)
  })

  test('changes its credentials and settings name by name, and null takes one away', async () => {
    const { id } = await made('adyen', ADYEN)
    const first = api.clock.now().toISOString()
    api.clock.advance(60_000)
    const next = 'cd'.repeat(32)
    const rotated = await change(id, {
      credentials: { hmacKey: next, previousHmacKey: HMAC },
      settings: { recurringProcessingModel: 'Subscription' },
    })
    const second = api.clock.now().toISOString()
    expect(rotated.body.gateway_configuration).toMatchObject({
      credentials: { apiKey: { set_at: first }, hmacKey: { set_at: second }, previousHmacKey: { set_at: second } },
      settings: { ...ADYEN.settings, recurringProcessingModel: 'Subscription' },
      updated_at: second,
    })
    expect(vault.decryptCredentials(await rowOf(id))).toEqual({
      apiKey: ADYEN_KEY,
      hmacKey: next,
      previousHmacKey: HMAC,
    })
    const result = await change(id, {
      credentials: { previousHmacKey: null },
      settings: { recurringProcessingModel: null },
    })
    expect(result.body.gateway_configuration.credentials).toEqual({
      apiKey: { set_at: first },
      hmacKey: { set_at: second },
    })
    expect(result.body.gateway_configuration.settings).toEqual(ADYEN.settings)
    expect(vault.decryptCredentials(await rowOf(id))).toEqual({ apiKey: ADYEN_KEY, hmacKey: next })
  })

  test('keeps what it has where a change would leave it unusable', async () => {
    const { id } = await made('stripe', STRIPE)
    const before = await rowOf(id)
    for (const [fields, names] of [
      [{ credentials: { secret_key: null } }, ['credentials.secret_key']],
      [{ credentials: { secret_key: LIVE_KEY } }, ['credentials.secret_key']],
      [{ name: '', settings: { account: 'x' } }, ['name', 'settings.account']],
      [
        { settings: { account: 'x' }, capabilities: { partial_void: true } },
        ['settings.account', 'capabilities.partial_void'],
      ],
    ] as const) {
      const { status, body } = await change(id, fields)
      expect([status, body.invalid_fields]).toEqual([400, names.map((name) => expect.objectContaining({ name }))])
    }
    expect({ ...(await rowOf(id)) }).toEqual({ ...before })
  })

  test('takes its restrictions back name by name', async () => {
    const restricted = { refund: false, partial_capture: false, currencies: ['EUR'], schemes: ['visa'] }
    const { id } = await made('stripe', { ...STRIPE, capabilities: restricted })
    const given = { refund: true, partial_capture: null, schemes: null }
    const { body } = await change(id, { capabilities: given })
    expect(body.gateway_configuration.capabilities).toMatchObject({
      refund: true,
      partial_capture: true,
      partial_void: false,
      currencies: ['EUR'],
      schemes: null,
    })
    expect((await rowOf(id)).capabilities).toEqual({ currencies: ['EUR'] })
    // What was told can be sent back as it is.
    const again = await change(id, { capabilities: body.gateway_configuration.capabilities })
    expect(again.body.gateway_configuration.capabilities).toEqual(body.gateway_configuration.capabilities)
  })

  test('is switched off and on, and tells since when it is on', async () => {
    const { id, enabled_at: first } = await made('simulator', { name: 'Switched' })
    api.clock.advance(1000)
    expect((await change(id, { enabled: true })).body.gateway_configuration.enabled_at).toBe(first)
    const off = (await change(id, { enabled: false })).body.gateway_configuration
    expect([off.enabled, off.enabled_at]).toEqual([false, null])
    api.clock.advance(1000)
    const on = (await change(id, { enabled: true })).body.gateway_configuration
    expect([on.enabled, on.enabled_at]).toEqual([true, api.clock.now().toISOString()])
  })

  test('whose gateway is not installed any more can be read and switched off, and nothing else', async () => {
    const { id } = await made('simulator', { name: 'Left behind' })
    await em().nativeUpdate(GatewayConfigurationEntity, { id }, { gatewayName: 'gone' })
    const { body } = await api.merchant.client.get(`/gateway-configurations/${id}`)
    expect(body.gateway_configuration).toMatchObject({ gateway_name: 'gone', capabilities: null, public_keys: {} })
    expect((await change(id, { enabled: false })).status).toBe(200)
    for (const fields of [{ enabled: true }, { credentials: { secret_key: KEY } }]) {
      const refused = { status: 400, body: { error_type: 'request.validation.invalid-state' } }
      expect(await change(id, fields)).toMatchObject(refused)
    }
  })

  test('that is deleted takes nothing new and is in no list, and keeps what its payments need', async () => {
    const { id } = await made('stripe', STRIPE)
    const { client } = api.merchant
    expect((await client.delete(`/gateway-configurations/${id}`)).body).toEqual({ success: true })
    const { body } = await client.get('/gateway-configurations')
    expect(JSON.stringify(body)).not.toContain(id)
    const row = await rowOf(id)
    expect(row).toMatchObject({ enabled: false, deletedAt: api.clock.now() })
    expect(vault.decryptCredentials(row)).toEqual(STRIPE.credentials)
    const customer = await client.post('/customers', {})
    const token = await client.post(`/customers/${customer.body.customer.id}/tokens`, { gateway_configuration_id: id })
    expect(token).toMatchObject(NOT_FOUND)
  })

  test('is changed by two at once as if by one after the other', async () => {
    const { id } = await made('adyen', ADYEN)
    const names = ['recurringProcessingModel', 'cardData', 'allowPartialApproval', 'clientKey'] as const
    const values = ['Subscription', 'raw', 'true', 'test_key']
    const answers = await Promise.all([
      ...names.map((name, index) => change(id, { settings: { [name]: values[index] } })),
      change(id, { credentials: { previousHmacKey: HMAC } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const row = await rowOf(id)
    expect(row.settings).toEqual({
      ...ADYEN.settings,
      ...Object.fromEntries(names.map((name, index) => [name, values[index]])),
    })
    expect(Object.keys(vault.decryptCredentials(row))).toEqual(['apiKey', 'hmacKey', 'previousHmacKey'])
  })
})

describe('a credential', () => {
  const SECRETS = [KEY, LIVE_KEY, ADYEN_KEY, HMAC, NOTIFICATION_KEY, 'whsec_of_this_very_test_and_no_other']
  const known = { numbers: [], cvcs: [], others: SECRETS }

  test('is in no answer, log, row, audit entry or kept answer, in no form', async () => {
    const answers: string[] = []
    const keep = async (asked: Promise<{ text?: string; body: unknown; status: number }>, status: number) => {
      const answer = await asked
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.any(String)])
      answers.push(JSON.stringify(answer.body))
      return answer.body as { gateway_configuration: { id: string } }
    }
    const { client } = api.merchant
    const headers = { 'idempotency-key': 'with-credentials' }
    const path = '/gateways/stripe/gateway-configurations'
    const credentials = { secret_key: KEY, webhook_secret: SECRETS[5] }
    const { gateway_configuration: stripe } = await keep(
      client.post(path, { ...STRIPE, credentials }, { headers }),
      200,
    )
    await keep(client.post(path, { ...STRIPE, credentials }, { headers }), 200)
    await keep(client.post(path, { ...STRIPE, credentials: { secret_key: `${KEY}2` } }, { headers }), 400)
    await keep(create('adyen', ADYEN), 200)
    await keep(create('simulator', { name: 'Signed', credentials: { notification_key: NOTIFICATION_KEY } }), 200)
    await keep(change(stripe.id, { credentials: { secret_key: `${KEY}3` }, metadata: { note: 'changed' } }), 200)
    // In the wrong places, and with typing errors.
    await keep(change(stripe.id, { credentials: { secret_key: LIVE_KEY } }), 400)
    await keep(change(stripe.id, { credentials: { secretkey: KEY } }), 400)
    await keep(change(stripe.id, { credential: { secret_key: KEY } }), 400)
    await keep(change(stripe.id, { credentials: [KEY] }), 400)
    await keep(change(stripe.id, { credentials: KEY }), 400)
    await keep(change(stripe.id, { settings: { secret_key: KEY, hmacKey: HMAC } }), 400)
    await keep(change(stripe.id, { secret_key: KEY, apiKey: ADYEN_KEY, hmacKey: HMAC }), 400)
    await keep(change(stripe.id, { credentials: { [KEY]: 'as a name' } }), 400)
    await keep(client.get(`/gateway-configurations/${stripe.id}`), 200)
    await keep(client.get('/gateway-configurations?filter=gateway_name:stripe'), 200)
    await keep(client.delete(`/gateway-configurations/${stripe.id}`) as never, 200)
    await api.flushRequestLog()
    expect(findSecrets(answers.join('\n'), known)).toEqual([])
    expect(findSecrets(api.log.text(), known)).toEqual([])
    expect(await api.database.inspect(known)).toEqual([])
    // The search must have had something to look through.
    const dump = await api.database.dump()
    expect(dump).toContain('gateway-configuration.changed')
    expect(dump).toContain('/gateways/stripe/gateway-configurations')
  })

  test('is in the audit log as a name, and its change as a digest that is another one', async () => {
    const { id } = await made('stripe', STRIPE)
    const entries = async () =>
      em().execute<{ kind: string; actor: string; facts: string }[]>(
        "select kind, actor, facts from audit_entry where strpos(facts, ?) > 0 and kind like 'gateway%' order by number",
        [id],
      )
    await change(id, { credentials: { secret_key: `${KEY}4` } })
    await api.merchant.client.delete(`/gateway-configurations/${id}`)
    const found = (await entries()).map(({ kind, actor, facts }) => ({
      kind,
      by: actor.split(':')[0],
      facts: JSON.parse(facts),
    }))
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(found).toMatchObject([
      { kind: 'gateway_configuration.row-created', by: 'database', facts: { credentials_hash_digest: digest } },
      { kind: 'gateway-configuration.created', by: 'api_key', facts: { credentials: ['secret_key'] } },
      {
        kind: 'gateway-configuration.changed',
        by: 'api_key',
        facts: { changed: ['credentials'], credentials: ['secret_key'] },
      },
      { kind: 'gateway_configuration.row-changed', facts: { changes: { credentials_hash_digest: [digest, digest] } } },
      { kind: 'gateway-configuration.deleted', by: 'api_key' },
      { kind: 'gateway_configuration.row-changed', facts: { changes: { enabled: [true, false] } } },
    ])
    const [, , , { facts }] = found as never as [0, 0, 0, { facts: { changes: { credentials_hash_digest: string[] } } }]
    const [before, after] = facts.changes.credentials_hash_digest
    expect(before).not.toBe(after)
  })

  test('of one configuration does not open in another, nor does an older one in its own', async () => {
    const { id } = await made('stripe', STRIPE)
    const { id: other } = await made('stripe', { ...STRIPE, name: 'Other' })
    const older = await rowOf(id)
    await change(id, { credentials: { secret_key: `${KEY}5` } })
    const newer = await rowOf(id)
    expect(vault.decryptCredentials(newer)).toEqual({ secret_key: `${KEY}5` })
    expect(() => vault.decryptCredentials({ ...newer, id: other })).toThrow(/changed, or belongs elsewhere/)
    const { credentialsCiphertext, credentialsKeyId } = older
    expect(() => vault.decryptCredentials({ ...newer, credentialsCiphertext, credentialsKeyId })).toThrow(
      /not the ones that were set last/,
    )
  })
})

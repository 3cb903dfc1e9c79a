import { beforeEach, describe, expect, test } from '@jest/globals'
import { accountProblems, EMPTY_ACCOUNT } from '../../../src/api/gateway-configurations/account-changes.ts'
import { addedCapabilities } from '../../../src/api/gateway-configurations/capability-changes.ts'
import { readNewConfiguration } from '../../../src/api/gateway-configurations/gateway-configuration-input.ts'
import { installedGateway } from '../../../src/gateways/installed.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { IdempotencyKeyEntity } from '../../../src/persistence/entities/idempotency-key.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { rowWriter } from '../../http/row-writer.ts'
import { fixedClock } from '../../support/clock.ts'
import { forFile } from '../../support/for-file.ts'
import { countWaiting } from '../../support/held-lock.ts'
import { createHttpClient, type HttpClient } from '../../support/http-client.ts'
import { TEST_KEYS } from '../../support/keys.ts'
import { makePaymentFixture } from '../../support/payment-fixture.ts'
import { createSignedActivities } from '../../support/signed-activities.ts'
import { waitFor } from '../../support/wait-for.ts'
import { expectRefused, jsonBody, refusalOf } from '../refusals.ts'

const KEY = 'sk_test_51HoldfastTestOfTheExchange'
const OTHER_KEY = 'sk_test_51AnotherAccountAltogether'
const ELSEWHERE = { settings: { account: 'acct_2' } }

/** As a new configuration is made of a request, in the sandbox. */
const create = (gatewayName: string, fields: Record<string, unknown>, sandbox = true) => {
  const gateway = installedGateway(gatewayName)
  if (gateway === undefined) throw new Error(`There is no gateway ${gatewayName}.`)
  const deps = { vault: createVault(TEST_KEYS), clock: fixedClock() }
  const row = { id: 'gway_conf_1', sandbox, ...EMPTY_ACCOUNT }
  return readNewConfiguration(jsonBody({ name: 'A', ...fields }), (given) => [
    ...accountProblems(deps, gateway, row, given),
    ...addedCapabilities(gateway.capabilities, given),
  ])
}

describe('an account is refused', () => {
  const LIVE_KEY = 'sk_live_51HoldfastTestOfTheExchange'
  const HMAC = 'ab'.repeat(32)
  const LIVE_HOSTS = { environment: 'live', liveEndpointUrlPrefix: 'a-b' }
  const stripe = (credentials: object, fields: object = {}) => ({ credentials, ...fields })
  const adyen = (hmacKey: string, settings: object = {}) => ({
    credentials: { apiKey: 'AQEyhmfxK4zNah1DNQ_of_a_test', hmacKey },
    settings: { merchantAccount: 'Shop', environment: 'test', returnUrl: 'https://shop.example/return', ...settings },
  })

  test.each<[gateway: string, fields: Record<string, unknown>, name: string, message: RegExp]>([
    ['simulator', { settings: { delay_p50_ms: '5' } }, 'settings.delay_p99_ms', /go together/],
    ['stripe', {}, 'credentials.secret_key', /^is missing$/],
    ['stripe', stripe({ secret_key: '' }), 'credentials.secret_key', /empty/],
    ['stripe', stripe({ secret_key: 'pk_test_x' }), 'credentials.secret_key', /no secret key of Stripe/],
    ['stripe', stripe({ secret_key: LIVE_KEY }), 'credentials.secret_key', /live-mode key, and this is the sandbox/],
    ['stripe', stripe({ secret_key: 'rk_live_x' }), 'credentials.secret_key', /live-mode/],
    ['stripe', stripe({ secret_key: KEY, webhook_secre: 'x' }), 'credentials.webhook_secre', /one is webhook_secret/],
    ['stripe', stripe({ secret_key: KEY, account: 'a' }), 'credentials.account', /send it as settings.account/],
    ['stripe', stripe({ secret_key: `${KEY}\nX-Other: 1` }), 'credentials.secret_key', /printable/],
    [
      'stripe',
      stripe({ secret_key: KEY }, { settings: { secret_key: KEY } }),
      'settings.secret_key',
      /send it as credentials.secret_key/,
    ],
    [
      'stripe',
      stripe({ secret_key: KEY }, { settings: { timeout_ms: '15001' } }),
      'settings.timeout_ms',
      /1000 to 15000/,
    ],
    [
      'stripe',
      stripe({ secret_key: KEY }, { capabilities: { partial_void: true } }),
      'capabilities.partial_void',
      /cannot be added/,
    ],
    ['adyen', adyen(HMAC, LIVE_HOSTS), 'settings.environment', /must be test in the sandbox environment/],
    ['adyen', adyen(HMAC.slice(1)), 'credentials.hmacKey', /64/],
  ])('at %s with %j: %s', (gateway, fields, name, message) => {
    expectRefused(() => create(gateway, fields), name, 'error', message)
    const shown = JSON.stringify(refusalOf(() => create(gateway, fields)).invalidFields)
    for (const secret of [KEY, LIVE_KEY, HMAC]) expect(shown).not.toContain(secret)
  })

  test.each([
    [
      'stripe',
      stripe({ secret_key: KEY }),
      'credentials.secret_key',
      /test-mode key, and this is the live environment/,
    ],
    [
      'adyen',
      adyen(HMAC, { ...LIVE_HOSTS, environment: 'test' }),
      'settings.environment',
      /must be live in the live environment/,
    ],
    ['simulator', {}, 'gateway', /sandbox only/],
  ])('in the live environment at %s with %j', (gateway, fields, name, message) => {
    expectRefused(() => create(gateway, fields, false), name, 'error', message)
  })
})

const api = interfaceForFile({ allowPrivateWebhookTargets: true })
const em = () => api.database.orm.em.fork()

describe('a change of an account with something open there', () => {
  const rows = forFile(async () => rowWriter(api, api.merchant))
  let count = 100
  let stripe: string
  let other: string
  const make = async (name: string) => {
    const { body } = await api.merchant.client.post('/gateways/stripe/gateway-configurations', {
      name,
      credentials: { secret_key: KEY },
    })
    return String(body.gateway_configuration.id)
  }
  beforeEach(async () => {
    stripe = await make('Stripe')
    other = await make('Other')
  })

  const change = (fields: object) => api.merchant.client.put(`/gateway-configurations/${stripe}`, fields)
  const IN_FLIGHT = { amountMinor: 2900, isFinal: true, begunAt: 0, isAbandoned: false, reverses: null }
  const ORPHAN = { gatewayAuthorizationId: 'pi_1', amountMinor: 2900, reason: 'late_approval' }

  /** A payment at an account with one attempt, and what else its rows say. */
  const pay = async (
    fields: (attempt: string) => object,
    { at = stripe, result }: { at?: string; result?: 'pending' | 'unknown' } = {},
  ): Promise<string> => {
    count += 1
    const [invoiceId, id, attempt] = [`iv_${count}`, `tr_${count}`, `tr_op_${count}`]
    await rows.invoice(invoiceId)
    const account = { gatewayConfigurationId: at }
    await rows.transaction(id, invoiceId, { ...account, gatewayName: 'stripe', ...fields(attempt) })
    await rows.operation(attempt, id, { ...account, type: 'capture', isAttempt: true, outcome: null })
    if (result !== undefined)
      await rows.operation(`${attempt}_r`, id, {
        ...account,
        type: 'capture',
        isAttempt: false,
        attemptOperationId: attempt,
        outcome: result,
      })
    return invoiceId
  }
  const capture =
    (values: object = {}) =>
    (operationId: string) => ({
      status: 'pending-capture',
      attemptsInFlight: [{ ...IN_FLIGHT, operationId, type: 'capture', ...values }],
    })
  const CAPTURED = { status: 'completed', capturedMinor: 2900 }

  const SITUATIONS: Record<string, () => Promise<unknown>> = {
    'a call without an answer': () => pay(capture(), { result: 'unknown' }),
    'a call that has just begun': () => pay(capture()),
    'a late approval that is to be released': () =>
      pay((operationId) => ({ ...CAPTURED, orphans: [{ ...ORPHAN, operationId }] }), { result: 'pending' }),
    'a call that the gateway has confirmed as pending': () => pay(capture(), { result: 'pending' }),
    'a call whose case staff have closed': () =>
      pay((operationId) => ({ ...CAPTURED, ...capture({ isAbandoned: true })(operationId), status: 'completed' })),
    'money that is reserved': () => pay(() => ({})),
    'nothing but what has ended': () => pay(() => CAPTURED),
    'a call without an answer at another account': () => pay(capture(), { at: other, result: 'unknown' }),
  }
  const OTHER_ACCOUNT = { settings: { account: 'acct_2' } }
  const NEXT_KEY = { credentials: { secret_key: OTHER_KEY } }
  const HARMLESS = {
    name: 'Stripe 2',
    enabled: false,
    credentials: { secret_key: KEY, webhook_secret: 'whsec_2' },
    settings: { multicapture: 'never', timeout_ms: '9000' },
  }

  test.each<[situation: string, account: number, key: number]>([
    ['a call without an answer', 409, 409],
    ['a call that has just begun', 409, 409],
    ['a late approval that is to be released', 409, 409],
    ['a call that the gateway has confirmed as pending', 409, 200],
    ['a call whose case staff have closed', 409, 200],
    ['money that is reserved', 409, 200],
    ['nothing but what has ended', 200, 200],
    ['a call without an answer at another account', 200, 200],
  ])('with %s: another account is %d, another key %d, and what names no account is 200', async (name, account, key) => {
    await SITUATIONS[name]?.()
    const before = await em().findOneOrFail(GatewayConfigurationEntity, { id: stripe })
    expect((await change(HARMLESS)).status).toBe(200)
    expect((await em().findOneOrFail(GatewayConfigurationEntity, { id: stripe })).accountVersion).toBe(
      before.accountVersion,
    )
    expect((await change(NEXT_KEY)).status).toBe(key)
    expect((await change(OTHER_ACCOUNT)).status).toBe(account)
    const after = await em().findOneOrFail(GatewayConfigurationEntity, { id: stripe })
    expect(after.settings.account).toBe(account === 200 ? 'acct_2' : undefined)
    expect(after.accountVersion - before.accountVersion).toBe(Number(key === 200) + Number(account === 200))
  })

  test('says what is open, five invoices at most, and changes nothing of what came with it', async () => {
    const invoices = [await pay(capture()), await pay(capture())]
    const refused = await change({ ...NEXT_KEY, name: 'Changed' })
    expect(refused).toMatchObject({ status: 409, body: { error_type: 'request.configuration.in-use' } })
    expect(refused.body.message).toContain('credentials.secret_key cannot be changed now')
    expect(refused.body.message).toContain(invoices.join(', '))
    for (let more = 0; more < 4; more += 1) invoices.push(await pay(() => ({})))
    const { message } = (await change(OTHER_ACCOUNT)).body
    expect(message).toContain(`${invoices.slice(0, 5).join(', ')} and others`)
    expect(message).not.toContain(`${invoices[5]},`)
    const { name } = await em().findOneOrFail(GatewayConfigurationEntity, { id: stripe })
    expect(name).toBe('Stripe')
  })
})

describe('an attempt and a change of its account that meet', () => {
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
  let client: HttpClient
  let id: string

  beforeEach(async () => {
    fixture = await makePaymentFixture(api.database)
    client = createHttpClient(api.url, { username: fixture.projectId, password: fixture.secretKey })
    const { id: own } = await em().findOneOrFail(GatewayConfigurationEntity, { projectId: fixture.projectId })
    id = own
  })

  const isWaitingForALock = () => countWaiting(api.database.orm)

  test('the change waits for an attempt that is being written, and is refused', async () => {
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    const { payment } = await createSignedActivities(fixture.deps).authorize(step)
    expect(payment.status).toBe('authorized')
    await em().nativeUpdate(TransactionEntity, { invoiceId }, { voidedMinor: 2900, status: 'voided' })

    const writing = em()
    await writing.begin()
    const { operationId } = fixture.captureCommand()
    await writing.execute(
      `insert into operation (id, project_id, sandbox, transaction_id, type, is_attempt, has_failed, is_accountable,
         amount_minor, currency, gateway_configuration_id, account_version, actor, created_at)
       select ?, project_id, sandbox, id, 'capture', true, false, false, 2900, 'EUR', ?, 1, 'merchant', now()
         from transaction where invoice_id = ?`,
      [operationId, id, invoiceId],
    )
    await writing.execute('update transaction set attempts_in_flight = ?::jsonb where invoice_id = ?', [
      JSON.stringify([{ operationId, type: 'capture', isAbandoned: false }]),
      invoiceId,
    ])
    const change = client.put(`/gateway-configurations/${id}`, ELSEWHERE)
    await waitFor(isWaitingForALock)
    await writing.commit()
    expect(await change).toMatchObject({ status: 409, body: { error_type: 'request.configuration.in-use' } })
  })

  test('an attempt that has read the account before is not written after the change, and goes to the new one', async () => {
    const invoiceId = await fixture.makeInvoice()
    const command = fixture.authorizeCommand(await fixture.makeCard(), {
      idempotency: { id: 'e'.repeat(64), requestHash: 'f'.repeat(64), requestId: 'req_1' },
    })
    const activities = createSignedActivities(fixture.deps)
    // Its key is being claimed by somebody else, which it learns after it has read the account.
    const claiming = em()
    await claiming.begin()
    await claiming.insert(IdempotencyKeyEntity, {
      projectId: fixture.projectId,
      sandbox: true,
      id: 'e'.repeat(64),
      requestHash: 'f'.repeat(64),
      createdAt: new Date(),
    })
    const first = activities.authorize(fixture.step(invoiceId, command)).then(
      () => 'written',
      (error: Error) => error.message,
    )
    await waitFor(isWaitingForALock)
    expect((await client.put(`/gateway-configurations/${id}`, ELSEWHERE)).status).toBe(200)
    await claiming.rollback()
    expect(await first).toMatch(/database refused/)
    expect(await em().count(OperationEntity, { id: command.operationId })).toBe(0)

    // Temporal runs the step again.
    await activities.authorize(fixture.step(invoiceId, command))
    expect(await em().findOneOrFail(OperationEntity, { id: command.operationId })).toMatchObject({ accountVersion: 2 })
  })
})

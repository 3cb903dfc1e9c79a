import { beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { findLostOperations } from '../../src/books/lost-operations.ts'
import { createStripeGateway } from '../../src/gateways/stripe/adapter.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { startAdyenStandIn } from '../../stand-ins/adyen/adyen.ts'
import { startStripeStandIn } from '../../stand-ins/stripe/stripe.ts'
import { PLAIN_PAYMENT } from '../gateways/contract-authentication.ts'
import { openForFile } from '../support/for-file.ts'
import type { HttpClient } from '../support/http-client.ts'
import { seededRandomBytes } from '../support/random.ts'
import { actsOn } from './acts.ts'
import { adminStageForFile } from './stage.ts'

const stage = adminStageForFile()
const stripe = openForFile(() => startStripeStandIn())
const adyen = openForFile(() => startAdyenStandIn())
const randomBytes = seededRandomBytes('recovery')
const SINCE = ['--since', new Date().toISOString()] as const
const WHY = ['--book', '--reason', 'disk of 29 November'] as const
const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2030, name: null, cvc: null }

let projectId: string
let client: HttpClient
let accountId: string

beforeAll(async () => {
  process.env.SANDBOX_STRIPE_URL = stripe.url
  ;({ projectId, client } = await stage.createProject('Recovering shop'))
  const account = { name: 'Stripe', ...stripe.model.account }
  accountId = (await client.post('/gateways/stripe/gateway-configurations', account)).body.gateway_configuration.id
})

const recover = (...args: string[]) =>
  stage.admin('books', 'recover', projectId, '--gateway-configuration', accountId, ...SINCE, ...args)
const jsonOf = ({ stdout }: { stdout: string }) =>
  stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

async function makeInvoice(amount = '29.00'): Promise<string> {
  return (await client.post('/invoices', { name: 'Order', amount, currency: 'EUR' })).body.invoice.id
}

/** What the service did at Stripe before its database was set back. */
async function payAtStripe(invoiceId: string, { captures = [] as number[], refund = 0, releases = false } = {}) {
  const gateway = createStripeGateway({ baseUrl: stripe.url })
  const signal = AbortSignal.timeout(10_000)
  const access = { ...stripe.model.account, gatewayConfigurationId: accountId }
  const request = (amountMinor: number) => {
    return { ...access, reference: makeIdentifier('operation', randomBytes), invoiceId, amountMinor, currency: 'EUR' }
  }
  const approved = await gateway.authorize({ ...PLAIN_PAYMENT, ...request(2900), card: CARD }, signal)
  if (approved.kind !== 'approved') throw new Error(`Not authorized: ${approved.kind}`)
  const on = { gatewayAuthorizationId: approved.gatewayOperationId }
  for (const [index, amount] of captures.entries())
    await gateway.capture({ ...request(amount), ...on, isFinal: index === captures.length - 1 }, signal)
  if (refund > 0) await gateway.refund({ ...request(refund), ...on }, signal)
  if (releases) await gateway.void({ ...request(2900), ...on }, signal)
}

const columnsOf = async (invoiceId: string) => {
  const { status, authorizedMinor, capturedMinor, voidedMinor, refundedMinor } = await stage.api.database.orm.em
    .fork()
    .findOneOrFail(TransactionEntity, { invoiceId })
  return { status, authorizedMinor, capturedMinor, voidedMinor, refundedMinor }
}

/** The projects that have an invoice. */
const recoveredOf = async (id: string) =>
  (await stage.api.database.orm.em.fork().find(InvoiceEntity, { id })).map((invoice) => invoice.projectId)

describe('books recover', () => {
  test('refuses what it cannot use, and asks for a reason before it books', async () => {
    for (const [args, sentence] of [
      [[projectId], 'Say with --since INSTANT'],
      [[projectId, '--since', 'yesterday'], '--since is an instant with its offset'],
      [[projectId, ...SINCE, '--until', '2020-01-01T00:00:00Z'], '--since is not before --until.'],
      [[projectId, ...SINCE, '--book'], '--reason TEXT'],
    ] as const)
      expect(await stage.admin('books', 'recover', ...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(sentence),
      })
    expect(await stage.admin('books', 'recover', 'proj_none', ...SINCE)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('proj_none has no gateway configuration'),
    })
  })

  test('shows what Stripe has and the record lost, changes nothing, books it once with its reason, and then finds nothing', async () => {
    const known = await makeInvoice()
    const lost = makeIdentifier('invoice', randomBytes)
    const released = await makeInvoice()
    await payAtStripe(known, { captures: [700, 900], refund: 300 })
    await payAtStripe(lost, { captures: [2900] })
    await payAtStripe(released, { releases: true })
    const ledger = [...stripe.ledger.entries]
    const before = await stage.api.database.dump()

    const shown = await recover()
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(
      new RegExp(`^${projectId} sandbox stripe ${accountId}: 8 operations listed, 8 of them lost, 0 not of`, 'm'),
    )
    expect(shown.stdout).toMatch(new RegExp(`^${known} +captured EUR 9.00 +20.* UTC +not paid +yes$`, 'm'))
    expect(shown.stdout).toMatch(new RegExp(`^${lost} +authorized EUR 29.00 +20.* UTC +no such invoice +yes$`, 'm'))
    expect(shown.stdout).toMatch(new RegExp(`^${released} +released EUR 29.00 +20.* UTC +not paid +yes$`, 'm'))
    expect(await stage.api.database.dump()).toBe(before)

    const booked = await recover(...WHY, '--json')
    expect(
      jsonOf(booked).map(({ invoice_id, type, amount, result, problem }) => [
        invoice_id,
        type,
        amount,
        result,
        problem,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [known, 'refund', '3.00', 'booked', null],
        [lost, 'capture', '29.00', 'booked', null],
        [released, 'void', '29.00', 'booked', null],
      ]),
    )
    expect(await columnsOf(known)).toEqual({
      status: 'partially-refunded',
      authorizedMinor: 2900,
      capturedMinor: 1600,
      voidedMinor: 1300,
      refundedMinor: 300,
    })
    expect(await columnsOf(lost)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    expect(await columnsOf(released)).toMatchObject({ status: 'voided', voidedMinor: 2900 })
    // The merchant finds it by its id, and can go on with it.
    expect((await client.get(`/invoices/${lost}`)).body.invoice).toMatchObject({
      name: 'Recovered payment',
      amount: '29.00',
      currency: 'EUR',
    })
    expect(stripe.ledger.entries).toEqual(ledger)
    const acts = (await actsOn(stage, projectId)).filter(({ kind }) => kind === 'payment.recovered')
    expect(acts).toHaveLength(3)
    expect(acts).toContainEqual({
      kind: 'payment.recovered',
      sandbox: true,
      actor: expect.stringMatching(/^operator:./),
      facts: {
        invoice_id: lost,
        gateway_configuration_id: accountId,
        operation_ids: [expect.any(String), expect.any(String)],
        reason: 'disk of 29 November',
      },
    })
    expect((await stage.admin('audit', 'verify', projectId)).code).toBe(0)

    const after = await stage.api.database.dump()
    expect((await recover(...WHY)).stdout).toContain('8 operations listed, 0 of them lost')
    expect(await stage.api.database.dump()).toBe(after)
  })

  test('finds what was done of a payment that the record knows in part, also where it was authorized before', async () => {
    const invoiceId = await makeInvoice()
    await payAtStripe(invoiceId)
    expect((await recover(...WHY)).stdout).toMatch(new RegExp(`^${invoiceId} +authorized .* not paid +yes$`, 'm'))
    const [intent] = stripe.books.of(invoiceId)
    stripe.books.expire(String(intent?.id))
    // A month ago, as far as the list of PaymentIntents knows.
    if (intent !== undefined) intent.madeAt -= 30 * 24 * 60 * 60 * 1_000
    expect((await recover()).stdout).toMatch(new RegExp(`^${invoiceId} +released EUR 29.00 .* authorized +yes$`, 'm'))
    expect(jsonOf(await recover(...WHY, '--json'))).toMatchObject([
      { invoice_id: invoiceId, record: 'authorized', result: 'booked' },
    ])
    expect(await columnsOf(invoiceId)).toMatchObject({ status: 'voided' })
  })

  test('books nothing of an invoice of another project, nor what is none of its own, and says so', async () => {
    const other = await stage.createProject('Another shop')
    const foreign = (await other.client.post('/invoices', { name: 'Order', amount: '29.00', currency: 'EUR' })).body
      .invoice.id
    await payAtStripe(foreign, { captures: [2900] })
    await payAtStripe('order 17')
    const before = await stage.api.database.dump()
    const { stdout } = await recover(...WHY)
    expect(stdout).toContain('2 of them lost, 1 not of this service')
    expect(stdout).toMatch(new RegExp(`^${foreign} +captured .* no: The invoice belongs to another project.$`, 'm'))
    expect(await stage.api.database.dump()).toBe(before)
  })

  test('waits while the gateway allows no more calls, and tells that Adyen has no list', async () => {
    stripe.faults.set([{ name: 'throttled', on: 'list', count: 1 }])
    expect(await recover('--json')).toMatchObject({ code: 0 })
    const made = await client.post('/gateways/adyen/gateway-configurations', { name: 'Adyen', ...adyen.model.account })
    expect(made.status).toBe(200)
    const { code, stdout } = await stage.admin('books', 'recover', projectId, ...SINCE)
    expect(code).toBe(0)
    expect(stdout).toMatch(/ sandbox adyen gway_conf_\w+: its gateway has no list of payments; .*docs\/books\.md/m)
    expect(stdout).toMatch(/ sandbox simulator gway_conf_\w+: 0 operations listed/m)
  })

  test('goes through all projects, and past an account that cannot be read, which it names at the end', async () => {
    const { client: other } = await stage.createProject('Shop of a lost key')
    const credentials = { ...stripe.model.account.credentials, secret_key: 'sk_test_of_another' }
    const made = await other.post('/gateways/stripe/gateway-configurations', { name: 'Stripe', credentials })
    const { id } = made.body.gateway_configuration
    const { code, stdout, stderr } = await stage.admin('books', 'recover', ...SINCE)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`does not list what ${id} has done: Stripe told nothing`),
    ])
    expect(stdout).toContain(`${projectId} sandbox stripe ${accountId}: `)
    expect(stdout.match(/ sandbox simulator gway_conf_\w+: 0 operations/g)?.length).toBeGreaterThanOrEqual(3)
  })

  test('leaves what the record has lost wholly and two projects list, until the project is named', async () => {
    const { projectId: otherId, client: other } = await stage.createProject('Shop with the same account')
    await other.post('/gateways/stripe/gateway-configurations', { name: 'Stripe', ...stripe.model.account })
    // The same account once more: one project may have it twice.
    await client.post('/gateways/stripe/gateway-configurations', { name: 'Again', ...stripe.model.account })
    const invoiceId = makeIdentifier('invoice', randomBytes)
    await payAtStripe(invoiceId, { captures: [2900] })
    const { stdout } = await stage.admin('books', 'recover', ...SINCE, ...WHY)
    expect(stdout.match(new RegExp(`^${invoiceId} .* no: Accounts of several projects list it`, 'gm'))).toHaveLength(6)
    expect(await recoveredOf(invoiceId)).toEqual([])
    expect(await stage.admin('books', 'recover', projectId, ...SINCE, ...WHY)).toMatchObject({ code: 0, stderr: '' })
    expect(await recoveredOf(invoiceId)).toEqual([projectId])
    expect(await columnsOf(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    await stage.admin('books', 'recover', otherId, ...SINCE, ...WHY)
    expect(await recoveredOf(invoiceId)).toEqual([projectId])
  })

  test('dates a capture by the newest change, however often the gateway’s pages tell of it', async () => {
    const invoiceId = makeIdentifier('invoice', randomBytes)
    const reference = makeIdentifier('operation', randomBytes)
    const capture = {
      ...({ type: 'capture', reference, invoiceId, gatewayAuthorizationId: 'pi_1', isFinal: false } as const),
      ...{ amountMinor: 500, currency: 'EUR' },
    }
    const list = async ({ cursor }: { cursor: string | null }) => ({
      kind: 'page' as const,
      operations: [{ ...capture, at: cursor === null ? 2_000 : 1_000 }],
      next: cursor === null ? 'older' : null,
    })
    const access = { gatewayConfigurationId: accountId, credentials: {}, settings: {} }
    const asked = { list, access, owner: { projectId, sandbox: true }, span: { from: new Date(0), until: new Date() } }
    const found = await findLostOperations(stage.api.database, asked, () => undefined)
    expect(found).toMatchObject({ listed: 1, lost: [{ operations: [{ at: 2_000 }] }] })
  })

  test('gives up with the gateway’s own words where it does not answer again and again', async () => {
    let asked = 0
    const list = async () => {
      asked += 1
      return { kind: 'unreachable' as const, reason: 'Stripe told nothing: api_key_expired.' }
    }
    const access = { gatewayConfigurationId: accountId, credentials: {}, settings: {} }
    const owner = { projectId, sandbox: true }
    const span = { from: new Date(0), until: new Date() }
    const { orm } = stage.api.database
    await expect(
      findLostOperations({ orm, waitsMs: [0, 0] }, { list, access, owner, span }, () => undefined),
    ).rejects.toThrow(`The gateway does not list what ${accountId} has done: Stripe told nothing: api_key_expired.`)
    expect(asked).toBe(3)
  })
})

import { describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { challenge, continuation } from '../support/bank.ts'
import { TEST_CARD } from '../support/card-data.ts'
import { forFile } from '../support/for-file.ts'
import { type Answer, createHttpClient, type HttpClient } from '../support/http-client.ts'
import { stackForFile } from '../support/stack-for-file.ts'

const CHALLENGED = '4000000000000101'

const stack = stackForFile()
/** A page of the merchant: it knows the id of the project, and what the merchant's server has told it. */
const page = forFile(async () =>
  createHttpClient(stack.baseUrl, { username: `test-${stack.project.id}`, password: '' }),
)

const createCard = async (number = CHALLENGED): Promise<string> => {
  const { body } = await page.post('/cards', { number, exp_month: '12', exp_year: '2030', cvc2: TEST_CARD.cvc })
  return body.card.id
}
/** A payment of a page that waits for its customer. */
const begin = async (invoice: object = {}, options: object = {}) => {
  const [{ id }, source] = await Promise.all([stack.createInvoice(invoice), createCard()])
  const call = (more: object = {}, verb = 'authorize', client: HttpClient = page): Promise<Answer> =>
    client.post(`/invoices/${id}/${verb}`, { source, ...options, ...more })
  const answer = await call()
  return { id: String(id), source, call, answer, value: String(answer.body.customer_action?.value) }
}
const authorizationsOf = async (id: string) =>
  (await stack.gatewayRequests(id)).filter(({ type }) => type === 'authorization').length
const capturesOf = async (id: string) =>
  (await stack.gatewayRequests(id)).filter(({ type }) => type === 'capture').length
const transactionOf = async (id: string) =>
  (await stack.get(`/invoices/${id}?expand=transaction.operations`)).body.invoice.transaction
const INVALID_SOURCE = { status: 400, body: { error_type: 'request.source.invalid' } }

describe('a continuation', () => {
  test('of another invoice is refused, and both can still be paid', async () => {
    const [one, other] = await Promise.all([begin(), begin()])
    const source = await challenge(one.value, '1234')
    expect(await other.call({ source })).toMatchObject(INVALID_SOURCE)
    expect((await transactionOf(other.id)).status).toBe('waiting')
    expect((await one.call({ source })).body.outcome).toBe('success')
    const own = await challenge(other.value, '1234')
    expect((await other.call({ source: own })).body.outcome).toBe('success')
  })

  test.each([
    ['elsewhere', () => 'https://evil.example/'],
    ['inside', () => 'http://127.0.0.1:1/internal'],
    ['of the bank itself', () => `${stack.baseUrl}/simulator/bank/sim_step_${'0'.repeat(32)}`],
    ['of an action that there never was', (value: string) => value.replace(/act_.*/, `act_${'0'.repeat(32)}`)],
    ['with more behind it', (value: string) => `${value}?token=test-valid`],
  ])('with an address %s is refused and fetched by nobody', async (_, urlOf) => {
    const { id, call, value } = await begin()
    const url = urlOf(value)
    // Only the word of the simulator's own tests is something else, which it refuses beside another source.
    const refused = url.includes('test-valid')
      ? { status: 410, body: { error_type: 'card.pending-3ds' } }
      : INVALID_SOURCE
    expect(await call({ source: continuation({ url }) })).toMatchObject(refused)
    expect(await transactionOf(id)).toMatchObject({ status: 'waiting', authorized_amount: '0.00' })
    expect(await authorizationsOf(id)).toBe(1)
  })

  test('with a result that the customer has made up charges nothing', async () => {
    const { id, call, value } = await begin()
    const body = 'cres=eyJ0cmFuc1N0YXR1cyI6IlkifQ'
    expect(await call({ source: continuation({ url: value, body }) })).toMatchObject({
      status: 200,
      body: { outcome: 'pending', transaction: { status: 'waiting' } },
    })
    expect(await transactionOf(id)).toMatchObject({ status: 'waiting', authorized_amount: '0.00' })
  })

  test('twenty times at once goes on once', async () => {
    const { id, call, value } = await begin({}, { authorize_only: false })
    const source = await challenge(value, '1234')
    const answers = await Promise.all(Array.from({ length: 20 }, () => call({ source })))
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 200) expect(['success', 'pending']).toContain(body.outcome)
    }
    await stack.waitFor(async () => (await transactionOf(id)).status === 'completed')
    expect([await authorizationsOf(id), await capturesOf(id)]).toEqual([1, 1])
    const { operations } = await transactionOf(id)
    expect(operations.filter(({ type }: { type: string }) => type === 'three_d_s_check')).toHaveLength(2)
  })
})

describe('while the customer authenticates', () => {
  test('neither amount nor currency nor lines can be changed, and nothing else takes its money', async () => {
    const { id, call, value } = await begin({ incremental: true })
    for (const change of [{ amount: '1.00' }, { currency: 'USD' }, { return_url: 'https://evil.example/' }])
      expect(await stack.put(`/invoices/${id}`, change)).toMatchObject({
        status: 400,
        body: { error_type: 'request.validation.invalid-state' },
      })
    expect((await stack.delete(`/invoices/${id}`)).status).toBe(400)
    for (const [verb, body] of [
      ['capture', {}],
      ['capture', { capture_amount: '1.00' }],
      ['increment_authorization', { amount: '5.00' }],
    ] as const)
      expect(await stack.post(`/invoices/${id}/${verb}`, body)).toMatchObject({
        status: 409,
        body: { error_type: 'request.still-processing' },
      })
    const source = await challenge(value, '1234')
    expect((await call({ source })).body.transaction).toMatchObject({ authorized_amount: '29.00', currency: 'EUR' })
    expect(
      (await stack.post(`/invoices/${id}/increment_authorization`, { amount: '5.00' })).body.transaction,
    ).toMatchObject({ authorized_amount: '34.00', incremented_amount: '5.00' })
  })

  test('an amount or a capture that comes with the answer does not count', async () => {
    const { id, call, value } = await begin()
    const source = await challenge(value, '1234')
    const more = { source, authorize_only: false, incremental: true, save_source: false }
    expect(await call(more)).toMatchObject({ status: 200, body: { transaction: { status: 'authorized' } } })
    expect([await capturesOf(id), (await transactionOf(id)).incremental]).toEqual([0, false])
  })
})

describe('a caller who is somebody else', () => {
  const stranger = async (sandbox: boolean) => {
    const { projectId } = await createProject(stack.database.orm.em.fork(), {
      name: 'Other',
      sandbox,
      randomBytes: (size) => new Uint8Array(size).map(() => Math.floor(Math.random() * 256)),
      hashSecret: stack.vault.hashSecret,
      now: stack.clock.now(),
    })
    return projectId
  }

  test('of another project does not find the invoice, and its own invoice does not take the continuation', async () => {
    const { value, call } = await begin()
    const source = await challenge(value, '1234')
    const projectId = await stranger(true)
    const other = createHttpClient(stack.baseUrl, { username: `test-${projectId}`, password: '' })
    expect((await call({ source }, 'authorize', other)).status).toBe(404)
    const live = createHttpClient(stack.baseUrl, { username: stack.project.id, password: '' })
    expect([401, 404]).toContain((await call({ source }, 'authorize', live)).status)
    const invoiceId = makeIdentifier('invoice', (size) => new Uint8Array(size))
    expect((await other.post(`/invoices/${invoiceId}/authorize`, { source })).status).toBe(404)
    expect((await call({ source })).body.outcome).toBe('success')
  })

  test('without the client secret stores no source, neither at the start nor with the answer', async () => {
    const { body } = await stack.post('/customers')
    const customer = { customer_id: body.customer.id }
    const { id: invoiceId } = await stack.createInvoice(customer)
    const source = await createCard()
    const wrong = { status: 401, body: { error_type: 'request.authentication.invalid' } }
    const pay = (more: object) => page.post(`/invoices/${invoiceId}/authorize`, { source, save_source: true, ...more })
    expect(await pay({})).toMatchObject(wrong)
    expect(await pay({ client_secret: stack.vault.clientSecretOf('iv_other') })).toMatchObject(wrong)
    expect((await page.get(`/invoices/${invoiceId}`)).body.invoice.status).toBe('pending')
    const { call, value } = await begin(customer)
    const back = await challenge(value, '1234')
    expect(await call({ source: back, save_source: true })).toMatchObject(wrong)
    expect(await call({ source: back })).toMatchObject({ status: 200, body: { customer_token_id: null } })
  })
})

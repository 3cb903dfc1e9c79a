import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory } from '../support/story.ts'

/** What two addresses refuse alike, tried on each of them. */
let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())

const requestsOf = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).map(({ type }) => type)

describe.each(['authorize', 'capture'])('POST /invoices/:id/%s', (verb) => {
  /** Expects a refusal that names its field, before which nothing was begun. */
  async function expectRefused(status: number, errorType: string, fields: object, invoice: object = {}) {
    const { id } = await stack.createInvoice(invoice)
    expect(await story.post(id, verb, fields)).toMatchObject({
      status,
      body: { success: false, error_type: errorType },
    })
    expect((await stack.get(`/invoices/${id}`)).body.invoice.transaction_id).toBeNull()
    expect(await requestsOf(id)).toEqual([])
  }
  const customer = async () => String((await stack.post('/customers', {})).body.customer.id)
  const cardId = async (fields: object = {}) => String((await stack.createCard(fields)).id)

  test('without a source, where nothing is authorized, begins nothing', async () => {
    await expectRefused(400, 'request.validation.missing-source', {})
    await expectRefused(400, 'request.validation.missing-source', { source: '' })
  })

  test('with a source that is none begins nothing', async () => {
    for (const source of ['nothing', 'iv_1', 'gway_req_nothing', await customer()])
      await expectRefused(400, 'request.source.invalid', { source })
  })

  test('with a card or a token that is not there begins nothing', async () => {
    await expectRefused(404, 'resource.card.not-found', { source: 'card_none' })
    await expectRefused(404, 'resource.token.not-found', { source: 'tok_none' })
    const path = `/customers/${await customer()}/tokens`
    const { token } = (await stack.post(path, { source: await cardId() })).body
    await stack.delete(`${path}/${token.id}`)
    await expectRefused(404, 'resource.token.not-found', { source: token.id })
  })

  test('with the card of another invoice begins nothing', async () => {
    const { source } = await story.pay()
    await expectRefused(400, 'request.source.card-already-used', { source })
  })

  test('with save_source needs a customer and the client secret', async () => {
    const fields = { source: await cardId(), save_source: true }
    await expectRefused(400, 'request.validation.missing-customer', fields)
    const owner = { customer_id: await customer() }
    await expectRefused(400, 'request.validation.invalid-client-secret', { ...fields, client_secret: 'ivs_x' }, owner)
    expect((await stack.get(`/cards/${fields.source}`)).body.card.used).toBe(false)
  })

  test('with an instant, an amount or lines that cannot be begins nothing', async () => {
    const source = await cardId()
    const wrong: [object, string][] = [
      [{ auto_capture_at: '2020-01-01T00:00:00Z' }, 'request.validation.invalid-date'],
      [{ auto_capture_at: new Date(Date.now() + 8 * 86_400_000).toISOString() }, 'request.validation.invalid-date'],
      [{ capture_amount: '29.01', authorize_only: false }, 'request.validation.invalid-amount'],
      [{ capture_amount: -5, authorize_only: false }, 'request.validation.invalid-amount'],
      [{ invoice_detail_ids: ['iv_det_other'] }, 'request.validation.invalid-id'],
    ]
    for (const [fields, errorType] of wrong) await expectRefused(400, errorType, { source, ...fields })
  })

  test('that asks for what is not built begins nothing', async () => {
    const split = { split_allocations: [{ amount: '1.00' }] }
    await expectRefused(400, 'service.not-supported', { source: await cardId(), ...split })
  })

  test('without a gateway begins nothing, and the card is still good', async () => {
    const em = stack.database.orm.em.fork()
    const enable = (enabled: boolean) =>
      em.nativeUpdate(GatewayConfigurationEntity, { projectId: stack.project.id }, { enabled })
    const source = await cardId()
    await enable(false)
    try {
      await expectRefused(400, 'request.configuration.missing-gateway-configuration', { source })
    } finally {
      await enable(true)
    }
    const invoice = await stack.createInvoice()
    expect((await story.post(invoice.id, verb, { source })).status).toBe(200)
  })

  test('that is declined is 410, and another card may follow', async () => {
    const { id } = await stack.createInvoice()
    const declined = await story.post(id, verb, { source: await cardId({ number: '4000000000002206' }) })
    expect(declined).toMatchObject({
      status: 410,
      body: { success: false, outcome: 'failed', error_type: 'card.no-money', authorized: false, captured: false },
    })
    expect((await story.post(id, verb, { source: await cardId() })).status).toBe(200)
  })

  test('of a voided payment, or of an expired invoice, begins nothing', async () => {
    const refused = { status: 400, body: { error_type: 'request.validation.invalid-state' } }
    const { invoiceId } = await story.pay()
    await story.post(invoiceId, 'void')
    expect(await story.post(invoiceId, verb, { source: await cardId() })).toMatchObject(refused)
    expect(await requestsOf(invoiceId)).toEqual(['authorization', 'void'])
    const source = await cardId()
    const expired = await stack.createInvoice()
    const past = { expiresAt: new Date(stack.clock.now().getTime() - 1) }
    await stack.database.orm.em.fork().nativeUpdate(InvoiceEntity, { id: expired.id }, past)
    expect(await story.post(expired.id, verb, { source })).toMatchObject(refused)
    expect(await requestsOf(expired.id)).toEqual([])
  })
})

describe.each(['/invoices/:id/refunds', '/transactions/:id/refunds'])('POST %s', (path) => {
  async function begun(card: { number?: string; name?: string; invoice?: object } = {}, authorize_only = false) {
    const { invoiceId } = await story.pay({ ...card, authorize_only })
    const { id } = await story.transactionOf(invoiceId)
    const address = path.replace(':id', path.startsWith('/invoices') ? invoiceId : id)
    return { invoiceId, refund: (fields: object = {}) => stack.post(address, fields) }
  }

  test('gives back a part, and then the rest', async () => {
    const { refund } = await begun()
    const part = await refund({ amount: '9.00', reason: 'duplicate' })
    expect(part.body).toMatchObject({ outcome: 'success', refund: { amount: '9.00', reason: 'duplicate' } })
    expect((await refund()).body).toMatchObject({ refund: { amount: '20.00' }, transaction: { status: 'refunded' } })
  })

  test('gives back lines, each once', async () => {
    const { invoiceId, refund } = await begun({ invoice: { details: [{ name: 'Pen', amount: '9.00' }] } })
    const [{ id }] = (await stack.get(`/invoices/${invoiceId}`)).body.invoice.details
    expect((await refund({ invoice_detail_ids: [id] })).body.refund).toMatchObject({ amount: '9.00' })
    const message = `invoice_detail_ids names ${id}, which was chosen before.`
    const again = { status: 400, body: { error_type: 'request.validation.invalid-state', message } }
    expect(await refund({ invoice_detail_ids: [id] })).toMatchObject(again)
    const foreign = { status: 400, body: { error_type: 'request.validation.invalid-id' } }
    expect(await refund({ invoice_detail_ids: ['iv_det_other'] })).toMatchObject(foreign)
  })

  test('gives back no more than is left, and no amount that is none', async () => {
    const { invoiceId, refund } = await begun()
    const refused = { status: 400, body: { error_type: 'request.validation.invalid-amount' } }
    for (const amount of ['29.01', '0.00', '1.005', -5]) expect(await refund({ amount })).toMatchObject(refused)
    expect(await requestsOf(invoiceId)).toEqual(['authorization', 'capture'])
  })

  test('gives back nothing that was not captured, or is charged back', async () => {
    const refused = { status: 400, body: { error_type: 'request.validation.invalid-state' } }
    const reserved = await begun({}, true)
    expect(await reserved.refund()).toMatchObject(refused)
    const disputed = await begun({ number: '4000000000000069' })
    await story.becomes(disputed.invoiceId, { status: 'chargeback-initiated' })
    expect(await disputed.refund()).toMatchObject(refused)
  })

  test('that the gateway declines is 410, and a refund that has failed', async () => {
    const { refund } = await begun({ number: '4000000000000077' })
    expect(await refund()).toMatchObject({
      status: 410,
      body: { success: false, error_type: 'gateway.declined', refund: { status: 'failed', has_failed: true } },
    })
  })

  test('whose answer is lost, or comes later, is pending', async () => {
    for (const card of [{ name: 'SANDBOX:refund-lost' }, { number: '4000000000007064' }]) {
      const { invoiceId, refund } = await begun(card)
      const pending = { status: 200, body: { success: true, outcome: 'pending', refund: { status: 'pending' } } }
      expect(await refund()).toMatchObject(pending)
      await story.becomes(invoiceId, { status: 'refunded' })
    }
  })

  test('waits for a capture that is not known', async () => {
    const { refund } = await begun({ name: 'SANDBOX:capture-never-resolved' })
    expect(await refund()).toMatchObject({ status: 409, body: { error_type: 'request.still-processing' } })
  })
})

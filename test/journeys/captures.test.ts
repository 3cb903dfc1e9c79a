import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory, DAY_MS } from '../support/story.ts'

const LINES = [
  { name: 'Book', amount: '10.00', quantity: 2 },
  { name: 'Pen', amount: '9.00' },
]

describe('captures', () => {
  let stack: Stack
  let story: ReturnType<typeof createStory>

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    story = createStory(stack)
  })
  afterAll(() => stack.stop())

  test('of a part release the rest, because a capture is final unless it says otherwise', async () => {
    const { invoiceId } = await story.pay()
    const { body } = await story.post(invoiceId, 'capture', { capture_amount: '20.00' })
    expect(body.transaction).toMatchObject({
      status: 'completed',
      captured_amount: '20.00',
      voided_amount: '9.00',
      supported_actions: ['refund', 'partial_refund'],
    })
    const operations = (await story.transactionOf(invoiceId)).operations.map(
      ({ type, amount, is_attempt, metadata }: Record<string, unknown>) => [type, amount, is_attempt, metadata],
    )
    expect(operations.slice(3)).toEqual([
      ['capture', '20.00', true, {}],
      ['capture', '20.00', false, {}],
      ['void', '9.00', false, { reason: 'final_capture' }],
    ])
    await story.expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
    ])
  })

  test('that are not final leave the rest for further captures and for a void', async () => {
    const { invoiceId } = await story.pay()
    const first = await story.post(invoiceId, 'capture', { capture_amount: '10.00', capture_type: 'non-final' })
    expect(first.body.transaction).toMatchObject({
      status: 'completed',
      captured_amount: '10.00',
      voided_amount: '0.00',
      supported_actions: ['capture', 'partial_capture', 'void', 'partial_void', 'refund', 'partial_refund'],
    })
    // A call without an amount is how merchants verify that an invoice is paid.
    expect((await story.post(invoiceId, 'capture')).body.transaction).toMatchObject({ captured_amount: '10.00' })
    const second = await story.post(invoiceId, 'capture', { capture_amount: '12.00', capture_type: 'non-final' })
    expect(second.body.transaction).toMatchObject({ captured_amount: '22.00', voided_amount: '0.00' })
    const voided = await story.post(invoiceId, 'void', { amount: '2.00' })
    expect(voided.body.transaction).toMatchObject({ status: 'completed', voided_amount: '2.00' })
    const last = await story.post(invoiceId, 'capture', { capture_type: 'final' })
    expect(last.body.transaction).toMatchObject({ captured_amount: '27.00', voided_amount: '2.00' })
    const more = await story.post(invoiceId, 'capture', { capture_amount: '1.00' })
    expect(more).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    await story.expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
      'transaction.captured',
      'transaction.captured',
    ])
    await stack.waitFor(() => stack.isClosed(invoiceId))
  })

  test('that leave something are followed by its release when the authorization ends', async () => {
    const { invoiceId } = await story.pay()
    await story.post(invoiceId, 'capture', { capture_amount: '10.00', capture_type: 'non-final' })
    await stack.skipTime(invoiceId, 7 * DAY_MS + 60_000)
    expect(await story.becomes(invoiceId, { voided_amount: '19.00' })).toMatchObject({ status: 'completed' })
    const late = await story.post(invoiceId, 'capture', { capture_amount: '1.00' })
    expect(late).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
  })

  test('by lines take what the lines come to, each line once', async () => {
    const { invoiceId } = await story.pay({ invoice: { details: LINES } })
    const { details } = (await stack.get(`/invoices/${invoiceId}`)).body.invoice
    const [book, pen] = details.map(({ id }: { id: string }) => id)
    const wrong = await story.post(invoiceId, 'capture', { invoice_detail_ids: [book], capture_amount: '10.00' })
    expect(wrong).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    const unknown = await story.post(invoiceId, 'capture', { invoice_detail_ids: ['iv_det_unknown'] })
    expect(unknown).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-id' } })
    const books = await story.post(invoiceId, 'capture', { invoice_detail_ids: [book], capture_type: 'non-final' })
    expect(books.body.transaction).toMatchObject({ captured_amount: '20.00' })
    const again = await story.post(invoiceId, 'capture', { invoice_detail_ids: [book], capture_type: 'non-final' })
    expect(again.status).toBe(400)
    const pens = await story.post(invoiceId, 'capture', { invoice_detail_ids: [pen] })
    expect(pens.body.transaction).toMatchObject({ captured_amount: '29.00', voided_amount: '0.00' })
    const shown = (await stack.get(`/invoices/${invoiceId}`)).body.invoice.details
    expect(shown.map((line: { captured_amount: string }) => line.captured_amount)).toEqual(['20.00', '9.00'])
  })

  test('by lines chosen with the authorization take those lines', async () => {
    const { id: invoiceId, details } = await stack.createInvoice({ details: LINES })
    const { id: source } = await stack.createCard()
    await story.post(invoiceId, 'authorize', { source, invoice_detail_ids: [details[1].id] })
    const { body } = await story.post(invoiceId, 'capture')
    expect(body.transaction).toMatchObject({
      authorized_amount: '29.00',
      captured_amount: '9.00',
      voided_amount: '20.00',
    })
  })

  test('are scheduled by another authorize as by capture, and what it cannot change is refused', async () => {
    const { invoiceId, source } = await story.pay()
    const at = new Date(Date.now() + DAY_MS).toISOString()
    for (const [options, name] of [
      [{ capture_amount: '5.00' }, 'capture_amount'],
      [{ incremental: true }, undefined],
    ] as const) {
      const refused = await story.post(invoiceId, 'authorize', { source, ...options })
      expect(refused).toMatchObject({ status: 400, body: name === undefined ? {} : { invalid_fields: [{ name }] } })
    }
    expect((await story.post(invoiceId, 'authorize', { source })).body.transaction).toMatchObject({
      status: 'authorized',
      auto_capture_at: null,
    })
    const wanted = { source, auto_capture_at: at, capture_amount: '5.00' }
    for (const _ of ['first', 'the same again']) {
      const { body } = await story.post(invoiceId, 'authorize', wanted)
      expect(body.transaction).toMatchObject({
        status: 'authorized',
        auto_capture_at: at,
        auto_capture_amount: '5.00',
        supported_actions: expect.arrayContaining(['capture']),
      })
    }
    await stack.skipTime(invoiceId, DAY_MS + 60_000)
    expect(await story.becomes(invoiceId, { status: 'completed' })).toMatchObject({ captured_amount: '5.00' })
  })

  test('that the gateway confirms later are pending, and then done or undone', async () => {
    const confirmed = await story.pay({ number: '4000000000007049' })
    expect(await story.post(confirmed.invoiceId, 'capture')).toMatchObject({
      status: 200,
      body: { outcome: 'pending', transaction: { status: 'pending-capture', captured_amount: '0.00' } },
    })
    expect(await story.post(confirmed.invoiceId, 'void')).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state' },
    })
    const failed = await story.pay({ number: '4000000000007056' })
    await story.post(failed.invoiceId, 'capture')
    await story.becomes(confirmed.invoiceId, { status: 'completed', captured_amount: '29.00' })
    await story.becomes(failed.invoiceId, { status: 'authorized', captured_amount: '0.00' })
    await story.expectEvents(failed.invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.operation.capture.pending',
      'invoice.pending',
      'transaction.operation.capture.failed',
    ])
  })

  test('where the two cannot be parted are done with the authorization, if the merchant allows it', async () => {
    const refused = await story.pay({ number: '4000000000007155' })
    expect(refused.answer).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.gateway.operation-not-supported',
        message: expect.stringContaining('allow_fallback_to_sale'),
      },
    })
    const sale = await story.pay({ number: '4000000000007155', allow_fallback_to_sale: true })
    expect(sale.answer).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { status: 'completed', captured: true, captured_amount: '29.00' } },
    })
    const { operations } = await story.transactionOf(sale.invoiceId)
    expect(operations.filter(({ metadata }: { metadata: object }) => 'is_sale' in metadata)).toMatchObject([
      { type: 'authorization' },
      { type: 'capture' },
    ])
    await story.expectEvents(sale.invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
    ])
  })

  test('that our own clock makes are tried again where the reason passes', async () => {
    const { invoiceId } = await story.pay({
      name: 'SANDBOX:capture-fails-twice',
      auto_capture_at: new Date(Date.now() + DAY_MS).toISOString(),
    })
    await stack.skipTime(invoiceId, DAY_MS + 60_000)
    await story.becomes(invoiceId, { error_code: 'gateway.internal-error' })
    await stack.skipTime(invoiceId, DAY_MS)
    expect(await story.becomes(invoiceId, { status: 'completed' })).toMatchObject({ captured_amount: '29.00' })
    const requests = await stack.gatewayRequests(invoiceId)
    expect(requests.filter(({ type }) => type === 'capture').map(({ outcome }) => outcome.kind)).toEqual([
      'declined',
      'declined',
      'approved',
    ])
  })

  test('that our own clock makes are not tried again where the gateway has decided', async () => {
    const { invoiceId } = await story.pay({
      number: '4000000000000010',
      auto_capture_at: new Date(Date.now() + DAY_MS).toISOString(),
    })
    await stack.skipTime(invoiceId, DAY_MS + 60_000)
    expect(await story.becomes(invoiceId, { error_code: 'gateway.declined' })).toMatchObject({
      status: 'authorized',
      auto_capture_at: null,
    })
  })

  test('that fail for a passing reason until the end leave the authorization to expire', async () => {
    const { invoiceId } = await story.pay({
      name: 'SANDBOX:capture:gateway.internal-error',
      auto_capture_at: new Date(Date.now() + 6.9 * DAY_MS).toISOString(),
    })
    await stack.skipTime(invoiceId, 8 * DAY_MS)
    expect(await story.becomes(invoiceId, { status: 'voided' })).toMatchObject({ captured_amount: '0.00' })
    await stack.waitFor(() => stack.isClosed(invoiceId))
  })

  test('are what the gateway can do: no more than one, and none of a part, where it cannot', async () => {
    const em = stack.database.orm.em.fork()
    const restrict = (capabilities: object) =>
      em.nativeUpdate(GatewayConfigurationEntity, { projectId: stack.project.id }, { capabilities })
    await restrict({
      multipleCaptures: false,
      partialCapture: false,
      partialVoid: false,
      incrementalAuthorization: false,
    })
    try {
      const { invoiceId, answer } = await story.pay()
      expect(answer.body.transaction.supported_actions).toEqual(['capture', 'void'])
      const unsupported = { status: 400, body: { error_type: 'request.gateway.operation-not-supported' } }
      expect(await story.post(invoiceId, 'capture', { capture_type: 'non-final' })).toMatchObject(unsupported)
      expect(await story.post(invoiceId, 'capture', { capture_amount: '1.00' })).toMatchObject(unsupported)
      expect(await story.post(invoiceId, 'void', { amount: '1.00' })).toMatchObject(unsupported)
      expect(await story.post(invoiceId, 'increment_authorization', { amount: '1.00' })).toMatchObject(unsupported)
      expect((await story.pay({ incremental: true })).answer).toMatchObject(unsupported)
      const bypassed = await story.pay({
        incremental: true,
        invoice: { unsupported_feature_bypass: { incremental_authorization: true } },
      })
      expect(bypassed.answer.body.transaction).toMatchObject({ status: 'authorized', incremental: false })
    } finally {
      await restrict({})
    }
  })

  const requestsOf = async (invoiceId: string) =>
    (await stack.gatewayRequests(invoiceId)).map(({ type, amountMinor, currency }) => [type, amountMinor, currency])

  test.each([
    ['JPY', ['2900', '1000', '400', '1900'], [2900, 1000, 400, 1900], '0.5'],
    ['KWD', ['29.001', '10.001', '4.000', '19.000'], [29_001, 10_001, 4000, 19_000], '0.0005'],
  ] as const)('in %s keep the decimals of the currency all the way to the gateway and back', async (...row) => {
    const [currency, [whole, part, back, rest], minor, tooFine] = row
    const { invoiceId, answer } = await story.pay({ invoice: { amount: whole, currency } })
    expect(answer.body.transaction).toMatchObject({ currency, amount: whole, authorized_amount: whole })

    const fine = await story.post(invoiceId, 'capture', { capture_amount: tooFine })
    expect(fine).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    await story.post(invoiceId, 'capture', { capture_amount: part, capture_type: 'non-final' })
    await story.post(invoiceId, 'refunds', { amount: back })
    const { body } = await story.post(invoiceId, 'void')
    expect(body.transaction).toMatchObject({ captured_amount: part, refunded_amount: back, voided_amount: rest })

    expect(await requestsOf(invoiceId)).toEqual([
      ['authorization', minor[0], currency],
      ['capture', minor[1], currency],
      ['refund', minor[2], currency],
      ['void', minor[3], currency],
    ])
    const shown = (await stack.get(`/invoices/${invoiceId}/refunds`)).body.refunds
    expect(shown).toMatchObject([{ amount: back, currency }])
  })

  test.each([['CLF', '99999999999.9999', 999_999_999_999_999]])(
    'in %s are exact up to the largest, %s',
    async (currency, amount, amountMinor) => {
      const { invoiceId, answer } = await story.pay({ invoice: { amount, currency }, authorize_only: false })
      expect(answer.body.transaction).toMatchObject({ captured_amount: amount, available_amount: amount })
      expect(await requestsOf(invoiceId)).toEqual([
        ['authorization', amountMinor, currency],
        ['capture', amountMinor, currency],
      ])
    },
  )

  test('of lines are never rounded: captures and refunds of the lines add up to the invoice', async () => {
    const details = [
      { name: 'A third', amount: '33.33' },
      { name: 'Another', amount: '33.33' },
      { name: 'The rest', amount: '16.68', quantity: 2, discount_amount: '0.02' },
    ]
    const { invoiceId } = await story.pay({ invoice: { amount: '100.00', details } })
    const lines: { id: string }[] = (await stack.get(`/invoices/${invoiceId}`)).body.invoice.details
    for (const [index, { id }] of lines.entries()) {
      const capture_type = index === 2 ? 'final' : 'non-final'
      expect((await story.post(invoiceId, 'capture', { invoice_detail_ids: [id], capture_type })).status).toBe(200)
    }
    expect(await story.transactionOf(invoiceId)).toMatchObject({ captured_amount: '100.00', voided_amount: '0.00' })
    for (const { id } of lines) await story.post(invoiceId, 'refunds', { invoice_detail_ids: [id] })
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'refunded', refunded_amount: '100.00' })
    expect((await requestsOf(invoiceId)).slice(1).map(([, amountMinor]) => amountMinor)).toEqual([
      3333, 3333, 3334, 3333, 3333, 3334,
    ])
  })
})

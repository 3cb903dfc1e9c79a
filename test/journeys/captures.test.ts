import { describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS, TWO_LOOK_UPS_MS } from '../support/story.ts'

const LINES = [
  { name: 'Book', amount: '10.00', quantity: 2 },
  { name: 'Pen', amount: '9.00' },
]

describe('captures', () => {
  const stack = stackForFile()
  const story = createStory(stack)

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
    await stack.waitFor(() => stack.isClosed(invoiceId))
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

  test('by lines that are scheduled, too, take them out of the schedule, so that no line is paid twice', async () => {
    const { id: invoiceId, details } = await stack.createInvoice({ details: LINES })
    const [book, pen] = details.map(({ id }: { id: string }) => id)
    const { id: source } = await stack.createCard()
    const at = new Date(Date.now() + DAY_MS).toISOString()
    await story.post(invoiceId, 'authorize', { source, auto_capture_at: at, invoice_detail_ids: [book] })
    const byHand = { invoice_detail_ids: [book], capture_type: 'non-final' }
    expect((await story.post(invoiceId, 'capture', byHand)).body.transaction).toMatchObject({
      captured_amount: '20.00',
      auto_capture_at: null,
      auto_capture_amount: null,
    })
    const again = { auto_capture_at: at, invoice_detail_ids: [pen] }
    expect((await story.post(invoiceId, 'capture', again)).body.transaction).toMatchObject({
      captured_amount: '20.00',
      auto_capture_at: at,
      auto_capture_amount: '9.00',
    })
    await stack.skipTime(invoiceId, DAY_MS + 60_000)
    await story.becomes(invoiceId, { captured_amount: '29.00', auto_capture_at: null })
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

  test('of a part leave the schedule for the rest, which is moved and dropped as before', async () => {
    const instant = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
    const { invoiceId } = await story.pay({ auto_capture_at: instant(1) })
    await story.post(invoiceId, 'capture', { capture_amount: '10.00', capture_type: 'non-final' })
    const later = instant(3)
    expect((await story.post(invoiceId, 'capture', { auto_capture_at: later })).body.transaction).toMatchObject({
      status: 'completed',
      captured_amount: '10.00',
      auto_capture_at: later,
    })
    expect((await story.post(invoiceId, 'capture', { auto_capture_at: null })).body.transaction).toMatchObject({
      captured_amount: '10.00',
      auto_capture_at: null,
    })
    await stack.skipTime(invoiceId, 7 * DAY_MS + 60_000)
    expect(await story.becomes(invoiceId, { voided_amount: '19.00' })).toMatchObject({ captured_amount: '10.00' })
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
    // The first look-up finds them as pending as before.
    for (const { invoiceId } of [confirmed, failed]) await stack.skipTime(invoiceId, TWO_LOOK_UPS_MS)
    await story.becomes(confirmed.invoiceId, { status: 'completed', captured_amount: '29.00' })
    await story.becomes(failed.invoiceId, { status: 'authorized', captured_amount: '0.00' })
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
})

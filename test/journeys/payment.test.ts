import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../support/stack.ts'

const CARDS = {
  approved: '4242424242424242',
  doNotHonor: '4000000000002180',
  captureFails: '4000000000000010',
  incrementFails: '4000000000000531',
} as const

const DAY_MS = 24 * 60 * 60 * 1000

// The same stories over both ways in which a command reaches its workflow: as the input of an eager start, and as an update.
describe('a payment, with API and worker apart', () => {
  let stack: Stack

  beforeAll(async () => {
    stack = await makeStack({ mode: 'apart' })
  })
  afterAll(() => stack.stop())

  const invoiceWithCard = async (number: string = CARDS.approved, invoice: object = {}) => {
    const [{ id: invoiceId }, { id: source }] = await Promise.all([
      stack.createInvoice(invoice),
      stack.createCard({ number }),
    ])
    return { invoiceId: String(invoiceId), source: String(source) }
  }
  const authorized = async (options: object = {}, invoice: object = {}) => {
    const { invoiceId, source } = await invoiceWithCard(CARDS.approved, invoice)
    const answer = await stack.post(`/invoices/${invoiceId}/authorize`, { source, ...options })
    expect(answer).toMatchObject({ status: 200, body: { success: true, transaction: { status: 'authorized' } } })
    return { invoiceId, transaction: answer.body.transaction }
  }
  /** A list shows an event once nothing older can still be committed, which may be a moment later. */
  const expectEvents = async (invoiceId: string, expected: readonly string[]): Promise<void> => {
    const names = await stack.waitFor(async () => {
      const { body } = await stack.get('/events?limit=100&order=desc')
      const ofInvoice = body.events.filter((event: { invoice_id: string }) => event.invoice_id === invoiceId)
      return ofInvoice.length >= expected.length && ofInvoice.map((event: { name: string }) => event.name).reverse()
    })
    expect(names).toEqual(expected)
  }
  const transactionOf = async (invoiceId: string) => {
    const invoice = await stack.get(`/invoices/${invoiceId}`)
    const answer = await stack.get(`/transactions/${invoice.body.invoice.transaction_id}`)
    return answer.body.transaction
  }

  test('is authorized, and its transaction says so everywhere', async () => {
    const { invoiceId, transaction } = await authorized()
    expect(transaction).toMatchObject({
      invoice_id: invoiceId,
      amount: '29.00',
      authorized_amount: '29.00',
      captured_amount: '0.00',
      authorized: true,
      captured: false,
    })
    const lifetime = Date.parse(transaction.authorization_expires_at) - Date.parse(transaction.authorized_at)
    expect(lifetime).toBe(7 * DAY_MS)
    expect(await transactionOf(invoiceId)).toEqual(transaction)
    await expectEvents(invoiceId, ['transaction.requested', 'transaction.authorized'])
  })

  test('that the issuer declines answers 410 with the code of the card, and another card may follow', async () => {
    const { invoiceId, source } = await invoiceWithCard(CARDS.doNotHonor)
    const declined = await stack.post(`/invoices/${invoiceId}/authorize`, { source })
    expect(declined).toMatchObject({
      status: 410,
      body: { success: false, outcome: 'failed', error_type: 'card.do-not-honor', authorized: false, captured: false },
    })
    expect(await transactionOf(invoiceId)).toMatchObject({
      status: 'failed',
      error_code: 'card.do-not-honor',
      authorized_amount: '0.00',
    })

    const other = await stack.createCard({ number: CARDS.approved })
    const second = await stack.post(`/invoices/${invoiceId}/authorize`, { source: other.id })
    expect(second).toMatchObject({
      status: 200,
      body: { transaction: { status: 'authorized', attempts_count: 2, error_code: null } },
    })
    await expectEvents(invoiceId, ['transaction.requested', 'transaction.failed', 'transaction.authorized'])
  })

  test('is captured whole, and captured again charges nothing', async () => {
    const { invoiceId } = await authorized()
    const captured = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(captured).toMatchObject({
      status: 200,
      body: {
        success: true,
        outcome: 'success',
        transaction: { status: 'completed', captured_amount: '29.00', available_amount: '29.00' },
      },
    })
    const again = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(again).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', captured_amount: '29.00' } },
    })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization' },
      { type: 'capture', amountMinor: 2900 },
    ])
    await expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
    ])
  })

  test('captured in part releases the rest', async () => {
    const { invoiceId } = await authorized()
    const captured = await stack.post(`/invoices/${invoiceId}/capture`, { capture_amount: '10.50' })
    expect(captured.body.transaction).toMatchObject({
      status: 'completed',
      captured_amount: '10.50',
      voided_amount: '18.50',
    })
    const more = await stack.post(`/invoices/${invoiceId}/capture`, { capture_amount: '5.00' })
    expect(more).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
  })

  test('captured without an authorization is authorized on the way', async () => {
    const { invoiceId, source } = await invoiceWithCard()
    const sale = await stack.post(`/invoices/${invoiceId}/capture`, { source })
    expect(sale).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', authorized_amount: '29.00', captured_amount: '29.00' } },
    })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization' }, { type: 'capture' }])
  })

  test('authorized with authorize_only false is captured at once', async () => {
    const { invoiceId, source } = await invoiceWithCard()
    const sale = await stack.post(`/invoices/${invoiceId}/authorize`, { source, authorize_only: false }, { form: true })
    expect(sale).toMatchObject({ status: 200, body: { transaction: { status: 'completed', captured: true } } })
  })

  test('whose capture fails stays authorized, and says both', async () => {
    const { invoiceId, source } = await invoiceWithCard(CARDS.captureFails)
    const sale = await stack.post(`/invoices/${invoiceId}/capture`, { source })
    expect(sale).toMatchObject({ status: 410, body: { success: false, authorized: true, captured: false } })
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized', captured_amount: '0.00' })
    await expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.operation.capture.failed',
    ])
  })

  test('is incremented by the difference, and captured whole afterwards', async () => {
    const { invoiceId } = await authorized({}, { incremental: true })
    const incremented = await stack.post(`/invoices/${invoiceId}/increment_authorization`, { amount: '5.00' })
    expect(incremented).toMatchObject({
      status: 200,
      body: {
        transaction: { status: 'authorized', amount: '34.00', authorized_amount: '34.00', incremented_amount: '5.00' },
      },
    })
    const captured = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(captured.body.transaction).toMatchObject({ status: 'completed', captured_amount: '34.00' })
  })

  test('is voided, and then neither captured nor authorized again', async () => {
    const { invoiceId } = await authorized()
    const voided = await stack.post(`/invoices/${invoiceId}/void`)
    expect(voided).toMatchObject({ status: 200, body: { transaction: { status: 'voided', voided_amount: '29.00' } } })
    const capture = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(capture).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    const again = await stack.post(`/invoices/${invoiceId}/authorize`, { source: (await stack.createCard()).id })
    expect(again).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    await expectEvents(invoiceId, ['transaction.requested', 'transaction.authorized', 'transaction.voided'])
  })

  test('voided in part stays authorized for the rest', async () => {
    const { invoiceId } = await authorized()
    const voided = await stack.post(`/invoices/${invoiceId}/void`, { amount: '9.00' })
    expect(voided.body.transaction).toMatchObject({ status: 'authorized', voided_amount: '9.00' })
    const captured = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(captured.body.transaction).toMatchObject({ status: 'completed', captured_amount: '20.00' })
  })

  describe('as time goes by', () => {
    test('is captured at auto_capture_at, not a second earlier, for the amount asked', async () => {
      const autoCaptureAt = new Date(Date.now() + 3 * DAY_MS)
      const { invoiceId } = await authorized({ auto_capture_at: autoCaptureAt.toISOString(), capture_amount: '20.00' })
      await stack.skipTime(invoiceId, 3 * DAY_MS - 60_000)
      expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized', captured_amount: '0.00' })
      await stack.skipTime(invoiceId, 120_000)
      const transaction = await stack.waitFor(async () => {
        const current = await transactionOf(invoiceId)
        return current.status === 'completed' && current
      })
      expect(transaction).toMatchObject({ captured_amount: '20.00', voided_amount: '9.00' })
      const lateness = Date.parse(transaction.captured_at) - autoCaptureAt.getTime()
      expect(lateness).toBeGreaterThanOrEqual(0)
      expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
        { type: 'authorization' },
        { type: 'capture', amountMinor: 2000 },
      ])
    })

    test('is voided when seven days have passed, and not before', async () => {
      const { invoiceId } = await authorized()
      await stack.skipTime(invoiceId, 7 * DAY_MS - 60_000)
      expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized' })
      await stack.skipTime(invoiceId, 120_000)
      const transaction = await stack.waitFor(async () => {
        const current = await transactionOf(invoiceId)
        return current.status === 'voided' && current
      })
      expect(transaction).toMatchObject({ voided_amount: '29.00', captured_amount: '0.00' })
      await expectEvents(invoiceId, [
        'transaction.requested',
        'transaction.authorized',
        'transaction.authorization.expiring',
        'transaction.voided',
      ])
      const late = await stack.post(`/invoices/${invoiceId}/capture`)
      expect(late).toMatchObject({ status: 410, body: { error_type: 'gateway.expired' } })
    })

    test('whose scheduled capture was moved is captured at the new instant', async () => {
      const { invoiceId } = await authorized({ auto_capture_at: new Date(Date.now() + DAY_MS).toISOString() })
      const later = new Date(Date.now() + 2 * DAY_MS)
      const moved = await stack.post(`/invoices/${invoiceId}/capture`, { auto_capture_at: later.toISOString() })
      expect(moved.body.transaction).toMatchObject({ status: 'authorized', auto_capture_at: later.toISOString() })
      await stack.skipTime(invoiceId, DAY_MS + 3_600_000)
      expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized' })
      await stack.skipTime(invoiceId, DAY_MS)
      await stack.waitFor(async () => (await transactionOf(invoiceId)).status === 'completed')
    })
  })

  test('has a closed run once nothing is awaited, and answers from the record afterwards', async () => {
    const { invoiceId } = await authorized()
    await stack.post(`/invoices/${invoiceId}/capture`)
    await stack.waitFor(() => stack.isClosed(invoiceId))
    const late = await stack.post(`/invoices/${invoiceId}/void`)
    expect(late).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'completed', captured_amount: '29.00' })
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createProcessOut, type ProcessOut, ProcessOutError } from '../clients/processout-client.ts'
import { TEST_CARD } from '../support/card-data.ts'
import { makeReceiver } from '../support/receiver.ts'
import { makeStack, type Stack } from '../support/stack.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const NO_MONEY = '4000000000002206'
const DO_NOT_HONOR = '4000000000002180'
const INCREMENT_WITHOUT_MONEY = '4000000000003303'

describe('a merchant who comes from ProcessOut', () => {
  let stack: Stack
  let processout: ProcessOut

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    const { id, secretKey } = stack.project
    processout = createProcessOut({ host: stack.baseUrl, projectId: id, projectSecret: secretKey })
  })
  afterAll(() => stack.stop())

  const createCard = async (number: string = TEST_CARD.number): Promise<string> =>
    (await processout.cards.create({ number, exp_month: 12, exp_year: 2030, cvc2: TEST_CARD.cvc, name: 'Ann Example' }))
      .id
  const createInvoice = (more: object = {}) =>
    processout.invoices.create({ name: 'Order 1', amount: '29.00', currency: 'EUR', ...more })
  const authorized = async (more: Record<string, unknown> = {}, invoice: object = {}): Promise<string> => {
    const { id } = await createInvoice(invoice)
    const { transaction } = await processout.invoices.authorize(id, await createCard(), more)
    expect(transaction).toMatchObject({ status: 'authorized' })
    return id
  }
  const transactionOf = async (invoiceId: string) => {
    const { transaction_id: id } = await processout.invoices.find(invoiceId)
    return processout.transactions.find(id)
  }

  test('stores a card with a customer, authorizes with it, captures a part and refunds some of that', async () => {
    const customer = await processout.customers.create({ email: 'ann@example.com', first_name: 'Ann' })
    expect(customer.id).toMatch(/^cust_/)
    const token = await processout.tokens.create(customer.id, { source: await createCard(), set_default: true })
    expect(token).toMatchObject({ customer_id: customer.id, type: 'card', is_chargeable: true, is_default: true })
    const { id } = await createInvoice({ customer_id: customer.id })

    const authorization = await processout.invoices.authorize(id, token.id)
    expect(authorization.transaction).toMatchObject({
      status: 'authorized',
      invoice_id: id,
      customer_id: customer.id,
      token_id: token.id,
      authorized_amount: '29.00',
      captured_amount: '0.00',
    })
    // The client libraries ask for the source at each capture, needed or not.
    const capture = await processout.invoices.capture(id, token.id, { capture_amount: '20.00' })
    expect(capture.transaction).toMatchObject({
      id: authorization.transaction.id,
      status: 'completed',
      captured_amount: '20.00',
      voided_amount: '9.00',
      available_amount: '20.00',
    })
    const refund = await processout.invoices.refund(id, { amount: '5.00', reason: 'customer_request' })
    expect(refund).toMatchObject({ amount: '5.00', reason: 'customer_request', has_failed: false })
    expect(refund.id).toMatch(/^refd_/)
    const transaction = await processout.transactions.find(capture.transaction.id, { expand: ['refunds', 'invoice'] })
    expect(transaction).toMatchObject({
      status: 'partially-refunded',
      refunded_amount: '5.00',
      available_amount: '15.00',
      invoice: { id, customer_id: customer.id },
      refunds: [{ id: refund.id }],
    })
    const refunds = await processout.transactions.refunds(transaction.id)
    expect(refunds).toMatchObject({ count: 1, totalCount: 1, hasMore: false, items: [{ id: refund.id }] })
    expect(await processout.transactions.findRefund(transaction.id, refund.id)).toMatchObject({ amount: '5.00' })
    const tooMuch = processout.invoices.refund(id, { amount: '15.01' })
    await expect(tooMuch).rejects.toMatchObject({ status: 400, errorType: 'request.validation.invalid-amount' })
    await processout.transactions.refund(transaction.id, { reason: 'other' })
    expect(await transactionOf(id)).toMatchObject({ status: 'refunded', refunded_amount: '20.00' })
  })

  test('saves the card of a first payment and charges it later by itself', async () => {
    const customer = await processout.customers.create({})
    const first = await processout.invoices.createWithSecret({
      name: 'First',
      amount: '10.00',
      currency: 'EUR',
      customer_id: customer.id,
    })
    const { transaction: initial } = await processout.invoices.capture(first.invoice.id, await createCard(), {
      save_source: true,
      client_secret: first.clientSecret,
    })
    expect(initial).toMatchObject({ status: 'completed', captured_amount: '10.00', scheme_id: expect.any(String) })

    const { items, totalCount } = await processout.tokens.all(customer.id)
    expect(totalCount).toBe(1)
    expect(items[0]).toMatchObject({ customer_id: customer.id, is_chargeable: true })

    const { id } = await createInvoice({ customer_id: customer.id, merchant_initiator_type: 'recurring' })
    const { transaction } = await processout.invoices.capture(id, items[0].id)
    expect(transaction).toMatchObject({
      status: 'completed',
      token_id: items[0].id,
      initial_scheme_transaction_id: initial.scheme_id,
    })
    expect(await processout.customers.transactions(customer.id)).toMatchObject({ totalCount: 2 })
  })

  test('charges the default token of a customer', async () => {
    const customer = await processout.customers.create({})
    const token = await processout.tokens.create(customer.id, { source: await createCard(), set_default: true })
    const { id } = await createInvoice({ customer_id: customer.id, merchant_initiator_type: 'one-off' })
    const { transaction } = await processout.invoices.capture(id, customer.id)
    expect(transaction).toMatchObject({ status: 'completed', token_id: token.id })
  })

  test('no longer finds a token that was deleted, nor can pay with it', async () => {
    const customer = await processout.customers.create({})
    const token = await processout.tokens.create(customer.id, { source: await createCard() })
    await processout.tokens.delete(customer.id, token.id)
    const gone = { status: 404, errorType: 'resource.token.not-found' }
    await expect(processout.tokens.find(customer.id, token.id)).rejects.toMatchObject(gone)
    const { id } = await createInvoice({ customer_id: customer.id })
    await expect(processout.invoices.authorize(id, token.id)).rejects.toMatchObject(gone)
  })

  test('has a payment captured by itself', async () => {
    const at = new Date(Date.now() + 2 * DAY_MS).toISOString()
    const id = await authorized({ auto_capture_at: at, capture_amount: '20.00' })
    await stack.skipTime(id, 2 * DAY_MS + 60_000)
    const captured = await stack.waitFor(async () => {
      const transaction = await transactionOf(id)
      return transaction.status === 'completed' && transaction
    })
    expect(captured).toMatchObject({ captured_amount: '20.00', voided_amount: '9.00' })
  })

  test('captures at once although a capture is scheduled, whatever it sends as null', async () => {
    const at = new Date(Date.now() + 2 * DAY_MS).toISOString()
    const id = await authorized({ auto_capture_at: at })
    const { transaction } = await processout.invoices.capture(id, await createCard())
    expect(transaction).toMatchObject({ status: 'completed', captured_amount: '29.00', auto_capture_at: null })
  })

  test('drops a scheduled capture by a null that is alone', async () => {
    const at = new Date(Date.now() + 2 * DAY_MS).toISOString()
    const id = await authorized({ auto_capture_at: at })
    const { body } = await processout.send('POST', `/invoices/${id}/capture`, { auto_capture_at: null })
    expect(body.transaction).toMatchObject({ status: 'authorized', captured_amount: '0.00', auto_capture_at: null })
  })

  test('raises an authorization by an amount', async () => {
    const id = await authorized({}, { incremental: true })
    const raised = await processout.invoices.incrementAuthorization(id, '5.00')
    expect(raised).toMatchObject({ status: 'authorized', authorized_amount: '34.00', incremented_amount: '5.00' })
    const { transaction } = await processout.invoices.capture(id, await createCard())
    expect(transaction).toMatchObject({ status: 'completed', captured_amount: '34.00' })
    const late = processout.invoices.incrementAuthorization(id, '5.00')
    await expect(late).rejects.toMatchObject({ status: 400, errorType: 'request.validation.invalid-state' })
  })

  test('keeps an authorization whose increment was declined', async () => {
    const { id } = await createInvoice({ incremental: true })
    await processout.invoices.authorize(id, await createCard(INCREMENT_WITHOUT_MONEY))
    const declined = processout.invoices.incrementAuthorization(id, '5.00')
    await expect(declined).rejects.toMatchObject({ status: 410, errorType: 'card.no-money' })
    expect(await transactionOf(id)).toMatchObject({ status: 'authorized', authorized_amount: '29.00' })
  })

  test('voids in part, captures the rest, and voids another payment whole', async () => {
    const partly = await authorized()
    expect(await processout.invoices.void(partly, { amount: '9.00' })).toMatchObject({
      status: 'authorized',
      voided_amount: '9.00',
    })
    const { transaction } = await processout.invoices.capture(partly, '')
    expect(transaction).toMatchObject({ status: 'completed', captured_amount: '20.00' })

    const whole = await authorized()
    expect(await processout.invoices.void(whole)).toMatchObject({ status: 'voided', voided_amount: '29.00' })
    const capture = processout.invoices.capture(whole, await createCard())
    await expect(capture).rejects.toMatchObject({ status: 400, errorType: 'request.validation.invalid-state' })
  })

  test('reads a decline as 410 with its code, and then takes another card', async () => {
    const { id } = await createInvoice()
    for (const [number, code] of [
      [NO_MONEY, 'card.no-money'],
      [DO_NOT_HONOR, 'card.do-not-honor'],
    ] as const) {
      const declined: ProcessOutError = await processout.invoices
        .authorize(id, await createCard(number))
        .catch((error) => error)
      expect(declined).toBeInstanceOf(ProcessOutError)
      expect(declined).toMatchObject({
        status: 410,
        errorType: code,
        body: { success: false, outcome: 'failed', message: expect.any(String), authorized: false, captured: false },
      })
    }
    const { transaction } = await processout.invoices.authorize(id, await createCard())
    expect(transaction).toMatchObject({ status: 'authorized', attempts_count: 3, error_code: null })
    const { operations } = await processout.transactions.find(transaction.id, { expand: ['operations'] })
    expect(operations.filter((operation: { type: string; has_failed: boolean }) => operation.has_failed)).toHaveLength(
      2,
    )
  })

  test('finds out by asking again, without a second charge', async () => {
    const { id } = await createInvoice()
    const card = await createCard()
    const { transaction } = await processout.invoices.capture(id, card)
    const again = await processout.invoices.capture(id, card)
    expect(again.transaction).toMatchObject({ id: transaction.id, status: 'completed', captured_amount: '29.00' })
    expect(await processout.invoices.sync(id)).toMatchObject({ id: transaction.id, status: 'completed' })
    const requests = await stack.gatewayRequests(id)
    expect(requests.filter(({ type }) => type === 'capture')).toHaveLength(1)
  })

  describe('that repeats a request with its idempotency key', () => {
    const PATH = (id: string) => `/invoices/${id}/authorize`

    test('gets the same bytes and charges once', async () => {
      const { id } = await createInvoice()
      const body = { source: await createCard(), metadata: null }
      const first = await processout.send('POST', PATH(id), body, { idempotencyKey: 'a' })
      const second = await processout.send('POST', PATH(id), body, { idempotencyKey: 'a' })
      expect(second.text).toBe(first.text)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect(await stack.gatewayRequests(id)).toHaveLength(1)
    })

    test('gets a decline again and does not ask the bank again', async () => {
      const { id } = await createInvoice()
      const body = { source: await createCard(NO_MONEY) }
      const failure = { status: 410, errorType: 'card.no-money' }
      const ask = () => processout.send('POST', PATH(id), body, { idempotencyKey: 'b' })
      await expect(ask()).rejects.toMatchObject(failure)
      await expect(ask()).rejects.toMatchObject(failure)
      expect(await stack.gatewayRequests(id)).toHaveLength(1)
    })

    test('is refused where the body is another', async () => {
      const { id } = await createInvoice()
      const source = await createCard()
      await processout.invoices.authorize(id, source, {}, { idempotencyKey: 'c' })
      const other = processout.invoices.authorize(id, source, { capture_amount: '1.00' }, { idempotencyKey: 'c' })
      await expect(other).rejects.toMatchObject({ status: 400, errorType: 'request.idempotency-key.invalid' })
    })

    test('refunds once', async () => {
      const { id } = await createInvoice()
      await processout.invoices.capture(id, await createCard())
      const refund = () => processout.invoices.refund(id, { amount: '5.00' }, { idempotencyKey: 'd' })
      const first = await refund()
      expect((await refund()).id).toBe(first.id)
      expect(await transactionOf(id)).toMatchObject({ refunded_amount: '5.00' })
    })

    test('creates one customer, one card and one invoice', async () => {
      const key = { idempotencyKey: 'e' }
      const customers = [await processout.customers.create({}, key), await processout.customers.create({}, key)]
      expect(customers[0].id).toBe(customers[1].id)
      const card = { number: TEST_CARD.number, exp_month: 12, exp_year: 2030, cvc2: TEST_CARD.cvc }
      const cards = [await processout.cards.create(card, key), await processout.cards.create(card, key)]
      expect(cards[0].id).toBe(cards[1].id)
      const invoice = { name: 'Once', amount: '1.00', currency: 'EUR' }
      const invoices = [await processout.invoices.create(invoice, key), await processout.invoices.create(invoice, key)]
      expect(invoices[0].id).toBe(invoices[1].id)
    })
  })

  test('changes and deletes an invoice until it is paid', async () => {
    const { id } = await createInvoice()
    expect(await processout.invoices.update(id, { amount: '31.00' })).toMatchObject({
      id,
      name: 'Order 1',
      amount: '31.00',
    })
    await processout.invoices.delete(id)
    const gone = { status: 404, errorType: 'resource.invoice.not-found' }
    await expect(processout.invoices.find(id)).rejects.toMatchObject(gone)
    const paid = await authorized()
    const late = { status: 400, errorType: 'request.validation.invalid-state' }
    await expect(processout.invoices.delete(paid)).rejects.toMatchObject(late)
  })

  test('changes and deletes a customer', async () => {
    const { id } = await processout.customers.create({ email: 'ann@example.com', currency: 'EUR' })
    expect(await processout.customers.update(id, { last_name: 'Example' })).toMatchObject({
      email: 'ann@example.com',
      last_name: 'Example',
      currency: 'EUR',
    })
    await processout.customers.delete(id)
    const gone = { status: 404, errorType: 'resource.customer.not-found' }
    await expect(processout.customers.find(id)).rejects.toMatchObject(gone)
  })

  describe('reads lists', () => {
    const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

    test('of its invoices, page by page in both directions, each once', async () => {
      const made: string[] = []
      const since = new Date().toISOString()
      for (let index = 0; index < 5; index += 1) {
        made.push((await createInvoice({ name: `Page ${index}` })).id)
        // Invoices of one millisecond have no order among them.
        await sleep(2)
      }
      const filter = `created_at:>=${since}`
      const pages: string[][] = []
      for (let startAfter = ''; ; ) {
        const page = await processout.invoices.all({ limit: 2, order: 'asc', filter, startAfter })
        expect(page.count).toBe(page.items.length)
        expect(page.totalCount).toBe(5)
        pages.push(idsOf(page.items))
        startAfter = page.items.at(-1).id
        if (!page.hasMore) break
      }
      expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)])
      const before = await processout.invoices.all({ limit: 2, order: 'asc', filter, endBefore: String(made[4]) })
      expect(idsOf(before.items)).toEqual(made.slice(2, 4))
      const latest = await processout.invoices.all({ filter })
      expect(idsOf(latest.items)).toEqual(made.toReversed())
    })

    test('with what belongs to each object', async () => {
      const id = await authorized()
      const { transaction_id: transactionId, transaction } = await processout.invoices.find(id, {
        expand: ['transaction', 'transaction.card'],
      })
      expect(transaction).toMatchObject({ id: transactionId, card: { last_4_digits: '4242' } })
      const { items } = await processout.transactions.all({ limit: 1, expand: ['invoice'] })
      expect(items).toMatchObject([{ id: transactionId, invoice: { id } }])
      const { items: ofInvoice } = await processout.invoices.transactions(id)
      expect(idsOf(ofInvoice)).toEqual([transactionId])
    })

    test('of its customers, cards and transactions', async () => {
      for (const all of [processout.customers.all, processout.cards.all, processout.transactions.all]) {
        const { items, count, totalCount } = await all({ limit: 3 })
        expect(items).toHaveLength(3)
        expect(count).toBe(3)
        expect(totalCount).toBeGreaterThanOrEqual(3)
      }
    })

    test('only with values that can be right', async () => {
      const wrong: [object, string][] = [
        [{ limit: 101 }, 'request.pagination.invalid'],
        [{ startAfter: 'iv_none' }, 'request.pagination.invalid'],
        [{ expand: ['nothing'] }, 'request.expand.invalid'],
        [{ filter: 'nothing:1' }, 'request.filter.invalid'],
      ]
      for (const [options, errorType] of wrong) {
        await expect(processout.invoices.all(options)).rejects.toMatchObject({ status: 400, errorType })
      }
    })
  })

  test('is told by a webhook, and fetches the event and its deliveries', async () => {
    const receiver = await makeReceiver()
    const id = await authorized({}, { webhook_url: receiver.url })
    const [webhook] = await receiver.waitForCount(2)
    const { event_id: eventId, event_type: eventType } = JSON.parse(String(webhook?.body))
    const event = await processout.events.find(eventId)
    expect(event).toMatchObject({ id: eventId, name: eventType, data: { invoice: { id } } })
    const deliveries = await stack.waitFor(async () => {
      const { items } = await processout.events.webhooks(eventId)
      return items[0]?.status === 'delivered' && items
    })
    expect(deliveries).toMatchObject([{ event_id: eventId, request_url: receiver.url, response_code: '200' }])
    await stack.waitFor(async () => {
      const { items } = await processout.events.all({ limit: 100 })
      return items.some((item: { id: string }) => item.id === eventId)
    })
    await receiver.stop()
  })

  test('is understood where the client library puts the parameters of lists into every body', async () => {
    const { baseUrl: host, project } = stack
    const credentials = { host, projectId: project.id, projectSecret: project.secretKey }
    const inGo = createProcessOut({ ...credentials, listParametersInBodies: true })
    const { id } = await inGo.invoices.create({ name: 'Order 1', amount: '29.00', currency: 'EUR' })
    const at = new Date(Date.now() + DAY_MS).toISOString()
    await inGo.invoices.authorize(id, await createCard(), { auto_capture_at: at })
    const { transaction } = await inGo.invoices.capture(id, '', { capture_amount: '20.00' })
    expect(transaction).toMatchObject({ status: 'completed', captured_amount: '20.00' })
    expect(await inGo.invoices.refund(id, { amount: '5.00' })).toMatchObject({ amount: '5.00' })
  })

  test('reads why a request was refused', async () => {
    const refused: ProcessOutError = await processout.invoices
      .create({ name: 'x', amount: 'much', currency: 'EUR' })
      .catch((error) => error)
    expect(refused).toMatchObject({
      status: 400,
      errorType: 'request.validation.invalid-amount',
      body: { success: false, message: expect.any(String), invalid_fields: [{ name: 'amount' }] },
    })
    await expect(processout.transactions.find('tr_none')).rejects.toMatchObject({
      status: 404,
      errorType: 'resource.transaction.not-found',
    })
    const { baseUrl: host, project } = stack
    const stranger = createProcessOut({ host, projectId: project.id, projectSecret: 'key_sandbox_wrong' })
    await expect(stranger.invoices.all()).rejects.toMatchObject({
      status: 401,
      errorType: 'request.authentication.invalid',
    })
  })
})

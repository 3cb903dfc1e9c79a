import { beforeAll, describe, expect, test } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import { type ListedPayment, paymentAnswer, paymentSumsAnswer, paymentsAnswer } from '../../src/dashboard/contract.ts'
import { interfaceForFile, type Merchant } from '../http/interface.ts'
import { rowWriter } from '../http/row-writer.ts'
import { forFile } from '../support/for-file.ts'
import { signedInAs } from './browser.ts'

const api = interfaceForFile({ temporalUiUrl: 'https://temporal.example' })
const person = forFile(async () => signedInAs(api, 'support'))
const rows = forFile(async () => rowWriter(api, api.merchant))

const AT = Date.parse('2026-11-20T12:00:00.000Z')
const minutesAfter = (minutes: number) => new Date(AT + minutes * 60_000)

/** A payment with its invoice and card; `fields` are of the transaction. */
async function payment(
  name: string,
  fields: Record<string, unknown> = {},
  {
    invoice = {},
    last4Digits = '4242',
    holder = null,
  }: { invoice?: object; last4Digits?: string; holder?: string | null } = {},
): Promise<void> {
  await rows.card(`card_${name}`, { last4Digits, name: holder })
  await rows.invoice(`iv_${name}`, invoice)
  await rows.transaction(`tr_${name}`, `iv_${name}`, { cardId: `card_${name}`, ...fields })
}

beforeAll(async () => {
  await rows.customer('cust_Ada', {
    email: 'Ada@example.com',
    firstName: 'Ada',
    lastName: 'von Müller',
    referenceId: 'C-7',
  })
  await rows.customer('cust_Twin', { email: 'ada@example.com' })
  await payment(
    'One',
    { createdAt: minutesAfter(1), customerId: 'cust_Ada' },
    { invoice: { orderId: 'ORDER-1', referenceId: 'ada@example.com' } },
  )
  await payment(
    'Two',
    { createdAt: minutesAfter(2), status: 'completed', capturedMinor: 2900 },
    { last4Digits: '0077', invoice: { orderId: 'tr_Order' }, holder: 'ŁUCJA MÜLLER' },
  )
  await rows.customer('cust_Eva', { email: 'eva@xn--bcher-kva.example' })
  await payment(
    'Three',
    {
      customerId: 'cust_Eva',
      createdAt: minutesAfter(3),
      status: 'failed',
      authorizedMinor: 0,
      errorCode: 'card.expired',
    },
    { invoice: { orderId: 'ada@example.com' } },
  )
  await payment(
    'Four',
    { createdAt: minutesAfter(4), currency: 'JPY', amountMinor: 500, authorizedMinor: 500 },
    {
      invoice: { currency: 'JPY', amountMinor: 500, orderId: '0077' },
    },
  )
  const five = { createdAt: minutesAfter(5), needsAttention: true, customerId: 'cust_Twin', capturedMinor: 900 }
  await payment('Five', five, { invoice: { orderId: 'order-12' } })
  await payment(
    'Six',
    { createdAt: minutesAfter(6), status: 'pending', outcomeUnknownSince: minutesAfter(6) },
    { invoice: { referenceId: 'ref-6', name: '100% Größe' }, holder: 'مريم حسن' },
  )
  await rows.card('card_Declined', { last4Digits: '2206', name: 'Vera Visitor' })
  const declined = { isAttempt: false, outcome: 'failed', hasFailed: true, cardId: 'card_Declined' }
  await rows.operation('tr_op_Declined', 'tr_Two', declined)
})

const ask = (query: Record<string, string>) => person.get(`/dashboard/payments?${new URLSearchParams(query)}`)

async function found(query: Record<string, string>): Promise<string[]> {
  const { body } = await ask(query)
  return paymentsAnswer.parse(body).payments.map(({ invoice_id: id }: ListedPayment) => id.replace('iv_', ''))
}

describe('payments are found', () => {
  test.each([
    ['all, the newest first', {}, ['Six', 'Five', 'Four', 'Three', 'Two', 'One']],
    ['by an address whose domain is kept in ASCII', { search: ' Eva@bücher.example' }, ['Three']],
    ['by one status', { status: 'completed' }, ['Two']],
    ['by several statuses, in one order', { status: 'failed,completed,pending' }, ['Six', 'Three', 'Two']],
    ['by currency', { currency: 'jpy' }, ['Four']],
    [
      'by an amount that is included on both sides',
      { currency: 'JPY', amount_from: '500', amount_to: '500' },
      ['Four'],
    ],
    ['by an account that has taken none', { gateway_configuration_id: 'gway_conf_None' }, []],
    ['by no amount above', { currency: 'EUR', amount_from: '29.01' }, []],
    ['by the instant from which on they were made', { created_from: minutesAfter(5).toISOString() }, ['Six', 'Five']],
    ['by the instant before which they were made', { created_to: minutesAfter(2).toISOString() }, ['One']],
    ['by a day', { created_from: '2026-11-20', created_to: '2026-11-21', status: 'failed' }, ['Three']],
    ['by the code of the failure', { error_code: 'card.expired' }, ['Three']],
    ['by code and another status', { error_code: 'card.expired', status: 'completed' }, []],
    ['by a capture of a part', { partly_captured: 'true' }, ['Five']],
    ['by the need of attention', { needs_attention: 'true' }, ['Six', 'Five']],
    ['by the need of attention and a status', { needs_attention: 'true', status: 'pending' }, ['Six']],
    ['by the number of an order', { search: 'ORDER-1' }, ['One']],
    ['by the reference of an invoice', { search: 'ref-6' }, ['Six']],
    ['by the id of an invoice', { search: 'iv_Two' }, ['Two']],
    ['by the id of a transaction', { search: 'tr_Two' }, ['Two']],
    ['by the id of a customer', { search: 'cust_Ada' }, ['One']],
    ['by the id of a card', { search: 'card_Five' }, ['Five']],
    [
      'by an email address that two customers share',
      { search: 'ADA@example.com', status: 'authorized' },
      ['Five', 'One'],
    ],
    ['by an address that is an order’s number too, each once', { search: 'ada@example.com' }, ['Five', 'Three', 'One']],
    ['by the number of an order that looks like an id', { search: 'tr_Order' }, ['Two']],
    ['by four digits, which are of a card or the number of an order', { search: ' 0077 ' }, ['Four', 'Two']],
    ['by text and status', { search: 'ada@example.com', needs_attention: 'true' }, ['Five']],
    ['by the beginning of an order, in any case', { search: 'order-' }, ['Five', 'One']],
    ['by a whole order, which no longer one stands beside', { search: 'order-1' }, ['One']],
    ['by the beginning of an email address', { search: 'ADA@exam' }, ['Five', 'Three', 'One']],
    ['by the beginning of an id', { search: 'iv_T' }, ['Three', 'Two']],
    ['but by no id in another case', { search: 'iv_two' }, []],
    ['by the name of the holder, in any case', { search: 'łucja mü' }, ['Two']],
    ['by the last word of it and a customer’s last name, each without its accent', { search: 'muller' }, ['Two']],
    ['by the last digits of a card that was declined before another one was tried', { search: '2206' }, ['Two']],
    ['by the holder of that card', { search: 'vera' }, ['Two']],
    ['by the number of an order with its sign', { search: '#ORDER-1' }, ['One']],
    ['by the number of an order as a sentence has it', { search: 'Bestellung #order-12' }, ['Five']],
    ['by a card as the page shows it', { search: 'Visa •••• 2206' }, ['Two']],
    ['by a card as it is copied from the page', { search: 'Visa ••••ending in 0077' }, ['Four', 'Two']],
    ['by no order that only contains the number', { search: 'order 12' }, []],
    ['by a name in Arabic', { search: 'مريم' }, ['Six']],
    ['by the first name of a customer', { search: 'aDa', status: 'authorized' }, ['Five', 'One']],
    ['by the whole name of a customer', { search: 'ADA VON MULLER' }, ['One']],
    ['by the beginning of the last name', { search: 'von m' }, ['One']],
    ['by the reference of a customer', { search: 'C-7' }, ['One']],
    ['by the name of the invoice, without meaning for any of its signs', { search: '1__%' }, []],
    ['by the name of the invoice', { search: '100% GRÖSSE' }, ['Six']],
    ['by no text within a word', { search: 'uller' }, []],
    ['the oldest first', { order: 'asc', status: 'failed,completed,pending' }, ['Two', 'Three', 'Six']],
    ['by nothing that is there', { search: 'no such order' }, []],
    ['by the address of nobody', { search: 'nobody@example.com' }, []],
    ['by a text that would be SQL', { search: "' or '1'='1" }, []],
  ] as const)('%s', async (_, query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('page by page, also where payments share an instant', async () => {
    const pages: string[][] = []
    let next: string | null = null
    do {
      const query: Record<string, string> = { limit: '4', ...(next !== null && { start_after: next }) }
      const { body } = await ask(query)
      const page = paymentsAnswer.parse(body)
      pages.push(page.payments.map(({ invoice_id: id }) => id.replace('iv_', '')))
      expect(page.searched_to).toBeNull()
      next = page.next
    } while (next !== null)
    expect(pages).toEqual([
      ['Six', 'Five', 'Four', 'Three'],
      ['Two', 'One'],
    ])
  })

  test('with everything that a list shows', async () => {
    const { body } = await ask({ search: 'iv_One' })
    expect(paymentsAnswer.parse(body).payments).toEqual([
      {
        invoice_id: 'iv_One',
        transaction_id: 'tr_One',
        name: 'Order 1',
        order_id: 'ORDER-1',
        status: 'authorized',
        currency: 'EUR',
        amount: '29.00',
        authorized_amount: '29.00',
        captured_amount: '0.00',
        refunded_amount: '0.00',
        disputed_amount: '0.00',
        net_amount: '0.00',
        gateway_configuration_id: rows.gatewayConfigurationId,
        gateway_name: 'simulator',
        card_scheme: 'visa',
        card_last_4_digits: '4242',
        card_holder: null,
        customer_id: 'cust_Ada',
        customer_name: 'Ada von Müller',
        customer_email: 'Ada@example.com',
        customer_deleted_at: null,
        error_code: null,
        needs_attention: false,
        created_at: minutesAfter(1).toISOString(),
        captured_at: null,
      },
    ])
  })

  test('and added up by currency, less what is refunded, disputed or lost', async () => {
    const taken = {
      status: 'completed',
      createdAt: minutesAfter(-1),
      capturedMinor: 2900,
      refundedMinor: 1000,
      disputedMinor: 350,
    }
    await payment('Taken', taken)
    const { body } = await person.get(`/dashboard/payment-sums?status=completed,authorized&search=iv_`)
    const [captured, refunded, disputed, net] = ['67.00', '10.00', '3.50', '53.50']
    expect(paymentSumsAnswer.parse(body)).toEqual({
      success: true,
      sums: [
        {
          ...{ currency: 'EUR', count: 4, amount: '116.00', captured_amount: captured },
          ...{ refunded_amount: refunded, disputed_amount: disputed, net_amount: net },
        },
        {
          ...{ currency: 'JPY', count: 1, amount: '500', captured_amount: '0' },
          ...{ refunded_amount: '0', disputed_amount: '0', net_amount: '0' },
        },
      ],
      next: null,
      searched_to: null,
    })
  })
})

test.each([
  ['limit', '0'],
  ['limit', '101'],
  ['status', 'authorised'],
  ['currency', 'EURO'],
  ['amount_from', '5'],
  ['created_from', 'yesterday'],
  ['created_from', '2026-02-30'],
  ['needs_attention', 'yes'],
  ['order', 'amount'],
  ['start_after', 'tr_None'],
  ['start_after', 'iv_One'],
  ['colour', 'red'],
])('a wrong %s is refused', async (name, value) => {
  const { status, body } = await ask({ [name]: value })
  expect([status, body.invalid_fields?.[0]?.name]).toEqual([400, name])
})

describe('where few of many payments are looked for', () => {
  let many: Merchant
  const COUNT = 6_000

  beforeAll(async () => {
    many = await api.makeMerchant({ sandbox: true })
    const writer = await rowWriter(api, many)
    await writer.card('card_Many', { last4Digits: '1881' })
    const em = api.database.orm.em.fork()
    await em.begin()
    // Rows of no payment: without the audit log, whose triggers take a millisecond for each.
    await em.execute('set local session_replication_role = replica')
    await em.execute(
      `insert into invoice select made.* from invoice, generate_series(1, ${COUNT}) n,
         jsonb_populate_record(invoice, jsonb_build_object(
           'id', 'iv_M' || n, 'project_id', ?::text, 'order_id', concat('M', nullif(n, 1)), 'reference_id', null)) made
        where invoice.id = 'iv_One'`,
      [many.projectId],
    )
    await em.execute(
      `insert into transaction select made.* from transaction, generate_series(1, ${COUNT}) n,
         jsonb_populate_record(transaction, jsonb_build_object(
           'id', 'tr_M' || n, 'invoice_id', 'iv_M' || n, 'project_id', ?::text, 'customer_id', null, 'card_id', 'card_Many',
           'gateway_configuration_id', ?::text, 'amount_minor', case when n = 1 then 1 else 2900 end,
           'created_at', timestamptz '2026-11-01 00:00:00Z' + n * interval '1 second')) made
        where transaction.id = 'tr_One'`,
      [many.projectId, writer.gatewayConfigurationId],
    )
    await em.execute(
      `insert into card select made.* from card, generate_series(1, 1001) n,
         jsonb_populate_record(card, jsonb_build_object('id', 'card_M' || n, 'last4_digits', '7777')) made
        where card.id = 'card_Many'`,
    )
    await em.commit()
    const declined = { isAttempt: false, outcome: 'failed', hasFailed: true, cardId: 'card_M7' }
    await writer.operation('tr_op_M', 'tr_M5998', declined)
  })

  test('a call stops on its way and says how far it came, and the next one goes on from there', async () => {
    const owner = await signedInAs(api, 'owner', many.projectId)
    const get = async (query: Record<string, string>) =>
      paymentsAnswer.parse((await owner.get(`/dashboard/payments?${new URLSearchParams(query)}`)).body)
    const rare = { currency: 'EUR', amount_to: '0.01' }
    const first = await get(rare)
    expect([first.payments, first.next]).toEqual([[], 'tr_M2001'])
    expect(first.searched_to).toBe('2026-11-01T00:33:21.000Z')
    const second = await get({ ...rare, start_after: String(first.next) })
    expect([second.payments.map(({ transaction_id: id }) => id), second.next]).toEqual([['tr_M1'], null])
    expect(second.searched_to).toBeNull()
    // An order whose number too many others begin with is found alone; a name that begins so everywhere is asked of each payment.
    const named = async (query: Record<string, string>) => {
      const { payments, next } = await get(query)
      return [payments.map(({ transaction_id: id }) => id), next]
    }
    expect(await named({ search: 'm' })).toEqual([['tr_M1'], null])
    expect(await named({ search: 'order', limit: '2' })).toEqual([['tr_M6000', 'tr_M5999'], 'tr_M5999'])
    expect(await named({ search: 'order', ...rare })).toEqual([[], 'tr_M5701'])
    // Cards whose digits too many others have: one of them was declined for a payment that another card paid.
    expect(await named({ search: '7777' })).toEqual([['tr_M5998'], 'tr_M5701'])
  })

  test('the file has each of them once, in the order of the list, and the sums are of all', async () => {
    const owner = await signedInAs(api, 'owner', many.projectId)
    const { status, headers, body } = await owner.get('/dashboard/payments.csv?currency=EUR&order=asc')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const records: Record<string, string>[] = parse(body, { columns: true, bom: true })
    expect(records.map(({ transaction_id: id }) => id)).toEqual(Array.from({ length: COUNT }, (_, n) => `tr_M${n + 1}`))
    let count = 0
    for (let next: string | null = ''; next !== null; ) {
      const path: string = `/dashboard/payment-sums?currency=EUR${next && `&start_after=${next}`}`
      const sums = paymentSumsAnswer.parse((await owner.get(path)).body)
      for (const sum of sums.sums) count += sum.count
      next = sums.next
    }
    expect(count).toBe(COUNT)
  })
})

describe('one payment', () => {
  test('is told in words, with its events, what comes next, and where its history is', async () => {
    const at = (minutes: number) => ({ createdAt: minutesAfter(minutes) })
    await payment('Told', {
      ...at(10),
      autoCaptureAt: minutesAfter(100),
      autoCaptureAmountMinor: 2000,
      authorizationExpiresAt: minutesAfter(200),
    })
    const { gatewayConfigurationId } = rows
    await rows.operation('tr_op_Request', 'tr_Told', {
      ...at(10),
      type: 'request',
      isAttempt: false,
      outcome: 'succeeded',
    })
    await rows.operation('tr_op_Try', 'tr_Told', { ...at(10), gatewayConfigurationId, personId: person.personId })
    await rows.operation('tr_op_No', 'tr_Told', {
      ...at(11),
      gatewayConfigurationId,
      isAttempt: false,
      attemptOperationId: 'tr_op_Try',
      outcome: 'failed',
      hasFailed: true,
      errorCode: 'card.expired',
      cardId: 'card_Told',
    })
    await rows.operation('tr_op_Open', 'tr_Told', { ...at(12), gatewayConfigurationId, actor: 'client' })
    await rows.event('ev_Told', {
      invoiceId: 'iv_Told',
      transactionId: 'tr_Told',
      sequence: 1,
      firedAt: minutesAfter(11),
    })
    await rows.delivery('whd_Told', 'ev_Told', { status: 'failed' })
    // Sent again after five tries, of which two more have failed; and one that was not tried yet.
    await rows.delivery('whd_Again', 'ev_Told', { run: 1, targetUrl: 'https://shop.example/2' })
    for (const attempt of [0, 1]) await rows.deliveryAttempt('whd_Again', attempt, { run: 1 })
    await rows.deliveryAttempt('whd_Again', 4)
    await rows.deliveryAttempt('whd_Told', 0)
    await rows.delivery('whd_New', 'ev_Told', { targetUrl: 'https://shop.example/3' })

    const { body } = await person.get('/dashboard/payments/iv_Told')
    const { payment: shown } = paymentAnswer.parse(body)
    expect(shown.workflow).toEqual({
      id: 'payment-iv_Told',
      url: 'https://temporal.example/namespaces/sandbox/workflows/payment-iv_Told',
    })
    expect(
      shown.timeline.map(({ title, tone, actor }) => [title.code, title.values.amount, tone, actor?.code]),
    ).toEqual([
      ['request.succeeded', '29.00', 'neutral', 'merchant'],
      ['authorization.failed', '29.00', 'bad', 'person'],
      ['event', undefined, 'bad', undefined],
      ['authorization.doing', '29.00', 'waiting', 'client'],
      ['scheduledCapture', '20.00', 'waiting', undefined],
      ['authorizationEnd', '29.00', 'waiting', undefined],
    ])
    expect(shown.timeline[1]).toMatchObject({
      details: [
        { code: 'card', values: { scheme: 'visa', last_4_digits: '4242' } },
        { code: 'gateway', values: { name: 'Simulator' } },
        { code: 'error', values: { error_code: 'card.expired' } },
      ],
      actor: { values: { name: expect.stringMatching(/^Person \d+$/) } },
      operation_id: 'tr_op_Try',
      event_id: null,
    })
    expect(shown.timeline[2]).toMatchObject({
      event_id: 'ev_Told',
      webhooks: { delivered: 0, pending: 1, retrying: 1, failed_tries: 2, failed: 1 },
    })
  })

  test('shows of a deleted customer and card what lists show, and when they were deleted', async () => {
    const deletedAt = minutesAfter(20)
    await rows.customer('cust_Gone', { deletedAt })
    await rows.card('card_Erased', { last4Digits: '1112', deletedAt, numberCiphertext: null, numberKeyId: null })
    await payment('Gone', { createdAt: minutesAfter(-2), customerId: 'cust_Gone', cardId: 'card_Erased' })
    const { body } = await person.get('/dashboard/payments/iv_Gone')
    const at = deletedAt.toISOString()
    const card = { scheme: 'visa', last_4_digits: '1112', deleted_at: at }
    expect(paymentAnswer.parse(body).payment).toMatchObject({ card, customer_deleted_at: at })
    const [listed] = paymentsAnswer.parse((await ask({ search: 'iv_Gone' })).body).payments
    expect(listed).toMatchObject({ card_last_4_digits: '1112', customer_name: null, customer_deleted_at: at })
  })

  test('that is not there is 404', async () => {
    expect((await person.get('/dashboard/payments/iv_Nothing')).body.error_type).toBe('resource.invoice.not-found')
  })
})

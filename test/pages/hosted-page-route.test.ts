import { describe, expect, test } from '@jest/globals'
import { type CustomerAction, issueAction } from '../../domain/customer-action.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { answerSourceOf } from '../../src/api/payments/source.ts'
import type { FirstView } from '../../src/pages/hosted-page.ts'
import { viewOf } from '../../src/pages/hosted-page-route.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { interfaceForFile, type Merchant } from '../http/interface.ts'
import { emptyBucket } from '../http/rate-limit-buckets.ts'
import { makeRows } from '../persistence/rows.ts'
import { makeTransaction } from '../support/make-transaction.ts'

const api = interfaceForFile()

interface Opened {
  status: number
  headers: Headers
  text: string
  /** What the script is told. */
  data: Record<string, unknown>
}

async function open(path: string, headers: Record<string, string> = {}): Promise<Opened> {
  const answer = await fetch(new URL(path, api.url), { headers, redirect: 'manual' })
  const text = await answer.text()
  const [, json = '{}'] = /<script type="application\/json" id="payment">(.*?)<\/script>/s.exec(text) ?? []
  return { status: answer.status, headers: answer.headers, text, data: JSON.parse(json) }
}

interface Invoice {
  id: string
  secret: string
  /** The address that opens its page. */
  path: string
}

async function makeInvoice(fields: object = {}, merchant: Merchant = api.merchant): Promise<Invoice> {
  const wanted = { name: 'Order 1', amount: '29.00', currency: 'EUR', ...fields }
  const { status, headers, body } = await merchant.client.post('/invoices', wanted)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const secret = String(headers.get('x-service-client-secret'))
  return { id: body.invoice.id, secret, path: `/pay/${body.invoice.id}?client_secret=${secret}` }
}

const ACTION = `act_${'a'.repeat(32)}`

/** Has the payment wait for its customer, as the gateway's answer would. */
async function awaitCustomer(
  invoiceId: string,
  values: Partial<CustomerAction> = {},
  { isOpen = true, isAbandoned = false } = {},
) {
  const em = api.database.orm.em.fork()
  await makeTransaction(em, invoiceId, isOpen ? 'waiting' : 'failed')
  const attemptId = `tr_op_${'b'.repeat(32)}`
  const action = issueAction(
    { type: 'url', page: { url: 'https://bank.example', fields: null }, isFullPage: true, continuation: 'c' },
    { id: ACTION, attemptId, invoiceId, channel: 'web', previous: null, publicUrl: api.url, at: Date.now() },
  )
  const attempt = { operationId: attemptId, isAbandoned, awaitsCustomerUntil: action.expiresAt }
  await em.nativeUpdate(
    TransactionEntity,
    { invoiceId },
    { customerAction: { ...action, ...values }, attemptsInFlight: isOpen ? [attempt as never] : [] },
  )
  return { action, path: `/pay/${invoiceId}?action=${ACTION}` }
}

describe('the address of an action', () => {
  test.each([
    ['leads to the bank', null, 303, 'https://bank.example'],
    ['is over once it is answered, although its payment still waits', { by: 'tr_op_1', kind: 'returned' }, 410, null],
  ] as const)('%s', async (_, answered, status, location) => {
    const { id } = await makeInvoice()
    const { action } = await awaitCustomer(id, { answered })
    const answer = await open(new URL(action.value).pathname)
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location])
  })
})

describe('the way back from the bank', () => {
  test.each([
    ['while the payment waits for it', {}, { fine: 'yes' }],
    ['after a notification of the gateway has decided the payment', { isOpen: false }, null],
    ['after the merchant has given the payment up', { isAbandoned: true }, null],
  ] as const)('leads on %s', async (_, state, kept) => {
    const { id } = await makeInvoice()
    const { action } = await awaitCustomer(id, {}, state)
    const { status, text } = await open(`/three-d-s/${id}/${action.attemptId}/return?fine=yes`)
    expect(status).toBe(200)
    expect(text).toContain(answerSourceOf(action))
    const found = await api.database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId: id })
    expect(found.customerAction?.returned ?? null).toEqual(kept)
  })

  test('of another attempt leads nowhere', async () => {
    const { id } = await makeInvoice()
    await awaitCustomer(id)
    expect((await open(`/three-d-s/${id}/tr_op_${'c'.repeat(32)}/return`)).status).toBe(410)
  })
})

test("pages on the way to the bank and back speak the customer's language, and load nothing", async () => {
  const { id } = await makeInvoice()
  const form = { url: 'https://bank.example/acs', fields: { PaReq: 'a<b' } }
  const { action } = await awaitCustomer(id, { page: form })
  const pages = [
    [new URL(action.value).pathname, 200, 'Zu Ihrer Bank', 'https: https://bank.example'],
    [`/three-d-s/${id}/${action.attemptId}/return`, 200, 'Zurück von Ihrer Bank', "'none'"],
    [`/three-d-s/${id}/act_nothing`, 410, 'Dieser Schritt ist beendet', "'none'"],
  ] as const
  for (const [path, status, title, formAction] of pages) {
    const answer = await open(path, { 'accept-language': 'de-AT,en;q=0.5' })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('vary')).toContain('Accept-Language')
    expect(answer.text).toContain('<html lang="de-AT" dir="ltr">')
    expect(answer.text).toMatch(new RegExp(`<title>${title}</title>.*<h1>${title}</h1>`, 's'))
    expect(answer.text).not.toMatch(/<link|src=/)
    const policy = String(answer.headers.get('content-security-policy'))
    expect(policy).toContain(`form-action ${formAction}`)
    const nonces = [...policy.matchAll(/'nonce-([^']+)'/g)].map(([, nonce]) => nonce)
    for (const [, nonce] of answer.text.matchAll(/<(?:style|script) nonce="([^"]+)"/g)) expect(nonces).toContain(nonce)
  }
})

test.each([
  ['in the middle of a payment goes to the bank and back', {}, true, [303, 200, 200]],
  ['of a payment that a notification has decided meanwhile comes back', {}, false, [410, 200, 200]],
  ['of a step whose time is over is one of them', { expiresAt: 0 }, false, [429, 429, 429]],
] as const)('while others behind the address ask too much, the customer %s', async (_, values, isOpen, reached) => {
  const [waiting, other] = [await makeInvoice(), await makeInvoice()]
  const { action, path } = await awaitCustomer(waiting.id, values, { isOpen })
  const back = `/three-d-s/${waiting.id}/${action.attemptId}/return`
  const addresses = [new URL(action.value).pathname, back, path, other.path, '/pay/iv_none', '/openapi.json']
  const statuses = async (...emptied: string[]) => {
    const found = []
    for (const address of addresses) {
      // Each time: they fill again within milliseconds.
      for (const subject of emptied) await emptyBucket(api, 'open_route', subject)
      found.push((await open(address)).status)
    }
    return found
  }
  expect(await statuses('127.0.0.1')).toEqual([...reached, 429, 429, 429])
  expect(await statuses('127.0.0.1', `invoice ${waiting.id}`)).toEqual(addresses.map(() => 429))
  await api.database.orm.em.fork().execute('delete from rate_limit_bucket')
})

/** The views that are shown, of those that are in the page. */
const shownIn = (text: string) =>
  [...text.matchAll(/<section[^>]*data-view="(\w+)"([^>]*)>/g)]
    .filter(([, , attributes]) => !attributes?.includes('hidden'))
    .map(([, view]) => view)

describe('the address of a page', () => {
  test('opens with the client secret of the invoice', async () => {
    const { id, path } = await makeInvoice()
    const { status, text, data } = await open(path)
    expect(status).toBe(200)
    expect(data).toEqual({
      project_id: `test-${api.merchant.projectId}`,
      invoice_id: id,
      language: 'en',
      view: 'form',
      authorize_only: false,
      token: null,
    })
    expect(shownIn(text)).toEqual(['form'])
    expect(text).toContain('Order 1')
    expect(text).toContain('€29.00')
  })

  test('opens with the id of the last action, before and after that is over', async () => {
    const [waiting, over] = [await makeInvoice(), await makeInvoice()]
    const { path } = await awaitCustomer(waiting.id)
    expect(await open(path)).toMatchObject({ status: 200, data: { view: 'busy', token: null } })
    const { path: late } = await awaitCustomer(over.id, {}, { isOpen: false })
    expect(await open(late)).toMatchObject({ status: 200, data: { view: 'form', token: null } })
  })

  test('opens nothing, and always the same way, with any other proof', async () => {
    const [invoice, other] = [await makeInvoice(), await makeInvoice()]
    const stranger = await makeInvoice({}, await api.makeMerchant({ sandbox: false }))
    await awaitCustomer(other.id)
    const paths = [
      `/pay/${invoice.id}`,
      `/pay/${invoice.id}?client_secret=`,
      `/pay/${invoice.id}?client_secret=${other.secret}`,
      `/pay/${invoice.id}?client_secret=${stranger.secret}`,
      `/pay/${invoice.id}?client_secret=${invoice.secret}x`,
      `/pay/${invoice.id}?client_secret=${invoice.secret}&client_secret=${invoice.secret}`,
      `/pay/${invoice.id}?client_secret[]=${invoice.secret}`,
      `/pay/${invoice.id}?action=${ACTION}`,
      `/pay/${invoice.id}?action=${invoice.secret}`,
      `/pay/${other.id}?action=act_${'c'.repeat(32)}`,
      `/pay/${other.id}?action=`,
      `/pay/iv_none?client_secret=${invoice.secret}`,
      `/pay/iv_${'0'.repeat(32)}?action=${ACTION}`,
      `/pay/cust_1?client_secret=${invoice.secret}`,
      '/pay/%3Cscript%3E',
    ]
    const pages = await Promise.all(paths.map((path) => open(path)))
    expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 404))
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
    expect(pages.map(({ headers }) => headers.get('set-cookie'))).toEqual(paths.map(() => null))
    const { text } = await open(paths[0] ?? '')
    expect(text).toContain('This page cannot be opened')
    expect(text).not.toMatch(/iv_|ivs_|act_|29\.00|Order 1/)
  })

  test('is not needed when the page is loaded again', async () => {
    const [invoice, other] = [await makeInvoice(), await makeInvoice()]
    const { headers } = await open(invoice.path)
    const set = headers.get('set-cookie') ?? ''
    expect(set).toMatch(/^holdfast_iv_\w+=ivs_[\w-]{43}; Max-Age=86400; HttpOnly; SameSite=Lax$/)
    const [pair = ''] = set.split(';')
    const again = await open(`/pay/${invoice.id}`, { cookie: pair })
    expect(again).toMatchObject({ status: 200, data: { invoice_id: invoice.id } })
    expect(again.headers.get('set-cookie')).toBeNull()
    // The cookie of one invoice opens no other one, under no name.
    const [, value = ''] = pair.split('=')
    expect(await open(`/pay/${other.id}`, { cookie: pair })).toMatchObject({ status: 404 })
    expect(await open(`/pay/${other.id}`, { cookie: `holdfast_${other.id}=${value}` })).toMatchObject({ status: 404 })
    // It is no client secret, and a client secret is no cookie.
    expect(value).not.toBe(invoice.secret)
    expect(await open(`/pay/${invoice.id}?client_secret=${value}`)).toMatchObject({ status: 404 })
    expect(await open(`/pay/${invoice.id}`, { cookie: `holdfast_${invoice.id}=${invoice.secret}` })).toMatchObject({
      status: 404,
    })
  })
})

describe('what the page says', () => {
  test('is what the invoice says', async () => {
    const { id, path } = await makeInvoice({
      statement_descriptor_company: 'Ann and Bob',
      details: [
        { name: 'Coffee', amount: '12.50', quantity: 2, discount_amount: '1.00' },
        { name: 'Mug', amount: '5.00' },
      ],
      return_url: 'https://shop.example/thanks?order=1',
      cancel_url: 'https://shop.example/basket',
      require_backend_capture: true,
    })
    const { text, data } = await open(path, { 'accept-language': 'ja, de-AT;q=0.9' })
    expect(text).toContain('<html lang="de-AT" dir="ltr">')
    expect(text).toContain('<p class="merchant"><bdi>Ann and Bob</bdi></p>')
    expect(text).toMatch(/<bdi>Coffee<\/bdi> <span class="quantity">× 2<\/span><\/span><bdi class="price">€\u00a024,00/)
    expect(text).toContain(`data-back href="https://shop.example/thanks?order=1&amp;invoice_id=${id}"`)
    expect(text).toContain('<a href="https://shop.example/basket" id="cancel">')
    expect(data).toMatchObject({ view: 'form', authorize_only: true, language: 'de' })
  })

  test('is the name of the project where the invoice names no company, and that of a live project', async () => {
    const live = await api.makeMerchant({ sandbox: false })
    const { text, data } = await open((await makeInvoice({ amount: '0', verification: true }, live)).path)
    expect(text).toContain('<p class="merchant"><bdi>Shop</bdi></p>')
    expect(text).toContain('<h2 tabindex="-1">Verify the card</h2>')
    expect(text).not.toContain('This is a test.')
    expect(data.project_id).toBe(live.projectId)
  })

  test('comes with files of its own, which are there', async () => {
    for (const { text } of [await open((await makeInvoice()).path), await open('/pay/iv_none')]) {
      const files = [...text.matchAll(/(?:src|href)="(\.\.\/js\/v1\/[^"]+)" integrity="(sha384-[^"]+)"/g)]
      expect(files).toHaveLength(2)
      for (const [, file = ''] of files) {
        const answer = await fetch(new URL(file, `${api.url}/pay/iv_1`))
        expect(answer.status).toBe(200)
        expect(answer.headers.get('cache-control')).toMatch(/immutable/)
      }
    }
  })

  test('is kept by no browser, shown in no frame, and names no address', async () => {
    const { path } = await makeInvoice()
    for (const { headers } of [await open(path), await open('/pay/iv_none')]) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('vary')).toMatch(/Accept-Language/)
      const policy = headers.get('content-security-policy')?.split('; ')
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "frame-src 'self'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ]),
      )
      expect(policy?.join()).not.toMatch(/unsafe|\*/)
    }
  })
})

describe('the state of the payment', () => {
  const { invoice, transaction } = makeRows('hosted-page')
  const now = new Date('2026-11-21T09:00:00.000Z')
  const viewIn = (status: TransactionStatus | null, fields: Partial<InvoiceRow> = {}) =>
    viewOf(
      {
        invoice: { ...invoice, deviceChannel: 'web', expiresAt: null, expiredAt: null, ...fields },
        transaction: status && { ...transaction, status },
      },
      now,
    )

  test.each<[TransactionStatus | null, FirstView]>([
    ['authorized', 'alreadyPaid'],
    ['completed', 'alreadyPaid'],
    ['partially-refunded', 'alreadyPaid'],
    ['voided', 'voided'],
    ['refunded', 'refunded'],
    ['waiting', 'busy'],
    ['pending', 'busy'],
    ['in-review', 'busy'],
    ['pending-capture', 'busy'],
    ['failed', 'form'],
    ['blocked', 'form'],
    [null, 'form'],
  ])('%s shows %s, and in an app what is left to the app', (status, view) => {
    expect(viewIn(status)).toBe(view)
    const isOpen = view === 'form' || view === 'busy'
    expect(viewIn(status, { deviceChannel: 'android' })).toBe(isOpen ? 'inApp' : view)
  })

  test('an invoice that has expired takes no payment', () => {
    expect(viewIn(null, { expiresAt: now })).toBe('form')
    expect(viewIn(null, { expiresAt: new Date(now.getTime() - 1) })).toBe('expired')
  })

  test('that has failed offers another try, until the invoice has expired', async () => {
    const { id, path } = await makeInvoice({ expires_at: new Date(api.clock.now().getTime() + 60_000).toISOString() })
    await makeTransaction(api.database.orm.em.fork(), id, 'failed')
    const { text } = await open(path)
    expect(shownIn(text)).toEqual(['form'])
    expect(text).toMatch(/role="alert">The last try was not successful/)
    api.clock.advance(61_000)
    expect(shownIn((await open(path)).text)).toEqual(['expired'])
  })

  test('an invoice of an app is left to the app', async () => {
    const fields = { device: { channel: 'android' }, return_url: 'com.example.my_shop://pay/return' }
    const { text } = await open((await makeInvoice(fields)).path)
    expect(shownIn(text)).toEqual(['inApp'])
    expect(text).toMatch(/href="com\.example\.my_shop:\/\/pay\/return\?invoice_id=iv_\w+"/)
  })

  test('a full page of the bank that the customer has come back from goes on by its token', async () => {
    const [back, used] = [await makeInvoice(), await makeInvoice()]
    const { action, path } = await awaitCustomer(back.id, { returned: { PaRes: 'x' } })
    const token = String((await open(path)).data.token)
    expect(token).toMatch(/^gway_req_[\w-]+$/)
    expect(JSON.parse(Buffer.from(token.slice('gway_req_'.length), 'base64url').toString())).toEqual({
      url: action.value,
    })
    const answered = { by: 'tr_op_1', kind: 'returned' } as const
    const { path: over } = await awaitCustomer(used.id, { returned: { PaRes: 'x' }, answered })
    expect((await open(over)).data.token).toBeNull()
  })
})

test('the log has the route of a page, and neither its address nor its secret', async () => {
  const { id, secret, path } = await makeInvoice()
  await open(path)
  const lines = api.log
    .text()
    .split('\n')
    .filter((line) => line.includes('/pay/'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.at(-1)).toContain('"route":"/pay/:id"')
  expect(lines.at(-1)).toContain(id)
  expect(api.log.text()).not.toContain(secret)
})

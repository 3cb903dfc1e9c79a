import { describe, expect, test } from '@jest/globals'
import { type CustomerAction, issueAction } from '../../domain/customer-action.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeTransaction } from '../support/make-transaction.ts'
import { interfaceForFile, type Merchant } from './interface.ts'

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
async function awaitCustomer(invoiceId: string, values: Partial<CustomerAction> = {}, isOpen = true) {
  const em = api.database.orm.em.fork()
  await makeTransaction(em, invoiceId, isOpen ? 'waiting' : 'failed')
  const attemptId = `tr_op_${'b'.repeat(32)}`
  const action = issueAction(
    { type: 'url', page: { url: 'https://bank.example', fields: null }, isFullPage: true, continuation: 'c' },
    { id: ACTION, attemptId, invoiceId, channel: 'web', previous: null, publicUrl: api.url, at: Date.now() },
  )
  const attempt = { operationId: attemptId, isAbandoned: false, awaitsCustomerUntil: action.expiresAt }
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

const give = async (invoiceId: string, status: TransactionStatus) => {
  await makeTransaction(api.database.orm.em.fork(), invoiceId, status)
}

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
    const { path: late } = await awaitCustomer(over.id, {}, false)
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
  test('is escaped, wherever the merchant has written it', async () => {
    const evil = '</script><img src=x onerror="alert(1)">\'&'
    const { path } = await makeInvoice({
      name: evil,
      statement_descriptor_company: 'A, B.',
      details: [{ name: evil, amount: '1.00', quantity: 2 }],
      return_url: 'https://shop.example/?a="><script>alert(1)</script>',
      cancel_url: 'https://shop.example/?b=%22&c=\'"><i>',
    })
    const { text } = await open(path)
    expect(text).not.toMatch(/<img|<i>|<script>alert|onerror="/)
    expect(text).toContain('&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;')
    expect(text.match(/<script/g)).toHaveLength(2)
    expect(text.match(/<\/script>/g)).toHaveLength(2)
  })

  test('has no style and no program beside its own files', async () => {
    const { path } = await makeInvoice({ details: [{ name: 'Coffee', amount: '29.00' }] })
    for (const { text } of [await open(path), await open('/pay/iv_none')]) {
      expect(text).not.toMatch(/\sstyle=|<style|\son\w+=|javascript:/i)
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

  test('shows the lines with their quantities and discounts', async () => {
    const { path } = await makeInvoice({
      details: [
        { name: 'Coffee', amount: '12.50', quantity: 2, discount_amount: '1.00' },
        { name: 'Mug', amount: '5.00' },
      ],
    })
    const { text } = await open(path)
    expect(text).toMatch(/<bdi>Coffee<\/bdi> <span class="quantity">× 2<\/span>/)
    expect(text).toContain('€24.00')
    expect(text).toMatch(/<bdi>Mug<\/bdi><\/span>/)
  })

  test('folds many lines up, and counts those that are too many', async () => {
    const details = Array.from({ length: 53 }, (_, index) => ({ name: `Piece ${index + 1}`, amount: '1.00' }))
    const { text } = await open((await makeInvoice({ details })).path)
    expect(text).toContain('<details class="lines">')
    expect(text).toContain('Piece 50<')
    expect(text).not.toContain('Piece 51<')
    expect(text).toContain('and 3 more')
  })

  test('names the company of the statement before the project', async () => {
    const named = await open((await makeInvoice({ statement_descriptor_company: 'Ann and Bob' })).path)
    expect(named.text).toContain('<p class="merchant"><bdi>Ann and Bob</bdi></p>')
    const unnamed = await open((await makeInvoice()).path)
    expect(unnamed.text).toContain('<p class="merchant"><bdi>Shop</bdi></p>')
  })

  test('says where no money is moved', async () => {
    const live = await api.makeMerchant({ sandbox: false })
    const { text, data } = await open((await makeInvoice({}, live)).path)
    expect(text).not.toContain('This is a test.')
    expect(data.project_id).toBe(live.projectId)
    expect((await open((await makeInvoice()).path)).text).toContain('This is a test.')
  })

  test('offers to verify a card where nothing is to be paid', async () => {
    const { text } = await open((await makeInvoice({ amount: '0', verification: true })).path)
    expect(text).toContain('<h2 tabindex="-1">Verify the card</h2>')
    expect(text).toContain('<span class="label">Verify the card</span>')
    expect(text).not.toContain('Pay <bdi>')
    expect(text).toContain('Your card was verified. Nothing was paid.')
    expect(text).not.toContain('Your payment was successful.')
  })
})

describe('the language of the page', () => {
  test.each([
    ['en-GB,en;q=0.9', 'en-GB', 'ltr', 'Pay <bdi>€29.00</bdi>'],
    ['de', 'de', 'ltr', '<bdi>29,00\u00a0€</bdi> bezahlen'],
    ['de-CH', 'de-CH', 'ltr', '<bdi>EUR\u00a029.00</bdi> bezahlen'],
    ['fr-FR', 'fr-FR', 'ltr', 'Payer <bdi>29,00\u00a0€</bdi>'],
    ['es-MX,es;q=0.8', 'es-MX', 'ltr', 'Pagar <bdi>EUR\u00a029.00</bdi>'],
    ['ar-AE', 'ar-AE', 'rtl', 'ادفع <bdi>'],
    ['ja, nl;q=0.9, fr;q=0.8, de;q=0.7', 'fr', 'ltr', 'Payer'],
    ['ja', 'en', 'ltr', 'Pay <bdi>€29.00</bdi>'],
    ['*', 'en', 'ltr', 'Pay'],
    ['de-u-nu-arab-x-evil', 'de', 'ltr', '29,00'],
    ['x'.repeat(200), 'en', 'ltr', 'Pay'],
    ['"><script>', 'en', 'ltr', 'Pay'],
  ])('%s gives %s', async (accepted, tag, direction, words) => {
    const { text } = await open((await makeInvoice()).path, { 'accept-language': accepted })
    expect(text).toContain(`<html lang="${tag}" dir="${direction}">`)
    expect(text).toContain(words)
  })

  test('is that of the page that opens nothing as well', async () => {
    const { text } = await open('/pay/iv_none', { 'accept-language': 'ar' })
    expect(text).toContain('<html lang="ar" dir="rtl">')
    expect(text).toContain('لا يمكن فتح هذه الصفحة')
  })

  test.each(['en', 'de', 'fr', 'es', 'ar'])('%s has every text', async (language) => {
    const { path } = await makeInvoice({ cancel_url: 'https://shop.example/', return_url: 'https://shop.example/' })
    const { text } = await open(path, { 'accept-language': language })
    expect(text).not.toMatch(/undefined|null<|\{amount\}|\{count\}/)
    const others = ['Thank you', 'Vielen Dank', 'Merci', 'Gracias', 'شكرًا لك']
    expect(others.filter((word) => text.includes(`>${word}</h2>`))).toHaveLength(1)
  })
})

describe('an amount', () => {
  test.each([
    ['JPY', '2900', 'en', '¥2,900'],
    ['JPY', '2900', 'de', '2.900\u00a0¥'],
    ['KWD', '1.500', 'en', 'KWD\u00a01.500'],
    ['ISK', '2900', 'en', 'ISK\u00a02,900'],
    ['CLF', '1.2345', 'en', 'CLF\u00a01.2345'],
    // The browser's data would round these.
    ['IQD', '1.001', 'en', 'IQD\u00a01.001'],
    ['HUF', '2900.55', 'de', '2.900,55\u00a0HUF'],
    // More than a floating point number holds exactly.
    ['EUR', '99999999999.99', 'en', '€99,999,999,999.99'],
    ['UYW', '99999999999.9999', 'en', 'UYW\u00a099,999,999,999.9999'],
  ])('of %s %s reads in %s: %s', async (currency, amount, language, shown) => {
    const { text } = await open((await makeInvoice({ currency, amount })).path, { 'accept-language': language })
    expect(text).toContain(`<p class="amount"><bdi>${shown}</bdi></p>`)
    expect(text).toContain(`<title>${shown} · Shop</title>`)
  })
})

describe('the state of the payment', () => {
  test.each([
    ['authorized', 'alreadyPaid'],
    ['completed', 'alreadyPaid'],
    ['partially-refunded', 'alreadyPaid'],
    ['voided', 'voided'],
    ['refunded', 'refunded'],
  ] as const)('%s shows %s, and no form', async (status, view) => {
    const { id, path } = await makeInvoice({ return_url: 'https://shop.example/back?a=1#top' })
    await give(id, status)
    const { text, data } = await open(path)
    expect(shownIn(text)).toEqual([view])
    expect(text).not.toMatch(/id="card"|data-view="form"/)
    expect(data.view).toBe(view)
    expect(text).toContain(`href="https://shop.example/back?a=1&amp;invoice_id=${id}#top"`)
  })

  test.each(['waiting', 'pending', 'in-review', 'pending-capture'] as const)(
    '%s waits, and offers nothing to pay',
    async (status) => {
      const { id, path } = await makeInvoice()
      await give(id, status)
      expect(shownIn((await open(path)).text)).toEqual(['busy'])
    },
  )

  test.each(['failed', 'blocked'] as const)('%s offers another try', async (status) => {
    const { id, path } = await makeInvoice()
    await give(id, status)
    const { text } = await open(path)
    expect(shownIn(text)).toEqual(['form'])
    expect(text).toMatch(/role="alert">The last try was not successful/)
  })

  test('an invoice that has expired takes no payment', async () => {
    const expires = new Date(api.clock.now().getTime() + 60_000).toISOString()
    const { path } = await makeInvoice({ expires_at: expires })
    expect(shownIn((await open(path)).text)).toEqual(['form'])
    api.clock.advance(61_000)
    expect(shownIn((await open(path)).text)).toEqual(['expired'])
  })

  test('an invoice of an app is left to the app', async () => {
    const { path } = await makeInvoice({
      device: { channel: 'android' },
      return_url: 'com.example.my_shop://pay/return',
    })
    const { text } = await open(path)
    expect(shownIn(text)).toEqual(['inApp'])
    expect(text).toMatch(/href="com\.example\.my_shop:\/\/pay\/return\?invoice_id=iv_\w+"/)
  })

  test('an invoice that only the server captures is only authorized', async () => {
    const { path } = await makeInvoice({ require_backend_capture: true })
    expect((await open(path)).data).toMatchObject({ view: 'form', authorize_only: true })
  })

  test('a full page of the bank that the customer has come back from goes on by its token', async () => {
    const [back, used] = [await makeInvoice(), await makeInvoice()]
    const { action, path } = await awaitCustomer(back.id, { returned: { PaRes: 'x' } })
    const { data } = await open(path)
    const token = String(data.token)
    expect(token).toMatch(/^gway_req_[\w-]+$/)
    expect(JSON.parse(Buffer.from(token.slice('gway_req_'.length), 'base64url').toString())).toEqual({
      url: action.value,
    })
    const { path: answered } = await awaitCustomer(used.id, {
      returned: { PaRes: 'x' },
      answered: { by: 'tr_op_1', kind: 'returned' },
    })
    expect((await open(answered)).data.token).toBeNull()
  })
})

describe('the way back to the shop', () => {
  test('is there where the merchant has given one, with the id of the invoice', async () => {
    const { id, path } = await makeInvoice({
      return_url: 'https://shop.example/thanks?order=1',
      cancel_url: 'https://shop.example/basket',
    })
    const { text } = await open(path)
    expect(text).toContain(`data-back href="https://shop.example/thanks?order=1&amp;invoice_id=${id}"`)
    expect(text).toContain('<a href="https://shop.example/basket" id="cancel">')
    expect(text).toContain('data-leaving hidden')
  })

  test('is nowhere where the merchant has given none', async () => {
    const { text } = await open((await makeInvoice()).path)
    expect(text).not.toMatch(/data-back|data-leaving|id="cancel"/)
  })

  test('is the address for a change of mind where nothing can be paid any more and there is no other', async () => {
    const { id, path } = await makeInvoice({ cancel_url: 'https://shop.example/basket' })
    await give(id, 'voided')
    expect((await open(path)).text).toContain('data-back href="https://shop.example/basket"')
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

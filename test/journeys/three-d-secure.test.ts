import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../support/stack.ts'

/**
 * A browser as far as a payment needs one: it opens pages, follows redirects and sends forms. What runs scripts is tried with
 * a real browser elsewhere.
 */
async function openPage(url: string, init: RequestInit = {}): Promise<{ status: number; text: string; url: string }> {
  const answer = await fetch(url, { redirect: 'follow', ...init })
  return { status: answer.status, text: await answer.text(), url: answer.url }
}

function formIn(text: string, base: string): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1] ?? base
  const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([tag]) => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? '',
    unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? ''),
  ])
  return {
    action: new URL(unescaped(action), base).href,
    fields: Object.fromEntries(inputs.filter(([name]) => name !== '')),
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

async function sendForm(page: { text: string; url: string }, more: Record<string, string> = {}) {
  const { action, fields } = formIn(page.text, page.url)
  return openPage(action, { method: 'POST', body: new URLSearchParams({ ...fields, ...more }) })
}

describe('a card that wants its holder to authenticate', () => {
  let stack: Stack

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
  })
  afterAll(() => stack.stop())

  const begin = async (number: string, fields: object = {}) => {
    const [{ id: invoiceId }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard({ number })])
    const call = (more: object) =>
      stack.post(`/invoices/${invoiceId}/authorize`, { source, enable_three_d_s_2: true, ...fields, ...more })
    return { invoiceId: String(invoiceId), source: String(source), call, answer: await call({}) }
  }
  /** The customer types a code into the page of the bank; gives the source of the next call. */
  const challenge = async (value: string, code: string): Promise<string> => {
    const form = await openPage(value)
    const bank = await sendForm(form)
    const back = await sendForm(bank, { code })
    const ended = /gway_req_[A-Za-z0-9_-]+/.test(back.text) ? back : await sendForm(back)
    const [source] = /gway_req_[A-Za-z0-9_-]+/.exec(ended.text) ?? []
    if (source === undefined) throw new Error(`The bank did not send the customer back: ${ended.text}`)
    return source
  }

  test('is authorized after a challenge, with the liability shifted', async () => {
    const { invoiceId, call, answer } = await begin('4000000000000101')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        outcome: 'pending',
        transaction: { status: 'waiting' },
        customer_action: { type: 'redirect', metadata: null },
      },
    })
    const source = await challenge(answer.body.customer_action.value, '1234')
    expect(await call({ source })).toMatchObject({
      status: 200,
      body: {
        outcome: 'success',
        transaction: { status: 'authorized', three_d_s_status: 'authenticated', liability_shift: true },
      },
    })
    expect((await stack.gatewayRequests(invoiceId)).filter(({ type }) => type === 'authorization')).toHaveLength(1)
  })

  test('is declined after three wrong codes, and another card may follow', async () => {
    const { invoiceId, answer, call } = await begin('4000000000007130')
    const source = await challenge(answer.body.customer_action.value, '1234')
    expect(await call({ source })).toMatchObject({ status: 410, body: { error_type: 'card.failed-3ds' } })
    const other = await stack.createCard()
    expect(await call({ source: other.id })).toMatchObject({
      status: 200,
      body: { transaction: { status: 'authorized' } },
    })
    expect(await stack.get(`/invoices/${invoiceId}`)).toMatchObject({ body: { invoice: { status: 'authorized' } } })
  })

  test('a sale is captured in the call that ends it', async () => {
    const { call, answer } = await begin('4000000000000101', { authorize_only: false })
    const source = await challenge(answer.body.customer_action.value, '1234')
    expect(await call({ source })).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', captured: true } },
    })
  })

  test('an app whose id has an underscore gets its address back with the source of the next call', async () => {
    const app = { device: { channel: 'android' }, return_url: 'com.example.my_shop://pay/return' }
    const [{ id: invoiceId }, { id: source }] = await Promise.all([
      stack.createInvoice(app),
      stack.createCard({ number: '4000000000003246' }),
    ])
    const call = (more: object) =>
      stack.post(`/invoices/${invoiceId}/authorize`, { source, enable_three_d_s_2: true, ...more })
    const { body } = await call({})
    const bank = await sendForm(await openPage(body.customer_action.value))
    const back = await sendForm(bank, { code: '1234' })
    const { status, text } = back.text.includes('gway_req_') ? back : await sendForm(back)
    expect(status).toBe(200)
    const address = /href="(com\.example\.my_shop:\/\/pay\/return\?[^"]*)"/.exec(text)?.[1] ?? ''
    const token = new URLSearchParams(unescaped(address).split('?')[1]).get('token')
    expect(await call({ source: token })).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { status: 'authorized' } },
    })
  })

  test('a server is told the page on which the customer can authenticate', async () => {
    const { invoiceId, answer } = await begin('4000000000000101', { enable_three_d_s_2: false })
    expect(answer).toMatchObject({
      status: 410,
      body: {
        success: false,
        outcome: 'pending',
        error_type: 'card.needs-authentication',
        customer_action: {
          type: 'redirect',
          value: expect.stringContaining(`${stack.baseUrl}/pay/${invoiceId}?action=act_`),
        },
        transaction: { status: 'waiting' },
      },
    })
  })

  test('is refused what is no answer to its own action, and nothing is charged', async () => {
    const first = await begin('4000000000000101')
    const other = await begin('4000000000000101')
    const foreign = `gway_req_${Buffer.from(JSON.stringify({ url: other.answer.body.customer_action.value })).toString('base64')}`
    expect(await first.call({ source: foreign })).toMatchObject({
      status: 400,
      body: { error_type: 'request.source.invalid' },
    })
    const elsewhere = `gway_req_${Buffer.from(JSON.stringify({ url: 'http://127.0.0.1:1/internal' })).toString('base64')}`
    expect(await first.call({ source: elsewhere })).toMatchObject({
      status: 400,
      body: { error_type: 'request.source.invalid' },
    })
    const card = await stack.createCard()
    expect(await first.call({ source: card.id })).toMatchObject({
      status: 410,
      body: { error_type: 'card.pending-3ds' },
    })
    expect(await first.call({})).toMatchObject({
      status: 200,
      body: { customer_action: first.answer.body.customer_action },
    })
  })

  test('an answer without the customer changes nothing: the bank is asked, not the client', async () => {
    const { call, answer } = await begin('4000000000000101')
    const { value } = answer.body.customer_action
    const source = `gway_req_${Buffer.from(JSON.stringify({ url: value, body: 'cres=eyJ0cmFuc1N0YXR1cyI6IlkifQ' })).toString('base64')}`
    expect(await call({ source })).toMatchObject({
      body: { outcome: 'pending', transaction: { status: 'waiting', authorized: false } },
    })
  })

  test('is canceled by the customer, and another card may follow at once', async () => {
    const { call, answer } = await begin('4000000000000101')
    const { value } = answer.body.customer_action
    const source = `gway_req_${Buffer.from(JSON.stringify({ url: value, body: 'canceled=true' })).toString('base64')}`
    expect(await call({ source })).toMatchObject({ status: 410, body: { error_type: 'customer.cancelled' } })
    const other = await stack.createCard()
    expect(await call({ source: other.id })).toMatchObject({
      status: 200,
      body: { transaction: { status: 'authorized' } },
    })
  })

  test('has failed after 15 minutes', async () => {
    const { invoiceId, answer } = await begin('4000000000000101')
    await stack.skipTime(invoiceId, 15 * 60_000)
    await stack.waitFor(async () => {
      const { body } = await stack.get(`/invoices/${invoiceId}`)
      return body.invoice.status === 'failed'
    })
    expect(await stack.get(`/transactions/${answer.body.transaction.id}`)).toMatchObject({
      body: { transaction: { status: 'failed', error_code: 'card.expired-3ds' } },
    })
    expect((await openPage(answer.body.customer_action.value)).status).toBe(410)
  })
})

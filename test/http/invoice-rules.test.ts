import { describe, expect, test } from '@jest/globals'
import { interfaceForFile, startInterface } from './interface.ts'

const api = interfaceForFile()

const MINIMAL = { name: 'Order 1', amount: '29.00', currency: 'EUR' }

const refusedUrl = (message: string) => ({
  status: 400,
  body: { error_type: 'request.validation.invalid-url', invalid_fields: [{ name: 'webhook_url', message }] },
})

/** Where nothing can ever be sent to, with what an endpoint for webhooks says of the same URL. */
const UNREACHABLE = [
  ['http://127.0.0.1:8080/', 'must not lead to a private, local or reserved address'],
  ['https://2130706433/', 'must not lead to a private, local or reserved address'],
  ['http://169.254.169.254/latest', 'must not lead to a private, local or reserved address'],
  ['https://[fd00::1]/', 'must not lead to a private, local or reserved address'],
  ['http://localhost/', 'must name a host on the public internet'],
  ['https://postgres/', 'must name a host on the public internet'],
  ['https://shop.example:0/', 'must name a port from 1 to 65535'],
  ['https://shop..example/', 'must name a host of letters, digits, hyphens and single dots'],
  ['https://ann:secret@shop.example/', 'must not contain a user name or password'],
] as const

describe('an invoice', () => {
  test('of the live environment needs an encrypted address for its webhooks', async () => {
    const live = await api.makeMerchant({ sandbox: false })
    const answer = await live.client.post('/invoices', { ...MINIMAL, webhook_url: 'http://shop.example/' })
    expect(answer).toMatchObject(refusedUrl('must be https in the live environment'))
    const accepted = await live.client.post('/invoices', { ...MINIMAL, webhook_url: 'https://shop.example/' })
    expect(accepted).toMatchObject({ status: 200, body: { invoice: { sandbox: false } } })
  })

  test.each(UNREACHABLE)('is given no address for its webhooks that cannot be sent to: %s', async (url, message) => {
    const { client } = api.merchant
    expect(await client.post('/invoices', { ...MINIMAL, webhook_url: url })).toMatchObject(refusedUrl(message))
    const { invoice } = (await client.post('/invoices', { ...MINIMAL, webhook_url: 'http://shop.example/' })).body
    expect(await client.put(`/invoices/${invoice.id}`, { webhook_url: url })).toMatchObject(refusedUrl(message))
    expect((await client.get(`/invoices/${invoice.id}`)).body.invoice.webhook_url).toBe('http://shop.example/')
    expect(await client.post('/webhook-endpoints', { url })).toMatchObject({
      status: 400,
      body: { invalid_fields: [{ name: 'url', message }] },
    })
  })

  test.each([
    ['is mit where its kind is named', { merchant_initiator_type: 'one-off' }, 'mit'],
    ['is taken in capitals', { initiation_type: 'MIT' }, 'mit'],
    ['may be the customer', { initiation_type: 'cit' }, 'cit'],
    ['is not guessed', { payment_intent: 'unscheduled' }, null],
  ])('whose initiation %s', async (_, fields, initiation) => {
    const { body } = await api.merchant.client.post('/invoices', { ...MINIMAL, ...fields })
    expect(body.invoice.initiation_type).toBe(initiation)
  })

  test('over nothing only verifies a source', async () => {
    const refused = await api.merchant.client.post('/invoices', { ...MINIMAL, amount: '0' })
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    const accepted = await api.merchant.client.post('/invoices', { ...MINIMAL, amount: '0', verification: true })
    expect(accepted.body.invoice).toMatchObject({ amount: '0.00', verification: true })
  })

  test('has a reference of its own within project and environment', async () => {
    const fields = { ...MINIMAL, reference_id: 'order#1' }
    expect((await api.merchant.client.post('/invoices', fields)).status).toBe(200)
    const second = await api.merchant.client.post('/invoices', fields)
    expect(second).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.error', invalid_fields: [{ name: 'reference_id' }] },
    })
    const stranger = await api.makeMerchant({ sandbox: true })
    expect((await stranger.client.post('/invoices', fields)).status).toBe(200)
  })

  test('of which two have the same reference at once is created once', async () => {
    const fields = { ...MINIMAL, reference_id: 'order#3' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.merchant.client.post('/invoices', fields)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
  })

  test('is expired after its end, and shows it at once', async () => {
    const expiring = await startInterface()
    try {
      const fields = { ...MINIMAL, expires_at: '2026-11-21T09:10:00Z' }
      const { body } = await expiring.merchant.client.post('/invoices', fields)
      const status = async () =>
        (await expiring.merchant.client.get(`/invoices/${body.invoice.id}`)).body.invoice.status
      expiring.clock.advance(10 * 60_000)
      expect(await status()).toBe('pending')
      expiring.clock.advance(1)
      expect(await status()).toBe('expired')
    } finally {
      await expiring.stop()
    }
  })
})

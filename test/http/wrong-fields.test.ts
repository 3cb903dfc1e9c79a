import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ENDPOINTS, INVOICE, type ReadOnlyInterface, SOURCE, startReadOnlyInterface } from './endpoints.ts'
import { WRONG_FIELDS } from './wrong-fields.ts'

let api: ReadOnlyInterface

beforeAll(async () => {
  api = await startReadOnlyInterface()
})
afterAll(() => api.stop())

describe('refuses, naming the field,', () => {
  test.each(WRONG_FIELDS)('%s on %s', async (_, endpoint, change, name, errorType) => {
    const answer = await api.send(endpoint, JSON.stringify({ ...ENDPOINTS[endpoint], ...change }))
    expect(answer).toMatchObject({
      status: errorType.startsWith('resource.') ? 404 : 400,
      body: {
        success: false,
        error_type: errorType,
        message: expect.stringContaining(name),
        invalid_fields: [{ name, message: expect.any(String) }],
        request_id: expect.any(String),
      },
    })
  })

  test('everything that is wrong at once', async () => {
    const answer = await api.send(
      '/invoices',
      JSON.stringify({
        amount: '1.234',
        currency: 'EUR',
        webhook_url: 'x',
        device: { channel: 1, extra: 1 },
        auto_capture_at: '2020-01-01T00:00:00Z',
        zzz: 1,
      }),
    )
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.missing-name' } })
    const names = (answer.body.invalid_fields as { name: string }[]).map(({ name }) => name)
    expect(names.toSorted()).toEqual([
      'amount',
      'auto_capture_at',
      'device.channel',
      'device.extra',
      'name',
      'webhook_url',
      'zzz',
    ])
  })

  test('the first twenty of a body that is wrong everywhere, with five suggestions', async () => {
    const body = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`amount${index}`, 1]))
    const answer = await api.send('/invoices/:id/void', JSON.stringify(body))
    expect(answer.status).toBe(400)
    const told = answer.body.invalid_fields as { name: string; message: string }[]
    expect(told).toHaveLength(20)
    expect(told.filter(({ message }) => message.includes('the nearest one is amount'))).toHaveLength(5)
    expect(answer.body.message).toMatch(/; 880 more fields are wrong\.$/)
  })

  test('a name that is longer than any, in part, and no card number that is cut in it', async () => {
    const long = `${'a'.repeat(90)}4242424242424242${'b'.repeat(60_000)}`
    const answer = await api.send('/invoices/:id/void', JSON.stringify({ [long]: 1 }))
    expect(answer.status).toBe(400)
    const [{ name }] = answer.body.invalid_fields as [{ name: string }]
    expect(name).toBe(`${'a'.repeat(90)}${'*'.repeat(10)}…`)
    expect(JSON.stringify(answer.body)).not.toContain('42424242')
  })

  test('the same in a form', async () => {
    const answer = await api.send(
      '/invoices',
      'name=Order&amount=1e3&currency=XYZ&incremental=yes&device.channel=fax',
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    )
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.validation.invalid-currency',
        invalid_fields: [{ name: 'currency' }, { name: 'device.channel' }, { name: 'incremental' }, { name: 'amount' }],
      },
    })
  })

  test('a field that a form repeats', async () => {
    const answer = await api.send('/invoices', 'name=Order&amount=1.00&amount=2.00&currency=EUR', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(answer).toMatchObject({ status: 400, body: { invalid_fields: [{ name: 'amount' }] } })
  })

  test('in JSON what would reach for a prototype', async () => {
    const fields = { ...INVOICE, gateway_data: { a: {} }, 'gateway_data.a.__proto__.polluted': 1 }
    const answer = await api.send('/invoices', JSON.stringify(fields))
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.error' } })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('in a form what would reach for a prototype', async () => {
    const answer = await api.send(
      '/invoices',
      'name=Order&amount=1.00&currency=EUR&constructor[prototype][x]=1&__proto__[y]=1',
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    )
    expect(answer.status).toBe(400)
    expect(({} as Record<string, unknown>).x ?? ({} as Record<string, unknown>).y).toBeUndefined()
  })
})

test.each(['authorize', 'capture', 'increment_authorization', 'void'])(
  '%s of an invoice of another project is not found',
  async (verb) => {
    const answer = await api.merchant.client.post(`/invoices/iv_other/${verb}`, SOURCE)
    expect(answer).toMatchObject({ status: 404, body: { error_type: 'resource.invoice.not-found' } })
  },
)

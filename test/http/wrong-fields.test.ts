import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CARD, ENDPOINTS, type Endpoint, INVOICE, type ReadOnlyInterface, startReadOnlyInterface } from './endpoints.ts'
import { COMBINATIONS, PLACES, type Place, WRONG_VALUES } from './wrong-fields.ts'

let api: ReadOnlyInterface

beforeAll(async () => {
  api = await startReadOnlyInterface()
})
afterAll(() => api.stop())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const LINE = { name: 'Phone', amount: '1.00' }

type Fields = Record<string, unknown>

/** A body with a value in the place of the field of this dotted name. */
function withValue(body: Fields, [step = '', ...rest]: string[], value: unknown): Fields {
  if (rest.length === 0) return { ...body, [step]: value }
  if (step === 'details') return { ...body, details: [withValue(LINE, rest.slice(1), value), LINE] }
  return { ...body, [step]: withValue((body[step] ?? {}) as Fields, rest, value) }
}

async function expectRefused(place: Place, change: (body: Fields) => Fields, name: string, code: string) {
  for (const endpoint of PLACES[place]) {
    const body = change(ENDPOINTS[endpoint])
    const { status, body: answer } = await api.send(endpoint, JSON.stringify(body))
    expect({ endpoint, body, status, answer }).toMatchObject({
      endpoint,
      body,
      status: code.startsWith('resource.') ? 404 : 400,
      answer: {
        success: false,
        error_type: code.includes('.') ? code : `request.validation.${code}`,
        message: expect.stringContaining(name),
        invalid_fields: [{ name, message: expect.any(String) }],
        request_id: expect.any(String),
      },
    })
  }
}

describe('a request is refused, and the field is named', () => {
  test.each(WRONG_VALUES)('%s: wrong values of %s are %s', async (place, field, code, ...values) => {
    for (const value of values) {
      await expectRefused(place, (body) => withValue(body, field.split('.'), value), field, code)
    }
  })

  test.each(COMBINATIONS)('%s: %s is %s in this combination: %j', async (place, field, code, change) => {
    await expectRefused(place, (body) => ({ ...body, ...change }), field, code)
  })

  test('for everything that is wrong at once', async () => {
    const wrong = {
      amount: '1.234',
      currency: 'EUR',
      webhook_url: 'x',
      device: { channel: 1, extra: 1 },
      auto_capture_at: '2020-01-01T00:00:00Z',
      zzz: 1,
    }
    const answer = await api.send('/invoices', JSON.stringify(wrong))
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.missing-name' } })
    const names = (answer.body.invalid_fields as { name: string }[]).map(({ name }) => name)
    const top = ['amount', 'auto_capture_at', 'device.channel', 'device.extra', 'name', 'webhook_url', 'zzz']
    expect(names.toSorted()).toEqual(top)
  })

  test('for the first twenty of a body that is wrong everywhere, with five suggestions', async () => {
    const body = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`amount${index}`, 1]))
    const answer = await api.send('/invoices/:id/void', JSON.stringify(body))
    expect(answer.status).toBe(400)
    const told = answer.body.invalid_fields as { name: string; message: string }[]
    expect(told).toHaveLength(20)
    expect(told.filter(({ message }) => message.includes('the nearest one is amount'))).toHaveLength(5)
    expect(answer.body.message).toMatch(/; 880 more fields are wrong\.$/)
  })

  test('for a name that is longer than any, in part, and no card number that is cut in it', async () => {
    const long = `${'a'.repeat(90)}${CARD.number}${'b'.repeat(60_000)}`
    const answer = await api.send('/invoices/:id/void', JSON.stringify({ [long]: 1 }))
    expect(answer.status).toBe(400)
    const [{ name }] = answer.body.invalid_fields as [{ name: string }]
    expect(name).toBe(`${'a'.repeat(90)}${'*'.repeat(10)}…`)
    expect(JSON.stringify(answer.body)).not.toContain('42424242')
  })

  test('in a form as in JSON', async () => {
    const form = 'name=Order&amount=1e3&currency=XYZ&incremental=yes&device.channel=fax'
    expect(await api.send('/invoices', form, FORM)).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.validation.invalid-currency',
        invalid_fields: [{ name: 'currency' }, { name: 'device.channel' }, { name: 'incremental' }, { name: 'amount' }],
      },
    })
    const twice = await api.send('/invoices', 'name=Order&amount=1.00&amount=2.00&currency=EUR', FORM)
    expect(twice).toMatchObject({ status: 400, body: { invalid_fields: [{ name: 'amount' }] } })
  })

  test.each<[string, Endpoint, string, Record<string, string>]>([
    ['JSON', '/invoices', JSON.stringify({ ...INVOICE, gateway_data: { a: {} }, 'gateway_data.a.__proto__.x': 1 }), {}],
    ['a form', '/invoices', `${new URLSearchParams(INVOICE)}&constructor[prototype][x]=1&__proto__[y]=1`, FORM],
  ])('where %s would reach for a prototype', async (_, endpoint, body, headers) => {
    expect((await api.send(endpoint, body, headers)).status).toBe(400)
    const fresh: Record<string, unknown> = {}
    expect([fresh.x, fresh.y]).toEqual([undefined, undefined])
  })
})

import { describe, expect, test } from '@jest/globals'
import { readInvoiceInput } from '../../../src/api/invoices/invoice-input.ts'
import { readVoidInput } from '../../../src/api/payments/command-input.ts'
import { PAYMENT_OPTIONS } from '../../../src/api/payments/payment-options.ts'
import { readForm } from '../../../src/http/bodies/form.ts'
import { readInput } from '../../../src/http/input/input.ts'
import { INVOICE_BODY } from '../../../src/http/middleware/body.ts'
import { jsonBody, MERCHANT, NOW, refusalOf } from '../../api/refusals.ts'

const CIRCUMSTANCES = { caller: MERCHANT, now: NOW, targetRule: { allowPrivateTargets: false } }
const readInvoice = (fields: Record<string, unknown>) => readInvoiceInput(jsonBody(fields), CIRCUMSTANCES)
const readVoid = (fields: Record<string, unknown>) => readVoidInput(jsonBody(fields), 'EUR')
const readCapture = (fields: Record<string, unknown>) => readInput(PAYMENT_OPTIONS, jsonBody(fields))
const inForm = (form: string) => ({ fields: readForm(form, INVOICE_BODY), isForm: true })
const namesIn = ({ invalidFields = [] }: ReturnType<typeof refusalOf>) => invalidFields.map(({ name }) => name)

test('everything that is wrong is told at once, with the code of the first', () => {
  const wrong = {
    amount: '1.234',
    currency: 'EUR',
    webhook_url: 'x',
    device: { channel: 1, extra: 1 },
    auto_capture_at: '2020-01-01T00:00:00Z',
    zzz: 1,
  }
  const refusal = refusalOf(() => readInvoiceInput(jsonBody(wrong), CIRCUMSTANCES))
  expect(refusal.code).toBe('request.validation.missing-name')
  const names = ['amount', 'auto_capture_at', 'device.channel', 'device.extra', 'name', 'webhook_url', 'zzz']
  expect(namesIn(refusal).toSorted()).toEqual(names)
})

test('of a body that is wrong everywhere twenty fields are told, five with the name that was probably meant', () => {
  const fields = Object.fromEntries(Array.from({ length: 180 }, (_, index) => [`amount${index}`, 1]))
  const { invalidFields = [], message } = refusalOf(() => readVoidInput(jsonBody(fields), 'EUR'))
  expect(invalidFields).toHaveLength(20)
  expect(invalidFields.filter((field) => field.message.includes('the nearest one is amount'))).toHaveLength(5)
  expect(message).toMatch(/; 160 more fields are wrong\.$/)
})

test.each<[string, (fields: Record<string, unknown>) => unknown, string | null]>([
  ['amount', readCapture, 'capture_amount'],
  ['card', readCapture, 'source'],
  ['amuont', readVoid, 'amount'],
  ['card', readVoid, null],
  ['line_items', readInvoice, 'details'],
  ['constructor', readInvoice, null],
])('%s is told by the name that it has here', (name, read, ours) => {
  const { invalidFields = [] } = refusalOf(() => read({ [name]: '1' }))
  const message = `is not a field of this request${ours === null ? '' : `; the nearest one is ${ours}`}`
  expect(invalidFields).toContainEqual({ name, message })
})

test('of a name that is longer than any a part is told, and no card number that is cut in it', () => {
  const name = `${'a'.repeat(90)}4242424242424242${'b'.repeat(60_000)}`
  const refusal = refusalOf(() => readVoidInput(jsonBody({ [name]: 1 }), 'EUR'))
  expect(namesIn(refusal)).toEqual([`${'a'.repeat(90)}${'*'.repeat(10)}…`])
  expect(JSON.stringify(refusal.invalidFields)).not.toContain('42424242')
})

test('a form is judged as JSON is', () => {
  const read = (form: string) => readInvoiceInput(inForm(form), CIRCUMSTANCES)
  const refusal = refusalOf(() => read('name=Order&amount=1e3&currency=XYZ&incremental=yes&device.channel=fax'))
  expect(refusal.code).toBe('request.validation.invalid-currency')
  expect(namesIn(refusal)).toEqual(['currency', 'incremental', 'device.channel', 'amount'])
  expect(namesIn(refusalOf(() => read('name=Order&amount=1.00&amount=2.00&currency=EUR')))).toEqual(['amount'])
})

test.each(['constructor', 'constructor.prototype', 'toString', 'hasOwnProperty', 'a.b', 'a[b', '[]', '.', ''])(
  'the unknown field "%s" is refused',
  (name) => {
    expect(refusalOf(() => readVoidInput(jsonBody({ [name]: 'x' }), 'EUR')).code).toBe('request.validation.error')
  },
)

test.each([
  ['JSON', jsonBody({ gateway_data: { a: {} }, 'gateway_data.a.__proto__.x': 1 })],
  ['a form', inForm('amount=1&constructor[prototype][x]=1&__proto__[y]=1')],
])('no field of %s reaches a prototype', (_, body) => {
  refusalOf(() => readInvoiceInput(body, CIRCUMSTANCES))
  const fresh: Record<string, unknown> = {}
  expect([fresh.x, fresh.y]).toEqual([undefined, undefined])
})

describe('what PHP and others write in JSON', () => {
  const INVOICE = { name: 'Order', amount: '1.00', currency: 'EUR' }
  const read = (fields: object) => readInvoiceInput(jsonBody({ ...INVOICE, ...fields }), CIRCUMSTANCES).invoice
  const LINE = { name: 'Tea', amount: '1.00', quantity: 1 }

  test.each([
    ...['metadata', 'device', 'gateway_data', 'shipping', 'billing', 'tax', 'unsupported_feature_bypass'].map(
      (name) => [name, (value: object) => read({ [name]: value })],
    ),
    ['details.0.metadata', (value: object) => read({ details: [{ ...LINE, metadata: value }] })],
  ] as [string, (value: object) => unknown][])('[] is {} where %s is an object', (_, reading) => {
    const outcome = (value: object) => {
      try {
        return reading(value)
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(outcome([])).toEqual(outcome({}))
    expect(outcome([1])).not.toEqual(outcome({}))
  })

  test('[] stays a list where one is meant, and is nothing else', () => {
    expect(read({ details: [] })).toEqual(read({}))
    expect(read({ gateway_data: { list: [] } })).toMatchObject({ gatewayData: { list: [] } })
    for (const name of ['name', 'amount', 'incremental', 'return_url'])
      expect(namesIn(refusalOf(() => read({ [name]: [] })))).toEqual([name])
  })

  test.each([
    [7, '7'],
    [-1.5, '-1.5'],
    [9007199254740991, '9007199254740991'],
    [true, 'true'],
    [false, 'false'],
  ])('%j in metadata is the text %j', (value, text) => {
    expect(read({ metadata: { key: value } })).toMatchObject({ metadata: { key: text } })
  })

  test.each([2 ** 53, 1e21, [], {}, ['a']])(
    '%j in metadata is refused: digits may be lost, or it is no value',
    (value) => {
      expect(refusalOf(() => read({ metadata: { key: value } })).code).toBe('request.validation.invalid-metadata')
    },
  )
})

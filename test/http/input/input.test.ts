import { expect, test } from '@jest/globals'
import { readInvoiceInput } from '../../../src/api/invoices/invoice-input.ts'
import { readVoidInput } from '../../../src/api/payments/command-input.ts'
import { readForm } from '../../../src/http/bodies/form.ts'
import { INVOICE_BODY } from '../../../src/http/middleware/body.ts'
import { jsonBody, MERCHANT, NOW, refusalOf } from '../../api/refusals.ts'

const CIRCUMSTANCES = { caller: MERCHANT, now: NOW, targetRule: { allowPrivateTargets: false } }
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
  expect(namesIn(refusal)).toEqual(['currency', 'device.channel', 'incremental', 'amount'])
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

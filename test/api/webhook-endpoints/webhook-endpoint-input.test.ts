import { describe, expect, test } from '@jest/globals'
import { readEndpointChanges, readNewEndpoint } from '../../../src/api/webhook-endpoints/webhook-endpoint-input.ts'
import { expectRefused, jsonBody, MERCHANT, refusalOf, text, withValue } from '../refusals.ts'

const RULE = { allowPrivateTargets: false }
const URL = 'https://shop.example/webhooks'
const create = (fields: Record<string, unknown>) => readNewEndpoint(jsonBody(fields), MERCHANT, RULE)
const change = (fields: Record<string, unknown>) => readEndpointChanges(jsonBody(fields), MERCHANT, RULE)

describe('a webhook endpoint is refused', () => {
  test.each<[field: string, code: string, ...values: unknown[]]>([
    ['url', 'invalid-url', '', 1, 'shop.example', 'ftp://shop.example/', 'https://ann:secret@shop.example/'],
    ['url', 'invalid-url', 'http://localhost:8080/', 'http://10.0.0.1/', 'http://169.254.169.254/latest'],
    ['url', 'invalid-url', `${URL}/${text(2049 - URL.length - 1)}`],
    ['description', 'invalid-description', text(256)],
    ['events_whitelist', 'error', [], '', ['transaction.captured', 1]],
    ['events_whitelist.1', 'error', ['transaction.captured', 'transaction.capture']],
    ['enabled', 'invalid-type', 'yes'],
    ['secret', 'error', 'whsec_x'],
  ])('for its %s with %s', (field, code, ...values) => {
    const [name = ''] = field.split('.')
    for (const value of values)
      for (const read of [create, change]) expectRefused(() => read(withValue({ url: URL }, name, value)), field, code)
  })

  test('without a URL', () => {
    expectRefused(() => create({}), 'url', 'invalid-url')
    expect(change({})).toEqual({})
  })

  test('and told the event that was probably meant, or how to receive none', () => {
    const message = (names: string[]) => refusalOf(() => create({ url: URL, events_whitelist: names })).message
    expect(message(['transaction.capture'])).toContain('the nearest one is transaction.captured')
    expect(message(['payment.succeeded'])).toContain('the nearest one is invoice.completed')
    expect(message(['bread.baked'])).toContain('; events are transaction.…, invoice.…, customer.…, ')
    expect(message([])).toContain('set enabled to false')
  })
})

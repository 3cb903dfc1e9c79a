import { describe, expect, test } from '@jest/globals'
import { readTokenInput } from '../../../src/api/tokens/token-input.ts'
import { expectRefused, jsonBody, MERCHANT, text, withValue } from '../refusals.ts'

const read = (fields: Record<string, unknown>, caller = MERCHANT) =>
  readTokenInput(jsonBody(fields), caller, { allowPrivateTargets: false })

describe('a token is refused', () => {
  test.each<[field: string, code: string, ...values: unknown[]]>([
    ['source', 'request.source.invalid', 'tok_1', 'cust_1', 'iv_1', 'gway_req_x'],
    ['summary', 'invalid-description', text(256)],
    ['description', 'invalid-description', text(256)],
    ['return_url', 'invalid-url', 'javascript:1'],
    ['cancel_url', 'invalid-url', 'shop'],
    ['webhook_url', 'invalid-url', 'ftp://shop.example', 'http://192.168.1.10/'],
    ['invoice_return_url', 'invalid-url', 'x'],
    ['metadata.a', 'invalid-metadata', [1]],
    ['verify_metadata', 'invalid-metadata', [1]],
    ['verify_statement_descriptor', 'invalid-description', '€'],
    ['device.channel', 'invalid-device-channel', 'tv', 5],
    ['device.ip_address', 'invalid-type', 5],
    ['device.ip_address', 'invalid-ip-address', 'x'],
    ['preferred_scheme', 'invalid-scheme', 'x'],
    ['invoice_id', 'resource.invoice.not-found', 'x'],
    ['gateway_configuration_id', 'resource.gateway-configuration.not-found', 'x'],
    ['set_defualt', 'error', true],
  ])('for its %s with %s', (field, code, ...values) => {
    for (const value of values) expectRefused(() => read(withValue({}, field, value)), field, code)
  })

  test('that would be verified without a card', () => {
    const source = `gway_req_${Buffer.from('{"url":"https://shop.example?token=test-valid"}').toString('base64')}`
    expectRefused(() => read({ verify: true, source }), 'verify', 'service.not-supported')
    expect(read({ source }).source).toMatchObject({ kind: 'gateway-request' })
  })

  test('in the live environment for a webhook_url that is not encrypted', () => {
    const live = { ...MERCHANT, sandbox: false, environment: 'live' } as const
    expectRefused(() => read({ webhook_url: 'http://shop.example' }, live), 'webhook_url', 'invalid-url')
  })
})

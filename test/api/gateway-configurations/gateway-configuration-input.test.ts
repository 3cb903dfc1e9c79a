import { describe, expect, test } from '@jest/globals'
import {
  readConfigurationChanges,
  readNewConfiguration,
} from '../../../src/api/gateway-configurations/gateway-configuration-input.ts'
import { expectRefused, jsonBody, text, withValue } from '../refusals.ts'

const create = (fields: Record<string, unknown>) => readNewConfiguration(jsonBody(fields), () => [])

describe('a gateway configuration is refused', () => {
  test.each<[field: string, code: string, value: unknown, message: RegExp]>([
    ['name', 'missing-name', undefined, /^is missing$/],
    ['name', 'invalid-name', text(81), /80/],
    ['default_currency', 'invalid-currency', 'EUX', /4217/],
    ['default_preferred_scheme', 'invalid-scheme', 'x', /visa/],
    ['metadata.a', 'invalid-metadata', [1], /text/],
    ['credentials.secret_key', 'invalid-type', 1, /text/],
    ['capabilities.partial_captures', 'error', false, /capabilities.partial_capture/],
    ['capabilities.currencies', 'error', [], /set enabled to false/],
    ['capabilities.currencies', 'error', ['EUX'], /ISO 4217/],
  ])('for its %s with %s: %j', (field, code, value, message) => {
    expectRefused(() => create(withValue({ name: 'A' }, field, value)), field, code, message)
  })

  test.each<[field: string, code: string, rules: object[], message: RegExp]>([
    ['authorization_validity.0.seconds', 'error', [{ seconds: 604_801 }], /604800/],
    ['authorization_validity.1.seconds', 'error', [{ seconds: 60 }, { seconds: 59 }], /from 60/],
    ['authorization_validity.0.scheme', 'invalid-scheme', [{ scheme: 'viza', seconds: 60 }], /visa/],
    ['authorization_validity', 'error', Array(51).fill({ seconds: 60 }), /50 rules at most/],
  ])('for its %s with %s', (field, code, rules, message) => {
    expectRefused(() => create({ name: 'A', authorization_validity: rules }), field, code, message)
  })
})

test('the changes of a gateway configuration need no name', () => {
  expect(readConfigurationChanges(jsonBody({ enabled: false, name: null }), () => [])).toEqual({ enabled: false })
})

import { describe, expect, test } from '@jest/globals'
import { chooseScheme } from '../../domain/scheme.ts'

const COBRANDED = { scheme: 'visa', coScheme: 'carte bancaire' }
const PLAIN = { scheme: 'visa', coScheme: null }

describe('the scheme of a payment', () => {
  test.each<[string, (string | null)[], string]>([
    ['its first wish', ['carte bancaire', 'visa'], 'carte bancaire'],
    ['the next wish, where the first says nothing', [null, 'carte bancaire', 'visa'], 'carte bancaire'],
    ['the next wish, where the card does not carry the first', ['mastercard', 'carte bancaire'], 'carte bancaire'],
    ['a wish in capitals', ['Carte Bancaire'], 'carte bancaire'],
    ['its own, where nobody wishes anything', [null, null, null], 'visa'],
    ['its own, where no wish can be granted', ['mastercard', 'jcb'], 'visa'],
  ])('on a card of two schemes is %s', (_, wishes, expected) => {
    expect(chooseScheme(COBRANDED, wishes)).toBe(expected)
  })

  test('is never one that the card does not carry', () => {
    expect(chooseScheme(PLAIN, ['carte bancaire', 'mastercard'])).toBe('visa')
    expect(chooseScheme(PLAIN, ['mastercard'], ['mastercard'])).toBe('visa')
  })

  test('is one that the gateway takes, whatever is wished', () => {
    expect(chooseScheme(COBRANDED, ['carte bancaire'], ['visa', 'mastercard'])).toBe('visa')
    expect(chooseScheme(COBRANDED, ['visa', null], ['carte bancaire'])).toBe('carte bancaire')
    expect(chooseScheme(COBRANDED, [], ['carte bancaire'])).toBe('carte bancaire')
  })
})

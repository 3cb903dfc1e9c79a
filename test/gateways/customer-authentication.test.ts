import { describe, expect, test } from '@jest/globals'
import { continuationKey, fitsContinuation, isBankAddress } from '../../src/gateways/customer-authentication.ts'

const REFERENCE = `tr_op_${'a'.repeat(32)}`

describe('the key of a call after a customer has acted', () => {
  const returned = (parameters: object) => ({ kind: 'returned', parameters })
  const key = continuationKey(REFERENCE, 'pi_1', returned({ a: '1', b: '2' }))

  test('is the same for the same answer, however it is ordered', () => {
    expect(continuationKey(REFERENCE, 'pi_1', { parameters: { b: '2', a: '1' }, kind: 'returned' })).toBe(key)
  })

  test.each([
    ['answer', REFERENCE, 'pi_1', returned({ a: '1', b: '3' })],
    ['action', REFERENCE, 'pi_2', returned({ a: '1', b: '2' })],
    ['authorization', 'tr_op_b', 'pi_1', returned({ a: '1', b: '2' })],
  ])('is another one for another %s', (_, reference, continuation, answer) => {
    expect(continuationKey(reference, continuation, answer)).not.toBe(key)
  })

  test('names our reference, is never that of the authorization itself, and is as long as Adyen allows', () => {
    expect(key).toMatch(new RegExp(`^${REFERENCE}-[0-9a-f]{16}$`))
    expect(key.length).toBeLessThanOrEqual(64)
  })
})

describe('an address that a customer is sent to', () => {
  test.each(['https://bank.example', 'https://bank.example:8443/acs?x=1#y', 'HTTPS://BANK.example/'])(
    'may be %s',
    (url) => {
      expect(isBankAddress(url)).toBe(true)
    },
  )

  test.each([
    'http://bank.example',
    'https:///',
    'https://me@bank.example',
    'https://:secret@bank.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://bank.example/1',
    'bank.example',
    '/acs',
    '',
    `https://bank.example/${'x'.repeat(4_096)}`,
    7,
    null,
    undefined,
    {},
  ])('is never %p', (url) => {
    expect(isBankAddress(url)).toBe(false)
  })
})

test('a continuation has at most 16 kB of UTF-8, and something in it', () => {
  expect(fitsContinuation('x'.repeat(16 * 1024))).toBe(true)
  expect(fitsContinuation('x'.repeat(16 * 1024 + 1))).toBe(false)
  expect(fitsContinuation('ü'.repeat(8 * 1024 + 1))).toBe(false)
  expect(fitsContinuation('')).toBe(false)
})

import { describe, expect, test } from '@jest/globals'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'

const ENTRIES = Object.entries(ERRORS)

describe('the list of errors', () => {
  test.each(ENTRIES)('%s has a family, a status of the interface and a sentence', (code, { status, message }) => {
    expect(code).toMatch(/^(request|resource|card|gateway|service|sandbox|server)(\.[a-z0-9]+(-[a-z0-9]+)*)+$/)
    expect([400, 401, 404, 405, 409, 410, 413, 415, 429, 500, 503]).toContain(status)
    expect(message).toMatch(/^[A-Z].*\.$/)
  })

  test('fails every payment with 410, except where the card could not even be stored', () => {
    for (const [code, { status }] of ENTRIES) {
      if (code.startsWith('gateway.')) expect([code, status]).toEqual([code, 410])
      if (code.startsWith('card.')) expect([code, status]).toEqual([code, code.startsWith('card.invalid-') ? 400 : 410])
    }
  })

  test('answers 404 for every resource that is not found, and for nothing else but a wrong address', () => {
    const notFound = ENTRIES.filter(([, { status }]) => status === 404).map(([code]) => code)

    for (const code of notFound) expect(code).toMatch(/^resource\..*\.not-found$|^request\.route-not-found$/)
    for (const [code] of ENTRIES) if (code.startsWith('resource.')) expect(notFound).toContain(code)
  })

  test.each(['', 'card', 'card.', 'toString', '__proto__', 'constructor', 'Card.declined'])('%s is no code', (code) => {
    expect(isErrorCode(code)).toBe(false)
  })

  test('knows its codes', () => {
    for (const [code] of ENTRIES) expect(isErrorCode(code)).toBe(true)
  })
})

import { describe, expect, test } from '@jest/globals'
import { fillIn, readField } from '../../bench/client/fields.ts'
import { type Books, isRight, type Told } from '../../bench/payments/audit.ts'
import { AUTHORIZE, AUTHORIZE_AND_CAPTURE } from '../../bench/payments/ways.ts'

describe('What was kept of an answer', () => {
  test('is nothing where the answer has no such field', () => {
    expect(readField({ invoice: null }, 'invoice.id')).toBeUndefined()
    expect(readField('text', 'invoice.id')).toBeUndefined()
    expect(readField({ invoice: { id: null } }, 'invoice.id')).toBeUndefined()
  })

  test('goes into what is asked next, and nothing else does', () => {
    const kept = { invoiceId: readField({ invoice: { id: 'iv_1' } }, 'invoice.id') ?? '' }
    expect(fillIn('/invoices/<invoiceId>/authorize?of=<other>', kept)).toBe('/invoices/iv_1/authorize?of=<other>')
  })
})

describe('What a customer was told', () => {
  test('is unknown as long as the answer does not say that the money is reserved', () => {
    expect(AUTHORIZE.toldOf({ statuses: [0], kept: {} })).toBe('unknown')
    expect(AUTHORIZE.toldOf({ statuses: [500], kept: {} })).toBe('unknown')
    expect(AUTHORIZE.toldOf({ statuses: [200], kept: { status: 'pending' } })).toBe('unknown')
    expect(AUTHORIZE.toldOf({ statuses: [410], kept: {} })).toBe('failed')
    expect(AUTHORIZE.toldOf({ statuses: [200], kept: { status: 'authorized' } })).toBe('approved')
  })

  test('is no capture where only the authorization was answered', () => {
    const kept = { status: 'authorized' }
    expect(AUTHORIZE_AND_CAPTURE.toldOf({ statuses: [200, 0], kept })).toBe('approved')
    expect(AUTHORIZE_AND_CAPTURE.toldOf({ statuses: [200, 200], kept: { ...kept, captured: 'completed' } })).toBe(
      'captured',
    )
  })
})

describe('The books are wrong', () => {
  const good: Books = { held: [2_900], taken: 0, authorized: 2_900, captured: 0, transactions: 1 }
  const none: Books = { held: [], taken: 0, authorized: 0, captured: 0, transactions: 0 }

  test.each<[Told, Books, string]>([
    ['approved', none, 'of an approved payment neither side knows'],
    ['approved', { ...good, held: [2_900, 2_900] }, 'the gateway has reserved twice'],
    ['approved', { ...good, transactions: 2 }, 'the record has it twice'],
    ['approved', { ...good, authorized: 0 }, 'only the gateway knows of it'],
    ['approved', { ...good, held: [] }, 'only the record knows of it'],
    ['captured', good, 'nothing was taken'],
    ['captured', { ...good, captured: 2_900 }, 'only the record has taken it'],
    ['approved', { ...good, held: [2_800], authorized: 2_800 }, 'both sides have reserved something else'],
    ['failed', good, 'what has failed is reserved'],
    ['unknown', { ...good, taken: 2_900 }, 'the sides differ, whatever was told'],
  ])('where it was told %s and %j', (told, books) => {
    expect(isRight(told, books)).toBe(false)
  })

  test('and right where both sides and the customer agree', () => {
    expect(isRight('approved', good)).toBe(true)
    expect(isRight('captured', { ...good, taken: 2_900, captured: 2_900 })).toBe(true)
    expect(isRight('failed', { ...none, transactions: 1 })).toBe(true)
    expect(isRight('unknown', none)).toBe(true)
  })
})

import { describe, expect, test } from '@jest/globals'
import { ERRORS, isErrorCode } from '../../../domain/errors.ts'
import { cardChecksOf } from '../../../src/gateways/adyen/card-checks.ts'
import { failureOutcome } from '../../../src/gateways/adyen/failures.ts'
import { amountUpdateOutcome, modificationOutcome, paymentOutcome } from '../../../src/gateways/adyen/outcomes.ts'
import { REFUSAL_CODES, VALIDATION_CODES } from '../../../src/gateways/adyen/refusal-codes.ts'

const PSP = '993617895215577D'
const EUR_29 = { value: 2_900, currency: 'EUR' }
const answered = (resultCode: string, fields: object = {}) =>
  paymentOutcome({ pspReference: PSP, resultCode, ...fields })
const refusedWith = (fields: object) => answered('Refused', { refusalReasonCode: '2', ...fields })

describe('the answer to a payment', () => {
  test.each([
    ['an invented word', { pspReference: PSP, resultCode: 'ApprovedInPrinciple', amount: EUR_29 }],
    ['another case', { pspReference: PSP, resultCode: 'authorised', amount: EUR_29 }],
    ['the word for a balance check', { pspReference: PSP, resultCode: 'Success', amount: EUR_29 }],
    [
      'the word for an authentication alone',
      { pspReference: PSP, resultCode: 'AuthenticationFinished', amount: EUR_29 },
    ],
    ['no word', { pspReference: PSP, amount: EUR_29 }],
    ['nothing', null],
    ['a text', 'Authorised'],
    ['an approval without an amount', { pspReference: PSP, resultCode: 'Authorised' }],
    ['an approval without a reference', { resultCode: 'Authorised', amount: EUR_29 }],
    ['an approval of half a cent', { pspReference: PSP, resultCode: 'Authorised', amount: { ...EUR_29, value: 0.5 } }],
    ['an error without a reason', { pspReference: PSP, resultCode: 'Error' }],
    ['an error with an invented reason', { pspReference: PSP, resultCode: 'Error', refusalReasonCode: '999' }],
    ['a payment that waits without a reference', { resultCode: 'Pending' }],
    ['an action for a component', { resultCode: 'ChallengeShopper', action: { type: 'threeDS2', token: 'e30=' } }],
    [
      'a page that wants a form',
      { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'POST', url: 'https://issuer.example' } },
    ],
  ])('is unknown where it is %s', (_, answer) => {
    expect(paymentOutcome(answer).kind).toBe('unknown')
  })

  test('approves what was approved, with what is known of the card', () => {
    const additionalData = {
      networkTxReference: '016150703802094',
      authCode: '058747',
      cvcResult: '1 Matches',
      avsResult: '2 Neither postal code nor address match',
    }

    expect(answered('Authorised', { amount: EUR_29, additionalData })).toEqual({
      kind: 'approved',
      gatewayOperationId: PSP,
      amountMinor: 2_900,
      currency: 'EUR',
      schemeTransactionId: '016150703802094',
      authorizationCode: '058747',
      cardChecks: { cvcCheck: 'passed', avsCheck: 'failed' },
    })
  })

  test('approves a part where the issuer granted a part', () => {
    const additionalData = { authorisedAmountValue: '1450', authorisedAmountCurrency: 'EUR' }

    expect(answered('Authorised', { amount: EUR_29, additionalData })).toMatchObject({ amountMinor: 1_450 })
    expect(answered('PartiallyAuthorised', { amount: { ...EUR_29, value: 1_450 } })).toMatchObject({
      kind: 'approved',
      amountMinor: 1_450,
    })
  })

  test('tells of a sale where the scheme takes the money at once', () => {
    const additionalData = { networkProcessingMode: 'sale' }

    expect(answered('Authorised', { amount: EUR_29, additionalData })).toMatchObject({ isSale: true })
  })

  test('hands on the page of the issuer', () => {
    const action = { type: 'redirect', method: 'GET', url: 'https://issuer.example/acs?x=1' }

    expect(paymentOutcome({ resultCode: 'RedirectShopper', action })).toEqual({
      kind: 'action-required',
      action: { type: 'redirect', value: 'https://issuer.example/acs?x=1' },
    })
  })

  test.each(['Pending', 'Received', 'PresentToShopper'])('waits for a notification after %s', (resultCode) => {
    expect(answered(resultCode)).toEqual({ kind: 'pending', gatewayOperationId: PSP })
  })

  test.each([...REFUSAL_CODES])('declines reason %s as %s', (refusalReasonCode, code) => {
    expect(answered('Refused', { refusalReasonCode })).toMatchObject({ kind: 'declined', code })
    expect(isErrorCode(code) && ERRORS[code].status).toBe(410)
  })

  test('is a decline with a documented error, and with a reason that nobody has heard of', () => {
    expect(answered('Error', { refusalReasonCode: '4' })).toEqual({
      kind: 'declined',
      code: 'card.acquirer-failed',
      gatewayCode: '4',
    })
    expect(answered('Refused', { refusalReasonCode: '999' })).toEqual({
      kind: 'declined',
      code: 'gateway.unknown-error',
      gatewayCode: '999',
    })
    expect(answered('Cancelled')).toMatchObject({ kind: 'declined', code: 'customer.cancelled' })
  })

  test('gives the exact reason and the advice of the scheme where the account is told them', () => {
    const mastercard = { merchantAdviceCode: '03 : Do not try again', refusalReasonRaw: '14 : Invalid card number' }
    expect(refusedWith({ additionalData: mastercard, paymentMethod: { brand: 'mc' } })).toEqual({
      kind: 'declined',
      code: 'card.invalid-account',
      gatewayCode: '2',
      merchantAdviceCode: '03',
      recommendationCode: 'do-not-retry',
    })

    const visa = { refusalReasonRaw: '43 : Stolen card, pick up' }
    expect(refusedWith({ additionalData: visa, paymentMethod: { brand: 'visa' } })).toMatchObject({
      code: 'card.stolen',
      merchantAdviceCode: '1',
      recommendationCode: 'do-not-retry',
    })
    expect(refusedWith({ additionalData: { refusalReasonRaw: '05 : Do not honor' } })).toEqual({
      kind: 'declined',
      code: 'card.do-not-honor',
      gatewayCode: '2',
    })
  })
})

describe('the checks of a card', () => {
  test.each([
    ['1 Matches', '7 Both postal code and address match', 'passed', 'passed'],
    ["2 Doesn't match", "1 Address matches, postal code doesn't", 'failed', 'failed'],
    ['3 Not checked', '5 No AVS data provided', 'unchecked', 'unchecked'],
    ['5 Issuer not certified', '3 AVS unavailable', 'unavailable', 'unavailable'],
    ['77 Invented', 'Unknown', 'unknown', 'unknown'],
  ])('%s and %s', (cvcResult, avsResult, cvcCheck, avsCheck) => {
    expect(cardChecksOf({ cvcResult, avsResult })).toEqual({ cvcCheck, avsCheck })
  })

  test('are none where the answer has none', () => {
    expect(cardChecksOf({})).toBeNull()
  })
})

describe('the answer to a later step', () => {
  test('waits for the notification, and is unknown in any other word', () => {
    expect(modificationOutcome({ status: 'received', pspReference: PSP })).toEqual({
      kind: 'pending',
      gatewayOperationId: PSP,
    })
    for (const answer of [{ status: 'received' }, { status: 'settled', pspReference: PSP }, {}, null, 'received'])
      expect(modificationOutcome(answer).kind).toBe('unknown')
  })

  test('an increment that is decided at once is approved only with the total that was asked for', () => {
    const asked = { amountMinor: 500, targetTotalMinor: 3_400, currency: 'EUR' }
    const answer = { status: 'authorised', pspReference: PSP, amount: { value: 3_400, currency: 'EUR' } }

    expect(amountUpdateOutcome(answer, asked)).toEqual({
      kind: 'approved',
      gatewayOperationId: PSP,
      amountMinor: 500,
      currency: 'EUR',
    })
    expect(amountUpdateOutcome({ ...answer, amount: EUR_29 }, asked).kind).toBe('unknown')
    expect(amountUpdateOutcome({ ...answer, status: 'invented' }, asked).kind).toBe('unknown')
    expect(amountUpdateOutcome({ ...answer, status: 'received' }, asked).kind).toBe('pending')
    expect(amountUpdateOutcome({ ...answer, status: 'refused' }, asked)).toMatchObject({ kind: 'declined' })
  })
})

describe('a call without a result', () => {
  const answeredWith = (status: number, errorCode: string | null = null, isTransient = false) =>
    failureOutcome({ kind: 'answered', status, errorCode, isTransient })

  test.each([
    ['a server error', 500, '905', false],
    ['an overloaded server', 503, null, false],
    ['a reference that is being worked on', 422, '704', false],
    ['a failure that Adyen calls transient', 422, '137', true],
    ['a redirect', 308, null, false],
    ['a conflict', 409, null, false],
  ])('is unknown after %s', (_, status, errorCode, isTransient) => {
    expect(answeredWith(status, errorCode, isTransient).kind).toBe('unknown')
  })

  test('is unknown where the answer got lost, and was not sent where nobody listened', () => {
    expect(failureOutcome({ kind: 'lost', reason: 'ECONNRESET' })).toEqual({ kind: 'unknown', reason: 'ECONNRESET' })
    expect(failureOutcome({ kind: 'not-sent', reason: 'ECONNREFUSED' })).toEqual({
      kind: 'declined',
      code: 'gateway.network-error',
      gatewayCode: 'ECONNREFUSED',
      isNotSent: true,
    })
  })

  test.each([
    [401, null, 'gateway.invalid-credentials'],
    [403, null, 'gateway.forbidden'],
    [403, '901', 'gateway.invalid-merchant'],
    [404, null, 'gateway.not-found'],
    [422, '999', 'gateway.validation-error'],
    [429, null, 'gateway.rate-limit-exceeded'],
  ])('is certain after %i with code %s', (status, errorCode, code) => {
    expect(answeredWith(status, errorCode)).toMatchObject({ kind: 'declined', code })
  })

  test.each([401, 429])('was not sent where Adyen looked at nothing: %i', (status) => {
    expect(answeredWith(status, null)).toMatchObject({ kind: 'declined', isNotSent: true })
  })

  test.each([...VALIDATION_CODES])('is certain after 422 with code %s', (errorCode, code) => {
    expect(answeredWith(422, errorCode)).toEqual({ kind: 'declined', code, gatewayCode: errorCode })
    expect(isErrorCode(code) && ERRORS[code].status).toBe(410)
  })
})

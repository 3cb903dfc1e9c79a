import { describe, expect, test } from '@jest/globals'
import { ERRORS, isErrorCode } from '../../../domain/errors.ts'
import { withAdvice } from '../../../domain/merchant-advice.ts'
import { cardChecksOf } from '../../../src/gateways/adyen/card-checks.ts'
import { failureOutcome } from '../../../src/gateways/adyen/failures.ts'
import { amountUpdateOutcome, modificationOutcome, paymentOutcome } from '../../../src/gateways/adyen/outcomes.ts'
import { pairsOf } from '../pairs.ts'
import { REASONS } from './reasons.ts'

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
    ['an approval of a text', { pspReference: PSP, resultCode: 'Authorised', amount: { ...EUR_29, value: '2900' } }],
    ['an approval of half a cent', { pspReference: PSP, resultCode: 'Authorised', amount: { ...EUR_29, value: 0.5 } }],
    ['an error without a reason', { pspReference: PSP, resultCode: 'Error' }],
    ['an error with an invented reason', { pspReference: PSP, resultCode: 'Error', refusalReasonCode: '999' }],
    ['a payment that waits without a reference', { resultCode: 'Pending' }],
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

  test.each(['Pending', 'Received', 'PresentToShopper'])('waits for a notification after %s', (resultCode) => {
    expect(answered(resultCode)).toEqual({ kind: 'pending', gatewayOperationId: PSP })
  })

  test.each(REASONS)('declines reason %s (%s) as %s', (refusalReasonCode, _, code) => {
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

  test.each(['1', '13', '30', '37', '47'])('guesses nothing about reason %s', (refusalReasonCode) => {
    expect(answered('Refused', { refusalReasonCode })).toMatchObject({ code: 'gateway.unknown-error' })
  })

  test.each(
    pairsOf(`
  card.invalid-merchant: 03; card.keep-card: 04, 07; card.do-not-honor: 05; card.invalid-transaction: 12;
  card.invalid-amount: 13; card.invalid-account: 14, 46; card.issuer-not-found: 15; card.lost: 41; card.stolen: 43;
  card.no-money: 51; card.expired: 54; card.not-authorized: 57; card.possible-fraud: 59;
  card.exceeded-withdrawal-limit: 61; card.restricted: 62; card.security-violation: 63;
  card.exceeded-activity-limits: 65; card.not-activated: 78; card.issuer-down: 91; card.law-violation: 93;
  card.revoked: R0, R1; card.revoked-all: R3
`),
  )('declines what the issuer refused with %s as %s, where the reason is a general one', (raw, code) => {
    const additionalData = { refusalReasonRaw: `${raw} : In words` }
    for (const refusalReasonCode of ['2', '5', '25', '27'])
      expect(answered('Refused', { refusalReasonCode, additionalData })).toMatchObject({ code })
    expect(answered('Refused', { refusalReasonCode: '12', additionalData })).toMatchObject({ code: 'card.no-money' })
  })

  test.each(
    pairsOf(`
  update-payment-details: 01; retry-later: 02; do-not-retry: 03, 21, 22, 42; retry-with-different-details: 04;
  retry-after: 24, 25, 26, 27, 28, 29, 30; nothing: 05, 23, 31
`),
  )('recommends by advice %s of Mastercard: %s', (advice, recommendationCode) => {
    const outcome = withAdvice(refusedWith({ additionalData: { merchantAdviceCode: `${advice} : In words` } }), 0)
    expect(outcome).toMatchObject({ merchantAdviceCode: advice })
    expect('recommendationCode' in outcome ? outcome.recommendationCode : 'nothing').toBe(recommendationCode)
  })

  test.each([
    ['1', 'do-not-retry', '04 07 12 14 15 41 43 46 57 R0 R1 R3'],
    ['2', 'retry-later', '03 19 39 51 52 53 59 61 62 65 75 78 83 86 91 93 96 5C 9G N3 N4 Z5'],
    ['3', 'update-payment-details', '54 55 82 6P N7'],
    [
      '4',
      undefined,
      '01 02 05 06 13 16 30 40 42 44 45 47 50 56 58 60 64 66 74 76 77 79 81 84 85 87 90 92 94 95 97 1A R2',
    ],
  ])('is of category %s of Visa, with the recommendation %s', (merchantAdviceCode, recommendationCode, codes) => {
    for (const raw of codes.split(' ')) {
      const visa = { additionalData: { refusalReasonRaw: `${raw} : In words` }, paymentMethod: { brand: 'visa' } }
      const advised = withAdvice(refusedWith(visa), 0)
      expect([raw, advised]).toMatchObject([
        raw,
        { merchantAdviceCode, ...(recommendationCode && { recommendationCode }) },
      ])
      expect([raw, 'recommendationCode' in advised]).toEqual([raw, recommendationCode !== undefined])
    }
  })

  test('gives the exact reason and the advice of the scheme where the account is told them', () => {
    const mastercard = { merchantAdviceCode: '03 : Do not try again', refusalReasonRaw: '14 : Invalid card number' }
    expect(refusedWith({ additionalData: mastercard, paymentMethod: { brand: 'mc' } })).toEqual({
      kind: 'declined',
      code: 'card.invalid-account',
      gatewayCode: '2',
      merchantAdviceCode: '03',
    })

    const visa = { refusalReasonRaw: '43 : Stolen card, pick up' }
    expect(refusedWith({ additionalData: visa, paymentMethod: { brand: 'visa' } })).toMatchObject({
      code: 'card.stolen',
      merchantAdviceCode: '1',
    })
    expect(refusedWith({ additionalData: { refusalReasonRaw: '05 : Do not honor' } })).toEqual({
      kind: 'declined',
      code: 'card.do-not-honor',
      gatewayCode: '2',
    })
  })
})

describe('the checks of a card', () => {
  const CVC = pairsOf(`
  passed: 1; failed: 2; unchecked: 3, 4, 6; unavailable: 5; unknown: 0, 7, 77
`)
  const AVS = pairsOf(`
  passed: 7, 20, 24; failed: 1, 2, 6, 10, 13, 16, 17, 19, 21, 22, 23, 25, 26; unchecked: 5, 18; unavailable: 3, 4;
  unknown: 0, 8, 9, 11, 12, 14, 15, 27, Unknown
`)
  test.each(CVC)('are by CVC result %s: %s', (number, cvcCheck) => {
    expect(cardChecksOf({ cvcResult: `${number} In words` })).toEqual({ cvcCheck, avsCheck: 'unchecked' })
  })
  test.each(AVS)('are by AVS result %s: %s', (number, avsCheck) => {
    expect(cardChecksOf({ avsResult: `${number} In words` })).toEqual({ cvcCheck: 'unchecked', avsCheck })
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
    const inDollars = { ...answer, amount: { ...answer.amount, currency: 'USD' } }
    expect(amountUpdateOutcome(inDollars, asked).kind).toBe('unknown')
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

  test.each(
    pairsOf(`
  gateway.not-allowed: 010; card.invalid-account: 101, 102; card.failed-cvc: 103, 153;
  card.invalid-expiry-date: 129, 140, 141; card.invalid-amount: 137; gateway.unsupported-currency: 138;
  gateway.transaction-not-found: 167, 906; gateway.invalid-merchant: 901;
  gateway.configuration-error: 905, 905_1, 905_3; gateway.unsupported-country-code: 907
`),
  )('is certain after 422 with code %s', (errorCode, code) => {
    expect(answeredWith(422, errorCode)).toEqual({ kind: 'declined', code, gatewayCode: errorCode })
    // An expiry date that is wrong is refused with 400 when the card is created, with the same code.
    expect(isErrorCode(code) && ERRORS[code].status).toBe(code === 'card.invalid-expiry-date' ? 400 : 410)
  })
})

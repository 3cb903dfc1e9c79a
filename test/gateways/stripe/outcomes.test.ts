import { describe, expect, test } from '@jest/globals'
import type Stripe from 'stripe'
import { ERRORS, isErrorCode } from '../../../domain/errors.ts'
import { DECLINE_CODES, NETWORK_CODES, REFUSAL_CODES } from '../../../src/gateways/stripe/decline-codes.ts'
import {
  type CardError,
  declineOf,
  outcomeOfAuthorization,
  outcomeOfRefund,
  outcomeOfStep,
} from '../../../src/gateways/stripe/outcomes.ts'

/** Of a PaymentIntent only what is read. */
function intentIn(status: string, overrides: object = {}): Stripe.PaymentIntent {
  return {
    id: 'pi_1',
    amount: 2_900,
    amount_capturable: 2_900,
    amount_received: 0,
    cancellation_reason: null,
    capture_method: 'manual',
    currency: 'eur',
    last_payment_error: null,
    latest_charge: null,
    metadata: {},
    next_action: null,
    status,
    ...overrides,
  } as unknown as Stripe.PaymentIntent
}

const charge = (card: object) => ({ status: 'succeeded', payment_method_details: { card } })

describe('an authorization at Stripe', () => {
  test.each(['requires_confirmation', 'requires_payment_method', 'approved_in_principle', ''])(
    'in the state "%s", of which nothing more is known, is no success and no failure',
    (status) => {
      expect(outcomeOfAuthorization(intentIn(status)).kind).toBe('unknown')
    },
  )

  test('tells what the scheme said', () => {
    const checks = { cvc_check: 'pass', address_line1_check: 'fail', address_postal_code_check: 'pass' }
    const card = { network_transaction_id: '976910110049114', authorization_code: '123456', checks }

    expect(outcomeOfAuthorization(intentIn('requires_capture', { latest_charge: charge(card) }))).toEqual({
      kind: 'approved',
      gatewayOperationId: 'pi_1',
      amountMinor: 2_900,
      currency: 'EUR',
      schemeTransactionId: '976910110049114',
      authorizationCode: '123456',
      cardChecks: { cvcCheck: 'passed', avsCheck: 'failed' },
    })
  })

  test.each([
    ['id', ''],
    ['amount', undefined],
    ['amount', '2900'],
    ['amount', 2_900.5],
    ['currency', 'euro'],
    ['capture_method', undefined],
  ])('that does not say what was approved, because %s is %j, is unknown', (name, value) => {
    expect(outcomeOfAuthorization(intentIn('requires_capture', { [name]: value })).kind).toBe('unknown')
  })

  test('over less than was asked says so', () => {
    const intent = intentIn('requires_capture', { latest_charge: charge({ amount_authorized: 1_450 }) })

    expect(outcomeOfAuthorization(intent)).toMatchObject({ kind: 'approved', amountMinor: 1_450 })
  })

  test('that was raised later is still the sum that it was', () => {
    const intent = intentIn('requires_capture', { amount: 3_400, metadata: { tr_op_b: 'increment:500' } })

    expect(outcomeOfAuthorization(intent)).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
  })

  test.each<[string, object, object]>([
    ['succeeded', {}, { kind: 'approved' }],
    ['succeeded', { capture_method: 'automatic' }, { kind: 'approved', isSale: true }],
    ['processing', {}, { kind: 'pending', gatewayOperationId: 'pi_1' }],
    ['canceled', { latest_charge: charge({}) }, { kind: 'approved' }],
    ['canceled', { cancellation_reason: 'abandoned' }, { kind: 'declined', code: 'gateway.expired' }],
    [
      'requires_action',
      { next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://hooks.stripe.com/3ds' } } },
      { kind: 'action-required', action: { type: 'redirect', value: 'https://hooks.stripe.com/3ds' } },
    ],
    ['requires_action', {}, { kind: 'declined', code: 'card.needs-authentication', gatewayCode: 'requires_action' }],
    [
      'requires_action',
      { next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} } },
      { kind: 'declined', code: 'card.needs-authentication', gatewayCode: 'use_stripe_sdk' },
    ],
    [
      'requires_payment_method',
      { last_payment_error: { code: 'payment_intent_authentication_failure' } },
      { kind: 'declined', code: 'card.failed-3ds' },
    ],
  ])('in the state "%s" with %j', (status, overrides, outcome) => {
    expect(outcomeOfAuthorization(intentIn(status, overrides))).toMatchObject(outcome)
  })
})

describe('the end of an authorization that Stripe tells', () => {
  const CREATED = 1_795_262_400
  const told = (captureBefore: unknown, created: unknown = CREATED) =>
    outcomeOfAuthorization(
      intentIn('requires_capture', { latest_charge: { ...charge({ capture_before: captureBefore }), created } }),
    )

  test('is how long it holds, by its own clock', () => {
    expect(told(CREATED + 410_400)).toMatchObject({ kind: 'approved', validForMs: 410_400_000 })
  })

  test.each([[undefined], [null], ['soon'], [CREATED], [CREATED - 1], [Number.NaN]])(
    'is left out where it is none: %p',
    (captureBefore) => {
      expect(told(captureBefore)).not.toHaveProperty('validForMs')
    },
  )

  test('is left out where the beginning is not told', () => {
    expect(told(CREATED + 410_400, null)).not.toHaveProperty('validForMs')
  })
})

describe('a later step at Stripe', () => {
  test('that has left no reference was not made, whatever the state', () => {
    expect(outcomeOfStep(intentIn('succeeded'), 'tr_op_b', 'capture')).toBeNull()
    expect(outcomeOfStep(intentIn('succeeded', { metadata: { tr_op_b: 'void:1' } }), 'tr_op_b', 'capture')).toBeNull()
  })

  test.each([
    ['succeeded', 'approved'],
    ['requires_capture', 'approved'],
    ['processing', 'pending'],
    ['approved_in_principle', 'unknown'],
  ])('that has left its reference is in the state "%s" %s', (status, kind) => {
    const intent = intentIn(status, { amount_received: 1_000, metadata: { tr_op_b: 'capture:1000' } })

    expect(outcomeOfStep(intent, 'tr_op_b', 'capture')?.kind).toBe(kind)
  })

  test('of which less was captured than our reference says is unknown', () => {
    const intent = intentIn('requires_capture', { amount_received: 999, metadata: { tr_op_b: 'capture:1000' } })

    expect(outcomeOfStep(intent, 'tr_op_b', 'capture')?.kind).toBe('unknown')
  })

  test.each([
    ['succeeded', 'approved'],
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['failed', 'declined'],
    ['canceled', 'declined'],
    ['approved_in_principle', 'unknown'],
    [null, 'unknown'],
  ])('a refund in the state "%s" is %s', (status, kind) => {
    const refund = { id: 're_1', amount: 1_000, currency: 'eur', status, metadata: {} } as unknown as Stripe.Refund

    expect(outcomeOfRefund(refund).kind).toBe(kind)
  })
})

describe('a card that Stripe refuses', () => {
  const decline = (error: object) => declineOf(error as CardError)
  const onCard = (brand: string) => ({ payment_method: { card: { brand } } })

  test.each([...Object.values(DECLINE_CODES), ...Object.values(NETWORK_CODES), ...Object.values(REFUSAL_CODES)])(
    'is refused with a code that tells a merchant of a failed payment: %s',
    (code) => {
      // What is wrong with the data of a card is refused with 400 when the card is created, with the same code.
      const ofCardData = [
        'card.invalid-cvc',
        'card.invalid-expiry-month',
        'card.invalid-expiry-year',
        'card.invalid-number',
      ]
      expect(isErrorCode(code) && ERRORS[code].status).toBe(ofCardData.includes(code) ? 400 : 410)
    },
  )

  test('for a reason that is not listed is declined without a guess at the reason', () => {
    expect(decline({ code: 'card_declined', decline_code: 'moon_phase' })).toEqual({
      kind: 'declined',
      code: 'gateway.unknown-error',
      gatewayCode: 'moon_phase',
    })
  })

  test.each([
    [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'card.no-money'],
    [{ code: 'expired_card' }, 'card.expired'],
    [{ code: 'card_declined', decline_code: 'generic_decline' }, 'card.declined'],
    [{ code: 'card_declined', decline_code: 'generic_decline', network_decline_code: '51' }, 'card.no-money'],
  ])('%j', (error, code) => {
    expect(decline(error)).toMatchObject({ code })
  })

  test.each([
    [{ ...onCard('mastercard'), network_advice_code: '3', advice_code: 'do_not_try_again' }, '03', 'do-not-retry'],
    [{ ...onCard('visa'), network_decline_code: '41' }, '1', undefined],
    [{ ...onCard('visa'), network_decline_code: '51', advice_code: 'try_again_later' }, '2', 'retry-later'],
    [{ ...onCard('visa'), network_decline_code: '05' }, '4', undefined],
    [{ ...onCard('amex'), network_advice_code: '03' }, undefined, undefined],
  ])('carries the advice of the scheme: %j', (error, merchantAdviceCode, recommendationCode) => {
    const outcome = decline({ code: 'card_declined', ...error })

    expect(outcome).toMatchObject({ kind: 'declined' })
    expect(outcome).toEqual(expect.objectContaining({ ...(merchantAdviceCode && { merchantAdviceCode }) }))
    expect('merchantAdviceCode' in outcome).toBe(merchantAdviceCode !== undefined)
    expect('recommendationCode' in outcome && outcome.recommendationCode).toBe(recommendationCode ?? false)
  })
})

import { describe, expect, test } from '@jest/globals'
import type Stripe from 'stripe'
import { ERRORS, isErrorCode } from '../../../domain/errors.ts'
import {
  type CardError,
  declineOf,
  outcomeOfAuthorization,
  outcomeOfRefund,
  outcomeOfStep,
} from '../../../src/gateways/stripe/outcomes.ts'
import { pairsOf } from '../pairs.ts'

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

const redirectTo = (url: unknown) => ({ type: 'redirect_to_url', redirect_to_url: { url } })

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

  test('over more than was asked is one of what was asked', () => {
    const intent = intentIn('requires_capture', { latest_charge: charge({ amount_authorized: 3_000 }) })

    expect(outcomeOfAuthorization(intent)).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
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
    ['canceled', { cancellation_reason: 'automatic' }, { kind: 'declined', code: 'gateway.expired' }],
    ['canceled', { cancellation_reason: 'abandoned' }, { kind: 'declined', code: 'card.expired-3ds' }],
    [
      'canceled',
      { cancellation_reason: 'abandoned', latest_charge: charge({}) },
      { kind: 'declined', code: 'card.expired-3ds' },
    ],
    [
      'requires_action',
      { next_action: redirectTo('https://hooks.stripe.com/3ds') },
      {
        kind: 'action-required',
        action: {
          type: 'url',
          page: { url: 'https://hooks.stripe.com/3ds', fields: null },
          isFullPage: false,
          continuation: 'pi_1',
        },
      },
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
      { kind: 'declined', code: 'card.failed-3ds', authentication: { status: 'failed', hasLiabilityShift: false } },
    ],
  ])('in the state "%s" with %j', (status, overrides, outcome) => {
    expect(outcomeOfAuthorization(intentIn(status, overrides))).toMatchObject(outcome)
  })
})

describe('a page that Stripe names for the customer', () => {
  test.each([['http://hooks.stripe.com/3ds'], ['javascript:alert(1)'], [7], [null]])(
    'is none where the customer is sent: %p',
    (url) => {
      expect(outcomeOfAuthorization(intentIn('requires_action', { next_action: redirectTo(url) }))).toEqual({
        kind: 'declined',
        code: 'card.needs-authentication',
        gatewayCode: 'redirect_to_url',
      })
    },
  )
})

describe('how Stripe has authenticated the customer', () => {
  const SECURE = {
    authentication_flow: 'challenge',
    electronic_commerce_indicator: '05',
    exemption_indicator: null,
    result: 'authenticated',
    result_reason: null,
    transaction_id: '1c5e7a7b-0d0c-4a53-8f4e-0a4d2d0c9a61',
    version: '2.2.0',
  }
  const told = (secure: unknown) => {
    const outcome = outcomeOfAuthorization(
      intentIn('requires_capture', { latest_charge: charge({ three_d_secure: secure }) }),
    )
    return outcome.kind === 'approved' ? outcome.authentication : outcome.kind
  }

  test('is reported with the approval', () => {
    expect(told(SECURE)).toEqual({
      version: '2.2.0',
      status: 'authenticated',
      aresTransStatus: 'C',
      cresTransStatus: 'Y',
      eci: '05',
      dsTransId: '1c5e7a7b-0d0c-4a53-8f4e-0a4d2d0c9a61',
      serverTransId: null,
      fingerprintCompleted: null,
      wasChallenged: true,
      hasLiabilityShift: true,
    })
  })

  test.each<[object, object]>([
    [
      { authentication_flow: 'frictionless' },
      { status: 'authenticated', aresTransStatus: 'Y', cresTransStatus: null, wasChallenged: false },
    ],
    [
      { authentication_flow: 'frictionless', result: 'attempt_acknowledged', electronic_commerce_indicator: '06' },
      { status: 'attempted', aresTransStatus: 'A', eci: '06', hasLiabilityShift: true },
    ],
    [
      { version: '1.0.2' },
      { version: '1.0.2', aresTransStatus: null, cresTransStatus: null, dsTransId: null, hasLiabilityShift: true },
    ],
    [{ result: 'failed' }, { status: 'failed', cresTransStatus: 'N', hasLiabilityShift: false }],
    [
      { authentication_flow: 'frictionless', result: 'failed', result_reason: 'rejected' },
      { status: 'rejected', aresTransStatus: 'R', hasLiabilityShift: false },
    ],
    [{ result: 'exempted' }, { status: 'unavailable', hasLiabilityShift: false }],
    [{ result: 'not_supported' }, { status: 'unavailable', hasLiabilityShift: false }],
    [{ result: 'processing_error' }, { status: 'unavailable', hasLiabilityShift: false }],
    [{ result: 'data_share_only' }, { status: 'unavailable', hasLiabilityShift: false }],
    [{ result: 'approved_in_principle' }, { status: 'unavailable', hasLiabilityShift: false }],
    [{ exemption_indicator: 'low_risk' }, { status: 'authenticated', hasLiabilityShift: false }],
    [{ exemption_indicator: 'none' }, { status: 'authenticated', hasLiabilityShift: true }],
    [
      { electronic_commerce_indicator: 'N/A', transaction_id: '' },
      { eci: null, dsTransId: null },
    ],
  ])('is read from %j', (changes, result) => {
    expect(told({ ...SECURE, ...changes })).toMatchObject(result)
  })

  test.each([[null], [undefined], ['authenticated'], [{}], [{ ...SECURE, result: null }], [{ ...SECURE, version: 7 }]])(
    'is left out if Stripe reports none: %j',
    (secure) => {
      expect(told(secure)).toBeUndefined()
    },
  )

  test('is reported with the decline of a card whose holder was authenticated', () => {
    const outcome = outcomeOfAuthorization(
      intentIn('requires_payment_method', {
        last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
        latest_charge: { ...charge({ three_d_secure: SECURE }), status: 'failed' },
      }),
    )

    expect(outcome).toMatchObject({ code: 'card.no-money', authentication: { status: 'authenticated' } })
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

  test.each(['capture', 'capture:', 'capture:10 EUR', 'capture:-1'])(
    'is not known by a mark without a plain amount, such as one that a person has changed: %j',
    (mark) => {
      const intent = intentIn('succeeded', { amount_received: 1_000, metadata: { tr_op_b: mark } })

      expect(outcomeOfStep(intent, 'tr_op_b', 'capture')).toBeNull()
    },
  )

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

/** What is wrong with the data of a card is refused with 400 when the card is created, with the same code. */
const OF_CARD_DATA = [
  'card.invalid-cvc',
  'card.invalid-expiry-month',
  'card.invalid-expiry-year',
  'card.invalid-number',
]
const statusOf = (code: string) => isErrorCode(code) && ERRORS[code].status

describe('a card that Stripe refuses', () => {
  const decline = (error: object) => declineOf(error as CardError)
  const onCard = (brand: string) => ({ payment_method: { card: { brand } } })

  test.each(
    pairsOf(`
  card.approve-after-identification: approve_with_id;
  card.needs-authentication: authentication_not_handled, authentication_required;
  card.needs-authentication: mobile_device_authentication_required; card.contact-bank: call_issuer;
  card.maximum-attempts: card_decline_rate_limit_exceeded; card.not-supported: card_not_supported;
  card.exceeded-activity-limits: card_velocity_exceeded; card.currency-unsupported: currency_not_supported;
  card.do-not-honor: do_not_honor; card.dont-retry: do_not_try_again, previously_declined_do_not_retry;
  card.duplicate: duplicate_transaction; card.expired: expired_card; card.possible-fraud: fraudulent;
  gateway.possible-fraud: highest_risk_level; card.failed-avs-address: incorrect_address;
  card.failed-cvc: incorrect_cvc; card.invalid-number: incorrect_number, invalid_number;
  card.invalid-pin: incorrect_pin, invalid_pin; card.failed-avs-postal: incorrect_zip;
  card.no-money: insufficient_funds; card.invalid-account: invalid_account, new_account_information_available;
  card.invalid-amount: invalid_amount; card.type-not-supported: invalid_card_type; card.invalid-cvc: invalid_cvc;
  card.invalid-expiry-month: invalid_expiry_month; card.invalid-expiry-year: invalid_expiry_year;
  card.issuer-down: issuer_not_available; card.lost: lost_card; card.blacklisted: merchant_blacklist;
  card.no-action-taken: no_action_taken;
  card.not-authorized: not_permitted, service_not_allowed, transaction_not_allowed;
  card.missing-pin: offline_pin_required, online_or_offline_pin_required;
  card.failed-3ds: payment_intent_authentication_failure; card.keep-card: pickup_card;
  card.exceeded-pin-attempts: pin_try_exceeded; card.processing-error: processing_error;
  card.please-retry: reenter_transaction, try_again_later; card.restricted: restricted_card;
  card.revoked-all: revocation_of_all_authorizations; card.revoked: revocation_of_authorization, stop_payment_order;
  card.security-violation: security_violation; card.stolen: stolen_card;
  card.test: test_mode_decline, test_mode_live_card, testmode_decline;
  card.exceeded-withdrawal-limit: withdrawal_count_limit_exceeded
`),
  )('by decline_code %s is refused as %s', (declineCode, code) => {
    expect(decline({ code: 'card_declined', decline_code: declineCode })).toMatchObject({ code })
    expect(statusOf(code)).toBe(OF_CARD_DATA.includes(code) ? 400 : 410)
  })

  test.each(
    pairsOf(`
  card.contact-bank: 01, 02; card.invalid-merchant: 03; card.keep-card: 04, 07; card.do-not-honor: 05;
  card.invalid-transaction: 12; card.invalid-amount: 13; card.invalid-number: 14; card.issuer-not-found: 15;
  card.please-retry: 19; card.needs-authentication: 1A; card.formatting-error: 30; card.lost: 41; card.stolen: 43;
  card.invalid-account: 46; card.no-money: 51; card.expired: 54; card.invalid-pin: 55; card.not-authorized: 57;
  card.possible-fraud: 59; card.exceeded-withdrawal-limit: 61; card.restricted: 62; card.security-violation: 63;
  card.exceeded-pin-attempts: 75; card.not-activated: 78; card.failed-cvc: 82, N7; card.issuer-down: 91;
  card.law-violation: 93; card.duplicate: 94; card.processing-error: 96; card.revoked: R0, R1; card.revoked-all: R3
`),
  )('for no reason but the one of its network, %s, is refused as %s', (networkCode, code) => {
    const error = { code: 'card_declined', decline_code: 'generic_decline', network_decline_code: networkCode }
    expect(decline(error)).toMatchObject({ code })
    expect(statusOf(code)).toBe(OF_CARD_DATA.includes(code) ? 400 : 410)
  })

  test.each([
    ['1', '04 07 12 14 15 41 43 46 57 R0 R1 R3'],
    ['2', '03 19 39 51 52 53 59 61 62 65 75 78 83 86 91 93 96 5C 9G N3 N4 Z5'],
    ['3', '54 55 82 6P N7'],
    ['4', '01 02 05 06 13 16 30 40 42 44 45 47 50 56 58 60 64 66 74 76 77 79 81 84 85 87 90 92 94 95 97 1A R2 N5 Z3'],
  ])('on Visa is of category %s by its network', (category, codes) => {
    for (const networkCode of codes.split(' ')) {
      const error = { ...onCard('visa'), code: 'card_declined', network_decline_code: networkCode }
      expect([networkCode, decline(error)]).toMatchObject([networkCode, { merchantAdviceCode: category }])
    }
  })

  test.each([
    ['confirm_card_data', 'update-payment-details'],
    ['do_not_try_again', 'do-not-retry'],
    ['try_again_later', 'retry-later'],
  ])('with the advice %s is recommended %s', (adviceCode, recommendationCode) => {
    expect(decline({ code: 'card_declined', advice_code: adviceCode })).toMatchObject({ recommendationCode })
  })

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

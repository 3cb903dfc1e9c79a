import { describe, expect, test } from '@jest/globals'
import { fromStripeAmount, toStripeAmount } from '../../../src/gateways/stripe/amounts.ts'
import {
  captureOf,
  confirmationOf,
  incrementOf,
  paymentIntentOf,
  paymentMethodOf,
  refundOf,
  releaseOf,
} from '../../../src/gateways/stripe/requests.ts'
import { CUSTOMER_PRESENT, EXTERNAL, NOBODY_TO_ACT, RETURN_URL } from '../contract-authentication.ts'
import { authorization, continuing, followUp } from './builders.ts'

/** The parameters of the card. */
const cardOf = (params: ReturnType<typeof paymentIntentOf>) => {
  const card = params?.payment_method_options?.card
  return card === '' ? undefined : card
}

describe('what Stripe is asked', () => {
  test('an authorization names the card by its id only, and is captured by hand', () => {
    const params = paymentIntentOf(authorization({ statementDescriptor: 'Order *42* "of" <Ada>' }), 'pm_1')

    expect(params).toEqual({
      amount: 2_900,
      currency: 'eur',
      allowed_payment_method_types: ['card'],
      payment_method: 'pm_1',
      payment_method_options: {
        card: { request_incremental_authorization: 'if_available', request_multicapture: 'if_available' },
      },
      capture_method: 'manual',
      confirm: true,
      error_on_requires_action: true,
      statement_descriptor_suffix: 'Order 42 of Ada',
      metadata: { reference: 'tr_op_a', invoice_id: 'iv_a' },
      expand: ['latest_charge'],
    })
    expect(JSON.stringify(params)).not.toContain('4242424242424242')
  })

  test('a sale is captured with its approval, and neither raised nor captured further', () => {
    expect(paymentIntentOf(authorization({ mustSell: true }), 'pm_1')).toMatchObject({
      capture_method: 'automatic',
      payment_method_options: {
        card: { request_incremental_authorization: 'never', request_multicapture: 'never' },
      },
    })
  })

  test('a customer can be sent to authenticate only if somebody can act', () => {
    const params = paymentIntentOf(authorization({ authentication: CUSTOMER_PRESENT }), 'pm_1')

    expect(params).toMatchObject({ return_url: RETURN_URL })
    expect(params).not.toHaveProperty('error_on_requires_action')
    expect(params).not.toHaveProperty('use_stripe_sdk')
    expect(params?.payment_method_options?.card).not.toHaveProperty('request_three_d_secure')
  })

  test.each([
    [{ isRequired: true }, 'any'],
    [{ challengeIndicator: 'challenge-requested' }, 'challenge'],
    [{ challengeIndicator: 'challenge-requested-mandate', isRequired: true }, 'challenge'],
    [{ challengeIndicator: 'challenge-requested-whitelist-prompt' }, 'challenge'],
    [{ challengeIndicator: 'no-challenge-requested', isRequired: true }, 'any'],
    [{ challengeIndicator: 'no-challenge-requested' }, undefined],
    [{ challengeIndicator: 'cb-scoring' }, undefined],
    [{ exemption: 'low-value' }, undefined],
  ])('an authentication is asked for by %j as %p', (wanted, word) => {
    for (const authentication of [CUSTOMER_PRESENT, NOBODY_TO_ACT]) {
      const params = paymentIntentOf(authorization({ authentication: { ...authentication, ...wanted } }), 'pm_1')
      expect(cardOf(params)?.request_three_d_secure).toBe(word)
    }
  })

  test('an order by mail or telephone is told, and nobody is to authenticate', () => {
    const wanted = { ...NOBODY_TO_ACT, challengeIndicator: 'challenge-requested' }
    const params = paymentIntentOf(authorization({ isMoto: true, authentication: wanted }), 'pm_1')
    expect(params).toMatchObject({ error_on_requires_action: true, payment_method_options: { card: { moto: true } } })
    expect(params?.payment_method_options?.card).not.toHaveProperty('request_three_d_secure')

    expect(cardOf(paymentIntentOf(authorization(), 'pm_1'))).not.toHaveProperty('moto')
    const authenticated = { ...NOBODY_TO_ACT, external: EXTERNAL }
    const imported = paymentIntentOf(authorization({ isMoto: true, authentication: authenticated }), 'pm_1')
    expect(cardOf(imported)).toHaveProperty('three_d_secure')
    expect(cardOf(imported)).not.toHaveProperty('moto')
  })

  test('an authentication that was made elsewhere is handed over, and is not followed by another one', () => {
    const external = { ...EXTERNAL, transStatus: 'A', eci: '06', wasChallenged: false } as const
    const imported = (changes: object) => {
      const authentication = { ...CUSTOMER_PRESENT, isRequired: true, external: { ...external, ...changes } }
      return paymentIntentOf(authorization({ authentication }), 'pm_1')
    }

    expect(imported({})).toMatchObject({ error_on_requires_action: true })
    expect(imported({})).not.toHaveProperty('return_url')
    expect(imported({})?.payment_method_options?.card).toEqual({
      request_incremental_authorization: 'if_available',
      request_multicapture: 'if_available',
      three_d_secure: {
        version: '2.2.0',
        cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
        transaction_id: 'f38e6948-5388-41a6-bca4-b49723c19437',
        electronic_commerce_indicator: '06',
        ares_trans_status: 'A',
      },
    })
    const challenged = imported({ transStatus: 'Y', wasChallenged: true })
    expect(cardOf(challenged)?.three_d_secure).toMatchObject({ ares_trans_status: 'C' })
    const version1 = imported({ version: '1.0.2', xid: 'TUFaRDNrT2pHSk94', dsTransId: null })
    expect(cardOf(version1)?.three_d_secure).toEqual({
      version: '1.0.2',
      cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
      transaction_id: 'TUFaRDNrT2pHSk94',
      electronic_commerce_indicator: '06',
    })
  })

  test('a confirmation after the customer has acted leads back to the same page', () => {
    expect(confirmationOf(continuing('pi_1'))).toEqual({ return_url: RETURN_URL, expand: ['latest_charge'] })
  })

  test('a payment by the merchant is off session, and names the earlier one only where the account may', () => {
    const byMerchant = { isMerchantInitiated: true, initialSchemeTransactionId: '976910110049114' }

    const plain = paymentIntentOf(authorization(byMerchant), 'pm_1')
    const allowed = paymentIntentOf(authorization({ ...byMerchant, settings: { mit_exemption: 'enabled' } }), 'pm_1')

    expect(plain).toMatchObject({ off_session: true })
    expect(JSON.stringify(plain)).not.toContain('976910110049114')
    expect(allowed?.payment_method_options?.card).toMatchObject({
      mit_exemption: { network_transaction_id: '976910110049114' },
    })
    const first = { ...byMerchant, initialSchemeTransactionId: null, settings: { mit_exemption: 'enabled' } } as const
    expect(paymentIntentOf(authorization(first), 'pm_1')?.payment_method_options?.card).not.toHaveProperty(
      'mit_exemption',
    )
  })

  test('what was not asked for is not asked for at Stripe', () => {
    const params = paymentIntentOf(authorization({ incremental: false, settings: { multicapture: 'never' } }), 'pm_1')

    expect(params?.payment_method_options?.card).toEqual({
      request_incremental_authorization: 'never',
      request_multicapture: 'never',
    })
  })

  test('a co-badged card goes to the scheme that was chosen', () => {
    const { card } = authorization()
    if (card === null) throw new Error('The request has a card.')

    expect(paymentMethodOf(card, 'carte bancaire')).toEqual({
      type: 'card',
      card: {
        number: '4242424242424242',
        exp_month: 12,
        exp_year: 2030,
        cvc: '737',
        networks: { preferred: 'cartes_bancaires' },
      },
      billing_details: { name: 'Ada Example' },
    })
    expect(paymentMethodOf({ ...card, cvc: null, name: null }, 'american express')).toEqual({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2030 },
    })
  })

  test('only a capture that is not the last one says so, and every step leaves its reference', () => {
    const request = followUp('pi_1')
    const shared = { metadata: { tr_op_b: 'capture:1000' }, expand: ['latest_charge'] }

    expect(captureOf({ ...request, isFinal: true })).toEqual({ amount_to_capture: 1_000, ...shared })
    expect(captureOf({ ...request, isFinal: false })).toEqual({
      amount_to_capture: 1_000,
      final_capture: false,
      ...shared,
    })
    expect(incrementOf({ ...request, targetTotalMinor: 3_900 })).toEqual({
      amount: 3_900,
      metadata: { tr_op_b: 'increment:1000' },
      expand: ['latest_charge'],
    })
    expect(releaseOf(request, 1_000)).toEqual({
      amount_to_capture: 0,
      final_capture: true,
      metadata: { tr_op_b: 'void:1000' },
      expand: ['latest_charge'],
    })
    expect(refundOf(request)).toEqual({
      payment_intent: 'pi_1',
      amount: 1_000,
      metadata: { reference: 'tr_op_b', invoice_id: 'iv_a' },
    })
  })
})

describe('amounts', () => {
  test.each([
    ['BHD', 1_001],
    ['JOD', 1_001],
    ['KWD', 1_001],
    ['OMR', 1_001],
    ['TND', 1_001],
    ['MGA', 150],
  ])('that Stripe cannot express in %s are never rounded', (currency, amountMinor) => {
    expect(toStripeAmount(amountMinor, currency)).toBeNull()
  })

  test.each([
    ['EUR', 2_900, 2_900],
    ['JPY', 2_900, 2_900],
    ['ISK', 29, 2_900],
    ['UGX', 29, 2_900],
    ['MGA', 2_900, 29],
    ['KWD', 2_900, 2_900],
  ])('in %s come back as they went', (currency, amountMinor, theirs) => {
    expect(toStripeAmount(amountMinor, currency)).toBe(theirs)
    expect(fromStripeAmount(theirs, currency.toLowerCase())).toBe(amountMinor)
  })
})

import { describe, expect, test } from '@jest/globals'
import { readAccount } from '../../../src/gateways/adyen/account.ts'
import { fromAdyenAmount, toAdyenAmount } from '../../../src/gateways/adyen/amount.ts'
import {
  amountRequest,
  amountUpdateRequest,
  cancelRequest,
  paymentRequest,
  readReferenceWithAmount,
} from '../../../src/gateways/adyen/requests.ts'
import { ACCESS, cardOf, makeRequests } from './fixture.ts'

const accountWith = (settings: Record<string, string> = {}) => {
  const account = readAccount(ACCESS.credentials, { ...ACCESS.settings, ...settings })
  if ('problem' in account) throw new Error(`The account lacks ${account.problem}.`)
  return account
}

const { authorization } = makeRequests('adyen-requests')
const EUR_29 = { value: 2_900, currency: 'EUR' }
const request = { ...authorization(), reference: 'tr_op_1', invoiceId: 'iv_1' }

describe('a payment as Adyen gets it', () => {
  test('of a customer says that capture is ours, and names the scheme and the invoice', () => {
    const wanted = { ...request, scheme: 'carte bancaire', statementDescriptor: 'Shop № 1 * a long name that is cut' }

    expect(paymentRequest(wanted, cardOf('Ada Example'), EUR_29, accountWith())).toEqual({
      merchantAccount: 'HoldfastTest',
      reference: 'tr_op_1',
      merchantOrderReference: 'iv_1',
      amount: { value: 2_900, currency: 'EUR' },
      paymentMethod: {
        type: 'scheme',
        number: '4111111145551142',
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
        holderName: 'Ada Example',
        brand: 'cartebancaire',
      },
      returnUrl: 'https://shop.example/return',
      shopperInteraction: 'Ecommerce',
      authenticationData: { attemptAuthentication: 'never' },
      shopperStatement: 'Shop   1 * a long name',
      additionalData: { manualCapture: 'true', authorisationType: 'FinalAuth' },
      metadata: { invoiceId: 'iv_1' },
    })
  })

  test('of an order by mail or telephone says so, and asks for no authentication', () => {
    const told = paymentRequest({ ...request, isMoto: true }, cardOf('Ada Example'), EUR_29, accountWith())

    expect(told).toMatchObject({ shopperInteraction: 'Moto' })
    expect(told).not.toHaveProperty('authenticationData')
    expect(told).not.toHaveProperty('recurringProcessingModel')
  })

  test('of a merchant carries no security code and no authentication, but the first payment of the scheme', () => {
    const wanted = {
      ...request,
      incremental: true,
      isMerchantInitiated: true,
      initialSchemeTransactionId: '016150703802094',
    }
    const card = cardOf('Ada Example', { cvc: null, name: null })

    expect(paymentRequest(wanted, card, EUR_29, accountWith({ recurringProcessingModel: 'Subscription' }))).toEqual({
      merchantAccount: 'HoldfastTest',
      reference: 'tr_op_1',
      merchantOrderReference: 'iv_1',
      amount: { value: 2_900, currency: 'EUR' },
      paymentMethod: {
        type: 'scheme',
        number: '4111111145551142',
        expiryMonth: '03',
        expiryYear: '2030',
        brand: 'visa',
      },
      returnUrl: 'https://shop.example/return',
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'Subscription',
      additionalData: {
        manualCapture: 'true',
        authorisationType: 'PreAuth',
        networkTxReference: '016150703802094',
      },
      metadata: { invoiceId: 'iv_1' },
    })
  })

  test('never names a scheme that Adyen has no word for', () => {
    const sent = paymentRequest({ ...request, scheme: 'elo' }, cardOf('Ada'), EUR_29, accountWith())

    expect(sent.paymentMethod).not.toHaveProperty('brand')
  })

  test('marks card data for the test host where the account may not send card numbers', () => {
    const sent = paymentRequest(request, cardOf('Ada'), EUR_29, accountWith({ cardData: 'test-encrypted' }))

    expect(sent.paymentMethod).toEqual({
      type: 'scheme',
      encryptedCardNumber: 'test_4111111145551142',
      encryptedExpiryMonth: 'test_03',
      encryptedExpiryYear: 'test_2030',
      encryptedSecurityCode: 'test_737',
      holderName: 'Ada',
      brand: 'visa',
    })
  })
})

describe('later steps as Adyen gets them', () => {
  test('name the account, our reference and the amount; a cancel has it in its reference alone', () => {
    const plain = { merchantAccount: 'HoldfastTest', reference: 'tr_op_2', amount: { value: 2_900, currency: 'EUR' } }

    expect(amountRequest('tr_op_2', EUR_29, accountWith())).toEqual(plain)
    expect(cancelRequest({ reference: 'tr_op_2', amountMinor: 1_900 }, accountWith())).toEqual({
      merchantAccount: 'HoldfastTest',
      reference: 'tr_op_2-1900',
    })
  })

  test('an increment names the total, and in its reference what it adds', () => {
    const sent = amountUpdateRequest({ reference: 'tr_op_3', amountMinor: 500 }, EUR_29, accountWith())

    expect(sent).toEqual({
      merchantAccount: 'HoldfastTest',
      reference: 'tr_op_3-500',
      amount: { value: 2_900, currency: 'EUR' },
    })
    expect(readReferenceWithAmount(sent.reference ?? '')).toEqual({ reference: 'tr_op_3', amountMinor: 500 })
    expect(readReferenceWithAmount('tr_op_3')).toBeNull()
  })
})

describe('amounts', () => {
  test('that Adyen cannot write are never rounded', () => {
    expect(toAdyenAmount(150, 'CVE')).toBeNull()
    expect(toAdyenAmount(1_999, 'IDR')).toBeNull()
    expect(fromAdyenAmount({ value: 150, currency: 'CLP' })).toBeNull()
    expect(fromAdyenAmount({ value: 150, currency: 'ZZZ' })).toBeNull()
    expect(fromAdyenAmount({ value: 1.5, currency: 'EUR' })).toBeNull()
  })

  test.each([
    ['CLP', 29, 2_900],
    ['ISK', 29, 2_900],
    ['CVE', 2_900, 29],
    ['IDR', 2_900, 29],
    ['EUR', 2_900, 2_900],
    ['JPY', 2_900, 2_900],
    ['KWD', 2_900, 2_900],
  ])('in %s are counted in the units of Adyen', (currency, ours, theirs) => {
    expect(toAdyenAmount(ours, currency)).toEqual({ value: theirs, currency })
    expect(fromAdyenAmount({ value: theirs, currency })).toBe(ours)
  })
})

describe('an account', () => {
  test.each([
    ['apiKey', {}, { apiKey: '' }],
    ['merchantAccount', { merchantAccount: '' }, {}],
    ['returnUrl', { returnUrl: 'shop' }, {}],
    ['environment', { environment: 'production' }, {}],
    ['liveEndpointUrlPrefix', { environment: 'live' }, {}],
    ['liveEndpointUrlPrefix', { environment: 'live', liveEndpointUrlPrefix: 'evil.example/x?' }, {}],
    ['recurringProcessingModel', { recurringProcessingModel: 'Sometimes' }, {}],
    ['cardData', { environment: 'live', liveEndpointUrlPrefix: '1797a841-Shop', cardData: 'test-encrypted' }, {}],
  ])('is not used with an unusable %s', (problem, settings, credentials) => {
    expect(readAccount({ ...ACCESS.credentials, ...credentials }, { ...ACCESS.settings, ...settings })).toEqual({
      problem,
    })
  })
})

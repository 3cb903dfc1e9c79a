import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../../src/persistence/entities/card-security-code.ts'
import { CustomerEntity } from '../../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../../src/persistence/entities/customer-token.ts'
import { ADDRESS, AT, rowsOf } from './values.ts'

/** A customer with a stored card, and what is left of deleted ones. */
export function makeCustomerRows(seed: string) {
  const { ids, filled, emptied } = rowsOf(seed)
  const card = filled(CardEntity, {
    scheme: 'visa',
    coScheme: 'carte bancaire',
    preferredScheme: 'carte bancaire',
    type: 'debit',
    countryCode: 'FR',
    category: 'commercial',
    iin: '42424242',
    last4Digits: '4242',
    fingerprint: 'f'.repeat(64),
    expMonth: 12,
    expYear: 2030,
    checks: { cvcCheck: 'passed', avsCheck: 'unavailable' },
    metadata: { order: '1' },
    numberCiphertext: Buffer.from([0, 1, 39, 92, 63, 255]),
    numberKeyId: 'n1',
    numberErasedAt: null,
    usedByInvoiceId: ids.invoice,
    usedByTokenId: ids.token,
    expiryAnnounced: 203012,
    zip: '75018',
    billingCountryCode: 'DE',
    ipAddress: '2001:db8::1',
    headerAccept: '*/*',
    appColorDepth: 24,
    appLanguage: 'fr-FR',
    appScreenHeight: 1080,
    appScreenWidth: 1920,
    appTimezoneOffset: -120,
    tokenType: 'applepay',
    tokenizationMethod: 'applepay',
    updateType: 'new-cvc2',
    updateReasonCode: 'request',
    deletedAt: null,
  })
  /** A deleted card and a deleted customer must have lost what the other rows show. */
  const deletedCard = filled(CardEntity, {
    ...card,
    id: `card_${seed}deleted`,
    numberCiphertext: null,
    numberKeyId: null,
    usedByTokenId: null,
    numberErasedAt: AT,
    deletedAt: AT,
  })
  const customer = filled(CustomerEntity, {
    email: 'shopper@shop.example',
    ...ADDRESS,
    phoneNumber: '684758495',
    phoneDialingCode: '0033',
    ipAddress: '2001:db8::1',
    sex: 'female',
    balanceMinor: -2900,
    referenceId: 'reference-1',
    deletedAt: null,
  })
  const deletedCustomer = emptied(CustomerEntity, {
    id: `cust_${seed}deleted`,
    currency: 'EUR',
    metadata: {},
    deletedAt: AT,
  })
  const token = filled(CustomerTokenEntity, {
    preferredScheme: 'carte bancaire',
    type: 'card',
    verificationStatus: 'success',
    schemeTransactionIds: { visa: { id: 'scheme 1', obtained_at: AT.toISOString() } },
    returnUrl: 'com.example.shop://pay/return',
    cancelUrl: 'https://shop.example/cart',
    webhookUrl: 'https://shop.example/webhooks?a=1&b=2',
  })
  const securityCode = filled(CardSecurityCodeEntity, {
    ciphertext: Buffer.from([255, 63, 92, 39, 1, 0]),
    keyId: 'c1',
  })
  return { card, deletedCard, customer, deletedCustomer, token, securityCode }
}

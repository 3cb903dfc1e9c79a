import { exampleId } from '../../http/openapi/example-id.ts'
import { presentCard } from '../../objects/card.ts'
import { presentCustomer } from '../../objects/customer.ts'
import { presentToken } from '../../objects/token.ts'
import type { CardRow } from '../../persistence/entities/card.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import { at, exampleRow, OWNER } from './rows.ts'

/** Who pays in the examples, and with what. */

export const customerRow = exampleRow<CustomerRow>({
  ...OWNER,
  id: exampleId('customer'),
  defaultTokenId: exampleId('token'),
  email: 'ann.martin@shopper.example',
  firstName: 'Ann',
  lastName: 'Martin',
  address1: '12 rue de la Paix',
  city: 'Paris',
  countryCode: 'FR',
  zip: '75002',
  phoneNumber: '123456789',
  phoneDialingCode: '+33',
  ipAddress: '203.0.113.7',
  isBusiness: false,
  currency: 'EUR',
  balanceMinor: 0,
  metadata: { tier: 'gold' },
  referenceId: 'customer-1042',
  registeredAt: at(-60 * 24 * 90),
  createdAt: at(-60 * 24 * 90),
  updatedAt: at(-60 * 24 * 90),
})

export const cardRow = exampleRow<CardRow>({
  ...OWNER,
  id: exampleId('card'),
  scheme: 'visa',
  type: 'credit',
  countryCode: 'FR',
  iin: '424242',
  last4Digits: '4242',
  fingerprint: '6b1e0c5d9a7f4c2e8d3b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d',
  expMonth: 12,
  expYear: 2030,
  name: 'Ann Martin',
  billingCountryCode: 'FR',
  zip: '75002',
  cvcTokenized: true,
  hasBeenAuthorized: true,
  checks: { cvcCheck: 'passed', avsCheck: 'unchecked' },
  metadata: {},
  usedByTokenId: exampleId('token'),
  createdAt: at(-2),
  updatedAt: at(1),
})

export const tokenRow = exampleRow<CustomerTokenRow>({
  ...OWNER,
  id: exampleId('token'),
  customerId: customerRow.id,
  cardId: cardRow.id,
  type: 'card',
  isChargeable: true,
  isSubscriptionOnly: false,
  summary: 'visa 4242',
  verificationStatus: 'not-requested',
  schemeTransactionIds: { visa: { id: '486325194826371', obtained_at: at(1).toISOString() } },
  manualInvoiceCancellation: false,
  metadata: {},
  createdAt: at(1),
  updatedAt: at(1),
})

export const customer = presentCustomer(customerRow)
export const card = presentCard(cardRow, at(2))
export const token = presentToken(tokenRow, customerRow)

/** As it was entered, before anything was paid with it. */
export const newCard = presentCard(
  { ...cardRow, usedByTokenId: null, checks: null, hasBeenAuthorized: false, updatedAt: cardRow.createdAt },
  at(-2),
)

export const cardInformation = {
  iin: '424242',
  scheme: 'visa',
  co_scheme: null,
  type: 'credit',
  bank_name: null,
  brand: null,
  category: null,
  country: 'FR',
  country_code: 'FR',
}

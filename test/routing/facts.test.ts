import { expect, test } from '@jest/globals'
import { type RoutedInvoice, readFacts } from '../../src/routing/facts.ts'
import { makeRows } from '../persistence/rows.ts'

const { invoice, card } = makeRows('facts')
/** Rules that look at neither the customer nor at velocities have nothing read. */
const NO_READER = {} as Parameters<typeof readFacts>[0]

test('rules are told each fact of the card and of the invoice by its own name', async () => {
  const at = Date.parse('2026-11-21T09:00:00.000Z')
  const source = { card: { ...card, coScheme: 'carte bancaire', category: 'commercial' as const }, token: null }
  const payment = { invoice: invoice as RoutedInvoice, command: { incremental: true }, source, at }
  expect(await readFacts(NO_READER, payment, { velocities: [], customer: false })).toMatchObject({
    transactionId: invoice.id,
    amountMinor: invoice.amountMinor,
    currency: invoice.currency,
    customerCountry: invoice.billing?.countryCode,
    cardCountry: card.countryCode,
    cardScheme: card.scheme,
    cardCoScheme: 'carte bancaire',
    cardType: card.type,
    cardCategory: 'commercial',
    cardIin: card.iin,
    cardLast4: card.last4Digits,
    cardFingerprint: card.fingerprint,
    channel: invoice.deviceChannel,
    incremental: true,
    metadata: invoice.metadata,
    isCardVerification: invoice.verification,
  })
})

import type { RoutingFacts } from '../../domain/routing/facts.ts'
import type { VelocityNeed } from '../../domain/routing/velocity.ts'
import { seededRandom } from '../measure/random.ts'

export const COUNTRIES =
  'FR GB DE ES IT NL BE PT US IE AT SE DK PL FI CH NO CA AU JP BR MX AR CN IN ZA TR RO CZ GR'.split(' ')
export const CURRENCIES = ['EUR', 'GBP', 'USD', 'SEK', 'PLN']
export const SCHEMES = ['visa', 'mastercard', 'american express', 'carte bancaire', 'discover']
export const PLANS = ['free', 'pro', 'business']

/** More than the processor keeps in its nearest memory, so that a payment is not always a known one. */
const PAYMENTS_COUNT = 20_000

/** Small numbers are likelier than large ones, as the home market is among countries. */
const skewed = (random: () => number, count: number) => Math.floor(random() ** 2 * count)

/** Payments as a merchant's ordinary day brings them, the same for the same seed. */
export function createPayments(velocities: readonly VelocityNeed[], seed: number): RoutingFacts[] {
  const random = seededRandom(seed)
  const pick = (words: readonly string[]) => words[skewed(random, words.length)] as string
  const sometimes = (share: number, word: string) => (random() < share ? word : null)
  return Array.from({ length: PAYMENTS_COUNT }, (_, index) => {
    const country = pick(COUNTRIES)
    const scheme = pick(SCHEMES)
    return {
      transactionId: `tr_${index.toString(36).padStart(8, '0')}${Math.floor(random() * 2 ** 32).toString(36)}xxxxxxxxxxxxxxxxx`,
      amountMinor: 100 + Math.floor(random() ** 3 * 200_000),
      currency: pick(CURRENCIES),
      customerCountry: random() < 0.8 ? country : null,
      ipCountry: random() < 0.9 ? country : pick(COUNTRIES),
      cardCountry: random() < 0.9 ? country : pick(COUNTRIES),
      cardScheme: scheme,
      cardCoScheme: scheme === 'visa' ? sometimes(0.3, 'carte bancaire') : null,
      cardType: random() < 0.6 ? 'debit' : 'credit',
      cardCategory: random() < 0.9 ? 'consumer' : 'commercial',
      cardIin: String(400000 + Math.floor(random() * 200_000)),
      cardLast4: String(Math.floor(random() * 10_000)).padStart(4, '0'),
      cardFingerprint: Math.floor(random() * 2 ** 32).toString(16),
      channel: pick(['web', 'ios', 'android']),
      merchantInitiated: random() < 0.2,
      paymentIntent: random() < 0.2 ? 'recurring-subscription' : null,
      incremental: random() < 0.05,
      metadata: { plan: pick(PLANS), order: String(index) },
      isCardVerification: random() < 0.02,
      velocities: new Map(velocities.map(({ key }) => [key, Math.floor(random() ** 8 * 12)])),
    }
  })
}

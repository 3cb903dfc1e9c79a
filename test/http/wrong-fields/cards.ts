import type { Case } from './case.ts'

const card = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case => [
  what,
  '/cards',
  change,
  name,
  errorType,
]
export const CARDS: Case[] = [
  card('no number', { number: undefined }, 'number', 'card.invalid-number'),
  card('a number that is a number', { number: 4242424242424242 }, 'number', 'card.invalid-number'),
  card('an empty number', { number: '' }, 'number', 'card.invalid-number'),
  card('letters in a number', { number: '4242x24242424242' }, 'number', 'card.invalid-number'),
  card('a number of 11 digits', { number: '42424242424' }, 'number', 'card.invalid-number'),
  card('a number of 20 digits', { number: '42424242424242424242' }, 'number', 'card.invalid-number'),
  card('a wrong digit', { number: '4242424242424241' }, 'number', 'card.invalid-number'),
  card('a number that is no test card', { number: '4111111111111111' }, 'number', 'sandbox.not-supported'),
  ...[undefined, 0, 13, '00', '1.5', -1, 1.5, 'x', '', true].map((month) =>
    card(`the month ${JSON.stringify(month)}`, { exp_month: month }, 'exp_month', 'card.invalid-expiry-month'),
  ),
  ...[undefined, 1, 203, 20301, '1999', 1999, 2100, 'x', '', 30.5, {}].map((year) =>
    card(`the year ${JSON.stringify(year)}`, { exp_year: year }, 'exp_year', 'card.invalid-expiry-year'),
  ),
  ...['12', '12345', 'abc', 123, ' 123', {}].map((cvc) =>
    card(`the security code ${JSON.stringify(cvc)}`, { cvc2: cvc }, 'cvc2', 'card.invalid-cvc'),
  ),
  card('a name of 256 characters', { name: 'x'.repeat(256) }, 'name', 'card.invalid-name'),
  card('a name with a NUL', { name: '\u0000' }, 'name', 'card.invalid-name'),
  card('an unknown scheme', { preferred_scheme: 'bank of x' }, 'preferred_scheme', 'request.validation.invalid-scheme'),
  card('a number in metadata', { metadata: { a: 1 } }, 'metadata.a', 'request.validation.invalid-metadata'),
  card(
    'a zip of 17 characters',
    { contact: { zip: '7'.repeat(17) } },
    'contact.zip',
    'request.validation.invalid-address',
  ),
  card(
    'a country that is no text',
    { contact: { country_code: 5 } },
    'contact.country_code',
    'request.validation.invalid-country',
  ),
  card(
    'a country of the bill that is no text',
    { contact: { billing_country_code: 5 } },
    'contact.billing_country_code',
    'request.validation.invalid-address',
  ),
]

import { type Case, invoice, payment } from './case.ts'

const WRONG_AMOUNTS = [
  '1e3',
  '-1',
  '+1',
  '1.234',
  '0',
  '0.00',
  '',
  ' ',
  '1,00',
  '1 000',
  '.5',
  '1.',
  '0x10',
  'NaN',
  'Infinity',
  '١',
  '123456789012',
  '1.00000',
  -29,
  1e21,
  true,
  [],
  {},
  ['29.00'],
]

/** For every endpoint that moves money, all that an amount can be wrong in. */
const AMOUNTS: Case[] = WRONG_AMOUNTS.flatMap((amount): Case[] => {
  const what = `the amount ${JSON.stringify(amount)}`
  const code = 'request.validation.invalid-amount'
  return [
    invoice(what, { amount }, 'amount', code),
    [what, '/invoices/:id/increment_authorization', { amount }, 'amount', code],
    [what, '/invoices/:id/void', { amount }, 'amount', code],
    [what, '/invoices/:id/refunds', { amount }, 'amount', code],
    ...payment(what, { capture_amount: amount, auto_capture_at: '2026-11-22T09:00:00Z' }, 'capture_amount', code),
  ]
})

const INSTANTS: [string, unknown][] = [
  ['in the past', '2026-11-21T08:59:59Z'],
  ['that is now', '2026-11-21T09:00:00Z'],
  ['in the past by its offset', '2026-11-21T10:30:00+02:00'],
  ['without an offset', '2026-11-22T09:00:00'],
  ['without a time', '2026-11-22'],
  ['that does not exist', '2026-11-31T09:00:00Z'],
  ['in a February of 30 days', '2027-02-30T09:00:00Z'],
  ['at 25 o’clock', '2026-11-22T25:00:00Z'],
  ['in words', 'tomorrow'],
  ['that is empty', ''],
  ['in epoch seconds', 1_795_338_000],
  ['that is a boolean', true],
]
const DATES: Case[] = INSTANTS.flatMap(([what, at]): Case[] => {
  const sentence = `an auto_capture_at ${what}`
  return [
    invoice(sentence, { auto_capture_at: at }, 'auto_capture_at', 'request.validation.invalid-date'),
    ...payment(sentence, { auto_capture_at: at }, 'auto_capture_at', 'request.validation.invalid-date'),
  ]
})

const WRONG_FLAGS = ['yes', 'true', 'false', '', 1, 0, [], {}]
const FLAGS: Case[] = WRONG_FLAGS.flatMap((value): Case[] => {
  const what = `the boolean ${JSON.stringify(value)} in JSON`
  const code = 'request.validation.invalid-type'
  return [
    invoice(what, { incremental: value }, 'incremental', code),
    invoice(
      what,
      { unsupported_feature_bypass: { incremental_authorization: value } },
      'unsupported_feature_bypass.incremental_authorization',
      code,
    ),
    ...['authorize_only', 'incremental', 'override_mac_blocking', 'allow_fallback_to_sale', 'save_source'].flatMap(
      (name) => payment(`${what} for ${name}`, { [name]: value }, name, code),
    ),
  ]
})

/** What amounts, instants and booleans can be wrong in, wherever they are taken. */
export const EVERYWHERE: readonly Case[] = [...AMOUNTS, ...DATES, ...FLAGS]

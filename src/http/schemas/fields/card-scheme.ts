import { optionalText } from './fields.ts'

/** Card schemes as the interface writes them. */
const CARD_SCHEMES: readonly string[] = [
  'visa',
  'mastercard',
  'maestro',
  'american express',
  'carte bancaire',
  'diners club',
  'discover',
  'jcb',
  'union pay',
  'dankort',
  'bancontact',
  'girocard',
  'eftpos',
  'elo',
  'hipercard',
  'mir',
  'rupay',
  'troy',
  'verve',
]

/** True for a scheme as the interface writes it, in lower case. */
export function isCardScheme(scheme: string): boolean {
  return CARD_SCHEMES.includes(scheme)
}

/** What clears a wish. */
const NONE = 'none'

/** The scheme that should get priority, in lower case, or null for no wish. */
export const preferredScheme = optionalText(40, {
  holds: (value) => [...CARD_SCHEMES, NONE].includes(value.toLowerCase()),
  message: `must be one of ${[...CARD_SCHEMES, NONE].join(', ')}`,
  code: 'request.validation.invalid-scheme',
}).transform((value) => (value === null || value.toLowerCase() === NONE ? null : value.toLowerCase()))

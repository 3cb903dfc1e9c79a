import { optionalText } from './taken.ts'

/** Card schemes by their API names. */
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

/** True for a scheme by its API name, in lower case. */
export function isCardScheme(scheme: string): boolean {
  return CARD_SCHEMES.includes(scheme)
}

/** Clears the preference. */
const NONE = 'none'

/** The preferred scheme, in lower case, or null. */
export const preferredScheme = optionalText(40, {
  holds: (value) => [...CARD_SCHEMES, NONE].includes(value.toLowerCase()),
  message: `must be one of ${[...CARD_SCHEMES, NONE].join(', ')}`,
  code: 'request.validation.invalid-scheme',
}).transform((value) => (value === null || value.toLowerCase() === NONE ? null : value.toLowerCase()))

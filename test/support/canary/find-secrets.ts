import { findCardData } from '../card-data.ts'
import { TEST_KEYS } from '../keys.ts'
import { encodedForms } from './encodings.ts'
import { type Finder, makeFinder } from './finder.ts'

/** What was used and must be found nowhere. */
export interface KnownSecrets {
  numbers: readonly string[]
  cvcs: readonly string[]
  /** Secret keys, client secrets, signing secrets, passwords. */
  others: readonly string[]
}

export const NOTHING_KNOWN: KnownSecrets = { numbers: [], cvcs: [], others: [] }

/** What a secret of this service looks like, whoever it belongs to. The first characters are no secret. */
const SHAPES: readonly [what: string, shape: RegExp][] = [
  ['a secret key', /\bkey_(?:live|sandbox|test)_[0-9A-Za-z]{16,}/g],
  ['a client secret', /\bivs_[0-9A-Za-z_-]{16,}/g],
  ['a signing secret', /\bwhsec_[0-9A-Za-z+/]{16,}={0,2}/g],
  ['the header Authorization', /\bBasic\s+[0-9A-Za-z+/]{16,}={0,2}/gi],
  ['a key of Stripe', /\b[rs]k_(?:test|live)_[0-9A-Za-z]{8,}/g],
  // Not within base64, which signatures and ciphertexts are.
  ['a key of Adyen', /(?<![\w+/-]|\bv1a?,)AQE[0-9A-Za-z+/=_-]{20,}/g],
  // `proj_` and `test-proj_`, as HTTP Basic has them.
  ['credentials in base64', /\b(?:cHJval|dGVzdC1wcm9qX)[0-9A-Za-z+/]{24,}={0,2}/g],
]

/** Of which a form is a form of its own; shorter ones are found by chance. */
const FORM_LENGTH_MIN = 8

const ENCRYPTION_KEYS = [
  ...TEST_KEYS.cardNumber.keys.values(),
  ...TEST_KEYS.securityCode.keys.values(),
  ...TEST_KEYS.payload.keys.values(),
  TEST_KEYS.fingerprint,
  TEST_KEYS.apiSecretHash,
  TEST_KEYS.clientSecret,
].flatMap((key) => {
  const bytes = Buffer.from(key)
  return [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex'), bytes.toString('latin1')]
})

/**
 * Finds in a text what must be in none: card numbers and secrets that were used, in every form that they could lie
 * there in, what looks like one of them, and the keys of the tests. A security code counts where it is a whole JSON
 * text, since three digits are everywhere. Says what it found without repeating more than a person needs to find it.
 */
export function findSecrets(text: string, { numbers, cvcs, others }: KnownSecrets = NOTHING_KNOWN): string[] {
  const plain = findCardData(text, { numbers, cvcs: [] })
  const joined = text.replaceAll(/(?<=\d)[ \u00a0._+-]{1,2}(?=\d)/g, '')
  const findNumbers = finderOfNumbers(numbers)
  const written = new Set([...findNumbers(text), ...findNumbers(joined)])
  const encoded = numbers.filter((number) => written.has(number) && !plain.includes(`the number ${number}`))
  const found = finderOfOthers(others)(text)
  return unique([
    ...plain,
    ...encoded.map((number) => `the number ${number} in disguise`),
    ...cvcs.filter((cvc) => asJsonText(cvc).test(text)).map((cvc) => `the security code ${cvc}`),
    ...others.filter((secret) => found.has(secret)).map((secret) => `the secret ${beginningOf(secret)}`),
    ...ENCRYPTION_KEYS.filter((key) => found.has(key)).map((key) => `an encryption key, ${beginningOf(key)}`),
    ...findShapes(text),
  ])
}

/** As `findSecrets` where nothing is known but what secrets look like, and without what may be a number. */
export function findShapes(text: string): string[] {
  return unique(
    SHAPES.flatMap(([what, shape]) => [...text.matchAll(shape)].map(([found]) => `${what}, ${beginningOf(found)}`)),
  )
}

const finderOfNumbers = rememberFinder([])
const finderOfOthers = rememberFinder(ENCRYPTION_KEYS)

/**
 * The search for these secrets in all their forms, and for some texts as they are. What a stack has left behind is looked
 * through text by text for the same secrets, so that the last search is kept.
 */
function rememberFinder(asTheyAre: readonly string[]): (secrets: readonly string[]) => Finder {
  let last: { names: string; finder: Finder } | undefined
  return (secrets) => {
    const names = secrets.join('\n')
    if (last?.names !== names) last = { names, finder: makeFinder(new Map([...formsOf(secrets), ...same(asTheyAre)])) }
    return last.finder
  }
}

const same = (texts: readonly string[]): [string, string][] => texts.map((text) => [text, text])

function formsOf(secrets: readonly string[]): [string, string][] {
  return secrets.flatMap((secret) =>
    encodedForms(secret)
      .filter(({ length }) => length >= FORM_LENGTH_MIN)
      .map((form): [string, string] => [form, secret]),
  )
}

/** Also inside JSON that is a text of other JSON. */
function asJsonText(cvc: string): RegExp {
  return new RegExp(`\\\\*"${cvc}\\\\*"`)
}

const unique = (findings: string[]): string[] => [...new Set(findings)]

function beginningOf(secret: string): string {
  return `${JSON.stringify(secret.slice(0, 16))}…`
}

import { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import { type IdentifierKind, isIdentifier, otherKindIn, PREFIXES } from '../../domain/identifiers.ts'
import { endOf, isCurrency } from '../../domain/money.ts'
import { hasCardNumber, hasPrintedCardNumber, withoutSecrets } from '../../domain/secret-text.ts'

/** The message of a missing required field. */
export const MISSING = 'is missing'

/** Callers fix fewer problems at once, and the names of a whole body could make the answer longer than the request. */
export const PROBLEMS_MAX = 20

/** The `error_type` of an invalid field, and of a missing one. */
export interface FieldCodes {
  invalid?: ErrorCode
  missing?: ErrorCode
}

/** The codes of kinds of fields; a definition may override them for a field. */
export const KIND_CODES = z.registry<FieldCodes>()

/** Sets the `error_type` of a kind of field. */
export function coded<Schema extends z.ZodType>(schema: Schema, codes: FieldCodes): Schema {
  KIND_CODES.add(schema, codes)
  return schema
}

/** The message for a value of the wrong type, and for a missing one. */
export const expecting = (what: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? MISSING : `must be ${what}`),
})

/**
 * True for text that PostgreSQL can store: without NUL, half a surrogate pair, and the replacement character, which stands
 * for lost bytes that were not UTF-8.
 */
function isStorableText(text: string): boolean {
  return text.isWellFormed() && !/[\0\uFFFD]/.test(text)
}

/** True if all texts and names of a JSON value can be stored. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorable(inner))
}

/** More than any gateway's data; such a value is stored within milliseconds. */
const OPAQUE_ENTRIES_MAX = 1_000
const OPAQUE_LENGTH_MAX = 65_536

/** Card numbers are kept encrypted only. An id of digits may be a valid number by chance, and is taken in most texts. */
const NO_CARD_NUMBER = 'must not hold a card number'

/**
 * Data of the merchant or a gateway, stored unchanged: any JSON with at most 1,000 names and list items and 65,536
 * characters.
 */
export const opaque = <Value extends z.ZodType>(value: Value) =>
  value
    .refine(isStorable, 'has characters that cannot be stored')
    .refine((json) => !hasPrintedCardNumber(textsIn(json)), NO_CARD_NUMBER)
    .refine(
      isSmall,
      `must have at most ${OPAQUE_ENTRIES_MAX.toLocaleString('en')} fields and items of lists, and 64 KiB`,
    )

/** The JSON without its numbers: those of a list are no groups of one number. */
const textsIn = (json: unknown) => JSON.stringify(json, (_, inner) => (typeof inner === 'number' ? null : inner)) ?? ''

function isSmall(value: unknown): boolean {
  return entriesOf(value) <= OPAQUE_ENTRIES_MAX && (JSON.stringify(value) ?? '').length <= OPAQUE_LENGTH_MAX
}

function entriesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + 1 + entriesOf(inner), 0)
}

/** An object with these fields and no others. */
export const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, expecting('an object'))

/** Length in characters, so that an emoji counts once. */
const lengthOf = (text: string): number => [...text].length

/**
 * Text with a maximum length. `searched`: without the blanks around it, since lists look for it without them.
 */
const text = (lengthMax: number, { searched = false } = {}) =>
  (searched ? z.string(expecting('a text')).trim() : z.string(expecting('a text')))
    .refine(isStorableText, 'has characters that cannot be stored')
    // No pattern sees a longer text.
    .refine((value) => lengthOf(value) <= lengthMax, {
      message: `must have ${lengthMax} characters at most`,
      abort: true,
    })
    .refine((value) => !hasPrintedCardNumber(value), NO_CARD_NUMBER)
    .meta({ maxLength: lengthMax })

/** Text that must not be blank. */
export const requiredText = (lengthMax: number, kind: Pick<TextRule, 'searched'> = {}) =>
  text(lengthMax, kind)
    .refine((value) => value.trim() !== '', MISSING)
    .meta({ minLength: 1 })

/** The rules of a text besides its length. */
interface TextRule {
  /** A text that lists look for: blanks around it are dropped. */
  searched?: true
  holds?(value: string): boolean
  /** The same as a pattern, which the document of the interface shows. */
  matches?: RegExp
  /** What the document shows beside that, such as the possible words. */
  shown?: Readonly<Record<string, unknown>>
  /** What is wrong where `holds` is false. */
  message?: string | ((value: string) => string)
  /** The `error_type` where `holds` is false. */
  code?: ErrorCode
  /** The `error_type` for any problem. */
  invalid?: ErrorCode
}

/** Text that may be absent or empty; both become null. */
export const optionalText = (lengthMax: number, rule: TextRule = {}) => optional(text(lengthMax, rule), rule)

/**
 * The same about a person, or for the statement of a card. No id belongs there, and so no card number in any notation.
 */
export const personalText = (lengthMax: number, rule: TextRule = {}) =>
  optional(
    text(lengthMax, rule).refine((value) => !hasCardNumber(value), NO_CARD_NUMBER),
    rule,
  )

function optional(given: z.ZodString, { message = '', code, invalid, ...rule }: TextRule) {
  const { matches, holds = (value: string) => matches === undefined || matches.test(value), shown = {} } = rule
  const schema = given
    .refine((value) => value === '' || holds(value), {
      error: ({ input }) => (typeof message === 'string' ? message : message(String(input))),
      ...(code === undefined ? {} : { params: { code } }),
    })
    .meta({ ...(matches === undefined ? {} : { pattern: `^$|${matches.source}` }), ...shown })
    .optional()
    .transform((value) => (value === undefined || value === '' ? null : value))
  return invalid === undefined ? schema : coded(schema, { invalid })
}

/** One of several words, or null. */
export const optionalWord = <const Word extends string>(words: readonly Word[], invalid?: ErrorCode) =>
  optionalText(80, {
    holds: (value) => (words as readonly string[]).includes(value),
    message: `must be one of ${words.join(', ')}`,
    shown: { enum: words, maxLength: undefined },
    ...(invalid && { invalid }),
  }).transform((value) => value as Word | null)

/** The name of an invoice, of one of its lines, or of an account. */
export const requiredName = coded(requiredText(80, { searched: true }), {
  missing: 'request.validation.missing-name',
  invalid: 'request.validation.invalid-name',
})

/** The id of an object, or null; an impossible id is reported as unknown, and one of another kind as that. */
export const optionalId = (kind: IdentifierKind, message: string, code: ErrorCode, invalid?: ErrorCode) =>
  optionalText(80, {
    holds: (value) => isIdentifier(kind, value),
    message: (value) => otherKindIn(value, kind) ?? message,
    code,
    shown: { pattern: `^$|^${PREFIXES[kind]}` },
    ...(invalid && { invalid }),
  })

/** The merchant's own id of an object. Source: ProcessOut's reference, reference_id. */
export const referenceId = (invalid?: ErrorCode) =>
  optionalText(80, {
    matches: /^[!-~]+$/,
    message: 'must be printable ASCII characters without spaces',
    ...(invalid && { invalid }),
  })

/** Common browsers and proxies refuse longer addresses. */
export const URL_LENGTH_MAX = 2048

/** How much of an invalid value an error repeats. */
const SHOWN_LENGTH_MAX = 40

/** A value for an error message, without card numbers and secrets from the wrong field. */
export function shown(value: string): string {
  return JSON.stringify(withoutSecrets(value.slice(0, 1_000)).slice(0, SHOWN_LENGTH_MAX).toWellFormed())
}

/**
 * An amount as text; a JSON number arrives as its own text. `amountProblems` checks it against the currency, which may be
 * elsewhere. An empty text is an error, and never means the whole amount.
 */
export const amountText = coded(
  z.string(expecting('a decimal number, such as "29.00" or 29.00')).meta({
    type: undefined,
    anyOf: [
      { type: 'string', pattern: '^\\d{1,11}(\\.\\d{1,4})?$' },
      { type: 'number', minimum: 0 },
    ],
  }),
  { missing: 'request.validation.missing-amount', invalid: 'request.validation.invalid-amount' },
)

/** An ISO 4217 code, in capitals; that of a currency that has ended is one, too. */
export const currencyCode = coded(
  z
    .string(expecting('an ISO 4217 code, such as EUR'))
    .transform((value) => value.toUpperCase())
    .refine(isCurrency, 'is not an ISO 4217 code in use'),
  { missing: 'request.validation.missing-currency', invalid: 'request.validation.invalid-currency' },
)

/** Why nothing new is paid in a currency; null where it can be. */
export function endedProblem(currency: string): string | null {
  const end = endOf(currency)
  return end && `is ${currency}, which ended on ${end.since}; use ${end.successor}`
}

/** The currency of what is to be paid: one in use. */
export const payableCurrency = coded(
  currencyCode.superRefine((currency, context) => {
    const message = endedProblem(currency)
    if (message !== null) context.addIssue({ code: 'custom', message })
  }),
  { missing: 'request.validation.missing-currency', invalid: 'request.validation.invalid-currency' },
)

/** Merchants' own keys and values. Source of the limits: Stripe's documentation of metadata. */
const METADATA_KEYS_MAX = 50
const METADATA_KEY_LENGTH_MAX = 40
const METADATA_VALUE_LENGTH_MAX = 500

/** Numbers and booleans become texts, but for a number that has lost digits on the way: it may be an id. */
const metadataValue = z.preprocess(
  (value) => (typeof value === 'boolean' || isExact(value) ? String(value) : value),
  text(METADATA_VALUE_LENGTH_MAX, { searched: true }),
)

function isExact(value: unknown): boolean {
  return typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value))
}

export const metadata = coded(
  z
    .record(text(METADATA_KEY_LENGTH_MAX), metadataValue, expecting('an object of texts'))
    .refine((value) => Object.keys(value).length <= METADATA_KEYS_MAX, `must have ${METADATA_KEYS_MAX} keys at most`)
    .meta({ maxProperties: METADATA_KEYS_MAX })
    .optional()
    .transform((value) => ({ ...value })),
  { invalid: 'request.validation.invalid-metadata' },
)

/**
 * A field that this version does not support. Values without an effect are accepted, since clients send them unasked. All
 * others are refused, because the caller would take silence for consent.
 */
export const unsupported = z
  .unknown()
  .refine(asksForNothing, {
    message: 'is not supported yet; leave it out',
    params: { code: 'service.not-supported' satisfies ErrorCode },
  })
  .optional()
  .transform(() => undefined)
  .describe('Not supported: refused where it asks for something.')

/** A known field without effect. */
export const withoutEffect = z
  .unknown()
  .optional()
  .transform(() => undefined)
  .describe('Accepted without effect.')

function asksForNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(asksForNothing)
  return value === undefined || value === null || value === false || ['', 'false', '0'].includes(String(value))
}

/** Booleans and whole numbers, which forms write differently from JSON. */
export interface Scalars {
  flag: z.ZodType<boolean, unknown>
  /** A whole number as the text of its digits. */
  digits: z.ZodType<string, unknown>
}

export const JSON_SCALARS: Scalars = {
  flag: z.boolean(expecting('true or false')),
  digits: z
    .union([z.number(), z.string()], expecting('a whole number'))
    .transform(String)
    .pipe(z.string().regex(/^\d+$/, 'must be a whole number'))
    // A text of digits is taken as well, as forms have it.
    .meta({ type: 'integer', minimum: 0, anyOf: undefined }),
}

export const FORM_SCALARS: Scalars = {
  flag: z
    .enum(['true', 'false', '1', '0'], expecting('true or false'))
    .transform((value) => value === 'true' || value === '1'),
  digits: z.string(expecting('a whole number')).regex(/^\d+$/, 'must be a whole number'),
}

/** True for a set flag, in JSON or a form. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === '1'
}

export const optionalFlag = ({ flag }: Scalars) => flag.optional()

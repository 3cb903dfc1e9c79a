import { z } from 'zod'
import type { ErrorCode } from '../../../../domain/errors.ts'
import type { IdentifierKind } from '../../../../domain/identifiers.ts'
import { withoutSecrets } from '../../../../domain/secret-text.ts'
import { isIdentifier } from './identifier.ts'

/** What every field says that is required and not given. */
export const MISSING = 'is missing'

/** The `error_type` of a field that is there but wrong, and of one that is not there. */
export interface FieldCodes {
  invalid?: ErrorCode
  missing?: ErrorCode
}

/** The codes of kinds of fields, wherever they stand; a definition may give one of its fields others. */
export const KIND_CODES = z.registry<FieldCodes>()

/** Says with which `error_type` a field of this kind is refused, whatever is wrong with it. */
export function coded<Schema extends z.ZodType>(schema: Schema, codes: FieldCodes): Schema {
  KIND_CODES.add(schema, codes)
  return schema
}

/** What a field says for a value of the wrong type, and for none. */
export const expecting = (what: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? MISSING : `must be ${what}`),
})

/**
 * True where PostgreSQL can keep the text: it has no NUL and no half of a surrogate pair, nor the character that stands
 * for bytes that were not UTF-8, whose meaning is lost.
 */
function isStorableText(text: string): boolean {
  return text.isWellFormed() && !/[\0\uFFFD]/.test(text)
}

/** True where every text and every name inside a JSON value can be kept. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorable(inner))
}

/** More than any gateway's data has: an object or a list of this size is stored within milliseconds. */
const OPAQUE_ENTRIES_MAX = 1_000
const OPAQUE_LENGTH_MAX = 65_536

/**
 * What belongs to the merchant or to a gateway, and is stored as it came: any JSON of at most 1,000 names and items of lists
 * and 65,536 characters.
 */
export const opaque = <Value extends z.ZodType>(value: Value) =>
  value
    .refine(isStorable, 'has characters that cannot be stored')
    .refine(
      isSmall,
      `must have at most ${OPAQUE_ENTRIES_MAX.toLocaleString('en')} fields and items of lists, and 64 KiB`,
    )

function isSmall(value: unknown): boolean {
  return entriesOf(value) <= OPAQUE_ENTRIES_MAX && (JSON.stringify(value) ?? '').length <= OPAQUE_LENGTH_MAX
}

function entriesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + 1 + entriesOf(inner), 0)
}

/** An object with these fields and no others. */
export const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, expecting('an object'))

/** Length as a reader counts it, so that an emoji is not two. */
const lengthOf = (text: string): number => [...text].length

/** Text of that many characters at most. */
const text = (lengthMax: number) =>
  z
    .string(expecting('a text'))
    .refine(isStorableText, 'has characters that cannot be stored')
    .refine((value) => lengthOf(value) <= lengthMax, `must have ${lengthMax} characters at most`)

/** Text that must say something. */
export const requiredText = (lengthMax: number) => text(lengthMax).refine((value) => value.trim() !== '', MISSING)

/** What a text must fulfil beside its length. */
interface TextRule {
  holds?(value: string): boolean
  message?: string
  /** The `error_type` where the rule does not hold. */
  code?: ErrorCode
  /** The `error_type` whatever is wrong. */
  invalid?: ErrorCode
}

/** Text that may be absent or empty, which is the same: null. */
export const optionalText = (lengthMax: number, { holds = () => true, message = '', code, invalid }: TextRule = {}) => {
  const schema = text(lengthMax)
    .refine((value) => value === '' || holds(value), { message, ...(code === undefined ? {} : { params: { code } }) })
    .optional()
    .transform((value) => (value === undefined || value === '' ? null : value))
  return invalid === undefined ? schema : coded(schema, { invalid })
}

/** One of a few words, or null. */
export const optionalWord = <const Word extends string>(words: readonly Word[], invalid?: ErrorCode) =>
  optionalText(80, {
    holds: (value) => (words as readonly string[]).includes(value),
    message: `must be one of ${words.join(', ')}`,
    ...(invalid && { invalid }),
  }).transform((value) => value as Word | null)

/** The name of an invoice, of one of its lines, or of an account. */
export const requiredName = coded(requiredText(80), {
  missing: 'request.validation.missing-name',
  invalid: 'request.validation.invalid-name',
})

/** The id of an object, or null; what cannot be one is told to be unknown. */
export const optionalId = (kind: IdentifierKind, message: string, code: ErrorCode, invalid?: ErrorCode) =>
  optionalText(80, { holds: (value) => isIdentifier(kind, value), message, code, ...(invalid && { invalid }) })

/** The merchant's own id of an object. Source: ProcessOut's reference, reference_id. */
export const referenceId = (invalid?: ErrorCode) =>
  optionalText(80, {
    holds: (value) => /^[!-~]+$/.test(value),
    message: 'must be printable ASCII characters without spaces',
    ...(invalid && { invalid }),
  })

/** Addresses longer than this are refused by common browsers and proxies. */
export const URL_LENGTH_MAX = 2048

/** The longest part of what was sent that an error repeats. */
const SHOWN_LENGTH_MAX = 40

/** What was sent, as an error repeats it: never a card number or a secret that was put into the wrong field. */
export function shown(value: string): string {
  return JSON.stringify(withoutSecrets(value.slice(0, 1_000)).slice(0, SHOWN_LENGTH_MAX))
}

/**
 * An amount as it is written; a number of JSON comes as its own text. Whether it fits its currency is told by
 * `amountProblems`, because the currency may stand elsewhere. An empty text is an error, never "everything".
 */
export const amountText = coded(z.string(expecting('a decimal number, such as "29.00" or 29.00')), {
  missing: 'request.validation.missing-amount',
  invalid: 'request.validation.invalid-amount',
})

/** Text keys and values that merchants attach. Source of the limits: Stripe's documentation of metadata. */
const METADATA_KEYS_MAX = 50
const METADATA_KEY_LENGTH_MAX = 40
const METADATA_VALUE_LENGTH_MAX = 500

export const metadata = coded(
  z
    .record(text(METADATA_KEY_LENGTH_MAX), text(METADATA_VALUE_LENGTH_MAX), expecting('an object of texts'))
    .refine((value) => Object.keys(value).length <= METADATA_KEYS_MAX, `must have ${METADATA_KEYS_MAX} keys at most`)
    .optional()
    .transform((value) => ({ ...value })),
  { invalid: 'request.validation.invalid-metadata' },
)

/**
 * A field of the interface that this version does not carry out. A value that asks for nothing is accepted, since
 * clients send it unasked; any other is refused, because silence would be taken for consent.
 */
export const unsupported = z
  .unknown()
  .refine(asksForNothing, {
    message: 'is not supported yet; leave it out',
    params: { code: 'service.not-supported' satisfies ErrorCode },
  })
  .optional()
  .transform(() => undefined)

/** A field that is known and changes nothing. */
export const withoutEffect = z
  .unknown()
  .optional()
  .transform(() => undefined)

function asksForNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(asksForNothing)
  return value === undefined || value === null || value === false || ['', 'false', '0'].includes(String(value))
}

/** Booleans and whole numbers, the two kinds that JSON has and a form has not. */
export interface Scalars {
  flag: z.ZodType<boolean, unknown>
  /** Digits, as the text of them. */
  digits: z.ZodType<string, unknown>
}

export const JSON_SCALARS: Scalars = {
  flag: z.boolean(expecting('true or false')),
  digits: z
    .union([z.number(), z.string()], expecting('a whole number'))
    .transform(String)
    .pipe(z.string().regex(/^\d+$/, 'must be a whole number')),
}

export const FORM_SCALARS: Scalars = {
  flag: z
    .enum(['true', 'false', '1', '0'], expecting('true or false'))
    .transform((value) => value === 'true' || value === '1'),
  digits: z.string(expecting('a whole number')).regex(/^\d+$/, 'must be a whole number'),
}

/** A flag that is set, as JSON says it and as a form does. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === '1'
}

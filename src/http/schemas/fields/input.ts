import { z } from 'zod'
import type { ErrorCode } from '../../../../domain/errors.ts'
import { createSuggestions } from '../../../../domain/nearest-name.ts'
import { withoutSecrets } from '../../../../domain/secret-text.ts'
import { ApiError } from '../../api-error.ts'
import { OPAQUE } from '../../bodies/json.ts'
import type { Fields, ParsedBody } from '../../middleware/body.ts'
import { type FieldCodes, FORM_SCALARS, JSON_SCALARS, KIND_CODES, MISSING, type Scalars } from './fields.ts'

/** One thing that is wrong with one field, and the `error_type` that fits it. */
export interface Problem {
  name: string
  message: string
  code: ErrorCode
}

export function problem(name: string, message: string, code: ErrorCode = 'request.validation.error'): Problem {
  return { name, message, code }
}

/** The fields of a request: how they are read from JSON and from a form, and what is said when they are wrong. */
export interface InputDefinition<Output> {
  json: z.ZodType<Output>
  form: z.ZodType<Output>
  /** Every known field; nested ones have dotted names, without the position in a list. */
  names: readonly string[]
  /** The fields that take a list. */
  lists: readonly string[]
  codes: Readonly<Record<string, FieldCodes | undefined>>
}

/**
 * Describes a request once for both ways of sending it, which differ in numbers and booleans only.
 *
 * @param codes of fields that are refused with others than their kinds say.
 */
export function defineInput<Shape extends z.ZodRawShape>(
  build: (scalars: Scalars) => Shape,
  codes: Readonly<Record<string, FieldCodes>> = {},
): InputDefinition<z.output<z.ZodObject<Shape>>> {
  const shape = build(JSON_SCALARS)
  return {
    json: z.strictObject(shape),
    form: z.strictObject(build(FORM_SCALARS)),
    names: fieldsOf(shape).flatMap(({ name, isGroup }) => (isGroup ? [] : [name])),
    lists: Object.keys(shape).filter((name) => takesList(shape[name] as z.ZodType)),
    codes: { ...Object.fromEntries(fieldsOf(shape).map(({ name, codes: ofKind }) => [name, ofKind])), ...codes },
  }
}

/**
 * Reads the fields of a request. Null counts as not given. `check` finds what concerns several fields or needs the
 * moment or the invoice; it is asked even where single fields are wrong.
 *
 * @throws ApiError with every problem of the body at once; its code is that of the first.
 */
export function readInput<Output>(
  definition: InputDefinition<Output>,
  { fields, isForm }: ParsedBody,
  check: (fields: Fields) => readonly Problem[] = () => [],
): Output {
  const given = isForm ? withLists(withoutNulls(fields), definition.lists) : withoutNulls(fields)
  const result = (isForm ? definition.form : definition.json).safeParse(given)
  const issues = result.success ? [] : result.error.issues
  const suggest = createSuggestions()
  const problems = [...issues.flatMap((issue) => problemsOf(issue, definition, suggest)), ...check(given)]
  if (result.success && problems.length === 0) return result.data
  throw invalidInput(problems)
}

/** Nobody corrects more at once, and the names of a whole body would make the answer longer than the request. */
export const PROBLEMS_MAX = 20

/** The longest part of a name that an error repeats; no field has a name as long. */
const NAME_SHOWN_MAX = 100

/** The error that reports the first of these problems, one a field, and says how many more there are. */
export function invalidInput(problems: readonly Problem[]): ApiError {
  const [first] = problems
  const byName = new Map(problems.toReversed().map((problem) => [problem.name, problem]))
  const invalidFields = problems
    .filter((problem) => byName.get(problem.name) === problem)
    .slice(0, PROBLEMS_MAX)
    .map(({ name, message }) => ({ name: shown(name), message }))
  const sentences = invalidFields.map(({ name, message }) => `${name} ${message}`)
  const untold = byName.size - invalidFields.length
  if (untold > 0) sentences.push(`${untold} more ${untold === 1 ? 'field is' : 'fields are'} wrong`)
  return new ApiError(first?.code ?? 'request.validation.error', { message: `${sentences.join('; ')}.`, invalidFields })
}

/** The same of one problem. */
export function invalidField(name: string, message: string, code?: ErrorCode): ApiError {
  return invalidInput([problem(name, message, code)])
}

/** Every card number or secret that begins in what is shown ends within this many characters, or is masked whole. */
const NAME_SEARCHED_MAX = 512

/** Without secrets before it is cut: half a card number has no check digit. */
function shown(name: string): string {
  if (name.length <= NAME_SHOWN_MAX) return name
  return `${withoutSecrets(name.slice(0, NAME_SEARCHED_MAX)).slice(0, NAME_SHOWN_MAX).toWellFormed()}…`
}

function problemsOf(
  issue: z.core.$ZodIssue,
  { names, codes }: InputDefinition<unknown>,
  suggest: ReturnType<typeof createSuggestions>,
): Problem[] {
  const name = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const unknown = [...issue.path, key].join('.')
      const nearest = suggest(namePath([...issue.path, key]), names)
      const message = `is not a field of this request${nearest === undefined ? '' : `; the nearest one is ${nearest}`}`
      return { name: unknown, message, code: 'request.validation.error' }
    })
  }
  const message = issue.code === 'invalid_key' ? `has a key that ${issue.issues[0]?.message}` : issue.message
  return [{ name, message, code: codeOf(issue, codes) }]
}

function codeOf(issue: z.core.$ZodIssue, codes: InputDefinition<unknown>['codes']): ErrorCode {
  if (issue.code === 'custom' && issue.params?.code !== undefined) return issue.params.code as ErrorCode
  const ofField = codesOf(issue.path, codes)
  if (issue.message === MISSING && ofField.missing !== undefined) return ofField.missing
  const isWrongType = issue.code === 'invalid_type'
  return ofField.invalid ?? (isWrongType ? 'request.validation.invalid-type' : 'request.validation.error')
}

/** The codes of the field, or of the innermost one around it that has any. */
function codesOf(path: readonly PropertyKey[], codes: InputDefinition<unknown>['codes']): FieldCodes {
  if (path.length === 0) return {}
  return codes[namePath(path)] ?? codesOf(path.slice(0, -1), codes)
}

/** The name of a field as definitions know it: all items of a list have the same fields. */
function namePath(path: readonly PropertyKey[]): string {
  return path.filter((step) => typeof step !== 'number').join('.')
}

/** What is left of the fields when null means that nothing was given. */
export function withoutNulls(fields: Fields): Fields {
  const given = Object.create(null) as Fields
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue
    given[name] = OPAQUE.includes(name) ? value : withoutInnerNulls(value)
  }
  return given
}

/** A list of one is written in a form like a field that is no list. */
function withLists(given: Fields, lists: readonly string[]): Fields {
  for (const name of lists) {
    const value = given[name]
    if (value !== undefined && value !== '' && !Array.isArray(value)) given[name] = [value]
  }
  return given
}

/** True where the one way to give a field is a list. */
function takesList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodArray) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return takesList(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return takesList(schema.in as z.ZodType) || takesList(schema.out as z.ZodType)
  if (!(schema instanceof z.ZodUnion)) return false
  const options = schema.options as z.ZodType[]
  return options.some(takesList) && !options.some((option) => option instanceof z.ZodString)
}

/** True where this field is null and no other one is, beside it. */
export function isOnlyNull(fields: Fields, name: string): boolean {
  const nulls = Object.keys(fields).filter((field) => fields[field] === null)
  return nulls.length === 1 && nulls[0] === name
}

function withoutInnerNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInnerNulls)
  return typeof value === 'object' && value !== null ? withoutNulls(value as Fields) : value
}

/** Every field and every group of fields, with what is said where one is wrong. */
function fieldsOf(shape: z.ZodRawShape, prefix = ''): { name: string; isGroup: boolean; codes?: FieldCodes }[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const name = prefix + key
    const inner = unwrapped(schema as z.ZodType)
    const isGroup = inner instanceof z.ZodObject
    const codes = kindCodesOf(schema as z.ZodType)
    return [{ name, isGroup, ...(codes && { codes }) }, ...(isGroup ? fieldsOf(inner.shape, `${name}.`) : [])]
  })
}

function kindCodesOf(schema: z.ZodType): FieldCodes | undefined {
  const own = KIND_CODES.get(schema)
  if (own !== undefined) return own
  if (schema instanceof z.ZodPipe) return kindCodesOf(schema.in as z.ZodType) ?? kindCodesOf(schema.out as z.ZodType)
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? kindCodesOf(schema.unwrap() as z.ZodType)
    : undefined
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodArray
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema
}

/**
 * The fields that a request gives a value. Null and absence change nothing; an empty text clears a field, except in a
 * form, which has no other way to write null.
 */
export function givenFields<Input extends object>(input: Input, { fields, isForm }: ParsedBody): Partial<Input> {
  const isGiven = (value: unknown) => value !== null && value !== undefined && !(isForm && value === '')
  return Object.fromEntries(Object.entries(input).filter(([name]) => isGiven(fields[name]))) as Partial<Input>
}

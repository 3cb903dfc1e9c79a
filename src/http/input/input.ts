import { z } from 'zod'
import type { ErrorCode } from '../../../domain/errors.ts'
import { FIELDS_ELSEWHERE } from '../../../domain/names-elsewhere.ts'
import { createSuggestions } from '../../../domain/nearest-name.ts'
import { withoutSecrets } from '../../../domain/secret-text.ts'
import { parseInstant } from '../../objects/instants.ts'
import {
  type FieldCodes,
  FORM_SCALARS,
  JSON_SCALARS,
  KIND_CODES,
  MISSING,
  PROBLEMS_MAX,
  type Scalars,
} from '../../objects/taken.ts'
import { ApiError } from '../api-error.ts'
import { isFields } from '../bodies/fields.ts'
import { OPAQUE } from '../bodies/json.ts'
import type { Fields, ParsedBody } from '../middleware/body.ts'

/** A problem of one field, with its `error_type`. */
export interface Problem {
  name: string
  message: string
  code: ErrorCode
}

export function problem(name: string, message: string, code: ErrorCode = 'request.validation.error'): Problem {
  return { name, message, code }
}

/** Finds what is wrong across fields, or by time, invoice or gateway, with the fields as they were sent. */
export type Check = (fields: Fields) => readonly Problem[]

/** The fields of a request: how to parse them from JSON and a form, and their error codes. */
export interface InputDefinition<Output> {
  json: z.ZodType<Output>
  form: z.ZodType<Output>
  /** All known fields; nested ones have dotted names, without list positions. */
  names: readonly string[]
  /** The fields that take a list. */
  lists: readonly string[]
  codes: Readonly<Record<string, FieldCodes | undefined>>
}

/**
 * Defines a request for JSON and forms, which differ only in numbers and booleans.
 *
 * @param codes overrides the codes of fields' kinds.
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
 * Parses the fields of a request. Null counts as absent. `check` also runs where single fields are invalid.
 *
 * @throws ApiError with all problems of the body; its code is that of the first.
 */
export function readInput<Output>(
  definition: InputDefinition<Output>,
  { fields, isForm }: ParsedBody,
  check: Check = () => [],
): Output {
  const given = isForm
    ? withLists(withoutNulls(fields), definition.lists)
    : (withObjects(definition.json, withoutNulls(fields)) as Fields)
  const result = (isForm ? definition.form : definition.json).safeParse(given)
  const issues = result.success ? [] : result.error.issues
  const suggest = createSuggestions()
  const problems = [...issues.flatMap((issue) => problemsOf(issue, definition, suggest)), ...check(given)]
  if (result.success && problems.length === 0) return result.data
  throw invalidInput(problems)
}

/** How much of a name an error repeats; no field's name is as long. */
const NAME_SHOWN_MAX = 100

/** The error with the first of these problems, one for each field, and the number of the others. */
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

/** The same for one problem. */
export function invalidField(name: string, message: string, code?: ErrorCode): ApiError {
  return invalidInput([problem(name, message, code)])
}

/** Each card number or secret that begins in the shown part ends within this length, or is masked completely. */
const NAME_SEARCHED_MAX = 512

/** Masked before it is cut: half a card number has no check digit. */
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
      const nearest = fieldCalledElsewhere(unknown, names) ?? suggest(namePath([...issue.path, key]), names)
      const message = `is not a field of this request${nearest === undefined ? '' : `; the nearest one is ${nearest}`}`
      return { name: unknown, message, code: 'request.validation.error' }
    })
  }
  const message = issue.code === 'invalid_key' ? `has a key that ${issue.issues[0]?.message}` : issue.message
  return [{ name, message, code: codeOf(issue, codes) }]
}

/** The field of these that other services call so, if there is one. */
const fieldCalledElsewhere = (theirs: string, names: readonly string[]): string | undefined =>
  FIELDS_ELSEWHERE.get(theirs)?.find((ours) => names.some((name) => name === ours || name.startsWith(`${ours}.`)))

function codeOf(issue: z.core.$ZodIssue, codes: InputDefinition<unknown>['codes']): ErrorCode {
  if (issue.code === 'custom' && issue.params?.code !== undefined) return issue.params.code as ErrorCode
  const ofField = codesOf(issue.path, codes)
  if (issue.message === MISSING && ofField.missing !== undefined) return ofField.missing
  const isWrongType = issue.code === 'invalid_type'
  return ofField.invalid ?? (isWrongType ? 'request.validation.invalid-type' : 'request.validation.error')
}

/** The codes of a field, or else of the innermost field around it with codes. */
function codesOf(path: readonly PropertyKey[], codes: InputDefinition<unknown>['codes']): FieldCodes {
  if (path.length === 0) return {}
  return codes[namePath(path)] ?? codesOf(path.slice(0, -1), codes)
}

/** The name of a field in definitions: all items of a list share their fields. */
function namePath(path: readonly PropertyKey[]): string {
  return path.filter((step) => typeof step !== 'number').join('.')
}

/** The fields without nulls, which count as absent. */
export function withoutNulls(fields: Fields): Fields {
  const given = Object.create(null) as Fields
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue
    given[name] = OPAQUE.includes(name) ? value : withoutInnerNulls(value)
  }
  return given
}

/** PHP writes an empty object as an empty list, which is taken for the object wherever the schema has one. */
function withObjects(schema: z.ZodType, value: unknown): unknown {
  const inner = valueSchema(schema)
  if (Array.isArray(value) && value.length === 0)
    return inner instanceof z.ZodObject || inner instanceof z.ZodRecord ? {} : value
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withObjects(inner.element as z.ZodType, item))
  if (!(inner instanceof z.ZodObject) || !isFields(value)) return value
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(inner.shape, name) ? inner.shape[name] : undefined
    if (known !== undefined) value[name] = withObjects(known, field)
  }
  return value
}

/** What a present value is parsed by. */
function valueSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return valueSchema(schema.unwrap() as z.ZodType)
  if (!(schema instanceof z.ZodPipe)) return schema
  return valueSchema((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType)
}

/** A form writes a list of one item like a single field. */
function withLists(given: Fields, lists: readonly string[]): Fields {
  for (const name of lists) {
    const value = given[name]
    if (value !== undefined && value !== '' && !Array.isArray(value)) given[name] = [value]
  }
  return given
}

/** True for a field that only takes a list. */
function takesList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodArray) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return takesList(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return takesList(schema.in as z.ZodType) || takesList(schema.out as z.ZodType)
  if (!(schema instanceof z.ZodUnion)) return false
  const options = schema.options as z.ZodType[]
  return options.some(takesList) && !options.some((option) => option instanceof z.ZodString)
}

/** True if this field is the only null. */
export function isOnlyNull(fields: Fields, name: string): boolean {
  const nulls = Object.keys(fields).filter((field) => fields[field] === null)
  return nulls.length === 1 && nulls[0] === name
}

function withoutInnerNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInnerNulls)
  return typeof value === 'object' && value !== null ? withoutNulls(value as Fields) : value
}

/** All fields and groups with their codes. */
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
 * The fields with a value in the request. Null and absent fields change nothing. An empty text clears a field, except in a
 * form, where it stands for null.
 */
export function givenFields<Input extends object>(input: Input, { fields, isForm }: ParsedBody): Partial<Input> {
  const isGiven = (value: unknown) => value !== null && value !== undefined && !(isForm && value === '')
  return Object.fromEntries(Object.entries(input).filter(([name]) => isGiven(fields[name]))) as Partial<Input>
}

/** The problem of a valid instant that is too early or too late. */
export function instantProblems(
  fields: Fields,
  name: string,
  { after, until }: { after: Date; until?: Date },
): Problem[] {
  const value = fields[name]
  const at = typeof value === 'string' ? parseInstant(value) : null
  if (at === null) return []
  const wrong = (message: string) => [problem(name, message, 'request.validation.invalid-date')]
  if (at <= after) return wrong('lies in the past')
  if (until !== undefined && at > until) return wrong('lies later than an authorization lasts, which is 7 days')
  return []
}

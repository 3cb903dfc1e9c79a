import { type Html, type HtmlChild, h } from '../html.ts'
import { markdown } from '../markdown.ts'
import { nameIn, type OpenApi, objectId, type Schema } from './open-api.ts'

/** How deep the fields of a request are shown in one another; rules contain rules. */
const DEPTH_MAX = 3

interface Shown {
  /** Objects in answers are links to where they are described; in requests their fields stand below. */
  isAnswer?: boolean
  depth?: number
}

/** The fields of an object; of a choice, what may be chosen. */
export function fieldList(api: OpenApi, schema: Schema, { isAnswer = false, depth = 0 }: Shown): HtmlChild {
  const { properties = {}, required = [], enum: words, oneOf = [], anyOf = [], description } = resolved(api, schema)
  const choices = [...oneOf, ...anyOf]
  if (Object.keys(properties).length === 0) {
    if (words !== undefined) return h('p', { class: 'words' }, wordList(words))
    if (choices.length === 0) return description === undefined ? null : markdown(description)
    if (isAnswer)
      return h(
        'p',
        null,
        'One of ',
        choices.map((one, index) => [index > 0 && ', ', typeOf(api, one, true)]),
      )
    return choices.map((one) => fieldsWithin(api, one, depth, one.$ref === undefined ? 'Fields' : nameIn(one.$ref)))
  }
  // What has no effect is accepted, not asked for.
  const fields = Object.entries(properties).filter(([, field]) => !isSaid(/^Accepted without effect/, field))
  const refused = fields.filter(([, field]) => isSaid(NOT_SUPPORTED, field)).map(([name]) => name)
  return [
    h(
      'dl',
      { class: 'fields' },
      fields
        .filter(([name]) => !refused.includes(name))
        .map(([name, field]) => fieldEntry(api, name, field, { isAnswer, depth, isRequired: required.includes(name) })),
    ),
    refused.length > 0 &&
      h('p', { class: 'refused' }, 'Not supported, and refused where they ask for something: ', wordList(refused), '.'),
  ]
}

const isSaid = (words: RegExp, { description = '' }: Schema) => words.test(description)
const NOT_SUPPORTED = /^Not supported: refused where it/

function fieldEntry(
  api: OpenApi,
  name: string,
  field: Schema,
  { isAnswer, depth, isRequired }: { isAnswer: boolean; depth: number; isRequired: boolean },
): Html {
  const inner = innerOf(field)
  const words = inner.enum ?? resolved(api, inner).enum
  const { maximum, minimum, maxLength, maxItems, default: usual } = field
  const limits = [
    ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`up to ${maxItems}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`up to ${maximum}`]),
    ...(minimum === undefined || minimum <= 0 || minimum === Number.MIN_SAFE_INTEGER ? [] : [`from ${minimum}`]),
    ...(usual === undefined ? [] : [`by default ${usual}`]),
  ]
  return h(
    'div',
    null,
    h(
      'dt',
      null,
      h('code', null, name),
      ' ',
      h('span', { class: 'type' }, typeOf(api, field, isAnswer)),
      isRequired && !isAnswer && [' ', h('span', { class: 'required' }, 'required')],
      limits.length > 0 && !isAnswer && [' ', h('span', { class: 'type' }, limits.join(', '))],
    ),
    h(
      'dd',
      null,
      markdown(field.description ?? ''),
      words !== undefined && words.length <= 30 && h('p', { class: 'words' }, wordList(words)),
      hasFields(api, inner, isAnswer) && fieldsWithin(api, inner, depth, 'Fields'),
    ),
  )
}

function fieldsWithin(api: OpenApi, schema: Schema, depth: number, title: string): HtmlChild {
  if (depth >= DEPTH_MAX) return null
  return h('details', { class: 'within' }, h('summary', null, title), fieldList(api, schema, { depth: depth + 1 }))
}

/** In an answer a named object is a link. */
function hasFields(api: OpenApi, schema: Schema, isAnswer: boolean): boolean {
  if (isAnswer && schema.$ref !== undefined) return false
  const { properties = {}, oneOf = [] } = resolved(api, schema)
  return Object.keys(properties).length + oneOf.length > 0
}

/** What is left of an object or null, and of a list. */
function innerOf(field: Schema): Schema {
  const choices = field.anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (choices.length === 1 && choices[0] !== undefined) return innerOf(choices[0])
  return field.items === undefined ? field : innerOf(field.items)
}

function resolved({ schemas }: OpenApi, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? schema)
}

function wordList(words: readonly unknown[]): HtmlChild {
  return words.filter((word) => word !== null).map((word, index) => [index > 0 && ' · ', h('code', null, String(word))])
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'instant', date: 'date', uri: 'address' }

function typeOf(api: OpenApi, schema: Schema, isAnswer: boolean): HtmlChild {
  const { $ref, type, anyOf, oneOf, items, format } = schema
  if ($ref !== undefined) {
    const name = nameIn($ref)
    if (name === 'AmountInput') return 'amount'
    if (isAnswer && api.schemas[name]?.enum === undefined) return h('a', { href: `#${objectId(name)}` }, name)
    return api.schemas[name]?.enum === undefined ? 'object' : 'string'
  }
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return choices.map((one, index) => [index > 0 && ' or ', typeOf(api, one, isAnswer)])
  if (schema.const !== undefined) return h('code', null, String(schema.const))
  const types = typeof type === 'string' ? [type] : (type ?? ['any'])
  return types.map((one, index) => [
    index > 0 && ' or ',
    one === 'array'
      ? ['list of ', typeOf(api, items ?? {}, isAnswer)]
      : one === 'string'
        ? (FORMATS[format ?? ''] ?? one)
        : one,
  ])
}

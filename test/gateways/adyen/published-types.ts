import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Where the official library keeps what it has generated from Adyen's published OpenAPI description. */
const TYPINGS = dirname(require.resolve('@adyen/api-library/lib/src/typings/checkout/amount.js'))

interface Attribute {
  /** As it is sent; the library's own name of it may differ. */
  baseName: string
  /** Such as `string`, `Amount | null`, `Array<LineItem>`, `PaymentRequest.ChannelEnum`, `{ [key: string]: string; }`. */
  type: string
}

interface PublishedType {
  attributes: readonly Attribute[]
  required: ReadonlySet<string>
  /** The words of each enumeration, by its name. */
  words: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * What is wrong with a request by Adyen's published description, as `path: problem`; nothing where it is as published. The
 * attributes and their types are the library's own at run time; which of them must be there, and the words of enumerations,
 * stand only in its declarations.
 *
 * @param typeName such as `PaymentRequest`
 */
export function problemsOf(typeName: string, value: unknown, path = typeName): string[] {
  const { attributes, required, words } = readType(typeName)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: is no object`]
  const known = new Map(attributes.map(({ baseName, type }) => [baseName, type]))
  const missing = [...required].filter((name) => !(name in value)).map((name) => `${path}.${name}: is missing`)
  const wrong = Object.entries(value).flatMap(([name, field]) => {
    const type = known.get(name)
    return type === undefined
      ? [`${path}.${name}: is not published`]
      : fieldProblems(type, field, `${path}.${name}`, words)
  })
  return [...missing, ...wrong]
}

function fieldProblems(published: string, value: unknown, path: string, words: PublishedType['words']): string[] {
  const type = published.replace(/ \| null$/, '')
  if (value === null && type !== published) return []
  if (type === 'Date') return typeof value === 'string' ? [] : [`${path}: is no date`]
  if (['string', 'number', 'boolean'].includes(type)) return typeof value === type ? [] : [`${path}: is no ${type}`]
  const element = /^Array<(.+)>$/.exec(type)?.[1]
  if (element !== undefined)
    return Array.isArray(value)
      ? value.flatMap((each, index) => fieldProblems(element, each, `${path}[${index}]`, words))
      : [`${path}: is no array`]
  const entry = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1]
  if (entry !== undefined)
    return typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => fieldProblems(entry, each, `${path}.${name}`, words))
      : [`${path}: is no map`]
  const allowed = words.get(type.split('.').at(-1) ?? '')
  if (allowed !== undefined) return allowed.has(String(value)) ? [] : [`${path}: "${value}" is not published`]
  return problemsOf(concreteType(type, value), value, path)
}

/** A union is told apart by one of its fields. */
function concreteType(typeName: string, value: unknown): string {
  const { discriminator, mapping } = classOf(typeName)
  const word = discriminator === undefined ? undefined : (value as Record<string, string> | null)?.[discriminator]
  return mapping?.[word ?? ''] ?? typeName
}

interface Generated {
  discriminator?: string
  mapping?: Readonly<Record<string, string>>
  getAttributeTypeMap?(): Attribute[]
}

function classOf(typeName: string): Generated {
  const module = require(join(TYPINGS, `${fileOf(typeName)}.js`)) as Record<string, Generated>
  const generated = module[typeName] ?? module[`${typeName}Class`]
  if (generated === undefined) throw new Error(`The library has no ${typeName}.`)
  return generated
}

function readType(typeName: string): PublishedType {
  const declaration = readFileSync(join(TYPINGS, `${fileOf(typeName)}.d.ts`), 'utf8')
  const enumerations = [...declaration.matchAll(/enum (\w+) \{([^}]*)\}/g)].map(
    ([, name = '', body = '']) =>
      [name, new Set([...body.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word))] as const,
  )
  return {
    attributes: classOf(typeName).getAttributeTypeMap?.() ?? [],
    required: new Set([...declaration.matchAll(/^ {4}"(\w+)": /gm)].map(([, name = '']) => name)),
    words: new Map(enumerations),
  }
}

function fileOf(typeName: string): string {
  return `${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}`
}

import { createRequire } from 'node:module'
import { type IdentifierKind, PREFIXES } from '../../domain/identifiers.ts'
import { exampleId } from '../../src/http/openapi/example-id.ts'

/** As Postman's format 2.1 has it; only what is changed here. */
interface Item {
  name: string
  item?: Item[]
  request?: { method: string; url: { path: string[] }; auth?: unknown }
  response?: unknown[]
}

export interface Collection {
  info: object
  item: Item[]
  variable: { key: string; value: string }[]
  auth?: object
  event?: object[]
}

type Convert = (
  input: { type: 'string'; data: string },
  options: object,
  done: (error: Error | null, result: { result: boolean; reason?: string; output: { data: Collection }[] }) => void,
) => void

/** Of the folder of the tools, and no dependency of ours. */
const CONVERTER = 'openapi-to-postmanv2'

const OPTIONS = {
  folderStrategy: 'Tags',
  requestNameSource: 'Fallback',
  parametersResolution: 'Example',

  enableOptionalParameters: false,
}

/** Ids of an answer become variables, so that one request goes on with what another one has made. */
const KEEP_IDS = `
const isJson = pm.response.headers.get('Content-Type')?.includes('json')
for (const [name, value] of Object.entries(isJson ? pm.response.json() : {})) {
  const first = Array.isArray(value) ? value[0] : value
  const variable = (Array.isArray(value) ? name.replace(/s$/, '') : name) + '_id'
  const isNew = !Array.isArray(value) || !pm.collectionVariables.get(variable)
  if (isNew && typeof first?.id === 'string') pm.collectionVariables.set(variable, first.id)
}`

/** The variable of an object of this kind: that of the field in which answers show it. */
const variableOf = (kind: IdentifierKind) => `${kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_id`

/**
 * A Postman collection of a document, made by Postman's own converter in the folder of its tools. It has a folder for each
 * section, and what deletes comes last, so that the whole can be run from the top.
 */
export async function makeCollection(tools: string, document: string): Promise<Collection> {
  const require = createRequire(`${tools}/package.json`)
  const { convertV2 } = require(CONVERTER) as { convertV2: Convert }
  const { promise, resolve, reject } = Promise.withResolvers<Collection>()
  convertV2({ type: 'string', data: document }, OPTIONS, (error, { result, reason, output }) => {
    const [made] = output ?? []
    if (error !== null || !result || made === undefined) reject(error ?? new Error(reason))
    else resolve(made.data)
  })
  return arranged(withVariables(await promise))
}

function withVariables(collection: Collection): Collection {
  const kinds = Object.keys(PREFIXES) as IdentifierKind[]
  const text = kinds.reduce(
    (written, kind) => written.replaceAll(exampleId(kind), `{{${variableOf(kind)}}}`),
    JSON.stringify(collection),
  )
  return JSON.parse(text) as Collection
}

/** An invoice is paid by somebody, and with something. */
const FIRST = ['Customers', 'Cards', 'Tokens', 'Invoices', 'Payments', 'Webhook endpoints']
const placeOf = ({ name }: Item) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)

/** What makes something comes before what reads it, and both before what needs its id. */
const METHODS = ['POST', 'GET', 'PUT']
const depthOf = ({ request }: Item) => (request?.url.path ?? []).filter((step) => step.startsWith(':')).length
const rankOf = (one: Item) => depthOf(one) * METHODS.length + METHODS.indexOf(one.request?.method ?? '')

function arranged({ info, item: folders }: Collection): Collection {
  const deletes = (one: Item) => one.request?.method === 'DELETE'
  const kept = folders
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ name, item = [] }) => ({
      name,
      item: item
        .filter((one) => !deletes(one))
        .toSorted((one, other) => rankOf(one) - rankOf(other))
        .map(bare),
    }))
  // What belongs to something goes before it.
  const last = folders
    .flatMap(({ item = [] }) => item.filter(deletes))
    .toSorted((one, other) => depthOf(other) - depthOf(one))
    .map(bare)
  return {
    info,
    item: [...kept, { name: 'Deleting', item: last }],
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'projectId', value: '' },
      { key: 'secretKey', value: '' },
    ],
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{projectId}}' },
        { key: 'password', value: '{{secretKey}}' },
      ],
    },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_IDS.trim().split('\n') } }],
  }
}

/** Without answers, which the document shows, and with the collection's own authentication. */
function bare({ name, request }: Item): Item {
  if (request === undefined) return { name }
  const { auth: _, ...others } = request
  return { name, request: others, response: [] }
}

import { createRequire } from 'node:module'
import { type IdentifierKind, PREFIXES } from '../../domain/identifiers.ts'
import { exampleId } from '../../src/http/openapi/example-id.ts'

/** As Postman's format 2.1 has it; only what is changed here. */
interface Item {
  name: string
  item?: Item[]
  request?: { method: string; url: { path: string[] }; body?: { raw?: string }; auth?: unknown }
  response?: { code: number; body?: string; header?: { key: string; value: string }[] }[]
  event?: object[]
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
  if (typeof first?.project_id === 'string') pm.collectionVariables.set('project_id', first.project_id)
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

/** An invoice is paid by somebody, and with something; its webhooks still wait when its clock is advanced. */
const FIRST = ['Customers', 'Cards', 'Tokens', 'Invoices', 'Webhook endpoints', 'Payments']
const placeOf = (folder: string) => (FIRST.includes(folder) ? FIRST.indexOf(folder) : FIRST.length)

/** What makes something comes before what reads it, and both before what needs its id. */
const METHODS = ['POST', 'GET', 'PUT']
const depthOf = ({ request }: Item) => (request?.url.path ?? []).filter((step) => step.startsWith(':')).length
const rankOf = (one: Item) => depthOf(one) * METHODS.length + METHODS.indexOf(one.request?.method ?? '')

/** A payment goes through its steps: it is raised and lowered while it is authorized. */
const STEPS = ['Authorize an invoice', 'Raise an authorization', 'Release an authorization', 'Capture an invoice']

/** What needs more than its own folder has made. */
const IN_OTHER_FOLDERS: Readonly<Record<string, string>> = {
  'Give an invoice its customer': 'Invoices',
  'Retrieve the customer of an invoice': 'Invoices',
}

/** Nobody can delete an invoice that was paid, or a card that went with its token: another one is made before. */
const MADE_AGAIN: Readonly<Record<string, string>> = {
  'Delete an invoice': 'Create an invoice',
  'Delete a card': 'Create a card',
}

/** The authorization can be raised, and loses a part: the amount of the example of a capture is left. */
const BODIES: Readonly<Record<string, object>> = {
  'Authorize an invoice': { source: '{{card_id}}', incremental: true },
  'Release an authorization': { amount: '10.00' },
}

/** Only a gateway can sign its notifications, and the simulator writes no reports. */
const OF_GATEWAYS = ['Receive a notification of a gateway', 'Hand in a report of a gateway']

const isStep = ({ name }: Item) => STEPS.includes(name)
const deletes = ({ request }: Item) => request?.method === 'DELETE'

function arranged({ info, item: folders }: Collection): Collection {
  const placed = folders
    .flatMap(({ name: folder, item = [] }) =>
      item.map((one) => ({ folder: IN_OTHER_FOLDERS[one.name] ?? folder, one })),
    )
    .filter(({ one }) => !OF_GATEWAYS.includes(one.name))
  const items = placed.map(({ one }) => one)
  const kept = folders
    .map(({ name }) => name)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((name) => {
      const own = placed.filter(({ folder, one }) => folder === name && !deletes(one)).map(({ one }) => one)
      const steps = STEPS.flatMap((step) => own.filter((one) => one.name === step))
      const others = own.filter((one) => !isStep(one)).toSorted((one, other) => rankOf(one) - rankOf(other))
      return { name, item: [...steps, ...others].map(tested) }
    })
  // What belongs to something goes before it.
  const last = items
    .filter(deletes)
    .toSorted((one, other) => depthOf(other) - depthOf(one))
    .flatMap((one) => [...items.filter(({ name }) => name === MADE_AGAIN[one.name]), one])
  return {
    info,
    item: [...kept, { name: 'Deleting', item: last.map(tested) }],
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
    event: [script('prerequest', SKIP_WITHOUT_ID), script('test', KEEP_IDS)],
  }
}

const script = (listen: 'prerequest' | 'test', code: string) => ({
  listen,
  script: { type: 'text/javascript', exec: code.trim().split('\n') },
})

/** What a request would need that nothing before it has made, such as a day that was reconciled, is left out of a run. */
const SKIP_WITHOUT_ID = `
if (pm.variables.replaceIn(pm.request.url.toString()).includes('{{')) pm.execution.skipRequest()`

/** With tests of its answer, without the answers that the document shows, and with the collection's own authentication. */
function tested({ name, request, response = [] }: Item): Item {
  if (request === undefined) return { name }
  const { auth: _, ...others } = request
  const { [name]: own } = BODIES
  const body = own === undefined ? request.body : { ...request.body, raw: JSON.stringify(own, null, 2) }
  const answer = response.find(({ code }) => code === 200)
  return {
    name,
    request: { ...others, ...(body === undefined ? {} : { body }) },
    event: [script('test', testsOf(answer))],
    response: [],
  }
}

/** Status and success, and the ids of the objects that the answer shows: the next requests need them. */
function testsOf(answer: NonNullable<Item['response']>[number] | undefined): string {
  const isJson =
    answer?.header?.some(({ key, value }) => /^content-type$/i.test(key) && value.includes('json')) === true
  const shown = isJson ? (JSON.parse(answer?.body ?? '{}') as Record<string, { id?: unknown } | null>) : {}
  const objects = Object.keys(shown).filter((key) => typeof shown[key]?.id === 'string')
  return [
    `pm.test('answers 200', () => pm.response.to.have.status(200))`,
    ...('success' in shown ? [`pm.test('succeeds', () => pm.expect(pm.response.json().success).to.be.true)`] : []),
    ...objects.map(
      (key) => `pm.test('shows the id of its ${key}', () => pm.expect(pm.response.json().${key}.id).to.be.a('string'))`,
    ),
  ].join('\n')
}

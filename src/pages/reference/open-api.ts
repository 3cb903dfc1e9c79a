/** A JSON Schema, as far as the page shows it. */
export interface Schema {
  $ref?: string
  description?: string
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  additionalProperties?: Schema | boolean
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

/** What is answered with one status. */
export interface Content {
  status: string
  says: string
  /** Of the object that the answer is, if it is one. */
  objectId: string | null
  objectName: string | null
  examples: readonly { name: string; value: unknown }[]
}

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  parameters: readonly Parameter[]
  body: Schema | null
  answers: readonly Content[]
  refusals: readonly { status: string; code: string; when: string }[]
  samples: readonly { label: string; source: string }[]
}

export interface OpenApi {
  version: string
  introduction: string
  sections: readonly { id: string; title: string; says: string; operations: readonly Operation[] }[]
  events: readonly { name: string; says: string }[]
  objects: readonly { name: string; id: string; schema: Schema }[]
  schemas: Readonly<Record<string, Schema>>
}

interface Response {
  $ref?: string
  description?: string
  content?: Readonly<
    Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }>
  >
}

interface Written {
  info: { version: string; description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>
  webhooks: Readonly<Record<string, { post: { summary: string } }>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    parameters: Readonly<Record<string, Parameter>>
  }
}

interface WrittenOperation {
  operationId: string
  tags: readonly [string]
  summary: string
  description: string
  parameters: readonly (Parameter | { $ref: string })[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Readonly<Record<string, Response>>
  'x-codeSamples': Operation['samples']
}

export const nameIn = (ref: string) => ref.split('/').at(-1) ?? ''

const idOf = (title: string) => title.toLowerCase().replaceAll(/\W+/g, '-')
export const objectId = (name: string) => `object-${name}`

/** The document of our interface as what the page shows. */
export function readDocument(document: unknown): OpenApi {
  const { info, tags, paths, webhooks, components } = document as Written
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]) => ({
      tag: written.tags[0],
      operation: readOperation(method.toUpperCase(), path, written, components),
    })),
  )
  return {
    version: info.version,
    introduction: info.description,
    sections: tags.map(({ name, description }) => ({
      id: idOf(name),
      title: name,
      says: description,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    events: Object.entries(webhooks).map(([name, { post }]) => ({ name, says: post.summary })),
    objects: Object.entries(components.schemas)
      .filter(([name]) => isOfAnswers(name, operations))
      .map(([name, schema]) => ({ name, id: objectId(name), schema })),
    schemas: components.schemas,
  }
}

/** Schemas of requests stand with their operation. */
function isOfAnswers(name: string, operations: readonly { operation: Operation }[]): boolean {
  const isBody = operations.some(({ operation: { body } }) => body?.$ref !== undefined && nameIn(body.$ref) === name)
  return !isBody && !name.endsWith('Input') && name !== 'ErrorCode'
}

function readOperation(
  method: string,
  path: string,
  written: WrittenOperation,
  { parameters: shared }: Written['components'],
): Operation {
  const { operationId, summary, description, parameters, requestBody, responses } = written
  return {
    id: operationId,
    method,
    path,
    summary,
    // The summary is the heading.
    description: description === `${summary}.` ? '' : description,
    parameters: parameters.map((one) => ('$ref' in one ? (shared[nameIn(one.$ref)] as Parameter) : one)),
    body: requestBody?.content['application/json'].schema ?? null,
    answers: Object.entries(responses).flatMap(([status, response]) => readAnswer(status, response)),
    refusals: Object.entries(responses).flatMap(([status, { description: says = '' }]) =>
      [...says.matchAll(/^- `([\w.-]+)`: (.*)$/gm)].map(([, code = '', when = '']) => ({ status, code, when })),
    ),
    samples: written['x-codeSamples'],
  }
}

/** Refusals have one form and no example of their own. */
function readAnswer(status: string, { description = '', content = {} }: Response): Content[] {
  const [media] = Object.values(content)
  const { schema = {}, example, examples = {} } = media ?? {}
  const named = Object.entries(examples).filter(([, { value }]) => value !== undefined)
  if (status !== '200' && named.length === 0 && example === undefined) return []
  const name = schema.$ref === undefined ? null : nameIn(schema.$ref)
  return [
    {
      status,
      says: description,
      objectId: name === null ? null : objectId(name),
      objectName: name,
      examples: [
        ...(example === undefined ? [] : [{ name: '', value: example }]),
        ...named.map(([exampleName, { value }]) => ({ name: exampleName, value })),
      ],
    },
  ]
}

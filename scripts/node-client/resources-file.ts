import { type AnswerKind, answerOf } from './answers.ts'
import { type Document, nameOf, type Operation } from './document.ts'
import { METHODS } from './methods.ts'

/** The methods of a resource, and the resources below it. */
interface Resource {
  methods: string[]
  below: Map<string, Resource>
}

/** The classes of the client: a method for each operation. */
export function resourcesFile({ paths }: Document): string {
  const root = newResource()
  const types = new Set<string>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId } = operation
      const names = METHODS[operationId]?.split('.')
      if (names === undefined) continue
      const answer = answerOf(operation)
      const input = nameOf(operation.requestBody?.content?.['application/json']?.schema ?? {})
      for (const type of [answer.type, input]) if (type !== null) types.add(type)
      const route = `${method.toUpperCase()} ${path}`
      resourceAt(root, names.slice(0, -1)).methods.push(
        methodText({ name: names.at(-1) ?? '', route, operation, answer, input }),
      )
    }
  }
  return [
    '// Made by `npm run node-client`.',
    '',
    "import type { Answered } from '../last-response.ts'",
    "import type { List } from '../list.ts'",
    "import type { Expanding, ListParams, RequestOptions } from '../options.ts'",
    "import type { Transport } from '../transport.ts'",
    `import type {\n${[...types]
      .toSorted()
      .map((type) => `  ${type},\n`)
      .join('')}} from './schemas.ts'`,
    '',
    ...classesOf('Resources', root),
    '',
  ].join('\n')
}

const newResource = (): Resource => ({ methods: [], below: new Map() })

function resourceAt(root: Resource, names: readonly string[]): Resource {
  return names.reduce((resource, name) => {
    const found = resource.below.get(name) ?? newResource()
    resource.below.set(name, found)
    return found
  }, root)
}

const capital = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** The class of a resource after those of the resources below it. */
function classesOf(name: string, { methods, below }: Resource): string[] {
  const prefix = name === 'Resources' ? '' : name
  const fields = [...below.keys()].map((field) => ({ field, type: `${prefix}${capital(field)}` }))
  const inner = [...below].flatMap(([field, resource]) => [...classesOf(`${prefix}${capital(field)}`, resource), ''])
  return [
    ...inner,
    `export class ${name} {`,
    ...(methods.length === 0 ? [] : ['  readonly #transport: Transport']),
    ...fields.map(({ field, type }) => `  readonly ${field}: ${type}`),
    '',
    '  constructor(transport: Transport) {',
    ...(methods.length === 0 ? [] : ['    this.#transport = transport']),
    ...fields.map(({ field, type }) => `    this.${field} = new ${type}(transport)`),
    '  }',
    ...methods.map((method) => `\n${method}`),
    '}',
  ]
}

interface Method {
  name: string
  /** Such as `GET /invoices/{id}`. */
  route: string
  operation: Operation
  answer: AnswerKind
  input: string | null
}

function methodText({ name, route, operation, answer, input }: Method): string {
  const ids = idArgumentsOf(route)
  const params = paramsOf(operation, input)
  const isRequired = operation.requestBody?.required === true
  const args = [
    ...ids.map((id) => `${id}: string`),
    ...(params === null ? [] : [`params${isRequired ? '' : '?'}: ${params}`]),
    'options?: RequestOptions',
  ]
  const returned = answer.kind === 'list' ? `List<${answer.type}>` : `Promise<Answered<${answer.type}>>`
  const key = answer.kind === 'unnamed' || answer.key === null ? '' : `, '${answer.key}'`
  const call = answer.kind === 'list' ? 'list' : 'call'
  const given = params === null ? 'undefined' : 'params'
  return [
    '  /**',
    ...commentOf(operation).map((line) => `   *${line === '' ? '' : ` ${line}`}`),
    '   */',
    `  ${name}(${args.join(', ')}): ${returned} {`,
    `    return this.#transport.${call}('${route}', [${ids.join(', ')}], ${given}, options${key})`,
    '  }',
  ].join('\n')
}

/** The arguments of a method for the ids of its path. */
export function idArgumentsOf(route: string): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => argumentOf(id, route))
}

/** `{id}` is `id`, or beside another id that of the object it belongs to; `{token_id}` is `tokenId`. */
function argumentOf(id: string, route: string): string {
  if (id !== 'id') return id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const [, owner = ''] = /\/(\w+)s\/\{id\}\/\w+\/\{/.exec(route) ?? []
  return owner === '' ? 'id' : `${owner}Id`
}

const LIST_PARAMS = new Set(['filter', 'limit', 'order', 'start_after', 'end_before'])

/** The type of the parameters; null where there are none. */
function paramsOf({ operationId, parameters }: Operation, input: string | null): string | null {
  const inQuery = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
  )
  const unknown = inQuery.filter((name) => name !== 'expand' && !LIST_PARAMS.has(name))
  if (unknown.length > 0)
    throw new Error(`${operationId} takes ${unknown.join(', ')} in its query, which no method does.`)
  const types = [
    ...(input === null ? [] : [input]),
    ...(inQuery.includes('limit') ? ['ListParams'] : []),
    ...(inQuery.includes('expand') ? ['Expanding'] : []),
  ]
  return types.length === 0 ? null : types.join(' & ')
}

/** Without what is said to programs that hold no secret. */
function commentOf({ summary, description }: Operation): string[] {
  const paragraphs = description.split('\n\n').filter((text) => !text.startsWith('Clients may call it'))
  return [...new Set([`${summary}.`, ...paragraphs])].flatMap((text, index) => [
    ...(index === 0 ? [] : ['']),
    ...text.split('\n'),
  ])
}

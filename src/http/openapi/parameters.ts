import type { ErrorCode } from '../../../domain/errors.ts'
import { PREFIXES } from '../../../domain/identifiers.ts'
import type { FilterField } from '../../persistence/queries/lists/list-conditions.ts'
import { RESOURCES, type ResourceName } from '../expansion/resources.ts'
import { type AddressedKind, NOT_FOUND } from '../input/identifier.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../input/query.ts'
import { exampleId } from './example-id.ts'
import type { JsonSchema } from './json-schema.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  description: string
  schema: JsonSchema
  style?: 'form'
  explode?: boolean
  example?: unknown
}

/** As the code of its absence has it: `gateway-configuration`. */
const nameOf = (kind: AddressedKind) => NOT_FOUND[kind].split('.')[1] ?? ''

/** The kind of object that `id` names, by the beginning of the address. */
const KIND_OF: Readonly<Record<string, AddressedKind>> = Object.fromEntries(
  (Object.keys(NOT_FOUND) as AddressedKind[]).map((kind) => [`${nameOf(kind)}s`, kind]),
)

/** Parameters of addresses that name something else, or an object below another. */
const OTHERS: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>> = {
  token_id: idOf('token'),
  refund_id: idOf('refund'),
  configuration_id: idOf('gatewayConfiguration'),
  iin: {
    description: 'The first 6 or 8 digits of a card.',
    schema: { type: 'string', pattern: '^(\\d{6}|\\d{8})$' },
    example: '424242',
  },
  name: { description: 'The name of a gateway.', schema: { type: 'string' }, example: 'simulator' },
}

const LOGGED: Omit<Parameter, 'name' | 'in'> = {
  description: 'The id of the logged request, `api_req_…`, or the `X-Request-Id` of its answer.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  example: exampleId('apiRequest'),
}

const PROJECT: Omit<Parameter, 'name' | 'in'> = {
  description: 'The id of your project, `proj_…` or `test-proj_…`.',
  schema: { type: 'string', pattern: `^(test-)?${PREFIXES.project}[0-9A-Za-z]{1,64}$` },
  example: exampleId('project'),
}

function idOf(kind: AddressedKind): Omit<Parameter, 'name' | 'in'> {
  const prefix = PREFIXES[kind]
  return {
    description: `The id of the ${nameOf(kind).replaceAll('-', ' ')}, \`${prefix}…\`.`,
    schema: { type: 'string', pattern: `^${prefix}[0-9A-Za-z]{1,64}$` },
    example: exampleId(kind),
  }
}

/** Your project and the log of requests are found by more than an id of their kind. */
const foundOtherwise = (beginning: string) =>
  beginning === 'projects'
    ? { own: PROJECT, absent: 'resource.project.not-found' as const }
    : { own: LOGGED, absent: 'resource.api-request.not-found' as const }

/** What an address names, and how it is answered where there is none. */
export function pathParameters(path: string): { parameters: Parameter[]; notFound: ErrorCode | null } {
  const [, beginning = ''] = path.split('/')
  const kind = KIND_OF[beginning]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const { own, absent } = kind === undefined ? foundOtherwise(beginning) : { own: idOf(kind), absent: NOT_FOUND[kind] }
  const parameters = names.map((name) => ({
    name,
    in: 'path' as const,
    required: true as const,
    ...(name === 'id' ? own : (OTHERS[name] ?? own)),
  }))
  return { parameters, notFound: names.includes('id') ? absent : null }
}

/** In the query of every list. */
export function listParameters(filters: Readonly<Record<string, FilterField>>): Parameter[] {
  const fields = Object.entries(filters).map(([name, { kind, words }]) => {
    const written = kind === 'metadata' ? `${name}.KEY` : name
    return `- \`${written}\`: ${KINDS[kind]}${words === undefined ? '' : `: ${words.map((word) => `\`${word}\``).join(', ')}`}`
  })
  return [
    {
      name: 'filter',
      in: 'query',
      description: `\`field:value\`; all must hold. The fields of this list:\n\n${fields.join('\n')}`,
      schema: { type: 'array', items: { type: 'string' } },
      style: 'form',
      explode: true,
    },
    {
      name: 'limit',
      in: 'query',
      description: 'How many objects a page has at most; 0 means the default.',
      schema: { type: 'integer', minimum: 0, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
    },
    {
      name: 'order',
      in: 'query',
      description: 'The newest first, or the oldest.',
      schema: { type: 'string', enum: ['desc', 'asc'], default: 'desc' },
    },
    {
      name: 'start_after',
      in: 'query',
      description:
        'The id of an object of the list: the page begins right after it. Pass the last id of a page on, until `has_more` is false.',
      schema: { type: 'string' },
    },
    {
      name: 'end_before',
      in: 'query',
      description: 'The id of an object of the list: the page ends right before it. Not together with `start_after`.',
      schema: { type: 'string' },
    },
  ]
}

/** How a field of a filter is compared. */
const KINDS: Readonly<Record<FilterField['kind'], string>> = {
  keyword: 'exactly this text',
  text: 'this text, in capital or small letters',
  word: 'one of these words',
  email: 'this address, in capital or small letters',
  currency: 'an ISO 4217 code',
  boolean: '`true` or `false`',
  integer: 'a whole number; also `>=` and `<`',
  amount: 'an amount, beside a filter for `currency`; also `>=` and `<`',
  instant: 'an instant with `Z` or an offset, or a date, which is its beginning in UTC, by `>=` and `<` only',
  metadata: 'exactly this text of one key',
}

/** `expand` of an operation; null where nothing can be expanded. */
export function expandParameter(resource: ResourceName): Parameter | null {
  const relations = Object.keys(RESOURCES[resource].relations)
  if (relations.length === 0) return null
  return {
    name: 'expand',
    in: 'query',
    description: `Related objects to show: ${relations.map((name) => `\`${name}\``).join(', ')}. A dot goes on inside a related object, \`${relations[0]}.…\`, three deep at most.`,
    schema: { type: 'array', items: { type: 'string' } },
    style: 'form',
    explode: false,
  }
}

const header = (name: string, description: string, schema: JsonSchema = {}): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
})

const day = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'query',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** Parameters that several operations share, by the names of their components. */
export const SHARED_PARAMETERS: Readonly<Record<string, Parameter>> = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'A key of your choice for what is to happen once. The same key with the same fields gets the first answer again, for 72 hours, and nothing is done twice.',
    { minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  ),
  From: day('from', 'From this date in UTC, or this instant with `Z` or an offset, on.', '2026-11-01'),
  Until: day('until', 'Until before this date or instant.', '2026-12-01'),
  ClientSecret: header(
    'X-Service-Client-Secret',
    'Of a client: the client secret of the invoice, where the call needs that proof.',
  ),
}

export const sharedParameters = (names: readonly string[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }))

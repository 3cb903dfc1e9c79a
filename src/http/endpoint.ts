import type { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import type { FilterField } from '../persistence/queries/lists/list-conditions.ts'
import type { BodyLimits } from './bodies/fields.ts'
import type { ApiMiddleware } from './context.ts'
import type { AppDeps } from './dependencies.ts'
import type { ResourceName } from './expansion/resources.ts'
import type { InputDefinition } from './input/input.ts'
import type { Access } from './route-access.ts'

/** A code that an endpoint answers, and when. */
export type Refusal = readonly [code: ErrorCode, when: string]

export interface EndpointBody {
  /** The name of the schema in the document, such as `InvoiceInput`. */
  name: string
  description: string
  input: InputDefinition<unknown>
  /** The objects whose fields of the same names describe those of the request; the first that has one. */
  about?: readonly string[]
  /** An empty text clears a field. */
  clears?: true
  /** Where it may be larger than bodies are by default. */
  limits?: BodyLimits
  /** A whole body, as the reference shows it. */
  example?: object
}

/** The one answer of a status as `example`, or several by words that say what each shows. */
export type Examples = Readonly<Record<string, unknown>>

/** What an endpoint answers, but for refusals, which have one form. */
export interface Answers {
  /** What the answer with 200 says, in words. */
  says: string
  /** The body of each status. */
  bodies: Readonly<Record<number, z.ZodType>>
  /** Whole bodies of each status. */
  examples: Readonly<Record<number, Examples>>
  /** The object whose relations `expand` shows. */
  expands?: ResourceName
}

/**
 * All that is said of an endpoint: the router, the access check, the reference, the clients and the command line are made of
 * it.
 */
export interface EndpointDefinition {
  /** `operationId`: the name of the function in generated client libraries. */
  id: string
  /** The method of our client for Node, which the command line has as a command; null where merchants' programs do not call it. */
  method: string | null
  /** What it does, in a few words. */
  summary: string
  description?: string
  /** Whom it lets in. Without a key: `limited by address`, or `anyone` where it limits itself or is asked all the time. */
  access: Access | 'limited by address' | 'anyone'
  /** The fields it takes; what changes something also reads a body where it takes none, and refuses any field. */
  body?: EndpointBody
  /**
   * The only fields that the request log keeps, where the body has personal data or secrets; of the query it keeps the paging
   * then. Unknown fields are masked too: a misspelt one may hold a name or a security code.
   */
  logs?: readonly string[]
  answers: Answers
  /** Its answer may wait for a payment, and so for a gateway: up to half a minute. */
  waits?: true
  /** Of a list: the fields of `filter`. */
  filters?: Readonly<Record<string, FilterField>>
  refuses?: readonly Refusal[]
  /** Further parameters of the query, by the names of their components in the document. */
  query?: readonly string[]
  /** Of the answer with 200, where it is no JSON. */
  mediaType?: string
  /** Headers of the answer with 200 beside those of every answer, by their names. */
  headers?: readonly string[]
  /** Makes what answers; in the order given, where it is several. */
  run(deps: AppDeps): ApiMiddleware | readonly ApiMiddleware[]
}

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]

/** Method and address as the router has them: `POST /invoices/:id/capture`. */
export type Place = `${HttpMethod} /${string}`

interface Declared extends EndpointDefinition {
  place: Place
  httpMethod: HttpMethod
  path: string
}

/** @example endpoint('GET /cards/:id', { id: 'retrieveCard', access: { permission: 'read' }, … }) */
export function endpoint(place: Place, definition: EndpointDefinition): Declared {
  const [httpMethod, path] = place.split(' ') as [HttpMethod, string]
  return { ...definition, place, httpMethod, path }
}

/** A section of the reference. */
interface SectionFacts extends Pick<EndpointDefinition, 'logs' | 'waits'> {
  tag: string
  /** What its endpoints are about, in a sentence. */
  says: string
}

export interface Endpoint extends Declared {
  tag: string
}

export interface Section extends SectionFacts {
  endpoints: readonly Endpoint[]
}

/** What is said for all endpoints, or by one for itself. */
export function section({ tag, says, ...facts }: SectionFacts, declared: readonly Declared[]): Section {
  const common = { tag, ...facts }
  return { tag, says, endpoints: declared.map((one) => ({ ...common, ...one })) }
}

/** Who needs a key for it, or null. */
export const accessOf = ({ access }: EndpointDefinition): Access | null => (typeof access === 'string' ? null : access)

/** Whether it changes something for a caller who is known. */
export const changes = (endpoint: Endpoint): boolean => endpoint.httpMethod !== 'GET' && accessOf(endpoint) !== null

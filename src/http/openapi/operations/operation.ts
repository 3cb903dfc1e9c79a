import { z } from 'zod'
import type { ErrorCode } from '../../../../domain/errors.ts'
import type { FilterField } from '../../../persistence/queries/lists/list-conditions.ts'
import type { ResourceName } from '../../expansion/resources.ts'
import type { InputDefinition } from '../../schemas/fields/input.ts'

/** The sections of the reference, in their order. */
export const TAGS = {
  Invoices: 'What customers are asked to pay.',
  Payments: 'Authorize, capture, raise, release and refund. Each works on the one payment of an invoice.',
  Transactions: 'What became of payments: transactions, their refunds and disputes.',
  Cards: 'Cards as they were entered, without their numbers.',
  Customers: 'Customers, and who pays an invoice.',
  Tokens: 'Payment sources that are stored for customers.',
  Events: 'What has changed, and how it was delivered.',
  'Webhook endpoints': 'The addresses that are sent your events.',
  'Gateway configurations': 'Your accounts at gateways.',
  Books: 'Our books compared with those of your gateways.',
  'Routing rules': 'Which gateway takes which payment.',
  'Request log': 'What you have asked, and what came of it.',
  Service: 'The interface itself. Needs no key.',
} as const

export type Tag = keyof typeof TAGS

/** A code that an operation answers, and when. */
export type Refusal = readonly [code: ErrorCode, when: string]

export interface RequestBody {
  /** The name of the schema in the document, such as `InvoiceInput`. */
  name: string
  description: string
  input: InputDefinition<unknown>
  /** The objects whose fields of the same names describe those of the request; the first that has one. */
  about?: readonly string[]
  /** An empty text clears a field. */
  clears?: true
}

/** An operation as the document describes it. Method, address and access are those of the router. */
export interface Operation {
  /** `operationId`: the name of the function in client libraries. */
  id: string
  tag: Tag
  /** What it does, in a few words. */
  summary: string
  description?: string
  request?: RequestBody
  /** The body of each status but those of refusals, which have one form. */
  answers: Readonly<Record<number, z.ZodType>>
  /** What the answer with 200 says, in words. */
  says: string
  /** The object whose relations `expand` shows. */
  expands?: ResourceName
  /** Of a list: the fields of `filter`. */
  filters?: Readonly<Record<string, FilterField>>
  refuses?: readonly Refusal[]
  /** Parameters of the query, by the names of their components. */
  query?: readonly string[]
  /** Of the answer with 200, where it is no JSON. */
  mediaType?: string
  /** Headers of the answer with 200 beside those of every answer, by their names. */
  headers?: readonly string[]
}

/** The answer of an operation that shows objects. */
export const ok = <Shape extends z.ZodRawShape>(shape: Shape) => ({
  200: z.strictObject({ success: z.literal(true).describe('Always true.'), ...shape }),
})

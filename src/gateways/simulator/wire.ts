import { z } from 'zod'
import { OPERATION_TYPES } from '../../../domain/operation.ts'
import type { Call, FollowUp } from './call.ts'
import type { FaultOfCall } from './engine.ts'

/** What client and server of the simulator's HTTP interface have in common; the README beside this file documents it. */
export const PATHS: Readonly<Record<Call['type'], string>> = {
  authorization: '/v1/authorizations',
  capture: '/v1/captures',
  increment_authorization: '/v1/increments',
  void: '/v1/voids',
  refund: '/v1/refunds',
}

export const OPERATIONS_PATH = '/v1/operations/'

export const HEADERS = {
  /** The settings of the account as JSON; absent without any. */
  settings: 'simulator-settings',
  /** What is to go wrong with this call. */
  fault: 'simulator-fault',
} as const

export const faultSchema = z.enum(['lost', 'garbled', 'failed']) satisfies z.ZodType<FaultOfCall>

export const operationTypeSchema = z.enum(OPERATION_TYPES).exclude(['request', 'chargeback'])

/** Longer than any word of a request is. */
const WORD_MAX = 500

const word = z.string().min(1).max(WORD_MAX)
const text = z.string().max(WORD_MAX)

const base = {
  gatewayConfigurationId: word,
  reference: word,
  invoiceId: word,
  amountMinor: z.int(),
  currency: z.string().length(3),
}

const card = z.strictObject({
  number: text,
  expMonth: z.int(),
  expYear: z.int(),
  name: text.nullable(),
  cvc: text.nullable(),
})

const authorization = z.strictObject({
  ...base,
  card: card.nullable(),
  gatewayRequest: text.nullable(),
  scheme: word.nullable(),
  incremental: z.boolean(),
  mayFallBackToSale: z.boolean(),
  mustSell: z.boolean(),
  isMerchantInitiated: z.boolean(),
  initialSchemeTransactionId: word.nullable(),
  statementDescriptor: text.nullable(),
})

const followUp = { ...base, gatewayAuthorizationId: word }

type RequestOf<Type extends Call['type']> = Type extends 'void' | 'refund'
  ? FollowUp
  : Extract<Call, { type: Type }>['request']

const REQUESTS = {
  authorization,
  capture: z.strictObject({ ...followUp, isFinal: z.boolean() }),
  increment_authorization: z.strictObject({ ...followUp, targetTotalMinor: z.int() }),
  void: z.strictObject(followUp),
  refund: z.strictObject(followUp),
} satisfies { [Type in Call['type']]: z.ZodType<RequestOf<Type>> }

/** The call whose JSON this is, or the first thing that is wrong with it, which repeats none of its values. */
export function readCall(type: Call['type'], body: unknown): Call | { problem: string } {
  const read = REQUESTS[type].safeParse(body)
  if (read.success) return { type, request: read.data } as Call
  const [issue] = read.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : (issue?.path ?? [])
  return { problem: `${unknown.map(String).join('.') || 'The body'} is not as documented.` }
}

/** The fields that travel: credentials and settings do not belong to a request. */
export function bodyOf({ type, request }: Call): Record<string, unknown> {
  const names = Object.keys(REQUESTS[type].shape)
  return Object.fromEntries(Object.entries(request).filter(([name]) => names.includes(name)))
}

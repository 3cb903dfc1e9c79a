import { z } from 'zod'
import type { Outcome } from '../../../domain/operation.ts'

const cardCheck = z.enum(['passed', 'failed', 'unchecked', 'unavailable', 'unknown'])
const cardChecks = z.object({ cvcCheck: cardCheck, avsCheck: cardCheck })
const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approved'),
    gatewayOperationId: z.string().min(1),
    amountMinor: z.int().nonnegative(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    schemeTransactionId: z.string().exactOptional(),
    authorizationCode: z.string().exactOptional(),
    cardChecks: cardChecks.exactOptional(),
    isSale: z.boolean().exactOptional(),
  }),
  z.object({
    kind: z.literal('declined'),
    code: z.string().min(1),
    gatewayCode: z.string(),
    recommendationCode: z.string().exactOptional(),
    merchantAdviceCode: z.string().exactOptional(),
    cardChecks: cardChecks.exactOptional(),
    holdsNothing: z.boolean().exactOptional(),
  }),
  z.object({ kind: z.literal('pending'), gatewayOperationId: z.string().min(1) }),
  z.object({ kind: z.literal('unknown'), reason: z.string() }),
])

export const NOT_DOCUMENTED = 'The simulator gave an answer that is not documented.'

/** Reads an answer. Whatever is not exactly an outcome that we know is unknown, above all never an approval. */
export function readOutcome(answer: unknown): Outcome {
  const read = outcomeSchema.safeParse(answer)
  return read.success ? read.data : unknown(NOT_DOCUMENTED)
}

export function unknown(reason: string): Extract<Outcome, { kind: 'unknown' }> {
  return { kind: 'unknown', reason }
}

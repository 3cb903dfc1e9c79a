import { REFUND_REASONS, type RefundReason } from '../../../domain/command.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import type { ParsedBody } from '../middleware/body.ts'
import { amountMinorOf, amountProblems } from './fields/amount.ts'
import { amountText, metadata, optionalText, optionalWord } from './fields/fields.ts'
import { defineInput, readInput } from './fields/input.ts'
import { detailIds, detailSelection } from './invoices/detail-selection.ts'

const AMOUNT_CODES = {
  amount: { missing: 'request.validation.missing-amount', invalid: 'request.validation.invalid-amount' },
} as const

/** Client libraries offer `metadata` with every command; an increment and a void have nowhere to keep it. */
const COMMAND_CODES = { ...AMOUNT_CODES, metadata: { invalid: 'request.validation.invalid-metadata' } } as const

export const INCREMENT = defineInput(() => ({ amount: amountText, metadata }), COMMAND_CODES)

/** By how much an authorization is raised, in minor units. */
export function readIncrementInput(body: ParsedBody, currency: string): { amountMinor: number } {
  const { amount } = readInput(INCREMENT, body, (fields) => amountProblems(fields, 'amount', currency))
  return { amountMinor: amountMinorOf(amount, currency) }
}

export const VOID = defineInput(() => ({ amount: amountText.optional(), metadata }), COMMAND_CODES)

/** How much of an authorization is released, in minor units; null is all that remains. */
export function readVoidInput(body: ParsedBody, currency: string): { amountMinor: number | null } {
  const { amount } = readInput(VOID, body, (fields) => amountProblems(fields, 'amount', currency))
  return { amountMinor: amount === undefined ? null : amountMinorOf(amount, currency) }
}

/** What merchants write about a refund is for their own staff; a paragraph is enough. */
const INFORMATION_LENGTH_MAX = 1000

export const REFUND = defineInput(
  () => ({
    amount: amountText.optional(),
    invoice_detail_ids: detailIds,
    reason: optionalWord(REFUND_REASONS),
    information: optionalText(INFORMATION_LENGTH_MAX),
    metadata,
  }),
  {
    ...AMOUNT_CODES,
    invoice_detail_ids: { invalid: 'request.validation.invalid-id' },
    reason: { invalid: 'request.validation.invalid-type' },
    information: { invalid: 'request.validation.invalid-description' },
    metadata: { invalid: 'request.validation.invalid-metadata' },
  },
)

/** What is refunded, in minor units; null is all that is left. */
export function readRefundInput(
  body: ParsedBody,
  { currency, details }: { currency: string; details: readonly InvoiceDetailRow[] },
) {
  const input = readInput(REFUND, body, (fields) => amountProblems(fields, 'amount', currency))
  const amountMinor = input.amount === undefined ? null : amountMinorOf(input.amount, currency)
  return {
    ...detailSelection(details, input.invoice_detail_ids, { name: 'amount', amountMinor }),
    reason: input.reason ?? ('other' satisfies RefundReason),
    note: { information: input.information, metadata: input.metadata },
  }
}

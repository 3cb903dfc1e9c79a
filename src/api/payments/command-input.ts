import type { RefundReason } from '../../../domain/command.ts'
import { amountMinorOf, amountProblems } from '../../http/input/amount.ts'
import { defineInput, readInput } from '../../http/input/input.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { refundInput } from '../../objects/refund.ts'
import { amountText, metadata } from '../../objects/taken.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import { detailIds, detailSelection } from '../invoices/detail-selection.ts'

/** Client libraries offer `metadata` with every command; an increment and a void do not store it. */
export const INCREMENT = defineInput(() => ({
  amount: amountText.describe('By how much the authorization is raised.'),
  metadata: metadata.describe('Accepted without effect.'),
}))

/** The increment of an authorization, in minor units. */
export function readIncrementInput(body: ParsedBody, currency: string): { amountMinor: number } {
  const { amount } = readInput(INCREMENT, body, (fields) => amountProblems(fields, 'amount', currency))
  return { amountMinor: amountMinorOf(amount, currency) }
}

export const VOID = defineInput(() => ({
  amount: amountText.optional().describe('How much is released; everything by default.'),
  metadata: metadata.describe('Accepted without effect.'),
}))

/** The amount of an authorization to release, in minor units; null for the whole rest. */
export function readVoidInput(body: ParsedBody, currency: string): { amountMinor: number | null } {
  const { amount } = readInput(VOID, body, (fields) => amountProblems(fields, 'amount', currency))
  return { amountMinor: amount === undefined ? null : amountMinorOf(amount, currency) }
}

export const REFUND = defineInput((scalars) => ({
  amount: amountText.optional().describe('How much is given back; all that is left by default.'),
  invoice_detail_ids: detailIds.describe(
    'The lines to give back: their sum is the amount. Each line once; leave the field out for everything.',
  ),
  ...refundInput(scalars),
}))

/** The amount to refund, in minor units; null for the whole rest. */
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

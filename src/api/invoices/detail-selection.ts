import { z } from 'zod'
import { otherKindIn } from '../../../domain/identifiers.ts'
import { selectionAmountMinor } from '../../../domain/invoice-detail.ts'
import { invalidField } from '../../http/input/input.ts'
import { DETAILS_MAX, TOO_MANY_DETAILS } from '../../objects/invoice.ts'
import { coded, expecting } from '../../objects/taken.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'

/**
 * Ids of the invoice's lines. A program that found none must not move everything: so an empty list, which forms write as an
 * empty text, is refused.
 */
export const detailIds = coded(
  z
    .preprocess(
      (ids) => (ids === '' ? [] : ids),
      z
        .array(
          z.string('must be the id of an invoice detail').superRefine((id, { addIssue }) => {
            const other = otherKindIn(id, 'invoiceDetail')
            if (other !== null) addIssue(other)
          }),
          expecting('a list of ids'),
        )
        .min(1, 'names no line; leave it out for everything')
        .max(DETAILS_MAX, TOO_MANY_DETAILS)
        .optional(),
    )
    .optional()
    .transform((ids) => ids ?? null),
  { invalid: 'request.validation.invalid-id' },
)

export interface DetailSelection {
  /** Null means the whole rest. */
  amountMinor: number | null
  detailIds: string[] | null
}

/**
 * The part to capture or refund: the selected lines and their sum, which an amount beside them must equal.
 *
 * @throws ApiError where a line is not one of the invoice, or the amounts differ.
 */
export function detailSelection(
  details: readonly InvoiceDetailRow[],
  ids: string[] | null,
  given: { name: string; amountMinor: number | null },
): DetailSelection {
  if (ids === null) return { amountMinor: given.amountMinor, detailIds: null }
  const selection = selectionAmountMinor(details, ids)
  if (selection.kind === 'problem') throw invalidField('invoice_detail_ids', selection.message, selection.code)
  if (given.amountMinor !== null && given.amountMinor !== selection.amountMinor) {
    const message = 'is not what the chosen lines of the invoice come to'
    throw invalidField(given.name, message, 'request.validation.invalid-amount')
  }
  return { amountMinor: selection.amountMinor, detailIds: ids }
}

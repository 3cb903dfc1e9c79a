import type { AuthorizeCommand } from '../../domain/command.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findDetails } from './records/details.ts'
import { type Refusal, refusal } from './refusal.ts'

type FoundDetails = Awaited<ReturnType<typeof findDetails>>

/** Why lines that were chosen cannot make up this amount; null where they do. */
export function selectionProblem(found: FoundDetails, amountMinor: number): Refusal | null {
  if ('code' in found) return refusal(found.code, `invoice_detail_ids ${found.message}.`)
  return found.amountMinor === amountMinor
    ? null
    : refusal('request.validation.invalid-amount', 'The amount is not that of the chosen lines.')
}

/**
 * Why what is to be captured after an authorization cannot be: its invoice may have been changed since the request was
 * read. Asked before anything is reserved.
 */
export async function refuseSelection(
  em: EntityManager,
  invoice: InvoiceRow,
  { capture, autoCaptureAmountMinor, autoCaptureDetailIds }: AuthorizeCommand,
  amountMinor: number,
): Promise<Refusal | null> {
  const wanted = capture === null ? autoCaptureAmountMinor : capture.amountMinor
  if (wanted === null) return null
  if (wanted <= 0 || wanted > amountMinor)
    return refusal(
      'request.validation.invalid-amount',
      'What is to be captured must lie within the amount of the invoice.',
    )
  const ids = capture === null ? autoCaptureDetailIds : capture.detailIds
  return ids === null ? null : selectionProblem(await findDetails(em, invoice, invoice.id, ids, 'capture'), wanted)
}

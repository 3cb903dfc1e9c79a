import type { Transaction } from '../../../../node/src/generated/schemas.ts'
import { lessOf } from '../../words/format.ts'

/** What is reserved of a payment and not captured yet. */
export function reservedOf({ authorized_amount, captured_amount, voided_amount, currency }: Transaction): string {
  return lessOf(lessOf(authorized_amount, captured_amount, currency), voided_amount, currency)
}

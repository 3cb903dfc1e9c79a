import type { Refused } from './command.ts'
import type { ErrorCode } from './errors.ts'
import { linesOf, type Payment } from './payment.ts'

/** The terms of an authorization that a call names; null or false where it leaves them open. */
export interface NamedTerms {
  incremental: boolean
  autoCaptureAt: number | null
  detailIds: string[] | null
  amountMinor: number | null
}

interface Rule {
  contradicts(payment: Payment, named: NamedTerms): boolean
  code: ErrorCode
  message: string
}

/** The answer to a call that wants an existing payment to be incremental, and it is not. */
export const NOT_INCREMENTAL = {
  code: 'request.validation.invalid-state',
  message:
    'The payment was authorized without incremental, and that cannot be changed. Leave incremental out, or void the payment and create a new invoice.',
} as const

const RULES: readonly Rule[] = [
  {
    contradicts: (payment, { incremental }) => incremental && !payment.incremental,
    ...NOT_INCREMENTAL,
  },
  {
    contradicts: (payment, { autoCaptureAt }) => autoCaptureAt !== null && payment.autoCaptureAt !== autoCaptureAt,
    code: 'request.validation.invalid-date',
    message:
      'The payment exists already, and auto_capture_at is not the instant of its capture. POST /invoices/{id}/capture moves a scheduled capture once the payment is authorized.',
  },
  {
    contradicts: (payment, { detailIds }) =>
      detailIds !== null && linesOf(payment) !== linesOf({ autoCaptureDetailIds: detailIds }),
    code: 'request.validation.invalid-id',
    message:
      'The payment exists already, and invoice_detail_ids are not the lines of its capture. Send them with auto_capture_at, or to POST /invoices/{id}/capture.',
  },
  {
    contradicts: (payment, { amountMinor }) => amountMinor !== null && payment.autoCaptureAmountMinor !== amountMinor,
    code: 'request.validation.invalid-amount',
    message:
      'The payment exists already, and capture_amount is not the amount of its scheduled capture. Send it with auto_capture_at, or to POST /invoices/{id}/capture.',
  },
]

/**
 * Why an authorization of an existing payment is refused; null if it may be answered with the payment's state. A repeat of
 * the first call names the terms of the payment. A call with other terms must not be answered as if they applied.
 */
export function contradictionOf(payment: Payment, named: NamedTerms): Refused | null {
  const rule = RULES.find(({ contradicts }) => contradicts(payment, named))
  return rule === undefined ? null : { kind: 'refused', code: rule.code, message: rule.message }
}

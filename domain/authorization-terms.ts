import type { AuthorizationTerm, AuthorizeCommand } from './command.ts'
import type { ErrorCode } from './errors.ts'
import { linesOf, type Payment } from './payment.ts'

interface Rule {
  holds(payment: Payment, command: AuthorizeCommand): boolean
  code: ErrorCode
  message: string
}

/** The answer to a call that wants an existing payment to be incremental, and it is not. */
export const NOT_INCREMENTAL = {
  code: 'request.validation.invalid-state',
  message:
    'The payment was authorized without incremental, and that cannot be changed. Leave incremental out, or void the payment and create a new invoice.',
} as const

const RULES: Readonly<Record<AuthorizationTerm, Rule>> = {
  incremental: {
    holds: (payment, command) => payment.incremental === command.incremental,
    ...NOT_INCREMENTAL,
  },
  auto_capture_at: {
    holds: (payment, command) => payment.autoCaptureAt === command.autoCaptureAt,
    code: 'request.validation.invalid-date',
    message:
      'The payment exists already, and auto_capture_at is not the instant of its capture. POST /invoices/{id}/capture moves a scheduled capture once the payment is authorized.',
  },
  invoice_detail_ids: {
    holds: (payment, command) => linesOf(payment) === linesOf(command),
    code: 'request.validation.invalid-id',
    message:
      'The payment exists already, and invoice_detail_ids are not the lines of its capture. Send them with auto_capture_at, or to POST /invoices/{id}/capture.',
  },
  capture_amount: {
    holds: (payment, command) => payment.autoCaptureAmountMinor === command.autoCaptureAmountMinor,
    code: 'request.validation.invalid-amount',
    message:
      'The payment exists already, and capture_amount is not the amount of its scheduled capture. Send it with auto_capture_at, or to POST /invoices/{id}/capture.',
  },
}

/**
 * Why an authorization of an existing payment is refused; null if it may be answered with the payment's state. A repeat of
 * the first call names the terms of the payment. A call with other terms must not be answered as if they applied.
 */
export function contradictionOf(
  payment: Payment,
  command: AuthorizeCommand,
): { code: ErrorCode; message: string } | null {
  const term = (command.named ?? []).find((name) => !RULES[name].holds(payment, command))
  return term === undefined ? null : { code: RULES[term].code, message: RULES[term].message }
}

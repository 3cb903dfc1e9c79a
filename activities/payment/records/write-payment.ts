import { activeAttempts, type Payment } from '../../../domain/payment.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { toColumns } from '../../../src/persistence/queries/payments/payment-rows.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'

type Clocked = Pick<PaymentActivityDeps, 'clock'>

/**
 * Writes a transaction: the columns that follow from the payment, with the facts of this change. Nothing else writes the
 * columns of a payment.
 *
 * @param facts columns that are not part of `Payment`
 */
export function writePayment(
  { clock }: Clocked,
  unit: Unit,
  transaction: TransactionRow,
  payment: Payment,
  facts: Partial<TransactionRow> = {},
): void {
  unit.update(transaction, { ...toColumns(payment), ...facts, updatedAt: clock.now() })
}

/** `writePayment` after an answer of a gateway, which leaves outcomes open or ends them. */
export function writeOutcome(
  deps: Clocked,
  unit: Unit,
  transaction: TransactionRow,
  payment: Payment,
  facts: Partial<TransactionRow> = {},
): void {
  writePayment(deps, unit, transaction, payment, { outcomeUnknownSince: unknownSince(payment), ...facts })
}

/** Since when an outcome has been open; null while none is. An authorization that waits for its customer is not. */
function unknownSince(payment: Payment): Date | null {
  const open = activeAttempts(payment).filter(({ awaitsCustomerUntil }) => awaitsCustomerUntil === undefined)
  const begun = open.map(({ begunAt }) => begunAt)
  return begun.length === 0 ? null : new Date(Math.min(...begun))
}

/** What gateways have said of the tries of a payment; a new try begins without it. */
export const NOTHING_SAID = {
  customerAction: null,
  cardChecks: null,
  authentication: null,
  errorCode: null,
  errorMessage: null,
  recommendationCode: null,
  merchantAdviceCode: null,
  retryAfter: null,
} as const satisfies Partial<TransactionRow>

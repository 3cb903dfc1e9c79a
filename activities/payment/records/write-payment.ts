import { outcomeUnknownSince } from '../../../domain/attention.ts'
import type { Payment } from '../../../domain/payment.ts'
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
  const since = outcomeUnknownSince(payment)
  const unknown = { outcomeUnknownSince: since === null ? null : new Date(since) }
  writePayment(deps, unit, transaction, payment, { ...unknown, ...facts })
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

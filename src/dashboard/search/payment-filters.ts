import { TRANSACTION_STATUSES } from '../../../domain/transaction.ts'
import type { SqlCondition, SqlValue } from '../../persistence/queries/lists/list-conditions.ts'
import { NEEDS_ATTENTION } from '../../persistence/queries/payments/attention.ts'

/**
 * How the value of a filter is written: `keyword` is compared whole, `words` are some of a list, separated by commas, an
 * `amount` is one of the currency that is filtered by as well, and a `mark` is `true`. An `instant` may be a day, which
 * stands for its beginning in UTC.
 */
export type PaymentFilterKind = 'keyword' | 'words' | 'currency' | 'amount' | 'instant' | 'gateway' | 'mark'

interface PaymentFilter {
  kind: PaymentFilterKind
  /** What a payment meets, with a `?` for the value; where several are given, for one of them. A `mark` has no value. */
  sql: string
  /** Of `words`: all of them. */
  words?: readonly string[]
  /**
   * How it takes part in a search: one that `drives` has an index in the order of time, one that `bounds` holds within
   * every index. The others are applied to the payments that come.
   */
  role?: 'drives' | 'bounds'
  /** Its index is that of `payment_status`. */
  isOfStatus?: true
}

/** What the payments of the dashboard are filtered by. Of those that drive, the first one that is given does. */
export const PAYMENT_FILTERS = {
  /** The code of the last failure. */
  error_code: { kind: 'keyword', sql: 'error_code = ?', role: 'drives' },
  needs_attention: { kind: 'mark', sql: NEEDS_ATTENTION, role: 'drives' },
  status: { kind: 'words', sql: 'status = ?', words: TRANSACTION_STATUSES, role: 'drives', isOfStatus: true },
  partly_captured: { kind: 'mark', sql: 'captured_minor > 0 and captured_minor < authorized_minor' },
  created_from: { kind: 'instant', sql: 'created_at >= ?', role: 'bounds' },
  created_to: { kind: 'instant', sql: 'created_at < ?', role: 'bounds' },
  currency: { kind: 'currency', sql: 'currency = ?' },
  amount_from: { kind: 'amount', sql: 'amount_minor >= ?' },
  amount_to: { kind: 'amount', sql: 'amount_minor <= ?' },
  gateway_configuration_id: { kind: 'gateway', sql: 'gateway_configuration_id = ?' },
} as const satisfies Readonly<Record<string, PaymentFilter>>

export type PaymentFilterName = keyof typeof PAYMENT_FILTERS

/** The values of each filter that is given. Of `words` there may be several, of which one must hold. */
export type GivenPaymentFilters = Readonly<Partial<Record<PaymentFilterName, readonly SqlValue[]>>>

export interface PaymentCondition extends Pick<PaymentFilter, 'role' | 'isOfStatus'> {
  /** One of them must hold. */
  branches: readonly SqlCondition[]
}

/** The conditions of the filters that are given, in the order of the table. All of them must hold. */
export function conditionsOf(given: GivenPaymentFilters): PaymentCondition[] {
  return paymentFilters().flatMap(([name, { kind, sql, ...which }]) => {
    const values = given[name]
    if (values === undefined) return []
    return [{ ...which, branches: values.map((value) => ({ sql, values: kind === 'mark' ? [] : [value] })) }]
  })
}

export function paymentFilters(): [PaymentFilterName, PaymentFilter][] {
  return Object.entries(PAYMENT_FILTERS) as [PaymentFilterName, PaymentFilter][]
}

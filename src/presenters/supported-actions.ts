import { INCREMENT_ATTEMPTS_MAX } from '../../domain/decision.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'

export type SupportedAction = 'capture' | 'partial_capture' | 'void' | 'partial_void' | 'increment_authorization'

/**
 * What the merchant may still ask for, so that a flow can see that, for one, no increment is possible and adapt.
 * While an attempt is under way nothing else may touch the payment.
 */
export function supportedActions(row: TransactionRow): SupportedAction[] {
  if (row.status !== 'authorized' || row.attemptInFlightId != null) return []
  const isIncrementable = row.incremental && row.capturedMinor === 0 && row.incrementAttempts < INCREMENT_ATTEMPTS_MAX
  const always: SupportedAction[] = ['capture', 'partial_capture', 'void', 'partial_void']
  return isIncrementable ? [...always, 'increment_authorization'] : always
}

import type { ClockMove } from '../../domain/test-clock.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentTransaction } from './transaction.ts'
import { presentTimestamp } from './values.ts'

const INCOMPLETE =
  'Not everything due has happened in time. Repeat the request with its Idempotency-Key to continue to the target of the clock.'

/** The answer to an advance of a payment's clock: the payment afterwards, and the time that it is for it, in epoch ms. */
export function presentClockAdvance(
  transaction: TransactionRow,
  { target }: Pick<ClockMove, 'target'>,
  { time, isComplete }: { time: number; isComplete: boolean },
) {
  return {
    success: true,
    outcome: isComplete ? 'success' : 'pending',
    ...(isComplete ? {} : { message: INCOMPLETE }),
    transaction: presentTransaction(transaction),
    clock: { now: presentTimestamp(new Date(time)), target: presentTimestamp(new Date(target)) },
  }
}

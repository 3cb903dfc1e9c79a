import { nextLookUp } from '../../../../domain/look-up.ts'
import { nextDue, type Payment } from '../../../../domain/payment.ts'
import { type ClockMove, paymentTime } from '../../../../domain/test-clock.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import { inTurn } from '../../in-turn.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { type FoundPayment, findPayment } from './find-payment.ts'
import { openPayment } from './open-payment.ts'
import { paymentOf, toColumns } from './payment-rows.ts'

export interface ClockOwner extends Scope {
  invoiceId: string
}

/** The clock of a payment, as the record has it. */
export interface RecordedClock {
  /** Epoch ms. */
  time: number
  /** Whether a step of the payment becomes due at some time. */
  isAwaiting: boolean
}

export async function readClock(em: EntityManager, owner: ClockOwner, now: Date): Promise<RecordedClock> {
  const payment = begun(await findPayment(em, owner)).payment
  return {
    time: paymentTime(payment, now.getTime()),
    isAwaiting: nextDue(payment) !== null || nextLookUp(payment) !== null,
  }
}

/**
 * Begins an advance of a payment's clock, unless another one is under way.
 *
 * @param targetOf the instant to move to, by the payment's time; both in epoch ms. A repeated request goes on to the
 *   instant of the first one.
 */
export function beginMove(
  em: EntityManager,
  owner: ClockOwner,
  { now, heldUntil, key }: { now: Date; heldUntil: Date; key: string | null },
  targetOf: (time: number) => number,
): Promise<ClockMove | 'busy'> {
  return changeClock<ClockMove | 'busy'>(em, owner, (row) => {
    const { clockMove: last = null } = row
    if (last !== null && last.heldUntil > now.getTime()) return { result: 'busy', changes: {} }
    const isRepeated = key !== null && last?.key === key
    const target = isRepeated ? last.target : targetOf(paymentTime(row, now.getTime()))
    const move: ClockMove = { target, heldUntil: heldUntil.getTime(), key }
    return { result: move, changes: { clockMove: move } }
  })
}

/** Lets the next advance begin. An advance that has not reached its target is kept, so that it can be repeated. */
export function endMove(em: EntityManager, owner: ClockOwner, move: ClockMove, isComplete: boolean): Promise<void> {
  return changeClock(em, owner, ({ clockMove }) => {
    const isOurs = clockMove?.heldUntil === move.heldUntil
    const rest = isComplete ? null : { ...move, heldUntil: 0 }
    return { result: undefined, changes: isOurs ? { clockMove: rest } : {} }
  })
}

/** Puts the clock of a payment forward to an instant, in epoch ms. It never goes back. */
export function putForward(em: EntityManager, owner: ClockOwner, time: number, now: Date): Promise<void> {
  return changeClock(em, owner, (row, payment) => {
    const clockOffsetMs = Math.max(row.clockOffsetMs, time - now.getTime())
    return { result: undefined, changes: { ...toColumns({ ...payment, clockOffsetMs }), updatedAt: now } }
  })
}

function changeClock<Result>(
  em: EntityManager,
  owner: ClockOwner,
  change: (row: TransactionRow, payment: Payment) => { result: Result; changes: Partial<TransactionRow> },
): Promise<Result> {
  const changing = async (inner: EntityManager) => {
    const { row, payment } = begun(await openPayment(inner, owner))
    const { result, changes } = change(row, payment)
    await inner.nativeUpdate(TransactionEntity, { id: row.id }, changes)
    return result
  }
  return inTurn(em, owner.invoiceId, () => em.fork().transactional(changing))
}

/** A payment has a clock from its first attempt on. */
function begun(found: FoundPayment | null): { row: TransactionRow; payment: Payment } {
  if (found === null || found.transaction === null) throw new Error('Nothing was begun that could have a clock.')
  return { row: found.transaction, payment: paymentOf(found.invoice, found.transaction) }
}

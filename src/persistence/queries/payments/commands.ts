import type { CommandBlocks } from '../../../../domain/block-reason.ts'
import type { Command, VoidCommand } from '../../../../domain/command.ts'
import { decidePay } from '../../../../domain/pay.ts'
import { hasSchedule } from '../../../../domain/payment.ts'
import { paymentTime } from '../../../../domain/test-clock.ts'
import { PRODUCTION_WAITS, type Waits } from '../../../waits.ts'
import { isLockTimeout } from '../../database-error.ts'
import type { OperationRow } from '../../entities/operation.ts'
import type { TransactionRow } from '../../entities/transaction.ts'
import { WithdrawnCommandEntity } from '../../entities/withdrawn-command.ts'
import { inTurn } from '../../in-turn.ts'
import type { EntityManager } from '../../orm.ts'
import { type FoundPayment, findPayment } from './find-payment.ts'
import { openPayment } from './open-payment.ts'
import { finalResultOf, findLastAttempt } from './operations.ts'
import { paymentOf, termsOf } from './payment-rows.ts'

/** Reads what may stop a command, under the lock of the payment and before the command begins. */
export async function findCommandBlocks(
  em: EntityManager,
  { projectId, operationId }: { projectId: string; operationId: string },
): Promise<CommandBlocks> {
  const [found] = await em.execute<CommandBlocks[]>(
    `select suspended_at is not null as "isSuspended",
            exists (select from withdrawn_command where operation_id = ?) as "isWithdrawn"
       from project where id = ?`,
    [operationId, projectId],
  )
  return found ?? { isWithdrawn: false, isSuspended: false }
}

/** The state of a command whose caller stopped waiting. */
export type Withdrawal =
  /** The command has not begun, and now never will. */
  | { kind: 'withdrawn' }
  /**
   * The command has begun: its attempt is written. `result` is null while it has none. Of a sale: the last step that has
   * begun.
   */
  | { kind: 'begun'; result: OperationRow | null; isCapture: boolean }
  /** The command writes no attempt, and the payment shows that it is done. */
  | { kind: 'done' }

interface Withdrawing {
  projectId: string
  sandbox: boolean
  invoiceId: string
  operationId: string
  /** Of a sale: its second step. */
  captureOperationId?: string | null
  /** Of a command that writes no attempt: whether the payment shows that it is done. */
  isDone?: (payment: FoundPayment) => boolean
  now: Date
}

/** Makes the withdrawal of a command. */
export function makeWithdrawal(
  owner: { projectId: string; sandbox: boolean; invoiceId: string },
  command: Command,
  now: Date,
): Withdrawing {
  return {
    ...owner,
    operationId: command.operationId,
    captureOperationId: command.kind === 'pay' ? command.captureOperationId : null,
    isDone: (payment) => isShown(command, payment, now),
    now,
  }
}

/** Whether the payment itself shows that a command is done which may write no attempt. */
function isShown(command: Command, { invoice, transaction }: FoundPayment, now: Date): boolean {
  switch (command.kind) {
    case 'pay': {
      const payment = paymentOf(invoice, transaction)
      const at = paymentTime(transaction, now.getTime())
      const { command: meant } = decidePay(command, payment, termsOf(invoice, transaction), at)
      return meant?.kind === 'schedule-capture' && hasSchedule(payment, meant)
    }
    case 'schedule-capture':
      return hasSchedule(paymentOf(invoice, transaction), command)
    case 'void':
      // Where the outcome of the authorization is unknown, a void gives it up without an attempt of its own.
      return transaction?.status === 'voided' && isVoidOfAll(command, transaction)
    default:
      return false
  }
}

/** Whether a void is of everything: without an amount, or with that of the authorization that was given up. */
function isVoidOfAll({ amountMinor }: VoidCommand, transaction: TransactionRow): boolean {
  const isGivenUp = transaction.authorizedMinor === 0
  return amountMinor === null || (isGivenUp && amountMinor === transaction.amountMinor)
}

/** Runs under the lock of the payment, for a command that has begun. */
type WhenBegun = (em: EntityManager, result: OperationRow | null, isCapture: boolean) => Promise<void>

/**
 * Withdraws a command, unless it has begun. Beginning and withdrawing take the same lock of the command (see
 * `hold_commands`), so that exactly one of them happens: also where messages between the caller and the workflow were lost,
 * and while another process holds the payment. Where the command has begun, `whenBegun` can keep the answer under the lock
 * of the payment, before the payment changes again. Where the payment cannot be locked, nothing is kept here, and the step
 * that has begun keeps its own answer.
 *
 * @param waits how long to wait for a command that is just beginning.
 * @throws an error that `isLockTimeout` recognizes, where the command is beginning and does not finish in time.
 */
export async function withdrawCommand(
  em: EntityManager,
  withdrawing: Withdrawing,
  whenBegun: WhenBegun | null = null,
  { beginningMs }: Pick<Waits, 'beginningMs'> = PRODUCTION_WAITS,
): Promise<Withdrawal> {
  const withdrawal = await em.fork().transactional(async (transaction) => {
    await transaction.execute(`set local lock_timeout = ${beginningMs}`)
    return withdraw(transaction, withdrawing)
  })
  if (withdrawal.kind !== 'begun' || whenBegun === null) return withdrawal
  // A begun command stays begun, so its lock is not needed any more, and waiting for the payment is safe.
  try {
    return await inTurn(em, withdrawing.invoiceId, () =>
      em.fork().transactional(async (transaction) => {
        if ((await openPayment(transaction, withdrawing)) === null) return withdrawal
        const begun = await findBegun(transaction, withdrawing)
        if (begun === null) return withdrawal
        await whenBegun(transaction, begun.result, begun.isCapture)
        return begun
      }),
    )
  } catch (error) {
    if (isLockTimeout(error)) return withdrawal
    throw error
  }
}

async function withdraw(em: EntityManager, withdrawing: Withdrawing): Promise<Withdrawal> {
  const { projectId, sandbox, invoiceId, operationId, now } = withdrawing
  await em.execute('select hold_commands(array[?])', [operationId])
  const begun = await findBegun(em, withdrawing)
  if (begun !== null) return begun
  const payment = withdrawing.isDone === undefined ? null : await findPayment(em, withdrawing)
  if (payment !== null && withdrawing.isDone?.(payment)) return { kind: 'done' }
  await em.upsert(WithdrawnCommandEntity, { operationId, projectId, sandbox, invoiceId, createdAt: now })
  return { kind: 'withdrawn' }
}

async function findBegun(
  em: EntityManager,
  { projectId, sandbox, operationId, captureOperationId = null }: Withdrawing,
): Promise<Extract<Withdrawal, { kind: 'begun' }> | null> {
  const rowsOf = (id: string) => findLastAttempt(em, { projectId, sandbox }, id)
  const ofCapture = captureOperationId === null ? [] : await rowsOf(captureOperationId)
  const isCapture = ofCapture.length > 0
  const rows = isCapture ? ofCapture : await rowsOf(operationId)
  return rows.length === 0 ? null : { kind: 'begun', result: finalResultOf(rows), isCapture }
}

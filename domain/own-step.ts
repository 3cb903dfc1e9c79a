import { cancellationHindrance } from './cancellation.ts'
import type { Command } from './command.ts'
import { nextDue, type Payment } from './payment.ts'

/**
 * Whether the workflow has made the step itself: its timer, or because it was cancelled. Such steps have no signature; they
 * are checked against the record.
 */
export function isOwnStep(command: Command): boolean {
  return command.actor === 'scheduler' || isCancellation(command)
}

/** Whether the step is the void for which somebody has cancelled the workflow. */
export function isCancellation(command: Command): boolean {
  return command.kind === 'void' && command.actor === 'staff' && command.reason === 'workflow_cancelled'
}

/**
 * The instant (epoch ms) from which our own step is due, or null if the record does not require exactly this step. A step
 * with another amount, other lines or another reason is not due.
 */
export function dueSince(payment: Payment, command: Command): number | null {
  // `decide` checks against the record that the orphan exists, and takes its amount from there.
  if (command.kind === 'reverse-orphan') return 0
  if (isCancellation(command)) {
    return command.kind === 'void' && command.amountMinor === null && cancellationHindrance(payment) === null ? 0 : null
  }
  // An authorization ends even if its merchant was not notified before.
  const due = nextDue({ ...payment, expiryAnnounced: true })
  if (command.kind === 'void') {
    const isExpiry = command.amountMinor === null && command.reason === 'authorization_expired'
    return due?.kind === 'expiry' && isExpiry ? due.at : null
  }
  if (command.kind !== 'capture' || due?.kind !== 'auto-capture') return null
  const isDue =
    command.amountMinor === due.amountMinor &&
    command.isFinal === due.isFinal &&
    JSON.stringify(command.detailIds) === JSON.stringify(due.detailIds)
  return isDue ? due.at : null
}

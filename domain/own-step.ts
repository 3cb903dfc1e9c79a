import type { Command } from './command.ts'
import { nextDue, type Payment } from './payment.ts'

/** Steps of our own carry no signature: nobody asks for them but the clock, and the record says what it asks for. */
export function isOwnStep({ actor }: Pick<Command, 'actor'>): boolean {
  return actor === 'scheduler'
}

/**
 * The instant from which a step of our own is due on the payment (epoch ms), or null where the record asks for something
 * else or for nothing. A step that differs from what is due in an amount, a line or a word is not due.
 */
export function dueSince(payment: Payment, command: Command): number | null {
  // Whether there is such an orphan, and how much it holds, is decided by the record anyway.
  if (command.kind === 'reverse-orphan') return 0
  // An authorization ends whether its merchant was told of it before or not.
  const due = nextDue({ ...payment, expiryAnnounced: true })
  if (command.kind === 'void') {
    const isExpiry = command.amountMinor === null && command.reason === 'authorization_expired'
    return due?.kind === 'expiry' && isExpiry ? due.at : null
  }
  if (command.kind !== 'capture' || due?.kind !== 'auto-capture') return null
  const isDue =
    command.wantsRest &&
    command.amountMinor === due.amountMinor &&
    command.isFinal === due.isFinal &&
    JSON.stringify(command.detailIds) === JSON.stringify(due.detailIds)
  return isDue ? due.at : null
}

import { describe, expect, test } from '@jest/globals'
import { dueSince } from '../../domain/own-step.ts'
import type { Payment } from '../../domain/payment.ts'
import {
  authorized,
  captureCommand,
  completed,
  expiryCommand,
  fresh,
  incrementCommand,
  inFlight,
  partly,
  payCommand,
  refundCommand,
  reverseOrphanCommand,
  scheduleCommand,
  voidCommand,
  voided,
} from './payment-builders.ts'

const EXPIRES_AT = 7_000_000_000
const CAPTURE_AT = 5_000_000_000
const standing = (values: Partial<Payment> = {}): Payment => ({
  ...authorized(),
  authorizationExpiresAt: EXPIRES_AT,
  expiryAnnounced: true,
  ...values,
})
const scheduled = (values: Partial<Payment> = {}) =>
  standing({ autoCaptureAt: CAPTURE_AT, autoCaptureAmountMinor: 1_000, autoCaptureDetailIds: ['ivd_1'], ...values })
const cancellation = (amountMinor: number | null = null) =>
  voidCommand(amountMinor, { actor: 'staff', reason: 'workflow_cancelled' })
const own = { actor: 'scheduler' as const, detailIds: ['ivd_1'] }

describe('a step of our own', () => {
  test.each([
    ['the scheduled capture', scheduled(), captureCommand(1_000, own), CAPTURE_AT],
    [
      'the scheduled capture of a sale that leaves the rest',
      scheduled({ autoCaptureIsFinal: false }),
      captureCommand(1_000, { ...own, isFinal: false }),
      CAPTURE_AT,
    ],
    [
      'a capture that is tried again later',
      scheduled({ autoCaptureRetryAt: CAPTURE_AT + 10_000 }),
      captureCommand(1_000, own),
      CAPTURE_AT + 10_000,
    ],
    ['the end of the authorization', standing(), expiryCommand(), EXPIRES_AT],
    ['the end whose merchant was never told', standing({ expiryAnnounced: false }), expiryCommand(), EXPIRES_AT],
    ['the void of an orphan, at any time', standing(), reverseOrphanCommand('tr_op_orphan'), 0],
    ['the void of a cancelled workflow', standing(), cancellation(), 0],
    ['the void of a cancelled workflow before its scheduled capture', scheduled(), cancellation(), 0],
  ])('is due as the record says: %s', (_, payment, command, at) => {
    expect(dueSince(payment, command)).toBe(at)
  })

  test.each([
    ['a part at the cancellation of the workflow', standing(), cancellation(1_000)],
    ['the rest of what is captured in part', partly(), cancellation()],
    ['what is captured', completed(), cancellation()],
    ['what is voided', voided(), cancellation()],
    ['what was never authorized', fresh, cancellation()],
    ['an authorization whose outcome is unknown', inFlight('authorization', 'pending'), cancellation()],
    ['an authorization while its capture is under way', inFlight('capture', 'pending-capture'), cancellation()],
    ['a void of staff for no reason', standing(), voidCommand(null, { actor: 'staff' })],
    ['more than is scheduled', scheduled(), captureCommand(1_001, own)],
    ['less than is scheduled', scheduled(), captureCommand(999, own)],
    ['whatever remains, where a part is scheduled', scheduled(), captureCommand(null, own)],
    ['without the lines that are scheduled', scheduled(), captureCommand(1_000, { ...own, detailIds: null })],
    ['other lines than are scheduled', scheduled(), captureCommand(1_000, { ...own, detailIds: ['ivd_2'] })],
    ['a part that keeps the rest open', scheduled(), captureCommand(1_000, { ...own, isFinal: false })],
    ['a capture where none is scheduled', standing(), captureCommand(2_900, { ...own, detailIds: null })],
    ['the end where a capture is scheduled', scheduled(), expiryCommand()],
    ['the end of nothing', standing({ authorizationExpiresAt: null }), expiryCommand()],
    ['the void of a part', standing(), { ...expiryCommand(), amountMinor: 100 }],
    ['a void for no reason', standing(), voidCommand(null, { actor: 'scheduler' })],
    ['a call', standing(), payCommand({ actor: 'scheduler' })],
    ['an increment', standing(), incrementCommand(100, { actor: 'scheduler' })],
    ['a refund', standing(), refundCommand(100, { actor: 'scheduler' })],
    ['another schedule', scheduled(), scheduleCommand({ autoCaptureAt: 1, actor: 'scheduler' })],
  ])('is not due: %s', (_, payment, command) => {
    expect(dueSince(payment, command)).toBeNull()
  })
})

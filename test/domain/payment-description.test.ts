import { describe, expect, test } from '@jest/globals'
import type { CommandAnswer } from '../../domain/command.ts'
import { awaitCustomer } from '../../domain/look-up.ts'
import type { Payment } from '../../domain/payment.ts'
import {
  type CommandSummary,
  describeOutcome,
  describeState,
  summarizeAttempt,
  summarizeCommand,
} from '../../domain/payment-description.ts'
import {
  AT,
  attemptOf,
  authorizeCommand,
  authorized,
  captureCommand,
  completed,
  EXPIRES,
  expiryCommand,
  failed,
  fresh,
  incrementCommand,
  inFlight,
  partly,
  refundCommand,
  reverseOrphanCommand,
  scheduleCommand,
  voidCommand,
  voided,
} from './payment-builders.ts'

const DONE: CommandAnswer = { kind: 'done' }
const PENDING: CommandAnswer = { kind: 'pending' }
const declined = (code: string): CommandAnswer => ({ kind: 'declined', code })

const authorize = summarizeCommand(authorizeCommand())
const capture = summarizeCommand(captureCommand(1_000))
const captureAll = summarizeCommand(captureCommand())
const voidAll = summarizeCommand(voidCommand())
const UNKNOWN = inFlight('authorization', 'pending')
const PARTLY_CAPTURED = completed({ capturedMinor: 1_000, voidedMinor: 1_900 })
const LAPSED = voided({ authorizedMinor: 2_900, voidedMinor: 2_900, expired: true })
const RELEASED = voided({ authorizedMinor: 2_900, voidedMinor: 2_900 })
const EXPIRY = summarizeCommand(expiryCommand())
const HELD = authorized()
const refund = summarizeCommand(refundCommand(900))
const schedule = summarizeCommand(scheduleCommand({ autoCaptureAt: EXPIRES }))
const orphan = summarizeCommand(reverseOrphanCommand('tr_op_2'))

const OUTCOMES: [told: string, asked: CommandSummary, answer: CommandAnswer, before: Payment | null, after: Payment][] =
  [
    ['authorized EUR 29.00', authorize, DONE, fresh, HELD],
    ['authorized EUR 20.00 of EUR 29.00', authorize, DONE, null, authorized({ authorizedMinor: 2_000 })],
    ['authorized EUR 29.00, captured EUR 29.00', authorize, DONE, fresh, completed()],
    [
      'authorization of EUR 29.00 declined: card.do-not-honor (The issuer declined the payment and gave no reason.)',
      authorize,
      declined('card.do-not-honor'),
      fresh,
      failed,
    ],
    [
      'the outcome of the authorization of EUR 29.00 is not known yet, it will be looked up',
      authorize,
      PENDING,
      fresh,
      UNKNOWN,
    ],
    [
      'waits for the customer to authenticate with 3-D Secure',
      authorize,
      PENDING,
      fresh,
      awaitCustomer(inFlight('authorization', 'waiting'), 'tr_op_0', AT),
    ],
    ['captured EUR 10.00 of EUR 29.00, EUR 19.00 released', capture, DONE, HELD, PARTLY_CAPTURED],
    ['captured EUR 10.00 of EUR 29.00', capture, DONE, HELD, partly()],
    ['captured EUR 10.00 of EUR 29.00, EUR 20.00 in all', capture, DONE, partly(), partly({ capturedMinor: 2_000 })],
    ['captured EUR 29.00 of EUR 29.00', captureAll, DONE, HELD, completed()],
    ['captured EUR 29.00 of EUR 29.00', captureAll, DONE, null, completed()],
    [
      'captured EUR 10.00 of EUR 29.00, EUR 10.00 released',
      capture,
      DONE,
      authorized({ voidedMinor: 900 }),
      PARTLY_CAPTURED,
    ],
    [
      'capture of EUR 10.00 declined: gateway.timeout (The gateway timed out and did nothing.); tried again at 2026-11-21 09:00:00 UTC',
      capture,
      declined('gateway.timeout'),
      HELD,
      authorized({ autoCaptureRetryAt: AT }),
    ],
    ['capture declined: made-up.code', captureAll, declined('made-up.code'), HELD, HELD],
    [
      'the outcome of the capture of EUR 10.00 is not known yet, it will be looked up',
      capture,
      PENDING,
      HELD,
      inFlight('capture', 'pending-capture'),
    ],
    [
      'capture of EUR 10.00 refused, nothing was done: It is too much. (request.validation.invalid-amount)',
      capture,
      { kind: 'refused', code: 'request.validation.invalid-amount', message: 'It is too much.' },
      HELD,
      HELD,
    ],
    ['nothing to do, the payment is authorized', authorize, { kind: 'unchanged' }, HELD, HELD],
    [
      'nothing was done, another refund of EUR 9.00 with the same idempotency key came first',
      refund,
      { kind: 'duplicate' },
      completed(),
      completed(),
    ],
    ['voided EUR 29.00 of EUR 29.00', voidAll, DONE, HELD, RELEASED],
    ['voided EUR 20.00 of EUR 29.00, EUR 29.00 in all', voidAll, DONE, authorized({ voidedMinor: 900 }), RELEASED],
    [
      'gave the authorization up; a late approval will be voided',
      voidAll,
      DONE,
      UNKNOWN,
      { ...fresh, status: 'voided' },
    ],
    ['the authorization expired, EUR 29.00 released', EXPIRY, DONE, HELD, LAPSED],
    ['the authorization expired, EUR 24.00 released', EXPIRY, DONE, authorized({ voidedMinor: 500 }), LAPSED],
    // The gateway says that nothing is left to void: the money is free.
    ['the authorization expired, EUR 29.00 released', EXPIRY, declined('gateway.expired'), HELD, LAPSED],
    [
      'authorized EUR 5.00 more, EUR 34.00 in all',
      summarizeCommand(incrementCommand(500)),
      DONE,
      HELD,
      authorized({ authorizedMinor: 3_400 }),
    ],
    ['refunded EUR 9.00 of EUR 29.00', refund, DONE, completed(), completed({ refundedMinor: 900 })],
    // The first step of a run that begins for it, months later.
    ['refunded EUR 9.00 of EUR 29.00', refund, DONE, null, completed({ refundedMinor: 900 })],
    [
      'refunded EUR 20.00 of EUR 29.00, EUR 29.00 in all',
      summarizeCommand(refundCommand(null)),
      DONE,
      completed({ refundedMinor: 900 }),
      completed({ refundedMinor: 2_900 }),
    ],
    [
      'capture of EUR 20.00 scheduled at 2026-11-28 09:00:00 UTC',
      schedule,
      DONE,
      HELD,
      authorized({ autoCaptureAt: EXPIRES, autoCaptureAmountMinor: 2_000 }),
    ],
    [
      'capture of all that remains scheduled at 2026-11-28 09:00:00 UTC',
      schedule,
      DONE,
      HELD,
      authorized({ autoCaptureAt: EXPIRES }),
    ],
    ['the scheduled capture is cancelled', schedule, DONE, authorized({ autoCaptureAt: EXPIRES }), HELD],
    ['reversed an unwanted authorization', orphan, DONE, HELD, HELD],
    [
      'reversed an unwanted authorization of EUR 29.00',
      summarizeAttempt(attemptOf({ type: 'void', amountMinor: 2_900, reverses: 'tr_op_2' })),
      DONE,
      HELD,
      HELD,
    ],
    [
      'refunded EUR 9.00 of EUR 29.00',
      summarizeAttempt(attemptOf({ type: 'refund', amountMinor: 900 })),
      DONE,
      completed(),
      completed({ refundedMinor: 900 }),
    ],
  ]

test.each(OUTCOMES)('an outcome reads: %s', (told, asked, answer, before, after) => {
  expect(describeOutcome(asked, answer, before, after)).toBe(told)
})

describe('the state of a payment reads', () => {
  test.each<[string, Payment]>([
    ['EUR 29.00 invoiced, nothing requested yet', fresh],
    ['failed: nothing of EUR 29.00 authorized', failed],
    ['waiting: nothing of EUR 29.00 authorized', awaitCustomer(inFlight('authorization', 'waiting'), 'tr_op_0', AT)],
    ['outcome unknown: authorization of EUR 29.00 (pending)', UNKNOWN],
    [
      'voided: the authorization of EUR 29.00 closed without an outcome',
      { ...fresh, status: 'voided', attemptsInFlight: [attemptOf({ type: 'authorization', isAbandoned: true })] },
    ],
    [
      'outcome unknown: capture of EUR 10.00 (pending-capture), EUR 29.00 authorized, nothing captured',
      { ...HELD, status: 'pending-capture', attemptsInFlight: [attemptOf({ type: 'capture', amountMinor: 1_000 })] },
    ],
    ['authorized: EUR 29.00 authorized, nothing captured', HELD],
    ['completed: EUR 10.00 of EUR 29.00 captured, EUR 19.00 released', PARTLY_CAPTURED],
    ['completed: EUR 29.00 of EUR 29.00 captured, EUR 9.00 refunded', completed({ refundedMinor: 900 })],
    ['voided, expired: EUR 29.00 authorized, nothing captured, EUR 29.00 released', LAPSED],
  ])('%s', (told, payment) => {
    expect(describeState(payment)).toBe(told)
  })
})

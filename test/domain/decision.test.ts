import { describe, expect, test } from '@jest/globals'
import type { DecidedCommand } from '../../domain/command.ts'
import { decide, INCREMENT_ATTEMPTS_MAX } from '../../domain/decision.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { largestAmountMinor } from '../../domain/money.ts'
import { CAPTURES_MAX, type Payment } from '../../domain/payment.ts'
import {
  AT,
  authorizeCommand,
  authorized,
  captureCommand,
  completed,
  EXPIRES,
  expiryCommand,
  failed,
  fresh,
  HOUR_MS,
  incrementCommand,
  inFlight,
  partly,
  refundCommand,
  reverseOrphanCommand,
  scheduleCommand,
  short,
  voidCommand,
  voided,
} from './payment-builders.ts'

const INVALID_STATE = 'request.validation.invalid-state'
const INVALID_AMOUNT = 'request.validation.invalid-amount'
const STILL_PROCESSING = 'request.still-processing'
const MISSING_SOURCE = 'request.validation.missing-source'
const EXPIRED = 'gateway.expired'
const DROP = scheduleCommand({ autoCaptureAt: null })

const CAPTURING = inFlight('capture', 'pending-capture')
const UNKNOWN = inFlight('authorization', 'pending')
const NEVER_APPROVED = { authorizedMinor: 0, voidedMinor: 0 }
const WAITING = inFlight('authorization', 'waiting')
const RAISING = inFlight('increment_authorization', 'authorized')
const FINALLY = completed({ capturedMinor: 1_000, voidedMinor: 1_900 })
const RAISABLE = authorized({ incremental: true })
const DISPUTED = partly({ status: 'chargeback-initiated' })
const LATER = scheduleCommand({ autoCaptureAt: AT + HOUR_MS })
const AUTHORIZE = authorizeCommand()
const CAPTURE = captureCommand()
const RAISE = incrementCommand(500)

describe('whether a command may run', () => {
  test.each<[string, Payment, DecidedCommand, ErrorCode | 'unchanged' | 'pending' | 'give up' | number]>([
    ['an authorization without a source', fresh, authorizeCommand({ source: null }), MISSING_SOURCE],
    ['a second authorization', authorized(), AUTHORIZE, 'unchanged'],
    ['an authorization of a paid payment', completed(), AUTHORIZE, 'unchanged'],
    ['an authorization while one is unknown', UNKNOWN, AUTHORIZE, 'unchanged'],
    ['an authorization while a capture is unknown', CAPTURING, AUTHORIZE, 'unchanged'],
    ['an authorization of an invoice that has expired', { ...fresh, payableUntil: AT - 1 }, AUTHORIZE, INVALID_STATE],
    ['another try on an invoice that has expired', { ...failed, payableUntil: AT - 1 }, AUTHORIZE, INVALID_STATE],
    ['an authorization at the last instant of its invoice', { ...fresh, payableUntil: AT }, AUTHORIZE, 2_900],
    ['the first authorization', fresh, AUTHORIZE, 2_900],
    ['an authorization after a failed one', failed, AUTHORIZE, 2_900],

    ['a capture of nothing', fresh, CAPTURE, MISSING_SOURCE],
    ['a capture of a failed payment', failed, CAPTURE, MISSING_SOURCE],
    ['a capture of a voided payment', voided(), CAPTURE, INVALID_STATE],
    ['a capture of an expired payment', voided({ expired: true }), CAPTURE, EXPIRED],
    ['a capture of more than is authorized', authorized(), captureCommand(2_901), INVALID_AMOUNT],
    ['a capture of zero', authorized(), captureCommand(0), INVALID_AMOUNT],
    ['a capture of less than zero', authorized(), captureCommand(-1), INVALID_AMOUNT],
    ['a capture of what was voided', authorized({ voidedMinor: 900 }), captureCommand(2_001), INVALID_AMOUNT],
    ['a capture while the authorization is unknown', UNKNOWN, CAPTURE, STILL_PROCESSING],
    ['a capture while an increment is unknown', RAISING, CAPTURE, STILL_PROCESSING],
    ['a capture while a void is unknown', inFlight('void', 'authorized'), CAPTURE, STILL_PROCESSING],
    ['a partial capture while a capture is unknown', CAPTURING, captureCommand(1), STILL_PROCESSING],
    ['a full capture while a capture is unknown', CAPTURING, CAPTURE, STILL_PROCESSING],
    ['a full capture while one has begun', inFlight('capture', 'authorized'), CAPTURE, STILL_PROCESSING],
    ['a second full capture', completed(), CAPTURE, INVALID_STATE],
    ['a second capture of the same amount', FINALLY, captureCommand(1_000), 'unchanged'],
    ['a second capture of another amount', FINALLY, captureCommand(1_900), INVALID_STATE],
    ['a capture of all', authorized(), CAPTURE, 2_900],
    ['a capture of all that a void left', authorized({ voidedMinor: 900 }), CAPTURE, 2_000],
    ['a capture of a part', authorized(), captureCommand(1), 1],
    ['a capture of exactly what is authorized', authorized(), captureCommand(2_900), 2_900],

    ['an increment of nothing', { ...fresh, incremental: true }, RAISE, INVALID_STATE],
    ['an increment of a payment that is not incremental', authorized(), RAISE, INVALID_STATE],
    ['an increment after the capture', completed({ incremental: true }), RAISE, INVALID_STATE],
    ['an increment of a voided payment', voided({ incremental: true }), RAISE, INVALID_STATE],
    ['an increment by zero', RAISABLE, incrementCommand(0), INVALID_AMOUNT],
    ['an increment by less than zero', RAISABLE, incrementCommand(-500), INVALID_AMOUNT],
    ['an increment beyond safe integers', RAISABLE, incrementCommand(Number.MAX_SAFE_INTEGER), INVALID_AMOUNT],
    [
      'an increment while a capture is under way',
      { ...inFlight('capture', 'authorized'), incremental: true },
      RAISE,
      STILL_PROCESSING,
    ],
    [
      'an eleventh increment',
      authorized({ incremental: true, incrementAttempts: INCREMENT_ATTEMPTS_MAX }),
      RAISE,
      INVALID_STATE,
    ],
    ['an increment while one is unknown', { ...RAISING, incremental: true }, RAISE, STILL_PROCESSING],
    ['a tenth increment', authorized({ incremental: true, incrementAttempts: INCREMENT_ATTEMPTS_MAX - 1 }), RAISE, 500],

    ['a void of nothing', fresh, voidCommand(), INVALID_STATE],
    ['a void of a failed payment', failed, voidCommand(), INVALID_STATE],
    ['a void of a paid payment', completed(), voidCommand(), INVALID_STATE],
    ['a void while a capture is unknown', CAPTURING, voidCommand(), INVALID_STATE],
    ['a void while the authorization is unknown', UNKNOWN, voidCommand(), 'give up'],
    ['a void of all that is unknown', UNKNOWN, voidCommand(2_900), 'give up'],
    ['a void of a part of what is unknown', UNKNOWN, voidCommand(900), INVALID_AMOUNT],
    ['a void while the authorization is asked for', WAITING, voidCommand(), STILL_PROCESSING],
    ['a void while an increment is unknown', RAISING, voidCommand(), STILL_PROCESSING],
    ['a void of more than is authorized', authorized(), voidCommand(2_901), INVALID_AMOUNT],
    ['a void of zero', authorized(), voidCommand(0), INVALID_AMOUNT],
    ['a void of less than zero', authorized(), voidCommand(-1), INVALID_AMOUNT],
    ['a second void', voided(), voidCommand(), 'unchanged'],
    ['a second void of the amount that was voided', voided(), voidCommand(2_900), 'unchanged'],
    ['a second void of all that is unknown', voided(NEVER_APPROVED), voidCommand(2_900), 'unchanged'],
    ['a second void of another amount', voided(), voidCommand(900), INVALID_STATE],
    ['a second void of more than was voided', voided(), voidCommand(99_900), INVALID_STATE],
    ['a void of a part of an expired payment', voided({ expired: true }), voidCommand(900), INVALID_STATE],
    ['a void of a part', authorized(), voidCommand(900), 900],
    ['a void of the rest', authorized({ voidedMinor: 900 }), voidCommand(), 2_000],
    ['a void after the end of the authorization', authorized({ authorizationExpiresAt: AT - 1 }), voidCommand(), 2_900],

    ['a schedule for nothing', fresh, LATER, MISSING_SOURCE],
    ['a schedule for a failed payment', failed, LATER, MISSING_SOURCE],
    ['a schedule for a paid payment', completed(), LATER, INVALID_STATE],
    ['a schedule for the rest', partly(), LATER, 1_900],
    ['a schedule for the rest of a disputed payment', DISPUTED, LATER, INVALID_STATE],
    [
      'a schedule for the rest after the last capture that is allowed',
      partly({ capturesCount: CAPTURES_MAX }),
      LATER,
      INVALID_STATE,
    ],
    ['a drop of the schedule for the rest', partly({ autoCaptureAt: AT }), DROP, 1_900],
    [
      'a drop of the schedule for the rest of a disputed payment',
      partly({ status: 'chargeback-initiated', autoCaptureAt: AT }),
      DROP,
      1_900,
    ],
    ['a schedule for a voided payment', voided(), LATER, INVALID_STATE],
    ['a schedule for an expired payment', voided({ expired: true }), LATER, EXPIRED],
    [
      'a schedule after the end of the authorization',
      authorized(),
      scheduleCommand({ autoCaptureAt: EXPIRES + 1 }),
      'request.validation.invalid-date',
    ],
    [
      'a schedule of more than is authorized',
      authorized(),
      scheduleCommand({ autoCaptureAt: AT + HOUR_MS, autoCaptureAmountMinor: 2_901 }),
      INVALID_AMOUNT,
    ],
    ['a schedule while a capture is unknown', CAPTURING, LATER, STILL_PROCESSING],
    ['a drop of the schedule of an expired payment', voided({ expired: true }), DROP, EXPIRED],
    ['a drop of the schedule', authorized({ autoCaptureAt: AT }), DROP, 2_900],
    [
      'a schedule for the last instant',
      authorized(),
      scheduleCommand({ autoCaptureAt: EXPIRES, autoCaptureAmountMinor: 1_000 }),
      1_000,
    ],
  ])('%s', (_, payment, command, expected) => {
    expect(short(decide(payment, command, AT))).toBe(expected)
  })

  test.each<[string, DecidedCommand]>([
    ['a capture', CAPTURE],
    ['an increment', RAISE],
    ['a schedule', scheduleCommand({ autoCaptureAt: EXPIRES })],
    ['a drop of the schedule', DROP],
  ])('%s runs at the last instant of the authorization, and is expired a millisecond later', (_, command) => {
    const payment = RAISABLE

    expect(short(decide(payment, command, EXPIRES + 1))).toBe(EXPIRED)
    expect(typeof short(decide(payment, command, EXPIRES))).toBe('number')
  })

  test.each<[string, Payment, DecidedCommand, string]>([
    ['a capture of lines that cost nothing', authorized(), captureCommand(0), 'The amount must be more than zero.'],
    [
      'a refund of lines that cost nothing',
      completed(),
      { ...refundCommand(), amountMinor: 0 },
      'The amount must be more than zero.',
    ],
    [
      'a refund of all that is left where nothing is',
      completed({ status: 'refunded', refundedMinor: 2_900 }),
      { ...refundCommand(), amountMinor: null },
      'Nothing is left to refund.',
    ],
    [
      'a refund of a part where nothing is left',
      completed({ status: 'refunded', refundedMinor: 2_900 }),
      { ...refundCommand(), amountMinor: 1 },
      'Nothing is left to refund.',
    ],
    [
      'a refund of more than is left',
      completed({ status: 'partially-refunded', refundedMinor: 900 }),
      { ...refundCommand(), amountMinor: 2_001 },
      'The amount is more than the 20.00 EUR that can still be refunded.',
    ],
    [
      'a refund of 2000 for 20.00',
      completed({ status: 'partially-refunded', refundedMinor: 900 }),
      { ...refundCommand(), amountMinor: 200_000 },
      'The amount is more than the 20.00 EUR that can still be refunded. Amounts are not written in minor units: 2000 of them are 20.00.',
    ],
    [
      'a refund of 29.00 from 9.00, which nobody meant as cents',
      completed({ status: 'partially-refunded', refundedMinor: 2_000 }),
      { ...refundCommand(), amountMinor: 2_900 },
      'The amount is more than the 9.00 EUR that can still be refunded.',
    ],
    [
      'a refund of yen, which have no minor unit',
      completed({ currency: 'JPY' }),
      { ...refundCommand(), amountMinor: 290_000 },
      'The amount is more than the 2900 JPY that can still be refunded.',
    ],
    [
      'a capture of more than is authorized',
      authorized(),
      captureCommand(2_901),
      'The amount is more than the 29.00 EUR that can still be captured.',
    ],
    [
      'a void of more than is authorized',
      authorized(),
      voidCommand(290_000),
      'The amount is more than the 29.00 EUR that can still be voided. Amounts are not written in minor units: 2900 of them are 29.00.',
    ],
    ['a void of nothing', authorized(), voidCommand(0), 'The amount must be more than zero.'],
  ])('%s is refused as what it is', (_, payment, command, message) => {
    expect(decide(payment, command, AT)).toMatchObject({ answer: { kind: 'refused', message } })
  })

  test('the void at the end of an authorization runs after the last instant', () => {
    expect(short(decide(authorized(), expiryCommand(), EXPIRES + 1))).toBe(2_900)
  })

  test('a decision changes nothing', () => {
    const payment = Object.freeze(RAISABLE)

    for (const command of [
      AUTHORIZE,
      CAPTURE,
      incrementCommand(1),
      voidCommand(),
      scheduleCommand({ autoCaptureAt: AT }),
      refundCommand(),
      reverseOrphanCommand('tr_op_0'),
    ]) {
      expect(() => decide(payment, command, AT)).not.toThrow()
    }
  })
})

describe('an increment', () => {
  test('up to the largest amount there is may run, and none beyond it', () => {
    const payment = RAISABLE
    const room = largestAmountMinor('EUR') - payment.authorizedMinor
    expect(decide(payment, incrementCommand(room), AT)).toEqual({ kind: 'proceed', amountMinor: room })
    expect(decide(payment, incrementCommand(room + 1), AT)).toMatchObject({
      answer: { kind: 'refused', code: 'request.validation.invalid-amount' },
    })
  })

  test('of a part that was approved raises the amount of the payment no further than that either', () => {
    const amountMinor = largestAmountMinor('EUR') - 500
    const payment = authorized({ incremental: true, amountMinor, authorizedMinor: 1_000 })
    expect(short(decide(payment, RAISE, AT))).toBe(500)
    expect(short(decide(payment, incrementCommand(501), AT))).toBe(INVALID_AMOUNT)
  })
})

import { describe, expect, test } from '@jest/globals'
import type { AuthorizationTerm, AuthorizeCommand } from '../../domain/command.ts'
import { decide } from '../../domain/decision.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { Payment } from '../../domain/payment.ts'
import { AT, authorizeCommand, authorized, completed, HOUR_MS, inFlight, short } from './payment-builders.ts'

const LATER = AT + HOUR_MS
const scheduled = authorized({ autoCaptureAt: LATER, autoCaptureAmountMinor: 1_000 })
const chosen = authorized({ autoCaptureDetailIds: ['iv_det_1', 'iv_det_2'], autoCaptureAmountMinor: 1_000 })

/** An authorization that says of itself what it names here. */
const naming = (values: Partial<AuthorizeCommand>, ...named: AuthorizationTerm[]) =>
  authorizeCommand({ ...values, named })

describe('an authorization of a payment that exists already', () => {
  test.each<[string, Payment, AuthorizeCommand, ErrorCode | 'unchanged']>([
    ['names nothing', scheduled, authorizeCommand(), 'unchanged'],
    [
      'differs in what it does not name',
      scheduled,
      authorizeCommand({ autoCaptureAt: AT, autoCaptureAmountMinor: 1, incremental: true }),
      'unchanged',
    ],
    ['names the instant that holds', scheduled, naming({ autoCaptureAt: LATER }, 'auto_capture_at'), 'unchanged'],
    [
      'names an instant a millisecond later',
      scheduled,
      naming({ autoCaptureAt: LATER + 1 }, 'auto_capture_at'),
      'request.validation.invalid-date',
    ],
    [
      'names an instant where none is scheduled',
      authorized(),
      naming({ autoCaptureAt: LATER }, 'auto_capture_at'),
      'request.validation.invalid-date',
    ],
    [
      'names an instant while the outcome of the first is unknown',
      inFlight('authorization', 'pending'),
      naming({ autoCaptureAt: LATER }, 'auto_capture_at'),
      'request.validation.invalid-date',
    ],
    [
      'names an instant for a payment that is captured',
      completed(),
      naming({ autoCaptureAt: LATER }, 'auto_capture_at'),
      'request.validation.invalid-date',
    ],
    [
      'names the amount that holds',
      scheduled,
      naming({ autoCaptureAmountMinor: 1_000 }, 'capture_amount'),
      'unchanged',
    ],
    [
      'names another amount',
      scheduled,
      naming({ autoCaptureAmountMinor: 1_001 }, 'capture_amount'),
      'request.validation.invalid-amount',
    ],
    [
      'names an amount where all is to be captured',
      authorized(),
      naming({ autoCaptureAmountMinor: 1_000 }, 'capture_amount'),
      'request.validation.invalid-amount',
    ],
    [
      'names the lines that hold, in any order',
      chosen,
      naming({ autoCaptureDetailIds: ['iv_det_2', 'iv_det_1'] }, 'invoice_detail_ids'),
      'unchanged',
    ],
    [
      'names fewer lines',
      chosen,
      naming({ autoCaptureDetailIds: ['iv_det_2'] }, 'invoice_detail_ids'),
      'request.validation.invalid-id',
    ],
    [
      'names lines where none are chosen',
      authorized(),
      naming({ autoCaptureDetailIds: ['iv_det_2'] }, 'invoice_detail_ids'),
      'request.validation.invalid-id',
    ],
    [
      'names incremental, which it has',
      authorized({ incremental: true }),
      naming({ incremental: true }, 'incremental'),
      'unchanged',
    ],
    [
      'names incremental, which it has not',
      authorized(),
      naming({ incremental: true }, 'incremental'),
      'request.validation.invalid-state',
    ],
  ])('%s', (_, payment, command, expected) => {
    expect(short(decide(payment, command, AT))).toBe(expected)
  })

  test('names the field in the refusal', () => {
    const decision = decide(authorized(), naming({ incremental: true }, 'incremental'), AT)
    expect(decision).toMatchObject({ kind: 'answer', answer: { message: expect.stringContaining('incremental') } })
  })
})

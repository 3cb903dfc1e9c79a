import { describe, expect, test } from '@jest/globals'
import type { AuthenticationResult } from '../../domain/authentication.ts'
import type { GatewayOperationType, Outcome } from '../../domain/operation.ts'
import { type AttemptInFlight, newPayment, type Payment } from '../../domain/payment.ts'
import {
  type Circumstances,
  type RecordedAttempt,
  type RecordedResult,
  type Report,
  reconcile,
} from '../../domain/reconcile.ts'

const AT = Date.UTC(2026, 10, 23, 12)
const DAY_MS = 86_400_000
const TYPES = ['authorization', 'increment_authorization', 'capture', 'void', 'refund'] as const

const REPORTS = {
  approved: { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 2900, currency: 'EUR' },
  less: { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 2000, currency: 'EUR' },
  more: { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 3000, currency: 'EUR' },
  currency: { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 2900, currency: 'USD' },
  declined: { kind: 'declined', code: 'card.do-not-honor', gatewayCode: '05' },
  pending: { kind: 'pending', gatewayOperationId: 'gw_1' },
  unknown: { kind: 'unknown', reason: 'no answer' },
  action: {
    kind: 'action-required',
    action: { type: 'redirect', page: { url: 'https://bank.example', fields: null }, continuation: 'auth_1' },
  },
} as const satisfies Record<string, Outcome>

const result = (values: Partial<RecordedResult> & Pick<RecordedResult, 'outcome'>): RecordedResult => ({
  amountMinor: 2900,
  isNotSent: false,
  isAccountable: values.outcome === 'succeeded',
  isSale: false,
  isRefusal: false,
  ...values,
})

const flying = (type: GatewayOperationType, values: Partial<AttemptInFlight> = {}): AttemptInFlight => ({
  operationId: 'tr_op_1',
  type,
  amountMinor: 2900,
  isFinal: true,
  isSale: false,
  begunAt: AT - 60_000,
  isAbandoned: false,
  reverses: null,
  lookUpsMade: 0,
  nextLookUpAt: AT,
  ...values,
})

/** What the record may hold of an attempt. */
const BOOKS = {
  'in flight': (type) => ({ inFlight: flying(type), results: [] }),
  'in flight, pending': (type) => ({ inFlight: flying(type), results: [result({ outcome: 'pending' })] }),
  'in flight, unknown': (type) => ({ inFlight: flying(type), results: [result({ outcome: 'unknown' })] }),
  'closed by staff': (type) => ({
    inFlight: flying(type, { isAbandoned: true }),
    results: [result({ outcome: 'failed' })],
  }),
  'closed a week ago': (type) => ({
    inFlight: flying(type, { isAbandoned: true, begunAt: AT - 7 * DAY_MS - 1 }),
    results: [result({ outcome: 'failed' })],
  }),
  approved: () => ({ inFlight: null, results: [result({ outcome: 'succeeded' })] }),
  declined: () => ({ inFlight: null, results: [result({ outcome: 'failed' })] }),
  'never sent': () => ({ inFlight: null, results: [result({ outcome: 'failed', isNotSent: true })] }),
  'not watched': () => ({ inFlight: null, results: [] }),
} as const satisfies Record<string, (type: GatewayOperationType) => Pick<RecordedAttempt, 'inFlight' | 'results'>>

const attemptOf = (
  type: GatewayOperationType,
  books: keyof typeof BOOKS,
  values: Partial<RecordedAttempt> = {},
): RecordedAttempt => ({
  type,
  amountMinor: 2900,
  currency: 'EUR',
  isExpiryVoid: false,
  isOrphanReversal: false,
  isSale: false,
  ...BOOKS[books](type),
  ...values,
})

const reportOf = (type: GatewayOperationType, outcome: Outcome, values: Partial<Report> = {}): Report => ({
  type,
  outcome,
  source: 'notification',
  isClosing: false,
  isRepeated: false,
  isUnrecordable: false,
  mayTryNext: false,
  at: AT,
  ...values,
})

const captured: Payment = {
  ...newPayment({ currency: 'EUR', amountMinor: 2900, incremental: false, payableUntil: null }),
  status: 'completed',
  authorizedMinor: 2900,
  capturedMinor: 2900,
  capturesCount: 1,
}

const circumstances = (values: Partial<Circumstances> = {}): Circumstances => ({
  payment: captured,
  acceptsPartialApprovals: false,
  failureReported: null,
  knownAuthorizationIds: new Set(),
  customer: { canAct: false, actionsAsked: 0, until: null },
  refundStatus: null,
  refundsAskedMinor: 0,
  now: AT,
  ...values,
})

/** A letter for each thing that may be done, as the tables below have it. */
function letterOf(attempt: RecordedAttempt, report: Report, around = circumstances()): string {
  const found = reconcile(attempt, report, around)
  switch (found.kind) {
    case 'record':
      return found.isOurs ? 'C' : found.isLate ? 'L' : 'R'
    case 'already recorded':
      return '.'
    default:
      return {
        'try the next gateway': 'N',
        'stop watching': 'X',
        reopen: 'O',
        reverse: 'V',
        'ask staff': 'S',
        'ask the customer': 'A',
        wait: 'W',
      }[found.kind]
  }
}

/**
 * What is done about what a gateway reports unasked: R record, C decline it here and close the attempt, L record as late,
 * O reopen, V reverse, S ask staff, X stop watching, W wait, and a dot for nothing. Columns: approved, over less, over more, in another currency, declined, pending,
 * unknown, action required.
 */
const OF_AUTHORIZATION = {
  'in flight': 'RRRRRRRC',
  'in flight, pending': 'RRRRR.RC',
  'in flight, unknown': 'RR..RR.C',
  'closed by staff': 'LL..L...',
  'closed a week ago': 'LLXXLXX.',
  approved: '..SSS...',
  declined: 'O.SS....',
  'never sent': 'O.SS.OO.',
  'not watched': '........',
} as const satisfies Record<keyof typeof BOOKS, string>

/** Less than was asked is no partial approval of anything but an authorization: what happened is unknown. */
const OF_CAPTURE_OR_REFUND = {
  'in flight': 'RRRRRRRC',
  'in flight, pending': 'RRRRR.RC',
  'in flight, unknown': 'R...RR.C',
  'closed by staff': 'L...L...',
  'closed a week ago': 'LXXXLXX.',
  approved: '.SSSV...',
  declined: 'OSSS....',
  'never sent': 'OSSS.OO.',
  'not watched': '........',
} as const satisfies Record<keyof typeof BOOKS, string>

/** An increment and a void that had succeeded cannot be reversed. */
const OF_INCREMENT_OR_VOID = { ...OF_CAPTURE_OR_REFUND, approved: '.SSSS...' } as const

const TABLES = {
  authorization: OF_AUTHORIZATION,
  increment_authorization: OF_INCREMENT_OR_VOID,
  capture: OF_CAPTURE_OR_REFUND,
  void: OF_INCREMENT_OR_VOID,
  refund: OF_CAPTURE_OR_REFUND,
} as const satisfies Record<GatewayOperationType, Record<keyof typeof BOOKS, string>>

const ENDED: readonly string[] = ['approved', 'declined', 'never sent', 'not watched']
const NOTHING = '........'

const rowsOf = (values: Partial<Report>, expected: (table: string, books: string) => string) =>
  TYPES.flatMap((type) =>
    (Object.keys(BOOKS) as (keyof typeof BOOKS)[]).map(
      (books) => [type, books, values, expected(TABLES[type][books], books)] as const,
    ),
  )

const judged = (type: GatewayOperationType, books: keyof typeof BOOKS, values: Partial<Report>) =>
  Object.values<Outcome>(REPORTS)
    .map((outcome) => letterOf(attemptOf(type, books), reportOf(type, outcome, values)))
    .join('')

describe('what a gateway reports', () => {
  test.each(rowsOf({}, (table) => table))('unasked of an attempt: %s that is %s', (type, books, values, expected) => {
    expect(judged(type, books, values)).toBe(expected)
  })

  test.each(rowsOf({ source: 'answer' }, (table, books) => (books === 'approved' ? NOTHING : table)))(
    'in answer to a call or a look-up, which corrects no success: %s that is %s',
    (type, books, values, expected) => expect(judged(type, books, values)).toBe(expected),
  )

  test.each(rowsOf({ source: 'staff' }, (table, books) => (ENDED.includes(books) ? NOTHING : table)))(
    'as staff found out, who end what is open only: %s that is %s',
    (type, books, values, expected) => expect(judged(type, books, values)).toBe(expected),
  )

  test.each(TYPES)('nothing of a %s that is closed a second time', (type) => {
    const closing = { source: 'staff', isClosing: true } as const
    expect(letterOf(attemptOf(type, 'closed by staff'), reportOf(type, REPORTS.declined, closing))).toBe('.')
    expect(letterOf(attemptOf(type, 'in flight, unknown'), reportOf(type, REPORTS.declined, closing))).toBe('R')
  })

  test.each(TYPES)(
    'of another kind of call than a %s waits while that is in flight, and is nothing afterwards',
    (type) => {
      const other = type === 'refund' ? 'capture' : 'refund'
      const declined = reportOf(other, REPORTS.declined)
      expect(letterOf(attemptOf(type, 'in flight'), declined)).toBe('W')
      expect(letterOf(attemptOf(type, 'approved'), declined)).toBe('.')
    },
  )
})

test('the late approval of a refund waits while another refund has reserved the money', () => {
  const late = attemptOf('refund', 'closed by staff', { amountMinor: 580 })
  const said = reportOf('refund', { ...REPORTS.approved, amountMinor: 580 })
  const besides = (amountMinor: number, report = said) => {
    const payment = { ...captured, attemptsInFlight: [flying('refund', { operationId: 'tr_op_other', amountMinor })] }
    return letterOf(late, report, circumstances({ payment }))
  }
  expect(besides(2900)).toBe('W')
  expect(besides(2321)).toBe('W')
  expect(besides(2320)).toBe('L')
  expect(besides(2900, { ...said, source: 'answer' })).toBe('W')
  // Staff do not say it again, so that what they say is recorded, and the payment is shown to them.
  expect(besides(2900, { ...said, source: 'staff' })).toBe('L')
  expect(letterOf(late, said)).toBe('L')
  expect(letterOf(late, reportOf('refund', REPORTS.declined), circumstances({ payment: captured }))).toBe('L')
})

test.each(TYPES)('what cannot be recorded of a %s that had failed puts it back in sight', (type) => {
  const lost = reportOf(type, REPORTS.unknown, { isUnrecordable: true })
  expect(letterOf(attemptOf(type, 'declined'), lost)).toBe('O')
  expect(letterOf(attemptOf(type, 'approved'), lost)).toBe('.')
})

describe('an approval of another amount or currency than was asked', () => {
  const record = (type: GatewayOperationType, outcome: Outcome, values: Partial<Circumstances> = {}) =>
    reconcile(attemptOf(type, 'in flight'), reportOf(type, outcome), circumstances(values))

  test('over less is a decline of an authorization, with all that the issuer has checked, and is reversed', () => {
    const authentication = { status: 'authenticated', version: '2.2.0' } as AuthenticationResult
    const cardChecks = { cvcCheck: 'passed', avsCheck: 'failed' } as const
    const declined = { kind: 'declined', code: 'card.no-money', gatewayCode: 'PARTIAL_APPROVAL' }
    expect(record('authorization', { ...REPORTS.less, authentication, cardChecks })).toMatchObject({
      outcome: { ...declined, authentication, cardChecks },
      unwanted: { gatewayAuthorizationId: 'gw_1', amountMinor: 2000 },
    })
  })

  test('over less is recorded as it is where the project accepts partial approvals', () => {
    const accepting = { acceptsPartialApprovals: true }
    expect(record('authorization', REPORTS.less, accepting)).toMatchObject({ outcome: REPORTS.less, unwanted: null })
    const late = letterOf(
      attemptOf('authorization', 'declined'),
      reportOf('authorization', REPORTS.less),
      circumstances(accepting),
    )
    expect(late).toBe('O')
  })

  test.each([
    ['authorization', 'more'],
    ['authorization', 'currency'],
    ['capture', 'less'],
    ['refund', 'less'],
    ['void', 'less'],
    ['increment_authorization', 'less'],
  ] as const)('is an unknown outcome: %s, %s', (type, said) => {
    expect(record(type, REPORTS[said])).toMatchObject({ outcome: { kind: 'unknown' }, unwanted: null })
  })

  test('of nothing is unknown', () => {
    expect(record('authorization', { ...REPORTS.less, amountMinor: 0 })).toMatchObject({ outcome: { kind: 'unknown' } })
  })

  test('of a sale over less is given back, and of an account that only sells it is a sale whoever reports it', () => {
    const sale = { outcome: { kind: 'declined', code: 'card.no-money' }, unwanted: { isSale: true } }
    expect(record('authorization', { ...REPORTS.less, isSale: true })).toMatchObject(sale)
    const ofAccount = attemptOf('authorization', 'in flight', { isSale: true })
    expect(reconcile(ofAccount, reportOf('authorization', REPORTS.less), circumstances())).toMatchObject(sale)
    expect(reconcile(ofAccount, reportOf('authorization', REPORTS.approved), circumstances())).toMatchObject({
      outcome: { kind: 'approved', isSale: true },
    })
  })
})

describe('the void at the end of an authorization', () => {
  const expiryVoid = (books: keyof typeof BOOKS, values: Partial<RecordedAttempt> = {}) =>
    attemptOf('void', books, { isExpiryVoid: true, ...values })
  const refused = reportOf('void', REPORTS.declined)

  test.each([
    'card.do-not-honor',
    'gateway.transaction-not-found',
    'gateway.invalid-state',
    'gateway.declined',
  ] as const)('stays open where the gateway refuses it, and keeps what it said: %s', (code) => {
    const report = reportOf('void', { ...REPORTS.declined, code })
    expect(reconcile(expiryVoid('in flight'), report, circumstances())).toMatchObject({
      kind: 'record',
      outcome: { kind: 'unknown', refusal: { code, gatewayCode: '05' } },
    })
  })

  test('is for staff where the gateway refuses it again, or nothing new is found after a refusal', () => {
    const unknown = expiryVoid('in flight, unknown')
    expect(reconcile(unknown, refused, circumstances())).toEqual({ kind: 'already recorded', isRefused: true })
    const afterRefusal = { ...unknown, results: [result({ outcome: 'unknown', isRefusal: true })] }
    const nothing = reportOf('void', REPORTS.unknown)
    expect(reconcile(afterRefusal, nothing, circumstances())).toEqual({ kind: 'already recorded', isRefused: true })
    expect(reconcile(unknown, nothing, circumstances())).toEqual({ kind: 'already recorded', isRefused: false })
  })

  test.each([
    ['has expired', { kind: 'declined', code: 'gateway.expired', gatewayCode: 'E' }],
    ['holds nothing', { kind: 'declined', code: 'gateway.declined', gatewayCode: 'E', holdsNothing: true }],
  ] as const)('ends where the gateway says that the authorization %s', (_, outcome) => {
    expect(reconcile(expiryVoid('in flight'), reportOf('void', outcome), circumstances())).toMatchObject({
      kind: 'record',
      outcome: { kind: 'declined' },
    })
  })

  test('is neither reversed nor reopened once it has ended', () => {
    expect(letterOf(expiryVoid('approved'), reportOf('void', { ...REPORTS.declined, holdsNothing: true }))).toBe('.')
    expect(letterOf(expiryVoid('declined'), reportOf('void', REPORTS.approved))).toBe('.')
  })
})

describe('an approval of what is recorded as failed is nothing new', () => {
  test('of an authorization on which the payment stands, or which it has reversed', () => {
    const known = circumstances({ knownAuthorizationIds: new Set(['gw_1']) })
    const approved = reportOf('authorization', REPORTS.approved)
    expect(letterOf(attemptOf('authorization', 'declined'), approved, known)).toBe('.')
    const another = circumstances({ knownAuthorizationIds: new Set(['gw_2']) })
    expect(letterOf(attemptOf('authorization', 'declined'), approved, another)).toBe('O')
  })

  test('of the void of an orphan', () => {
    const orphan = attemptOf('void', 'declined', { isOrphanReversal: true })
    expect(letterOf(orphan, reportOf('void', REPORTS.approved))).toBe('.')
  })

  test.each(['capture', 'refund'] as const)('of a %s whose failure the gateway has reported itself', (type) => {
    const failureReported = { code: 'gateway.declined', gatewayCode: 'FAILED' }
    const around = circumstances({ failureReported })
    expect(letterOf(attemptOf(type, 'declined'), reportOf(type, REPORTS.approved), around)).toBe('.')
    expect(letterOf(attemptOf(type, 'never sent'), reportOf(type, REPORTS.pending), around)).toBe('.')
    expect(reconcile(attemptOf(type, 'in flight'), reportOf(type, REPORTS.approved), around)).toMatchObject({
      kind: 'record',
      outcome: { kind: 'declined', ...failureReported },
    })
  })
})

describe('a success that has failed after all', () => {
  const failed = (type: GatewayOperationType, around: Partial<Circumstances> = {}, report: Partial<Report> = {}) =>
    reconcile(attemptOf(type, 'approved'), reportOf(type, REPORTS.declined, report), circumstances(around))
  const refunded = { ...captured, status: 'partially-refunded', refundedMinor: 1 } as const

  test.each(['capture', 'refund'] as const)('is reversed: %s', (type) => {
    expect(failed(type)).toMatchObject({
      kind: 'reverse',
      outcome: { code: 'card.do-not-honor' },
      result: { outcome: 'succeeded', amountMinor: 2900 },
      isDoubtful: false,
    })
  })

  test('is not reversed twice, nor where it moved nothing', () => {
    const moved = result({ outcome: 'succeeded', isAccountable: false })
    const attempt = attemptOf('capture', 'approved', { results: [moved] })
    expect(letterOf(attempt, reportOf('capture', REPORTS.declined))).toBe('.')
    const reversed = attemptOf('capture', 'approved', {
      results: [result({ outcome: 'succeeded' }), result({ outcome: 'failed' })],
    })
    expect(letterOf(reversed, reportOf('capture', REPORTS.declined))).toBe('.')
  })

  test.each(['pending', 'failed'] as const)('is nothing new of a refund that is %s', (refundStatus) => {
    expect(failed('refund', { refundStatus })).toEqual({ kind: 'already recorded', isRefused: false })
  })

  test('is for staff where its money was refunded, once', () => {
    expect(failed('capture', { payment: refunded })).toEqual({ kind: 'ask staff' })
    expect(failed('capture', { payment: refunded }, { isRepeated: true }).kind).toBe('already recorded')
    expect(failed('void', {}, { isRepeated: true }).kind).toBe('already recorded')
  })

  test.each(['capture', 'refund'] as const)('waits for a %s that may make room for it', (type) => {
    const payment = { ...refunded, attemptsInFlight: [flying(type, { operationId: 'tr_op_2', amountMinor: 1 })] }
    expect(failed('capture', { payment })).toEqual({ kind: 'wait' })
    expect(failed('capture', { payment: { ...payment, attemptsInFlight: [flying('void')] } }).kind).toBe('ask staff')
  })

  test('is for staff as well where more refunds were asked for than is left', () => {
    expect(failed('capture', { refundsAskedMinor: 1 })).toMatchObject({ kind: 'reverse', isDoubtful: true })
    expect(failed('capture', { refundsAskedMinor: 0 })).toMatchObject({ kind: 'reverse', isDoubtful: false })
    const payment = { ...captured, attemptsInFlight: [flying('refund', { operationId: 'tr_op_2', amountMinor: 0 })] }
    expect(failed('capture', { payment, refundsAskedMinor: 1 })).toEqual({ kind: 'wait' })
  })

  test('of a sale is that of its capture, which cannot be made again', () => {
    const sale = attemptOf('authorization', 'approved', { results: [result({ outcome: 'succeeded', isSale: true })] })
    expect(reconcile(sale, reportOf('capture', REPORTS.declined), circumstances())).toMatchObject({
      kind: 'reverse',
      isDoubtful: true,
    })
    expect(letterOf(attemptOf('authorization', 'approved'), reportOf('capture', REPORTS.declined))).toBe('.')
  })
})

describe('an authorization that was declined at one gateway', () => {
  const waiting = circumstances({ payment: { ...captured, status: 'waiting' } })
  const declined = reportOf('authorization', REPORTS.declined, { source: 'answer', mayTryNext: true })

  test('goes on at the next one, before anybody was told', () => {
    const found = reconcile(attemptOf('authorization', 'in flight'), declined, waiting)
    expect(found).toMatchObject({ kind: 'try the next gateway', outcome: { code: 'card.do-not-honor' } })
  })

  test.each([
    [
      'nobody waits for it any more',
      attemptOf('authorization', 'in flight'),
      { ...declined, mayTryNext: false },
      waiting,
    ],
    ['its outcome was open before', attemptOf('authorization', 'in flight, unknown'), declined, waiting],
    [
      'the payment is pending',
      attemptOf('authorization', 'in flight'),
      declined,
      circumstances({ payment: { ...captured, status: 'pending' } }),
    ],
    [
      'something of it was approved',
      attemptOf('authorization', 'in flight'),
      { ...declined, outcome: REPORTS.less },
      waiting,
    ],
    [
      'its outcome is unknown',
      attemptOf('authorization', 'in flight'),
      { ...declined, outcome: REPORTS.unknown },
      waiting,
    ],
  ] as const)('does not where %s', (_, attempt, report, around) => {
    expect(reconcile(attempt, report, around).kind).toBe('record')
  })
})

test('a decline is recorded with what the scheme advises, by the wall clock', () => {
  const outcome = { ...REPORTS.declined, merchantAdviceCode: '24' }
  const found = reconcile(attemptOf('authorization', 'in flight'), reportOf('authorization', outcome), circumstances())
  expect(found).toMatchObject({ outcome: { merchantAdviceCode: '24', retryAfter: AT + 3_600_000 } })
})

describe('an action that the gateway asks of the customer', () => {
  const waitingPayment: Payment = { ...captured, status: 'waiting', authorizedMinor: 0, capturedMinor: 0 }
  const MINUTE_MS = 60_000
  const said = (
    inFlight: Partial<AttemptInFlight>,
    customer: Circumstances['customer'],
    outcome: Outcome = REPORTS.action,
    at = AT,
  ) => {
    const attempt = attemptOf('authorization', 'in flight', { inFlight: flying('authorization', inFlight) })
    const report = reportOf('authorization', outcome, { source: 'answer', at })
    const found = reconcile(attempt, report, circumstances({ payment: waitingPayment, customer }))
    if (found.kind !== 'record' || found.outcome.kind !== 'declined') return found.kind
    return found.isOurs ? `closed: ${found.outcome.code}` : found.outcome.code
  }
  const there = { canAct: true, actionsAsked: 0, until: null }
  const waits = { awaitsCustomerUntil: AT + MINUTE_MS }

  test('the first one is asked for, and the fifth, but no sixth', () => {
    expect(said({}, there)).toBe('ask the customer')
    expect(said({}, { ...there, actionsAsked: 4, until: AT + 1 })).toBe('ask the customer')
    expect(said({}, { ...there, actionsAsked: 5, until: AT + 1 })).toBe('closed: card.failed-3ds-technical')
  })

  test('if nobody can act, the authorization is declined', () => {
    expect(said({}, { ...there, canAct: false })).toBe('closed: card.needs-authentication')
  })

  test('one that was closed is left to the look-up that ends it at the gateway', () => {
    expect(said({ isAbandoned: true }, there)).toBe('already recorded')
    expect(said({ isAbandoned: true }, { ...there, canAct: false })).toBe('already recorded')
  })

  test('a look-up that finds the same action changes nothing before the end of the time', () => {
    const asked = { ...there, actionsAsked: 1, until: AT + MINUTE_MS }
    expect(said(waits, asked)).toBe('already recorded')
    expect(said(waits, asked, REPORTS.action, AT + MINUTE_MS - 1)).toBe('already recorded')
    expect(said(waits, asked, REPORTS.action, AT + MINUTE_MS)).toBe('closed: card.expired-3ds')
  })

  test('a gateway that does not know changes nothing before the end of the time', () => {
    const asked = { ...there, actionsAsked: 1, until: AT + MINUTE_MS }
    expect(said(waits, asked, REPORTS.unknown)).toBe('already recorded')
    expect(said(waits, asked, REPORTS.unknown, AT + MINUTE_MS)).toBe('record')
    expect(said({}, asked, REPORTS.unknown)).toBe('record')
    expect(said(waits, asked, REPORTS.pending)).toBe('record')
  })

  test('a decline leads to no other gateway once the customer has acted', () => {
    const next = (actionsAsked: number) => {
      const report = reportOf('authorization', REPORTS.declined, { source: 'answer', mayTryNext: true })
      const around = circumstances({ payment: waitingPayment, customer: { ...there, actionsAsked } })
      return reconcile(attemptOf('authorization', 'in flight'), report, around).kind
    }
    expect([next(0), next(1)]).toEqual(['try the next gateway', 'record'])
  })

  test('no further action is asked for after the end of the time', () => {
    expect(said({}, { ...there, actionsAsked: 1, until: AT })).toBe('closed: card.expired-3ds')
    expect(said({}, { ...there, actionsAsked: 1, until: AT + 1 })).toBe('ask the customer')
  })

  test('an approval counts whenever it comes, and so does a decline', () => {
    const asked = { ...there, actionsAsked: 1, until: AT }
    expect(said(waits, asked, REPORTS.approved, AT + MINUTE_MS)).toBe('record')
    expect(said(waits, asked, REPORTS.declined)).toBe('card.do-not-honor')
  })
})

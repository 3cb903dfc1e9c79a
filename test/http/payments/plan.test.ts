import { describe, expect, test } from '@jest/globals'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import { ApiError } from '../../../src/http/api-error.ts'
import type { PaymentRequest, Verb } from '../../../src/http/payments/plan.ts'
import { planCommand } from '../../../src/http/payments/plan.ts'
import type { PaymentOptions } from '../../../src/http/schemas/payment-options.ts'
import { makeRows } from '../../persistence/rows.ts'
import { seededRandomBytes } from '../../support/random.ts'

const NOW = new Date('2026-11-21T09:00:00.000Z')
const TOMORROW = new Date('2026-11-22T09:00:00.000Z')

const NO_OPTIONS: PaymentOptions = {
  source: null,
  continuation: null,
  handlesActions: false,
  externalAuthentication: null,
  authorizeOnly: undefined,
  autoCaptureAt: null,
  cancelsAutoCapture: false,
  selection: { amountMinor: null, detailIds: null },
  captureType: null,
  preferredScheme: null,
  incremental: undefined,
  initialSchemeTransactionId: null,
  mayFallBackToSale: false,
  saveSource: false,
  overrideMacBlocking: false,
  newSourceOnly: false,
}

const amount = (amountMinor: number) => ({ selection: { amountMinor, detailIds: null } })
const lines = (amountMinor: number) => ({ selection: { amountMinor, detailIds: ['iv_det_1'] } })

interface Situation {
  status?: TransactionStatus
  invoiceSchedules?: boolean
  scheduled?: boolean
  verification?: boolean
  bypassesIncremental?: boolean
  capturedMinor?: number
  incremental?: boolean
}

const rows = makeRows('plan')

function plan(
  verb: Verb,
  options: Partial<PaymentOptions>,
  { status, invoiceSchedules = false, scheduled = false, verification = false, ...more }: Situation = {},
) {
  const invoice = {
    ...rows.invoice,
    amountMinor: 2900,
    verification,
    incremental: false,
    bypassIncrementalAuthorization: more.bypassesIncremental === true,
    autoCaptureAt: invoiceSchedules ? TOMORROW : null,
  }
  const transaction =
    status === undefined
      ? null
      : {
          ...rows.transaction,
          status,
          authorizedMinor: 2900,
          capturedMinor: more.capturedMinor ?? (status === 'completed' ? 2900 : 0),
          voidedMinor: status === 'voided' ? 2900 : 0,
          incremental: more.incremental === true,
          autoCaptureAt: scheduled ? TOMORROW : null,
        }
  const request: PaymentRequest = {
    verb,
    options: { ...NO_OPTIONS, ...options },
    actor: 'merchant',
    idempotency: null,
    invoice,
    transaction,
    continues: null,
  }
  return planCommand(request, seededRandomBytes('plan'), NOW)
}

const source = 'card_1'
const autoCaptureAt = TOMORROW
const at = TOMORROW.getTime()
const sale = { kind: 'authorize', source, autoCaptureAt: null, capture: { kind: 'capture', amountMinor: null } }
const authorization = { kind: 'authorize', source, autoCaptureAt: null, capture: null }
const scheduled = { kind: 'authorize', source, autoCaptureAt: at, capture: null }

describe('before anything is authorized', () => {
  test.each<[string, Verb, Partial<PaymentOptions>, object]>([
    ['authorize authorizes', 'authorize', { source }, authorization],
    ['authorize with authorize_only true authorizes', 'authorize', { source, authorizeOnly: true }, authorization],
    ['authorize with authorize_only false is a sale', 'authorize', { source, authorizeOnly: false }, sale],
    ['capture is a sale', 'capture', { source }, sale],
    ['capture with authorize_only false is a sale', 'capture', { source, authorizeOnly: false }, sale],
    ['capture with authorize_only true authorizes', 'capture', { source, authorizeOnly: true }, authorization],
    ['authorize with an instant captures then', 'authorize', { source, autoCaptureAt }, scheduled],
    [
      'authorize with an instant captures nothing at once',
      'authorize',
      { source, autoCaptureAt, authorizeOnly: false },
      scheduled,
    ],
    ['capture with an instant captures nothing at once', 'capture', { source, autoCaptureAt }, scheduled],
    [
      'part of a sale',
      'capture',
      { source, ...amount(100) },
      { ...sale, capture: { kind: 'capture', amountMinor: 100 } },
    ],
    [
      'part of a scheduled capture',
      'authorize',
      { source, autoCaptureAt, ...amount(100) },
      { ...scheduled, autoCaptureAmountMinor: 100 },
    ],
    ['the whole is the most that a part can be', 'capture', { source, ...amount(2900) }, { kind: 'authorize' }],
    [
      'what else was asked',
      'authorize',
      { source, incremental: true, preferredScheme: 'visa', initialSchemeTransactionId: 'x' },
      { incremental: true, preferredScheme: 'visa', initialSchemeTransactionId: 'x' },
    ],
  ])('%s', (_, verb, options, expected) => {
    expect(plan(verb, options)).toMatchObject(expected)
    expect(plan(verb, options, { status: 'failed' })).toMatchObject(expected)
  })

  test('the instant of the invoice counts, whatever the call says', () => {
    const later = new Date(TOMORROW.getTime() + 1)
    for (const verb of ['authorize', 'capture'] as const) {
      for (const options of [{ source }, { source, autoCaptureAt: later }, { source, authorizeOnly: false }]) {
        expect(plan(verb, options, { invoiceSchedules: true })).toMatchObject(scheduled)
      }
    }
  })

  test('a verification takes no money, whatever the call says', () => {
    for (const options of [{ source }, { source, authorizeOnly: false }])
      expect(plan('capture', options, { verification: true })).toMatchObject(authorization)
  })

  test('a verification takes no money later either, or where only a sale is possible', () => {
    const refused = expect.objectContaining({ code: 'request.validation.invalid-date' })
    for (const situation of [{}, { status: 'authorized' }] as const)
      for (const verb of ['authorize', 'capture'] as const)
        expect(() => plan(verb, { autoCaptureAt, source }, { ...situation, verification: true })).toThrow(refused)
    const options = { source, mayFallBackToSale: true }
    expect(plan('authorize', options, { verification: true, invoiceSchedules: true })).toMatchObject({
      ...authorization,
      mayFallBackToSale: false,
    })
  })

  test('a command ends a minute after its request', () => {
    expect(plan('capture', { source })).toMatchObject({
      actor: 'merchant',
      deadline: NOW.getTime() + 60_000,
      capture: { deadline: NOW.getTime() + 60_000 },
    })
  })

  test('a sale has an operation of its own for its capture', () => {
    const planned = plan('capture', { source })
    const ids = [planned.operationId, planned.kind === 'authorize' ? planned.capture?.operationId : undefined]
    for (const id of ids) expect(id).toMatch(/^tr_op_[0-9A-Za-z]{32}$/)
    expect(ids[0]).not.toBe(ids[1])
  })

  type Refused = [title: string, Verb, Partial<PaymentOptions>, Situation, code: string]
  const NO_AMOUNT = 'request.validation.invalid-amount'
  const NO_REST = 'service.not-supported'
  const leavesRest = { autoCaptureAt, ...amount(100), captureType: 'non-final' } as const
  const only = { source, authorizeOnly: true }

  test.each<Refused>([
    ['no source', 'capture', {}, {}, 'request.validation.missing-source'],
    ['more than the invoice', 'capture', { source, ...amount(2901) }, {}, NO_AMOUNT],
    ['lines of more than the invoice', 'capture', { source, ...lines(2901) }, {}, NO_AMOUNT],
    ['a capture at an instant that would leave the rest', 'authorize', { source, ...leavesRest }, {}, NO_REST],
    ['a moved capture that would leave the rest', 'capture', leavesRest, { status: 'authorized' }, NO_REST],
    ['an amount that nothing captures', 'authorize', { source, ...amount(100) }, {}, NO_AMOUNT],
    ...(['authorize', 'capture'] as const).flatMap((verb): Refused[] => [
      [`an amount of a mere authorization by ${verb}`, verb, { ...only, ...amount(2900) }, {}, NO_AMOUNT],
      [
        `an authorization by ${verb} that would leave the rest`,
        verb,
        { ...only, captureType: 'non-final' },
        {},
        NO_REST,
      ],
    ]),
  ])('%s is refused', (_, verb, options, situation, code) => {
    expect(() => plan(verb, options, situation)).toThrow(ApiError)
    expect(() => plan(verb, options, situation)).toThrow(expect.objectContaining({ code }))
  })

  test.each([true, false])('the capture of a sale whose customer was authenticated is final: %s', (isFinal) => {
    const invoice = { ...rows.invoice, verification: false }
    const request: PaymentRequest = {
      verb: 'capture',
      options: { ...NO_OPTIONS, source: 'gway_req_1' },
      actor: 'client',
      idempotency: null,
      invoice,
      transaction: {
        ...rows.transaction,
        status: 'waiting',
        autoCaptureAt: NOW,
        autoCaptureAmountMinor: 100,
        autoCaptureDetailIds: null,
        autoCaptureIsFinal: isFinal,
      },
      continues: { actionId: 'act_1', answer: 'returned' },
    }
    expect(planCommand(request, seededRandomBytes('plan'), NOW)).toMatchObject({
      kind: 'authorize',
      capture: { amountMinor: 100, detailIds: null, isFinal },
    })
  })

  describe('an instant of the invoice', () => {
    const planAt = (instant: string, verb: Verb, options: Partial<PaymentOptions> = {}) => {
      const invoice = { ...rows.invoice, verification: false, autoCaptureAt: new Date(instant) }
      const wanted = { ...NO_OPTIONS, source, ...options }
      const request: PaymentRequest = {
        verb,
        options: wanted,
        actor: 'merchant',
        idempotency: null,
        invoice,
        transaction: null,
        continues: null,
      }
      return planCommand(request, seededRandomBytes('plan'), NOW)
    }
    const dateRefused = expect.objectContaining({ code: 'request.validation.invalid-date' })

    test('beyond the authorization is refused', () => {
      expect(() => planAt('2026-11-28T09:00:00.001Z', 'authorize')).toThrow(dateRefused)
    })

    test.each(['2026-11-21T09:00:00.000Z', '2026-11-01T09:00:00.000Z'])(
      'that has passed, at %s, is due: the payment is a sale whatever the call says',
      (instant) => {
        for (const verb of ['authorize', 'capture'] as const) {
          for (const authorizeOnly of [undefined, true, false])
            expect(planAt(instant, verb, { authorizeOnly })).toMatchObject({
              kind: 'authorize',
              capture: { kind: 'capture', amountMinor: null },
            })
        }
      },
    )

    test('that has passed takes the part that the call names', () => {
      expect(planAt('2026-11-01T09:00:00.000Z', 'authorize', amount(100))).toMatchObject({
        capture: { amountMinor: 100 },
      })
    })

    test('that has passed beside a later one of the call is refused: nothing is captured against that wish', () => {
      expect(() => planAt('2026-11-01T09:00:00.000Z', 'authorize', { autoCaptureAt })).toThrow(dateRefused)
    })

    test('a millisecond ahead is still waited for', () => {
      expect(planAt('2026-11-21T09:00:00.001Z', 'authorize')).toMatchObject({
        capture: null,
        autoCaptureAt: NOW.getTime() + 1,
      })
    })
  })
})

describe('afterwards', () => {
  const capture = { kind: 'capture', amountMinor: null }
  const repeated = { kind: 'authorize' }

  test.each<[string, Verb, Partial<PaymentOptions>, Situation, object]>([
    ['capture captures', 'capture', {}, { status: 'authorized' }, capture],
    [
      'capture captures a part',
      'capture',
      { ...amount(100) },
      { status: 'authorized' },
      { ...capture, amountMinor: 100 },
    ],
    [
      'capture captures, although a capture is scheduled',
      'capture',
      {},
      { status: 'authorized', scheduled: true },
      capture,
    ],
    [
      'capture captures, although the invoice schedules',
      'capture',
      {},
      { status: 'authorized', scheduled: true, invoiceSchedules: true },
      capture,
    ],
    [
      'authorize with authorize_only false captures what is left',
      'authorize',
      { source, authorizeOnly: false },
      { status: 'authorized' },
      capture,
    ],
    [
      'capture with an instant schedules',
      'capture',
      { autoCaptureAt, ...amount(100) },
      { status: 'authorized' },
      { kind: 'schedule-capture', autoCaptureAt: at, autoCaptureAmountMinor: 100 },
    ],
    ['authorize again changes nothing', 'authorize', { source }, { status: 'authorized' }, repeated],
    ...(['authorized', 'pending-capture'] as const).map(
      (status): [string, Verb, Partial<PaymentOptions>, Situation, object] => [
        `authorize with an instant schedules as capture does, where the payment is ${status}`,
        'authorize',
        { source, autoCaptureAt, ...amount(100) },
        { status },
        { kind: 'schedule-capture', autoCaptureAt: at, autoCaptureAmountMinor: 100 },
      ],
    ),
    [
      'authorize with an instant and without a source schedules, also where the invoice has an instant',
      'authorize',
      { autoCaptureAt },
      { status: 'authorized', invoiceSchedules: true },
      { kind: 'schedule-capture', autoCaptureAt: at, autoCaptureAmountMinor: null },
    ],
    [
      'authorize with an instant and without a source asks for a capture that can no longer be scheduled',
      'authorize',
      { autoCaptureAt },
      { status: 'completed' },
      { kind: 'schedule-capture', autoCaptureAt: at },
    ],
    [
      'the first call again, with an instant that counts for nothing beside that of the invoice, names none',
      'authorize',
      { source, autoCaptureAt: new Date(at + 1) },
      { status: 'authorized', invoiceSchedules: true },
      { kind: 'authorize', autoCaptureAt: at, named: undefined },
    ],
    [
      'the first call again, with an instant while its outcome is open, names it',
      'authorize',
      { source, autoCaptureAt, ...amount(100) },
      { status: 'waiting' },
      { kind: 'authorize', autoCaptureAt: at, named: ['auto_capture_at', 'capture_amount'] },
    ],
    [
      'the first call again, after the capture, asks only how the payment stands',
      'authorize',
      { source, autoCaptureAt, ...amount(100) },
      { status: 'completed' },
      { kind: 'authorize', named: undefined },
    ],
    [
      'authorize with an amount and no instant names the amount',
      'authorize',
      { source, ...amount(100) },
      { status: 'authorized' },
      { kind: 'authorize', autoCaptureAmountMinor: 100, named: ['capture_amount'] },
    ],
    [
      'authorize with lines and no instant names the lines',
      'authorize',
      { source, ...lines(100) },
      { status: 'authorized' },
      { kind: 'authorize', named: ['invoice_detail_ids'] },
    ],
    [
      'authorize with incremental true names it',
      'authorize',
      { source, incremental: true },
      { status: 'authorized' },
      { kind: 'authorize', incremental: true, named: ['incremental'] },
    ],
    [
      'authorize with incremental false asks for nothing',
      'authorize',
      { source, incremental: false },
      { status: 'authorized' },
      { kind: 'authorize', named: undefined },
    ],
    [
      'authorize with incremental true asks for nothing certain of an invoice that does without where it must',
      'authorize',
      { source, incremental: true },
      { status: 'authorized', bypassesIncremental: true },
      { kind: 'authorize', named: undefined },
    ],
    [
      'capture with authorize_only true changes nothing',
      'capture',
      { source, authorizeOnly: true },
      { status: 'authorized' },
      repeated,
    ],
    [
      'the call that authorized, sent again, does not capture before its time',
      'capture',
      { source },
      { status: 'authorized', invoiceSchedules: true },
      repeated,
    ],
    ['a sale sent again before its outcome is known', 'capture', { source }, { status: 'pending' }, repeated],
    ['capture of a payment whose outcome is not known', 'capture', {}, { status: 'pending' }, capture],
    ['authorize again before the outcome is known', 'authorize', {}, { status: 'waiting' }, repeated],
    ['capture of what is captured', 'capture', { source }, { status: 'completed' }, capture],
    ['capture of what is captured, with an instant', 'capture', { autoCaptureAt }, { status: 'completed' }, capture],
    ['capture again asks for nothing more', 'capture', {}, { status: 'completed' }, { ...capture, wantsRest: false }],
    [
      'capture with its kind asks for the rest',
      'capture',
      { captureType: 'final' },
      { status: 'completed' },
      { ...capture, isFinal: true, wantsRest: true },
    ],
    [
      'capture of another part keeps what it leaves',
      'capture',
      { ...amount(100), captureType: 'non-final' },
      { status: 'completed' },
      { ...capture, amountMinor: 100, isFinal: false },
    ],
    [
      'capture of lines',
      'capture',
      lines(100),
      { status: 'authorized' },
      { ...capture, amountMinor: 100, detailIds: ['iv_det_1'], isFinal: true },
    ],
    [
      'capture of lines at an instant',
      'capture',
      { autoCaptureAt, ...lines(100) },
      { status: 'authorized' },
      { kind: 'schedule-capture', autoCaptureAmountMinor: 100, autoCaptureDetailIds: ['iv_det_1'] },
    ],
    ['capture of what was voided', 'capture', { source, authorizeOnly: true }, { status: 'voided' }, capture],
    ['authorize of what was voided', 'authorize', { source }, { status: 'voided' }, repeated],
  ])('%s', (_, verb, options, situation, expected) => {
    expect({ named: undefined, ...plan(verb, options, situation) }).toMatchObject(expected)
  })

  test('null for the instant drops the scheduled capture, and captures nothing', () => {
    const situation = { status: 'authorized', scheduled: true } as const
    expect(plan('capture', { cancelsAutoCapture: true }, situation)).toMatchObject({
      kind: 'schedule-capture',
      autoCaptureAt: null,
      autoCaptureAmountMinor: null,
    })
  })

  test('null for the instant beside an amount captures that amount now', () => {
    const situation = { status: 'authorized', scheduled: true } as const
    const options = { cancelsAutoCapture: true, ...amount(100) }
    expect(plan('capture', options, situation)).toMatchObject({ kind: 'capture', amountMinor: 100 })
  })

  test('authorize with an instant and incremental true is refused where the payment is not incremental', () => {
    const options = { source, autoCaptureAt, incremental: true }
    const refused = expect.objectContaining({ code: 'request.validation.invalid-state' })
    expect(() => plan('authorize', options, { status: 'authorized' })).toThrow(refused)
    for (const situation of [{ incremental: true }, { bypassesIncremental: true }])
      expect(plan('authorize', options, { status: 'authorized', ...situation })).toMatchObject({
        kind: 'schedule-capture',
      })
  })

  describe('of a payment of which a part is captured', () => {
    const partly = { status: 'completed', capturedMinor: 1000 } as const
    const drop = { cancelsAutoCapture: true }

    test.each<[string, Verb, Partial<PaymentOptions>, Situation, object]>([
      [
        'null for the instant drops the capture of the rest',
        'capture',
        drop,
        { ...partly, scheduled: true },
        { kind: 'schedule-capture', autoCaptureAt: null, autoCaptureAmountMinor: null },
      ],
      ['null for the instant, asked again, asks for nothing more', 'capture', drop, partly, { wantsRest: false }],
      [
        'an instant and an amount schedule another part',
        'capture',
        { autoCaptureAt, ...amount(500) },
        partly,
        { kind: 'schedule-capture', autoCaptureAt: at, autoCaptureAmountMinor: 500 },
      ],
      [
        'null for the instant beside the kind of capture takes the rest now',
        'capture',
        { ...drop, captureType: 'final' },
        { ...partly, scheduled: true },
        { ...capture, wantsRest: true },
      ],
      ...(['capture', 'authorize'] as const).map((verb): [string, Verb, Partial<PaymentOptions>, Situation, object] => [
        `${verb} with an instant schedules the rest`,
        verb,
        { autoCaptureAt },
        partly,
        { kind: 'schedule-capture', autoCaptureAt: at, autoCaptureAmountMinor: null },
      ]),
      ...[{}, { captureType: 'final' as const }, amount(100)].map(
        (options): [string, Verb, Partial<PaymentOptions>, Situation, object] => [
          `capture with authorize_only true captures nothing more, beside ${JSON.stringify(options)}`,
          'capture',
          { authorizeOnly: true, ...options },
          partly,
          { kind: 'authorize', capture: null },
        ],
      ),
      [
        'the first call again, with its source, asks for nothing more',
        'capture',
        { source, autoCaptureAt },
        { ...partly, scheduled: true },
        { ...capture, wantsRest: false },
      ],
    ])('%s', (_, verb, options, situation, expected) => {
      expect(plan(verb, options, situation)).toMatchObject(expected)
    })
  })

  test('null for the instant, asked again when nothing is scheduled any more, captures nothing either', () => {
    expect(plan('capture', { cancelsAutoCapture: true }, { status: 'authorized' })).toMatchObject({
      kind: 'schedule-capture',
      autoCaptureAt: null,
    })
  })

  test('null for the instant beside a source captures where nothing is scheduled', () => {
    expect(plan('capture', { cancelsAutoCapture: true, source }, { status: 'authorized' })).toMatchObject(capture)
  })
})

import { describe, expect, test } from '@jest/globals'
import { ApiError } from '../../../src/http/api-error.ts'
import type { PaymentRequest, Verb } from '../../../src/http/payments/plan.ts'
import { planCommand } from '../../../src/http/payments/plan.ts'
import type { PaymentOptions } from '../../../src/http/schemas/payment-options.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { amount, lines, NOW, requestFor, rows, type Situation, TOMORROW } from './requests.ts'

const plan = (verb: Verb, options: Partial<PaymentOptions>, situation: Situation = {}) =>
  planCommand(requestFor(verb, options, situation), seededRandomBytes('plan'), NOW)

const source = 'card_1'
const autoCaptureAt = TOMORROW
const at = TOMORROW.getTime()
const part = amount(100)
const AUTHORIZED: Situation = { status: 'authorized' }
const COMPLETED: Situation = { status: 'completed' }
const PARTLY_CAPTURED: Situation = { status: 'completed', capturedMinor: 1000 }
const INVOICE_SCHEDULES: Situation = { invoiceCapturesAt: TOMORROW }

const sale = { kind: 'authorize', source, autoCaptureAt: null, capture: { kind: 'capture', amountMinor: null } }
const authorization = { kind: 'authorize', source, autoCaptureAt: null, capture: null }
const scheduled = { kind: 'authorize', source, autoCaptureAt: at, capture: null }

const refused = (code: string) => expect.objectContaining({ constructor: ApiError, code })
const dateRefused = refused('request.validation.invalid-date')

describe('before anything is authorized', () => {
  const partOfSale = { ...sale, capture: { kind: 'capture', amountMinor: 100 } }
  const partLater = { ...scheduled, autoCaptureAmountMinor: 100 }
  const others = { incremental: true, preferredScheme: 'visa', initialSchemeTransactionId: 'x' } as const

  test.each<[string, Verb, Partial<PaymentOptions>, object]>([
    ['authorize authorizes', 'authorize', {}, authorization],
    ['authorize with authorize_only true authorizes', 'authorize', { authorizeOnly: true }, authorization],
    ['authorize with authorize_only false is a sale', 'authorize', { authorizeOnly: false }, sale],
    ['capture is a sale', 'capture', {}, sale],
    ['capture with authorize_only false is a sale', 'capture', { authorizeOnly: false }, sale],
    ['capture with authorize_only true authorizes', 'capture', { authorizeOnly: true }, authorization],
    ['authorize with an instant captures then', 'authorize', { autoCaptureAt }, scheduled],
    ['so does a sale with an instant', 'authorize', { autoCaptureAt, authorizeOnly: false }, scheduled],
    ['so does capture with an instant', 'capture', { autoCaptureAt }, scheduled],
    ['part of a sale', 'capture', part, partOfSale],
    ['part of a scheduled capture', 'authorize', { autoCaptureAt, ...part }, partLater],
    ['the whole is the most that a part can be', 'capture', amount(2900), { kind: 'authorize' }],
    ['what else was asked', 'authorize', others, others],
  ])('%s', (_, verb, options, expected) => {
    expect(plan(verb, { source, ...options })).toMatchObject(expected)
    expect(plan(verb, { source, ...options }, { status: 'failed' })).toMatchObject(expected)
  })

  test('the instant of the invoice counts, whatever the call says', () => {
    const later = new Date(TOMORROW.getTime() + 1)
    for (const verb of ['authorize', 'capture'] as const)
      for (const options of [{}, { autoCaptureAt: later }, { authorizeOnly: false }])
        expect(plan(verb, { source, ...options }, INVOICE_SCHEDULES)).toMatchObject(scheduled)
  })

  test('a verification takes no money, whatever the call says', () => {
    for (const options of [{ source }, { source, authorizeOnly: false }])
      expect(plan('capture', options, { verification: true })).toMatchObject(authorization)
  })

  test('a verification takes no money later either, or where only a sale is possible', () => {
    for (const situation of [{}, AUTHORIZED])
      for (const verb of ['authorize', 'capture'] as const)
        expect(() => plan(verb, { autoCaptureAt, source }, { ...situation, verification: true })).toThrow(dateRefused)
    const options = { source, mayFallBackToSale: true }
    expect(plan('authorize', options, { verification: true, ...INVOICE_SCHEDULES })).toMatchObject({
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
  const leavesRest = { autoCaptureAt, ...part, captureType: 'non-final' } as const
  const only = { source, authorizeOnly: true }
  const onlyLeavingRest = { ...only, captureType: 'non-final' } as const

  test.each<Refused>([
    ['no source', 'capture', {}, {}, 'request.validation.missing-source'],
    ['more than the invoice', 'capture', { source, ...amount(2901) }, {}, NO_AMOUNT],
    ['lines of more than the invoice', 'capture', { source, ...lines(2901) }, {}, NO_AMOUNT],
    ['a capture at an instant that would leave the rest', 'authorize', { source, ...leavesRest }, {}, NO_REST],
    ['a moved capture that would leave the rest', 'capture', leavesRest, AUTHORIZED, NO_REST],
    ['an amount that nothing captures', 'authorize', { source, ...part }, {}, NO_AMOUNT],
    ...(['authorize', 'capture'] as const).flatMap((verb): Refused[] => [
      [`an amount of a mere authorization by ${verb}`, verb, { ...only, ...amount(2900) }, {}, NO_AMOUNT],
      [`an authorization by ${verb} that would leave the rest`, verb, onlyLeavingRest, {}, NO_REST],
    ]),
  ])('%s is refused', (_, verb, options, situation, code) => {
    expect(() => plan(verb, options, situation)).toThrow(refused(code))
  })

  test.each([true, false])('the capture of a sale whose customer was authenticated is final: %s', (isFinal) => {
    const request: PaymentRequest = {
      ...requestFor('capture', { source: 'gway_req_1' }),
      actor: 'client',
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
    const planAt = (instant: string, verb: Verb, options: Partial<PaymentOptions> = {}) =>
      plan(verb, { source, ...options }, { invoiceCapturesAt: new Date(instant) })

    test('beyond the authorization is refused', () => {
      expect(() => planAt('2026-11-28T09:00:00.001Z', 'authorize')).toThrow(dateRefused)
    })

    test.each(['2026-11-21T09:00:00.000Z', '2026-11-01T09:00:00.000Z'])(
      'that has passed, at %s, is due: the payment is a sale whatever the call says',
      (instant) => {
        for (const verb of ['authorize', 'capture'] as const)
          for (const authorizeOnly of [undefined, true, false])
            expect(planAt(instant, verb, { authorizeOnly })).toMatchObject({
              ...sale,
              autoCaptureAt: expect.any(Number),
            })
      },
    )

    test('that has passed takes the part that the call names', () => {
      expect(planAt('2026-11-01T09:00:00.000Z', 'authorize', part)).toMatchObject({ capture: { amountMinor: 100 } })
    })

    test('that has passed beside a later one of the call is refused: nothing is captured before its time', () => {
      expect(() => planAt('2026-11-01T09:00:00.000Z', 'authorize', { autoCaptureAt })).toThrow(dateRefused)
    })

    test('a millisecond ahead is still waited for', () => {
      const planned = planAt('2026-11-21T09:00:00.001Z', 'authorize')
      expect(planned).toMatchObject({ capture: null, autoCaptureAt: NOW.getTime() + 1 })
    })
  })
})

type Planned = [title: string, Verb, Partial<PaymentOptions>, Situation, expected: object]

const capture = { kind: 'capture', amountMinor: null }
/** The workflow answers how the payment stands, and does nothing. */
const repeated = { kind: 'authorize', capture: null }
const schedule = { kind: 'schedule-capture', autoCaptureAt: at, autoCaptureAmountMinor: null }
const schedulePart = { ...schedule, autoCaptureAmountMinor: 100 }
const unschedule = { ...schedule, autoCaptureAt: null }
const captureLines = { ...capture, amountMinor: 100, detailIds: ['iv_det_1'], isFinal: true }
const scheduleLines = { ...schedulePart, autoCaptureDetailIds: ['iv_det_1'] }
const namedInstant = { kind: 'authorize', autoCaptureAt: at, named: ['auto_capture_at', 'capture_amount'] }
const namedAmount = { kind: 'authorize', autoCaptureAmountMinor: 100, named: ['capture_amount'] }
const unnamed = { kind: 'authorize', named: undefined }
const drop = { cancelsAutoCapture: true }
const sourceAndPartLater = { source, autoCaptureAt, ...part }
const partLeavingRest = { ...part, captureType: 'non-final' } as const
const laterThanInvoice = { source, autoCaptureAt: new Date(at + 1) }
const authorizedOfInvoice: Situation = { ...AUTHORIZED, ...INVOICE_SCHEDULES }
const authorizedAndScheduled: Situation = { ...AUTHORIZED, scheduled: true }
const partlyAndScheduled: Situation = { ...PARTLY_CAPTURED, scheduled: true }

test.each<Planned>([
  ['capture captures', 'capture', {}, AUTHORIZED, capture],
  ['capture captures a part', 'capture', part, AUTHORIZED, { ...capture, amountMinor: 100 }],
  ['capture captures, although a capture is scheduled', 'capture', {}, authorizedAndScheduled, capture],
  ['capture captures, although the invoice schedules', 'capture', {}, authorizedOfInvoice, capture],
  ['a sale captures what is left', 'authorize', { source, authorizeOnly: false }, AUTHORIZED, capture],
  ['capture with an instant schedules', 'capture', { autoCaptureAt, ...part }, AUTHORIZED, schedulePart],
  ['authorize again changes nothing', 'authorize', { source }, AUTHORIZED, repeated],
  ['authorize with an instant schedules as capture does', 'authorize', sourceAndPartLater, AUTHORIZED, schedulePart],
  ['also while a capture waits', 'authorize', sourceAndPartLater, { status: 'pending-capture' }, schedulePart],
  [
    'an instant without a source counts beside the invoice’s',
    'authorize',
    { autoCaptureAt },
    authorizedOfInvoice,
    schedule,
  ],
  ['an instant without a source asks even where it is too late', 'authorize', { autoCaptureAt }, COMPLETED, schedule],
  [
    'the first call again, beside the instant of the invoice, names none',
    'authorize',
    laterThanInvoice,
    authorizedOfInvoice,
    { ...unnamed, autoCaptureAt: at },
  ],
  [
    'the first call again, while its outcome is open, names it',
    'authorize',
    sourceAndPartLater,
    { status: 'waiting' },
    namedInstant,
  ],
  [
    'the first call again, after the capture, asks only how it stands',
    'authorize',
    sourceAndPartLater,
    COMPLETED,
    unnamed,
  ],
  ['an amount without an instant is named', 'authorize', { source, ...part }, AUTHORIZED, namedAmount],
  [
    'lines without an instant are named',
    'authorize',
    { source, ...lines(100) },
    AUTHORIZED,
    { named: ['invoice_detail_ids'] },
  ],
  [
    'incremental true is named',
    'authorize',
    { source, incremental: true },
    AUTHORIZED,
    { incremental: true, named: ['incremental'] },
  ],
  ['incremental false asks for nothing', 'authorize', { source, incremental: false }, AUTHORIZED, unnamed],
  [
    'nor does incremental true where the invoice does without',
    'authorize',
    { source, incremental: true },
    { ...AUTHORIZED, bypassesIncremental: true },
    unnamed,
  ],
  [
    'capture with authorize_only true changes nothing',
    'capture',
    { source, authorizeOnly: true },
    AUTHORIZED,
    repeated,
  ],
  [
    'the call that authorized, sent again, does not capture before its time',
    'capture',
    { source },
    authorizedOfInvoice,
    { kind: 'authorize' },
  ],
  [
    'a sale sent again before its outcome is known',
    'capture',
    { source },
    { status: 'pending' },
    { kind: 'authorize' },
  ],
  ['capture of a payment whose outcome is not known', 'capture', {}, { status: 'pending' }, capture],
  ['authorize again before the outcome is known', 'authorize', {}, { status: 'waiting' }, repeated],
  ['capture of what is captured', 'capture', { source }, COMPLETED, capture],
  ['capture of what is captured, with an instant', 'capture', { autoCaptureAt }, COMPLETED, capture],
  ['capture again asks for nothing more', 'capture', {}, COMPLETED, { ...capture, wantsRest: false }],
  [
    'capture with its kind asks for the rest',
    'capture',
    { captureType: 'final' },
    COMPLETED,
    { ...capture, isFinal: true, wantsRest: true },
  ],
  [
    'capture of another part keeps what it leaves',
    'capture',
    partLeavingRest,
    COMPLETED,
    { ...capture, amountMinor: 100, isFinal: false },
  ],
  ['capture of lines', 'capture', lines(100), AUTHORIZED, captureLines],
  ['capture of lines at an instant', 'capture', { autoCaptureAt, ...lines(100) }, AUTHORIZED, scheduleLines],
  ['capture of what was voided', 'capture', { source, authorizeOnly: true }, { status: 'voided' }, capture],
  ['authorize of what was voided', 'authorize', { source }, { status: 'voided' }, repeated],
  ['null for the instant drops the scheduled capture', 'capture', drop, authorizedAndScheduled, unschedule],
  ['null for the instant, asked again, captures nothing either', 'capture', drop, AUTHORIZED, unschedule],
  [
    'null for the instant beside an amount captures it now',
    'capture',
    { ...drop, ...part },
    authorizedAndScheduled,
    { ...capture, amountMinor: 100 },
  ],
  ['null for the instant beside a source captures', 'capture', { ...drop, source }, AUTHORIZED, capture],
])('of an authorized payment: %s', (_, verb, options, situation, expected) => {
  expect({ named: undefined, ...plan(verb, options, situation) }).toMatchObject(expected)
})

test.each<Planned>([
  ['null for the instant drops the capture of the rest', 'capture', drop, partlyAndScheduled, unschedule],
  ['null for the instant, asked again, asks for nothing more', 'capture', drop, PARTLY_CAPTURED, { wantsRest: false }],
  [
    'an instant and an amount schedule another part',
    'capture',
    { autoCaptureAt, ...part },
    PARTLY_CAPTURED,
    schedulePart,
  ],
  [
    'null for the instant beside the kind of capture takes the rest now',
    'capture',
    { ...drop, captureType: 'final' },
    partlyAndScheduled,
    { ...capture, wantsRest: true },
  ],
  ['capture with an instant schedules the rest', 'capture', { autoCaptureAt }, PARTLY_CAPTURED, schedule],
  ['authorize with an instant schedules the rest', 'authorize', { autoCaptureAt }, PARTLY_CAPTURED, schedule],
  ...[{}, { captureType: 'final' as const }, part].map((options): Planned => {
    const title = `capture with authorize_only true captures nothing more, beside ${JSON.stringify(options)}`
    return [title, 'capture', { authorizeOnly: true, ...options }, PARTLY_CAPTURED, repeated]
  }),
  [
    'the first call again asks for nothing more',
    'capture',
    { source, autoCaptureAt },
    partlyAndScheduled,
    { ...capture, wantsRest: false },
  ],
])('of a payment of which a part is captured: %s', (_, verb, options, situation, expected) => {
  expect(plan(verb, options, situation)).toMatchObject(expected)
})

test('authorize with an instant and incremental true is refused where the payment is not incremental', () => {
  const options = { source, autoCaptureAt, incremental: true }
  expect(() => plan('authorize', options, AUTHORIZED)).toThrow(refused('request.validation.invalid-state'))
  for (const situation of [{ incremental: true }, { bypassesIncremental: true }])
    expect(plan('authorize', options, { ...AUTHORIZED, ...situation })).toMatchObject({ kind: 'schedule-capture' })
})

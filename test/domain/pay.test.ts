import { describe, expect, test } from '@jest/globals'
import type { PayCommand, PaymentCall } from '../../domain/command.ts'
import { type CustomerAction, issueAction, type Tried } from '../../domain/customer-action.ts'
import { authorizationUnderWay, captureOfSale, decidePay, type InvoiceTerms } from '../../domain/pay.ts'
import type { Payment } from '../../domain/payment.ts'
import {
  AT,
  attemptOf,
  authorized,
  completed,
  DAY_MS,
  EXPIRES,
  failed,
  fresh,
  HOUR_MS,
  inFlight,
  invoiceTerms,
  partly,
  payCommand,
  short,
  voided,
} from './payment-builders.ts'

type Options = Partial<PayCommand>

/** A payment with the terms of its invoice. */
interface Situation {
  payment?: Payment
  invoice?: Partial<InvoiceTerms>
}

const decided = (call: PaymentCall, options: Options, { payment = fresh, invoice = {} }: Situation = {}) =>
  decidePay(payCommand({ call, ...options }), payment, invoiceTerms(invoice), AT)

/** What a call means, with the decision in a word: `capture 2900`. */
const said = (...asked: Parameters<typeof decided>): string => {
  const { command, decision } = decided(...asked)
  return `${command?.kind ?? 'nothing'} ${short(decision)}`
}

const LATER = AT + HOUR_MS
const source = 'card_1'
const part = { amountMinor: 100 }
const lines = (amountMinor: number) => ({ amountMinor, detailIds: ['iv_det_1'] })
const later = { autoCaptureAt: LATER }
const drop = { cancelsAutoCapture: true } as const
const AUTHORIZED: Situation = { payment: authorized() }
const SCHEDULED: Situation = { payment: authorized(later) }
const INVOICE_SCHEDULES: Situation = { invoice: later }
const COMPLETED: Situation = { payment: completed() }
const PARTLY: Situation = { payment: partly() }
const UNKNOWN: Situation = { payment: inFlight('authorization', 'pending') }
const WAITING: Situation = { payment: inFlight('authorization', 'waiting') }
const laterAndRest: Options = { ...later, captureType: 'non-final' }
const raisable = { source, incremental: true }
const raisableLater = { ...raisable, ...later }
const CAPTURING: Situation = { payment: inFlight('capture', 'pending-capture') }
const CAPTURING_PART: Situation = { payment: inFlight('capture', 'authorized') }
const RAISABLE: Situation = { payment: authorized({ incremental: true }) }
const onlyAuthorizes = { source, authorizeOnly: true }
const passed = { source, autoCaptureAt: AT - 1 }
/** The same, where the call under way takes the money. */
const sale = ({ payment = fresh }: Situation, autoCaptureAmountMinor: number | null = null): Situation => ({
  payment: { ...payment, autoCaptureAt: AT, autoCaptureAmountMinor },
})
const PARTLY_SCHEDULED: Situation = { payment: partly(later) }

const INVALID_STATE = 'request.validation.invalid-state'
const INVALID_AMOUNT = 'request.validation.invalid-amount'
const INVALID_DATE = 'request.validation.invalid-date'
const INVALID_ID = 'request.validation.invalid-id'
const STILL_PROCESSING = 'request.still-processing'
const NO_REST = 'service.not-supported'

describe('a call on an invoice on which nothing is authorized', () => {
  const authorization = { kind: 'authorize', source, autoCaptureAt: null, capturesAtOnce: false }
  const sale = { ...authorization, autoCaptureAt: AT, capturesAtOnce: true, autoCaptureIsFinal: true }
  const scheduled = { ...authorization, ...later }
  const others = { incremental: true, preferredScheme: 'visa', initialSchemeTransactionId: 'x' } as const

  test.each<[string, PaymentCall, Options, object]>([
    ['authorize authorizes', 'authorize', {}, authorization],
    ['authorize with authorize_only true authorizes', 'authorize', { authorizeOnly: true }, authorization],
    ['authorize with authorize_only false is a sale', 'authorize', { authorizeOnly: false }, sale],
    ['capture is a sale', 'capture', {}, sale],
    ['capture with authorize_only false is a sale', 'capture', { authorizeOnly: false }, sale],
    ['capture with authorize_only true authorizes', 'capture', { authorizeOnly: true }, authorization],
    ['three-d-s authorizes, whatever it says of the capture', 'three-d-s', { authorizeOnly: false }, authorization],
    ['authorize with an instant captures then', 'authorize', later, scheduled],
    ['so does a sale with an instant', 'authorize', { ...later, authorizeOnly: false }, scheduled],
    ['so does capture with an instant', 'capture', later, scheduled],
    ['a sale of a part captures the part', 'capture', part, { ...sale, autoCaptureAmountMinor: 100 }],
    ['a sale that leaves a rest', 'capture', { captureType: 'non-final' }, { ...sale, autoCaptureIsFinal: false }],
    ['a part is captured later', 'authorize', { ...later, ...part }, { ...scheduled, autoCaptureAmountMinor: 100 }],
    ['lines without an instant are kept', 'authorize', lines(100), { autoCaptureDetailIds: ['iv_det_1'] }],
    ['the whole is the most that a part can be', 'capture', { amountMinor: 2_900 }, { kind: 'authorize' }],
    ['other options are handed on', 'authorize', others, others],
  ])('%s', (_, call, options, expected) => {
    for (const payment of [fresh, failed, { ...failed, status: 'blocked' as const }]) {
      const { command, decision } = decided(call, { source, ...options }, { payment })
      expect(command).toMatchObject(expected)
      expect(short(decision)).toBe(2_900)
    }
  })

  test('follows the instant of the invoice, whatever it says itself', () => {
    for (const call of ['authorize', 'capture'] as const)
      for (const options of [{}, { autoCaptureAt: LATER + 1 }, { authorizeOnly: false }])
        expect(decided(call, { source, ...options }, INVOICE_SCHEDULES).command).toMatchObject(scheduled)
  })

  test.each([AT - DAY_MS, AT])('captures at once where the instant of the invoice has passed: %d', (autoCaptureAt) => {
    const due = { invoice: { autoCaptureAt } }
    for (const call of ['authorize', 'capture', 'three-d-s'] as const)
      expect(decided(call, { source, authorizeOnly: true }, due).command).toMatchObject(sale)
    expect(decided('authorize', { source, ...part }, due).command).toMatchObject({ autoCaptureAmountMinor: 100 })
    expect(said('authorize', { source, ...later }, due)).toBe(`authorize ${INVALID_DATE}`)
  })

  test('waits for the instant of an invoice a millisecond ahead', () => {
    expect(decided('capture', { source }, { invoice: { autoCaptureAt: AT + 1 } }).command).toMatchObject({
      capturesAtOnce: false,
      autoCaptureAt: AT + 1,
    })
  })

  test('takes no money where the invoice verifies a card, neither now nor later nor by a fall-back to a sale', () => {
    for (const options of [{}, { authorizeOnly: false }])
      expect(decided('capture', { source, ...options }, { invoice: { verification: true } }).command).toMatchObject(
        authorization,
      )
    for (const payment of [fresh, authorized()])
      for (const call of ['authorize', 'capture'] as const)
        expect(said(call, { source, ...later }, { payment, invoice: { verification: true } })).toBe(
          `nothing ${INVALID_DATE}`,
        )
    const scheduledVerification = { invoice: { verification: true, ...later } }
    expect(decided('authorize', { source, mayFallBackToSale: true }, scheduledVerification).command).toMatchObject({
      ...authorization,
      mayFallBackToSale: false,
    })
  })

  const leavesRest = { ...later, ...part, captureType: 'non-final' } as const
  const only = { source, authorizeOnly: true }
  const BOTH = ['authorize', 'capture'] as const
  type Refused = [title: string, PaymentCall, Options, code: string, field: string]
  test.each<Refused>([
    ['no source', 'capture', {}, 'request.validation.missing-source', 'source'],
    ['more than the invoice', 'capture', { source, amountMinor: 2_901 }, INVALID_AMOUNT, 'capture_amount'],
    ['lines of more than the invoice', 'capture', { source, ...lines(2_901) }, INVALID_AMOUNT, 'invoice_detail_ids'],
    ['a later capture that leaves the rest', 'authorize', { source, ...leavesRest }, NO_REST, 'capture_type'],
    ['an amount that nothing captures', 'authorize', { source, ...part }, INVALID_AMOUNT, 'capture_amount'],
    ...BOTH.flatMap((call): Refused[] => [
      [`an amount of an authorization by ${call}`, call, { ...only, ...part }, INVALID_AMOUNT, 'capture_amount'],
      [`an authorization by ${call} that leaves`, call, { ...only, captureType: 'non-final' }, NO_REST, 'capture_type'],
    ]),
  ])('is refused before anything is reserved: %s', (_, call, options, code, field) => {
    expect(decided(call, options).decision).toMatchObject({ answer: { kind: 'refused', code, field: { name: field } } })
  })

  test('is refused where its amounts were read in another currency', () => {
    for (const payment of [fresh, authorized()])
      expect(said('capture', { source, ...part, currency: 'JPY' }, { payment })).toMatch(` ${INVALID_STATE}`)
    expect(said('capture', { ...later, ...part, currency: 'JPY' }, AUTHORIZED)).toMatch(` ${INVALID_STATE}`)
  })

  test('is refused where the instant of the invoice lies later than an authorization lasts', () => {
    for (const [autoCaptureAt, expected] of [
      [AT + 7 * DAY_MS, 2_900],
      [AT + 7 * DAY_MS + 1, INVALID_DATE],
    ] as const)
      expect(said('capture', { source }, { invoice: { autoCaptureAt } })).toBe(`authorize ${expected}`)
  })
})

/** What each call means on a payment that exists. */
describe('a call on an existing payment', () => {
  const NOTHING = 'authorize unchanged'
  const sourceAndPartLater = { source, ...later, ...part }
  const ofInvoice: Situation = { ...AUTHORIZED, ...INVOICE_SCHEDULES }
  const partOfScheduled = { payment: authorized({ ...later, autoCaptureAmountMinor: 100 }) }

  test.each<[string, PaymentCall, Options, Situation, string]>([
    ['capture captures', 'capture', {}, AUTHORIZED, 'capture 2900'],
    ['capture captures a part', 'capture', part, AUTHORIZED, 'capture 100'],
    ['capture captures, although a capture is scheduled', 'capture', {}, SCHEDULED, 'capture 2900'],
    ['capture captures, although the invoice schedules', 'capture', {}, ofInvoice, 'capture 2900'],
    ['a sale captures what is left', 'authorize', { source, authorizeOnly: false }, AUTHORIZED, 'capture 2900'],
    ['capture with a source captures', 'capture', { source }, AUTHORIZED, 'capture 2900'],
    ['authorize without a source captures', 'authorize', { authorizeOnly: false }, AUTHORIZED, 'capture 2900'],
    ['three-d-s captures nothing', 'three-d-s', { source, authorizeOnly: false }, AUTHORIZED, NOTHING],
    ['capture with an instant schedules', 'capture', { ...later, ...part }, AUTHORIZED, 'schedule-capture 100'],
    ['authorize again changes nothing', 'authorize', { source }, AUTHORIZED, NOTHING],
    ['authorize with an instant schedules', 'authorize', sourceAndPartLater, AUTHORIZED, 'schedule-capture 100'],
    ['an instant without a source schedules', 'authorize', later, ofInvoice, 'schedule-capture 2900'],
    ['an instant where it is too late', 'authorize', later, COMPLETED, `schedule-capture ${INVALID_STATE}`],
    [
      'an instant while a capture waits',
      'authorize',
      sourceAndPartLater,
      CAPTURING,
      `schedule-capture ${STILL_PROCESSING}`,
    ],
    ['authorize_only true changes nothing', 'capture', onlyAuthorizes, AUTHORIZED, NOTHING],
    ['the call that authorized, again', 'capture', { source }, ofInvoice, NOTHING],
    ['a sale again while its outcome is unknown', 'capture', { source }, sale(UNKNOWN), NOTHING],
    ['a sale again while it is asked for', 'capture', { source, ...part }, sale(WAITING, part.amountMinor), NOTHING],
    ['a sale in place of an authorization', 'capture', { source }, WAITING, `authorize ${STILL_PROCESSING}`],
    ['an authorization in place of a sale', 'capture', onlyAuthorizes, sale(WAITING), `authorize ${INVALID_STATE}`],
    ['a sale of a part in place of one', 'capture', { source, ...part }, sale(WAITING), `authorize ${INVALID_AMOUNT}`],
    ['an instant that has passed', 'capture', { autoCaptureAt: AT - 1 }, AUTHORIZED, `nothing ${INVALID_DATE}`],
    ['an instant that has passed, of a new try', 'capture', passed, { payment: failed }, `authorize ${INVALID_DATE}`],
    ['capture while the outcome is unknown', 'capture', {}, UNKNOWN, `capture ${STILL_PROCESSING}`],
    ['authorize while the outcome is unknown', 'authorize', {}, WAITING, NOTHING],
    ['capture of what is captured', 'capture', { source }, COMPLETED, 'capture unchanged'],
    ['capture of what is captured, without a source', 'capture', {}, COMPLETED, 'capture unchanged'],
    ['capture while one is under way', 'capture', {}, CAPTURING_PART, 'capture pending'],
    ['a second capture', 'capture', { captureType: 'final' }, COMPLETED, `capture ${INVALID_STATE}`],
    ['capture of lines', 'capture', lines(100), AUTHORIZED, 'capture 100'],
    ['capture of lines at an instant', 'capture', { ...later, ...lines(100) }, AUTHORIZED, 'schedule-capture 100'],
    ['capture of what was voided', 'capture', { source }, { payment: voided() }, `capture ${INVALID_STATE}`],
    ['capture of what has expired', 'capture', {}, { payment: voided({ expired: true }) }, 'capture gateway.expired'],
    ['authorize of what was voided', 'authorize', { source }, { payment: voided() }, `authorize ${INVALID_STATE}`],
    ['null for the instant drops the schedule', 'capture', drop, SCHEDULED, 'schedule-capture 2900'],
    ['null for the instant, again, captures nothing either', 'capture', drop, AUTHORIZED, 'schedule-capture 2900'],
    ['null for the instant beside an amount captures now', 'capture', { ...drop, ...part }, SCHEDULED, 'capture 100'],
    ['null beside a source drops it', 'capture', { ...drop, source }, SCHEDULED, 'schedule-capture 2900'],
    ['the same, run again', 'capture', { ...drop, source }, AUTHORIZED, 'schedule-capture 2900'],
    ['a later capture leaves no rest', 'capture', laterAndRest, AUTHORIZED, `nothing ${NO_REST}`],

    ['of a part captured, capture asks for nothing more', 'capture', {}, PARTLY, 'capture unchanged'],
    ['of a part captured, its kind takes the rest', 'capture', { captureType: 'final' }, PARTLY, 'capture 1900'],
    ['of a part captured, another part', 'capture', { ...part, captureType: 'non-final' }, PARTLY, 'capture 100'],
    ['of a part captured, null drops the schedule', 'capture', drop, PARTLY_SCHEDULED, 'schedule-capture 1900'],
    ['of a part captured, null again drops nothing more', 'capture', drop, PARTLY, 'schedule-capture 1900'],
    ['a part captured, and one later', 'capture', { ...later, ...part }, PARTLY, 'schedule-capture 100'],
    [
      'a part captured, null and the kind',
      'capture',
      { ...drop, captureType: 'final' },
      PARTLY_SCHEDULED,
      'capture 1900',
    ],
    ['of a part captured, an instant schedules the rest', 'capture', later, PARTLY, 'schedule-capture 1900'],
    ['of a part captured, so does that of authorize', 'authorize', later, PARTLY, 'schedule-capture 1900'],
    ['a part captured, the first call', 'capture', { source, ...later }, PARTLY_SCHEDULED, 'capture unchanged'],
    ...[{}, { captureType: 'final' as const }].map((options): [string, PaymentCall, Options, Situation, string] => [
      `of a part captured, authorize_only true takes nothing beside ${JSON.stringify(options)}`,
      'capture',
      { authorizeOnly: true, ...options },
      PARTLY,
      NOTHING,
    ]),

    ['other terms: an instant', 'authorize', sourceAndPartLater, WAITING, `authorize ${INVALID_DATE}`],
    [
      'the same instant and amount',
      'authorize',
      sourceAndPartLater,
      { payment: { ...inFlight('authorization', 'pending'), ...later, autoCaptureAmountMinor: 100 } },
      NOTHING,
    ],
    ['an instant beside that of the invoice', 'authorize', { source, autoCaptureAt: LATER + 1 }, ofInvoice, NOTHING],
    ['an instant after the capture', 'authorize', sourceAndPartLater, COMPLETED, NOTHING],
    ['other terms: an amount', 'authorize', { source, ...part }, AUTHORIZED, `authorize ${INVALID_AMOUNT}`],
    ['the same amount', 'authorize', { source, ...part }, partOfScheduled, NOTHING],
    ['other terms: lines', 'authorize', { source, ...lines(100) }, AUTHORIZED, `authorize ${INVALID_ID}`],
    [
      'the same lines in another order',
      'authorize',
      { source, amountMinor: 100, detailIds: ['iv_det_2', 'iv_det_1'] },
      { payment: authorized({ autoCaptureDetailIds: ['iv_det_1', 'iv_det_2'], autoCaptureAmountMinor: 100 }) },
      NOTHING,
    ],
    ['other terms: incremental', 'authorize', { source, incremental: true }, AUTHORIZED, `authorize ${INVALID_STATE}`],
    ['the same incremental', 'authorize', raisable, RAISABLE, NOTHING],
    ['incremental false asks for nothing', 'authorize', { source, incremental: false }, AUTHORIZED, NOTHING],
    [
      'incremental where the invoice does without',
      'authorize',
      { source, incremental: true },
      { ...AUTHORIZED, invoice: { bypassIncrementalAuthorization: true } },
      NOTHING,
    ],
    ['a schedule with incremental', 'authorize', raisableLater, AUTHORIZED, `nothing ${INVALID_STATE}`],
    ['a schedule of an incremental payment', 'authorize', raisableLater, RAISABLE, 'schedule-capture 2900'],
  ])('%s', (_, call, options, situation, expected) => {
    expect(said(call, options, situation)).toBe(expected)
  })

  test('is the first one again where it names the same, whatever that is', () => {
    const options: Options[] = [
      {},
      onlyAuthorizes,
      { authorizeOnly: false },
      later,
      part,
      lines(100),
      { ...later, ...part },
    ]
    const invoices = [{}, later, { autoCaptureAt: AT - 1 }, { verification: true }, { incremental: true }]
    for (const invoice of invoices)
      for (const call of ['authorize', 'capture', 'three-d-s'] as const)
        for (const option of options) {
          const first = decided(call, { ...option, source }, { invoice })
          if (first.decision.kind !== 'proceed' || first.command?.kind !== 'authorize') continue
          const { incremental, autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds } = first.command
          const kept = { incremental, autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds }
          const payment = { ...inFlight('authorization', 'waiting'), ...kept }
          expect(said(call, { ...option, source }, { payment, invoice })).toBe(NOTHING)
        }
  })

  test('never authorizes a second time, whatever it says', () => {
    const options: Options[] = [{}, { authorizeOnly: true }, { authorizeOnly: false }, later, drop, part, lines(100)]
    const payments = [
      authorized(),
      completed(),
      partly(),
      voided(),
      inFlight('authorization', 'pending'),
      inFlight('void', 'authorized'),
    ]
    for (const payment of payments)
      for (const call of ['authorize', 'capture', 'three-d-s'] as const)
        for (const option of options)
          expect(said(call, { source, ...option }, { payment })).not.toMatch(/^authorize \d/)
  })
})

describe('the answer of a customer', () => {
  const continues = { actionId: 'act_1', answer: 'returned' } as const
  const waiting = (values: Partial<Payment> = {}): Payment => ({
    ...inFlight('authorization', 'waiting', { awaitsCustomerUntil: AT + HOUR_MS }),
    ...values,
  })

  test.each([
    ['goes on with the authorization that waits', waiting(), 'authorize continue'],
    ['finds a payment that is authorized as it is', authorized(), 'authorize unchanged'],
    ['is no success where the payment was voided', voided(), `authorize ${INVALID_STATE}`],
  ])('%s', (_, payment, expected) => {
    expect(said('authorize', { continues }, { payment })).toBe(expected)
    expect(said('capture', { continues, actor: 'client' }, { payment })).toBe(expected)
  })

  // Read under the lock: the bank may have sent the browser back after the request was read.
  test('is the first source again, once the browser is back from a page of version 1', () => {
    const again = (
      type: 'url' | 'redirect',
      tried: Partial<Tried> = {},
      returned: CustomerAction['returned'] = {},
      more: Options = {},
    ) => {
      const page = { url: 'https://bank.example', fields: null }
      const issue = { invoiceId: 'iv_1', channel: 'web', previous: null, publicUrl: 'https://pay.example' } as const
      const asked = { type, page, isFullPage: false, continuation: 'c' }
      const action = issueAction(asked, { ...issue, id: 'act_1', attemptId: 'tr_op_1', at: AT })
      const payment = waiting()
      const [attempt] = payment.attemptsInFlight
      const customerAction = { ...action, attemptId: attempt?.operationId ?? '', returned }
      const of = { ...payment, cardId: source, customerAction, ...tried }
      const { command, decision } = decided(
        'authorize',
        { source, saveSource: true, ...more },
        { payment, invoice: { tried: of } },
      )
      return [short(decision), command?.kind === 'authorize' && command.continues?.answer, command]
    }
    const goesOn = { source: null, saveSource: false, continues: { actionId: 'act_1', answer: 'returned' } }
    expect(again('url')).toEqual(['continue', 'returned', expect.objectContaining(goesOn)])
    const asks = ['unchanged', undefined, expect.objectContaining({ source })]
    expect(again('url', {}, null)).toEqual(asks)
    expect(again('redirect')).toEqual(asks)
    expect(again('url', { cardId: 'card_2' })).toEqual(asks)
    expect(again('url', { attemptsInFlight: [] })).toEqual(asks)
    // With other terms than those under way it is another call.
    expect(again('url', {}, {}, { authorizeOnly: false })[0]).toBe(STILL_PROCESSING)
    expect(again('url', {}, {}, later)[0]).toBe(INVALID_DATE)
    expect(again('url', {}, {}, { actor: 'client', amountMinor: 100 })[0]).toBe('request.validation.error')
  })

  test.each([
    ['changes nothing while the browser is still at the bank', 'redirect', null, AT + 1, 'unchanged'],
    ['changes nothing while the browser is still at a full page', 'url', null, AT + 1, 'unchanged'],
    ['counts once the browser is back', 'redirect', {}, AT + 1, 'continue'],
    ['ends what the customer had too little time for', 'redirect', null, AT, 'continue'],
    ['counts where a fingerprint page does not come back', 'fingerprint', null, AT + 1, 'continue'],
  ] as const)('%s', (_, type, returned, expiresAt, expected) => {
    const payment = waiting()
    const [attempt] = payment.attemptsInFlight
    const customerAction = {
      ...{ id: 'act_1', attemptId: attempt?.operationId, type, returned, expiresAt },
    } as CustomerAction
    const invoice = { tried: { ...payment, customerAction } }
    expect(said('authorize', { continues }, { payment, invoice })).toBe(`authorize ${expected}`)
    const canceled = { ...continues, answer: 'canceled' } as const
    expect(said('authorize', { continues: canceled }, { payment, invoice })).toBe('authorize continue')
  })

  test.each([true, false])('goes on with a sale on the terms of the record; its capture is final: %s', (isFinal) => {
    const payment = waiting({ autoCaptureAt: AT, autoCaptureAmountMinor: 100, autoCaptureIsFinal: isFinal })
    expect(
      authorizationUnderWay(
        payCommand({ source, saveSource: true, preferredScheme: 'visa', overrideMacBlocking: true }),
        payment,
        invoiceTerms(),
        { goesOn: true, at: AT },
      ),
    ).toMatchObject({
      ...{ source: null, saveSource: false, preferredScheme: null, capturesAtOnce: true },
      ...{ autoCaptureAmountMinor: 100, autoCaptureIsFinal: isFinal },
    })
  })

  test('captures at once what was scheduled for an instant that passed while the customer authenticated', () => {
    const under = (autoCaptureAt: number) =>
      authorizationUnderWay(payCommand(), waiting({ autoCaptureAt }), invoiceTerms(), { goesOn: true, at: AT })
    expect(under(AT)).toMatchObject({ capturesAtOnce: true })
    expect(under(AT + 1)).toMatchObject({ capturesAtOnce: false })
  })
})

describe('the capture of a sale', () => {
  const due = (values: Partial<Payment>) => captureOfSale(payCommand(), authorized({ autoCaptureAt: AT, ...values }))

  test('takes what the record says, and no more than was approved', () => {
    const lined = { autoCaptureAmountMinor: 1_450, autoCaptureDetailIds: ['iv_det_1'] }
    expect(due({})).toMatchObject({ operationId: 'tr_op_2', amountMinor: null, isFinal: true })
    expect(due(lined)).toMatchObject({ amountMinor: 1_450, detailIds: ['iv_det_1'] })
    expect(due({ ...lined, authorizedMinor: 1_450 })).toMatchObject({ amountMinor: 1_450, detailIds: ['iv_det_1'] })
    expect(due({ ...lined, authorizedMinor: 1_449 })).toMatchObject({ amountMinor: 1_449, detailIds: null })
    expect(due({ autoCaptureIsFinal: false })).toMatchObject({ isFinal: false })
  })
})

const NO_RIGHTS = { mayCapture: false, mayChooseAmounts: false }
const CAPTURES = { mayCapture: true, mayChooseAmounts: false }
const ALL_RIGHTS = { mayCapture: true, mayChooseAmounts: true }

/** What a client may do. */
describe('a client', () => {
  const NEEDS_KEY = 'nothing request.authentication.invalid'
  const by = (client: PayCommand['client'], call: PaymentCall, options: Options, situation: Situation = {}) =>
    said(call, { ...(client && { actor: 'client', client }), ...options }, situation)
  const refusal = (options: Options, call: PaymentCall, situation: Situation, client = NO_RIGHTS) => {
    const { decision } = decided(call, { source, actor: 'client', client, ...options }, situation)
    return decision.kind === 'answer' && decision.answer.kind === 'refused' ? decision.answer : null
  }

  test.each<[PaymentCall, Options]>([
    ['capture', {}],
    ['capture', part],
    ['capture', { source }],
    ['capture', later],
    ['capture', { source, ...later }],
    ['capture', drop],
    ['authorize', { source, authorizeOnly: false }],
    ['authorize', later],
  ])('neither captures nor schedules what is authorized: %s %j', (call, options) => {
    for (const situation of [AUTHORIZED, SCHEDULED]) expect(by(NO_RIGHTS, call, options, situation)).toBe(NEEDS_KEY)
    const left = { ...AUTHORIZED, invoice: { requireBackendCapture: true } }
    expect(by(ALL_RIGHTS, call, options, left)).toBe(NEEDS_KEY)
    expect(by(undefined, call, options, left)).toMatch(/^(capture|schedule-capture) \d+$/)
    expect(by(ALL_RIGHTS, call, options, AUTHORIZED)).toMatch(/^(capture|schedule-capture) \d+$/)
  })

  test('without rights of its project has none', () => {
    expect(said('capture', { actor: 'client' }, AUTHORIZED)).toBe(NEEDS_KEY)
  })

  test('captures no further part', () => {
    expect(by(NO_RIGHTS, 'capture', { amountMinor: 1_900 }, PARTLY)).toBe(NEEDS_KEY)
  })

  test('that sends its call again is told where the payment stands, and captures nothing more', () => {
    const capturing = { payment: authorized({ attemptsInFlight: [attemptOf()] }) }
    const between = { payment: authorized({ autoCaptureAt: AT }) }
    const ofClockAhead = { payment: authorized({ autoCaptureAt: AT + 1, authorizationExpiresAt: EXPIRES + 1 }) }
    for (const situation of [COMPLETED, PARTLY, capturing, between, ofClockAhead])
      expect(by(NO_RIGHTS, 'capture', { source }, situation)).toMatch(/ unchanged$/)
    expect(by(NO_RIGHTS, 'capture', { source, amountMinor: 1_900 }, PARTLY)).toMatch(/ unchanged$/)
    expect(by(NO_RIGHTS, 'capture', { source }, { payment: voided() })).toMatch(INVALID_STATE)
  })

  test.each([
    [LATER, 'unchanged'],
    [LATER + 1, INVALID_DATE],
  ])('that sends its scheduled call again moves nothing: %d', (autoCaptureAt, expected) => {
    expect(by(NO_RIGHTS, 'authorize', { source, autoCaptureAt }, SCHEDULED)).toBe(`authorize ${expected}`)
  })

  test.each<[string, PaymentCall, Options, Partial<InvoiceTerms>]>([
    ['authorize_only', 'capture', {}, {}],
    ['authorize_only', 'authorize', { authorizeOnly: false }, {}],
    ['auto_capture_at', 'authorize', later, {}],
    ['allow_fallback_to_sale', 'authorize', { mayFallBackToSale: true }, {}],
    ['capture_amount', 'authorize', part, later],
    ['invoice_detail_ids', 'authorize', lines(1), later],
  ])('decides by no %s where only the server captures, whatever the project allows', (name, call, options, terms) => {
    const situation = { invoice: { requireBackendCapture: true, ...terms } }
    for (const rights of [NO_RIGHTS, ALL_RIGHTS])
      expect(refusal(options, call, situation, rights)).toMatchObject({ code: INVALID_STATE, field: { name } })
    expect(said(call, { source, ...options }, situation)).toBe('authorize 2900')
    expect(by(NO_RIGHTS, 'authorize', { source }, { invoice: { requireBackendCapture: true } })).toBe('authorize 2900')
  })

  test.each<[string, PaymentCall, Options]>([
    ['capture_amount', 'capture', part],
    ['capture_amount', 'authorize', { ...part, authorizeOnly: false }],
    ['capture_amount', 'authorize', { ...part, ...later }],
    ['capture_amount', 'capture', { ...part, captureType: 'non-final' }],
    ['invoice_detail_ids', 'capture', lines(1)],
    ['invoice_detail_ids', 'authorize', { ...lines(1), authorizeOnly: false }],
  ])('says how much is captured, by %s of %s %j, only where the project allows it', (name, call, options) => {
    for (const rights of [NO_RIGHTS, CAPTURES])
      for (const situation of [{}, ...(rights === CAPTURES && call === 'capture' ? [AUTHORIZED] : [])])
        expect(refusal(options, call, situation, rights)).toMatchObject({
          code: 'request.validation.error',
          field: { name, message: expect.stringMatching(/, unless the project has allows_client_amounts$/) },
        })
    expect(by(ALL_RIGHTS, call, { source, ...options })).toBe('authorize 2900')
  })

  test.each(['authorize', 'capture'] as const)('pays no invoice of an app that has no return_url: %s', (call) => {
    const app = { deviceChannel: 'android' }
    expect(refusal({}, call, { invoice: app })?.code).toBe('request.validation.invalid-url')
    expect(by(NO_RIGHTS, call, { source }, { invoice: { ...app, hasReturnUrl: true } })).toBe('authorize 2900')
    expect(said(call, { source }, { invoice: app })).toBe('authorize 2900')
  })
})

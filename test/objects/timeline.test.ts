import { describe, expect, test } from '@jest/globals'
import { presentTimeline } from '../../src/objects/timeline.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'

const AT = Date.parse('2026-11-21T09:00:00.000Z')
const at = (minutes: number) => new Date(AT + minutes * 60_000)

const operation = (fields: Partial<OperationRow>) =>
  ({
    id: 'tr_op_1',
    type: 'authorization',
    isAttempt: false,
    hasFailed: false,
    outcome: 'succeeded',
    amountMinor: 2900,
    currency: 'EUR',
    actor: 'merchant',
    createdAt: at(0),
    ...fields,
  }) as OperationRow

const happened = (parts: Partial<Parameters<typeof presentTimeline>[0]>) => ({
  transaction: null,
  operations: [],
  events: [],
  names: new Map([
    ['gway_conf_1', 'Main account'],
    ['pers_1', 'Ada Lovelace'],
  ]),
  cards: new Map([
    ['card_1', { scheme: 'visa', last4Digits: '2206', name: 'Vera Visitor' }],
    ['card_2', { scheme: 'mastercard', last4Digits: '0101', name: null }],
  ]),
  ...parts,
})

const FAILED = { outcome: 'failed', hasFailed: true } as const

describe('an operation', () => {
  const cases: [code: string, tone: string, fields: Partial<OperationRow>][] = [
    ['request.succeeded', 'neutral', { type: 'request' }],
    ['authorization.succeeded', 'good', {}],
    ['authorization.failed', 'bad', FAILED],
    ['authorization.pending', 'waiting', { outcome: 'pending' }],
    ['authorization.unknown', 'waiting', { outcome: 'unknown' }],
    ['authorization.doing', 'waiting', { isAttempt: true, outcome: null }],
    ['increment_authorization.succeeded', 'good', { type: 'increment_authorization' }],
    ['increment_authorization.failed', 'bad', { type: 'increment_authorization', ...FAILED }],
    ['capture.succeeded', 'good', { type: 'capture' }],
    ['capture.failed', 'bad', { type: 'capture', ...FAILED }],
    ['void.succeeded', 'neutral', { type: 'void' }],
    ['refund.succeeded', 'neutral', { type: 'refund' }],
    ['refund.pending', 'waiting', { type: 'refund', outcome: 'pending' }],
    ['three_d_s_check', 'neutral', { type: 'three_d_s_check', isAttempt: true, outcome: null }],
    ['chargeback-created', 'bad', { type: 'chargeback', disputeStep: 'chargeback-created' }],
    ['chargeback-won', 'good', { type: 'chargeback', disputeStep: 'chargeback-won' }],
    ['fraud-notification', 'bad', { type: 'chargeback', disputeStep: 'fraud-notification' }],
  ]
  test.each(cases)('%s', (code, tone, fields) => {
    expect(presentTimeline(happened({ operations: [operation(fields)] }))).toMatchObject([{ title: { code }, tone }])
  })

  test('that has a result stands once, with the result and the person who asked', () => {
    const attempt = operation({ id: 'tr_op_1', isAttempt: true, outcome: null, personId: 'pers_1' })
    const result = operation({ id: 'tr_op_2', attemptOperationId: 'tr_op_1', createdAt: at(1) })
    expect(presentTimeline(happened({ operations: [attempt, result] }))).toMatchObject([
      {
        title: { code: 'authorization.succeeded', values: { amount: '29.00', currency: 'EUR' } },
        actor: { code: 'person', values: { name: 'Ada Lovelace' } },
        operation_id: 'tr_op_1',
        at: at(1).toISOString(),
      },
    ])
  })

  test('says where, why, and who', () => {
    const fields = { gatewayConfigurationId: 'gway_conf_1', errorCode: 'card.expired', actor: 'client' } as const
    expect(presentTimeline(happened({ operations: [operation({ ...FAILED, ...fields })] }))).toMatchObject([
      {
        details: [
          { code: 'gateway', values: { name: 'Main account' } },
          { code: 'error', values: { error_code: 'card.expired', message: '' } },
        ],
        actor: { code: 'client' },
        kind: 'operation',
      },
    ])
  })

  test('says with which card each authorization was tried, and the holder that is known', () => {
    const tried = [
      { ...FAILED, cardId: 'card_1' },
      { cardId: 'card_2' },
      { type: 'capture', cardId: 'card_2' },
    ] as const
    const told = presentTimeline(happened({ operations: tried.map((fields) => operation({ ...fields })) }))
    expect(told.map(({ details }) => details[0])).toEqual([
      { code: 'cardOfHolder', values: { scheme: 'visa', last_4_digits: '2206', name: 'Vera Visitor' } },
      { code: 'card', values: { scheme: 'mastercard', last_4_digits: '0101' } },
      undefined,
    ])
  })

  test('that a gateway has told of is a notification', () => {
    const late = operation({ type: 'capture', ...FAILED, reason: 'failed_later', actor: 'gateway_webhook' })
    expect(presentTimeline(happened({ operations: [late] }))).toMatchObject([
      {
        kind: 'notification',
        actor: { code: 'gateway_webhook' },
        details: [{ code: 'noReason' }, { code: 'failed_later' }],
      },
    ])
  })
})

describe('a timeline', () => {
  test('has what happened and the event that tells of it in the order of time', () => {
    const webhooks = { delivered: 0, pending: 0, retrying: 0, failedTries: 0, failed: 0 }
    const event = { id: 'ev_1', name: 'transaction.authorized', firedAt: at(1), ...webhooks, delivered: 2, pending: 1 }
    const quiet = { ...event, ...webhooks, id: 'ev_2', firedAt: at(5) }
    const operations = [
      operation({ createdAt: at(1) }),
      operation({ id: 'tr_op_2', type: 'capture', createdAt: at(3) }),
    ]
    const told = presentTimeline(happened({ operations, events: [event, quiet] }))
    expect(
      told.map((entry) => [entry.title.code, entry.details.length, entry.tone, entry.operation_id, entry.event_id]),
    ).toEqual([
      ['authorization.succeeded', 0, 'good', 'tr_op_1', null],
      ['event', 0, 'waiting', null, 'ev_1'],
      ['capture.succeeded', 0, 'good', 'tr_op_2', null],
      ['event', 1, 'neutral', null, 'ev_2'],
    ])
  })

  const reserved = {
    currency: 'EUR',
    authorizedMinor: 2900,
    capturedMinor: 900,
    voidedMinor: 0,
    capturingMinor: 0,
    authorizationExpiresAt: at(200),
    attemptsInFlight: [],
  } as unknown as TransactionRow

  test('ends with what the clock does next', () => {
    const transaction = { ...reserved, autoCaptureAt: at(100), nextLookUpAt: at(10) } as TransactionRow
    expect(presentTimeline(happened({ transaction }))).toMatchObject([
      { kind: 'expected', title: { code: 'lookUp' }, at: at(10).toISOString() },
      { kind: 'expected', title: { code: 'scheduledCapture', values: { amount: '20.00' } } },
      { kind: 'expected', title: { code: 'authorizationEnd', values: { amount: '20.00' } } },
    ])
  })

  test('says until when the customer can confirm the payment with the bank', () => {
    const attempt = { operationId: 'tr_op_1', isAbandoned: false, reverses: null, awaitsCustomerUntil: AT + 900_000 }
    const transaction = {
      ...{ ...reserved, authorizedMinor: 0, capturedMinor: 0, nextLookUpAt: at(15) },
      attemptsInFlight: [attempt],
    } as unknown as TransactionRow
    expect(presentTimeline(happened({ transaction }))).toMatchObject([
      {
        kind: 'expected',
        title: { code: 'customerEnd' },
        at: at(15).toISOString(),
      },
    ])
  })

  test('names when a scheduled capture is tried again, and not its date, which has passed', () => {
    const transaction = { ...reserved, autoCaptureAt: at(100), autoCaptureRetryAt: at(150) } as TransactionRow
    expect(presentTimeline(happened({ transaction }))).toMatchObject([
      { title: { code: 'scheduledCapture', values: { amount: '20.00' } }, at: at(150).toISOString() },
      { title: { code: 'authorizationEnd', values: { amount: '20.00' } } },
    ])
  })

  test('expects nothing any more of what is being captured or was voided', () => {
    const dates = { autoCaptureAt: at(100), capturingMinor: 1500 }
    const expected = (fields: Partial<TransactionRow>) =>
      presentTimeline(happened({ transaction: { ...reserved, ...dates, ...fields } as TransactionRow }))
    expect(expected({})).toMatchObject([
      { title: { code: 'scheduledCapture', values: { amount: '5.00' } } },
      { title: { code: 'authorizationEnd', values: { amount: '5.00' } } },
    ])
    expect(expected({ capturingMinor: 500, voidedMinor: 1500 })).toEqual([])
    expect(expected({ capturingMinor: 2000 })).toEqual([])
  })
})

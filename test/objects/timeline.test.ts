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
  ...parts,
})

const FAILED = { outcome: 'failed', hasFailed: true } as const

describe('an operation in words', () => {
  const cases: [title: string, tone: string, fields: Partial<OperationRow>][] = [
    ['Payment requested: 29.00 EUR', 'neutral', { type: 'request' }],
    ['Authorized 29.00 EUR', 'good', {}],
    ['Authorized 500 JPY', 'good', { amountMinor: 500, currency: 'JPY' }],
    ['Authorization of 29.00 EUR declined', 'bad', FAILED],
    ['Authorization of 29.00 EUR is pending', 'waiting', { outcome: 'pending' }],
    ['Authorization of 29.00 EUR: no answer', 'waiting', { outcome: 'unknown' }],
    ['Authorizing 29.00 EUR', 'waiting', { isAttempt: true, outcome: null }],
    ['Raised the authorization by 29.00 EUR', 'good', { type: 'increment_authorization' }],
    ['Increment of 29.00 EUR failed', 'bad', { type: 'increment_authorization', ...FAILED }],
    ['Captured 29.00 EUR', 'good', { type: 'capture' }],
    ['Capture of 29.00 EUR failed', 'bad', { type: 'capture', ...FAILED }],
    ['Voided 29.00 EUR', 'neutral', { type: 'void' }],
    ['Refunded 29.00 EUR', 'neutral', { type: 'refund' }],
    ['Refund of 29.00 EUR is pending', 'waiting', { type: 'refund', outcome: 'pending' }],
    ['The customer answered the bank', 'neutral', { type: 'three_d_s_check', isAttempt: true, outcome: null }],
    ['Chargeback of 29.00 EUR', 'bad', { type: 'chargeback', disputeStep: 'chargeback-created' }],
    ['Chargeback won: 29.00 EUR', 'good', { type: 'chargeback', disputeStep: 'chargeback-won' }],
    ['Reported as fraud: 29.00 EUR', 'bad', { type: 'chargeback', disputeStep: 'fraud-notification' }],
  ]
  test.each(cases)('%s', (title, tone, fields) => {
    expect(presentTimeline(happened({ operations: [operation(fields)] }))).toMatchObject([{ title, tone }])
  })

  test('that has a result stands once, with the result and the person who asked', () => {
    const attempt = operation({ id: 'tr_op_1', isAttempt: true, outcome: null, personId: 'pers_1' })
    const result = operation({ id: 'tr_op_2', attemptOperationId: 'tr_op_1', createdAt: at(1) })
    expect(presentTimeline(happened({ operations: [attempt, result] }))).toMatchObject([
      {
        title: 'Authorized 29.00 EUR',
        actor: 'Ada Lovelace (dashboard)',
        operation_id: 'tr_op_1',
        at: at(1).toISOString(),
      },
    ])
  })

  test('says where, why, and who', () => {
    const fields = { gatewayConfigurationId: 'gway_conf_1', errorCode: 'card.expired', actor: 'client' } as const
    expect(presentTimeline(happened({ operations: [operation({ ...FAILED, ...fields })] }))).toMatchObject([
      {
        detail: 'Gateway: Main account. The card has expired. (card.expired)',
        actor: 'The customer',
        kind: 'operation',
      },
    ])
  })

  test('that a gateway has told of is a notification', () => {
    const late = operation({ type: 'capture', ...FAILED, reason: 'failed_later', actor: 'gateway_webhook' })
    expect(presentTimeline(happened({ operations: [late] }))).toMatchObject([
      {
        kind: 'notification',
        actor: 'A notification of the gateway',
        detail: expect.stringContaining('It had succeeded before.'),
      },
    ])
  })
})

describe('a timeline', () => {
  test('has what happened and the event that tells of it in the order of time', () => {
    const event = { id: 'ev_1', name: 'transaction.authorized', firedAt: at(1), delivered: 2, pending: 1, failed: 0 }
    const quiet = { ...event, id: 'ev_2', firedAt: at(5), delivered: 0, pending: 0 }
    const operations = [
      operation({ createdAt: at(1) }),
      operation({ id: 'tr_op_2', type: 'capture', createdAt: at(3) }),
    ]
    const told = presentTimeline(happened({ operations, events: [event, quiet] }))
    expect(told.map((entry) => [entry.title, entry.detail, entry.tone, entry.operation_id, entry.event_id])).toEqual([
      ['Authorized 29.00 EUR', null, 'good', 'tr_op_1', null],
      ['Event transaction.authorized', null, 'waiting', null, 'ev_1'],
      ['Captured 29.00 EUR', null, 'good', 'tr_op_2', null],
      ['Event transaction.authorized', 'No webhook: no endpoint takes it.', 'neutral', null, 'ev_2'],
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
      { kind: 'expected', title: 'The gateway is asked what became of the open call', at: at(10).toISOString() },
      { kind: 'expected', title: 'Scheduled capture of 20.00 EUR' },
      { kind: 'expected', title: 'End of the authorization: 20.00 EUR is voided' },
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
        title: 'End of the time in which the customer can confirm the payment with the bank',
        at: at(15).toISOString(),
      },
    ])
  })

  test('names when a scheduled capture is tried again, and not its date, which has passed', () => {
    const transaction = { ...reserved, autoCaptureAt: at(100), autoCaptureRetryAt: at(150) } as TransactionRow
    expect(presentTimeline(happened({ transaction }))).toMatchObject([
      { title: 'Scheduled capture of 20.00 EUR', at: at(150).toISOString() },
      { title: 'End of the authorization: 20.00 EUR is voided' },
    ])
  })

  test('expects nothing any more of what is being captured or was voided', () => {
    const dates = { autoCaptureAt: at(100), capturingMinor: 1500 }
    const expected = (fields: Partial<TransactionRow>) =>
      presentTimeline(happened({ transaction: { ...reserved, ...dates, ...fields } as TransactionRow }))
    expect(expected({})).toMatchObject([
      { title: 'Scheduled capture of 5.00 EUR' },
      { title: 'End of the authorization: 5.00 EUR is voided' },
    ])
    expect(expected({ capturingMinor: 500, voidedMinor: 1500 })).toEqual([])
    expect(expected({ capturingMinor: 2000 })).toEqual([])
  })
})

import { describe, expect, test } from '@jest/globals'
import { ALL_CAPABILITIES } from '../../domain/capabilities.ts'
import type { DecidedCommand } from '../../domain/command.ts'
import { decide } from '../../domain/decision.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { AttemptInFlight } from '../../domain/payment.ts'
import { TRANSACTION_STATUSES } from '../../domain/transaction.ts'
import type { SupportedAction } from '../../src/objects/supported-actions.ts'
import { supportedActions } from '../../src/objects/supported-actions.ts'
import { presentTransaction } from '../../src/objects/transaction.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { captureCommand, incrementCommand, refundCommand, voidCommand } from '../domain/payment-builders.ts'
import { makeRows } from '../persistence/rows.ts'

const { transaction, invoice, attempt } = makeRows('present')
const authorized: TransactionRow = {
  ...transaction,
  status: 'authorized',
  amountMinor: 3400,
  authorizedMinor: 3400,
  incrementedMinor: 500,
  capturedMinor: 0,
  voidedMinor: 0,
  refundedMinor: 0,
  capturingMinor: 0,
  refundingMinor: 0,
  capturesCount: 0,
  attemptsInFlight: [],
  capabilities: ALL_CAPABILITIES,
}
const held = (type: GatewayOperationType, change: Partial<AttemptInFlight> = {}): AttemptInFlight => ({
  operationId: attempt.id,
  type,
  amountMinor: 100,
  isFinal: false,
  isSale: false,
  begunAt: 0,
  isAbandoned: false,
  reverses: null,
  lookUpsMade: 0,
  nextLookUpAt: 1_000,
  ...change,
})

const INCREMENT = 'increment_authorization'
const VOIDS = ['void', 'partial_void']
const REFUNDS = ['refund', 'partial_refund']

describe('a transaction', () => {
  test('prints its amounts with the digits of its currency', () => {
    const amounts = {
      amountMinor: 5000,
      authorizedMinor: 5000,
      capturedMinor: 3000,
      voidedMinor: 2000,
      refundedMinor: 500,
    }
    expect(presentTransaction({ ...authorized, ...amounts })).toMatchObject({
      amount: '50.00',
      authorized_amount: '50.00',
      captured_amount: '30.00',
      available_amount: '25.00',
      refunded_amount: '5.00',
      voided_amount: '20.00',
      incremented_amount: '5.00',
      auto_capture_amount: '29.00',
    })
    expect(presentTransaction({ ...authorized, ...amounts, currency: 'JPY' })).toMatchObject({ amount: '5000' })
    expect(presentTransaction({ ...authorized, ...amounts, currency: 'KWD' })).toMatchObject({ amount: '5.000' })
  })

  test('tells what happened to it', () => {
    expect(presentTransaction(authorized)).toMatchObject({
      authorized: true,
      captured: false,
      voided: false,
      refunded: false,
    })
    expect(presentTransaction({ ...authorized, status: 'failed', authorizedMinor: 0 })).toMatchObject({
      authorized: false,
    })
    expect(presentTransaction({ ...authorized, status: 'completed', capturedMinor: 3400 })).toMatchObject({
      captured: true,
    })
    expect(presentTransaction({ ...authorized, status: 'voided', voidedMinor: 3400 })).toMatchObject({ voided: true })
    expect(presentTransaction({ ...authorized, voidedMinor: 100 })).toMatchObject({ voided: false })
    expect(presentTransaction({ ...authorized, status: 'refunded', refundedMinor: 3400 })).toMatchObject({
      refunded: true,
      chargedback: true,
      received_fraud_notification: true,
      received_retrieval_request: true,
      outcome_unknown_since: '2026-11-21T01:17:10.123Z',
    })
    expect(presentTransaction({ ...authorized, chargedbackAt: null })).toMatchObject({ chargedback: false })
  })
})

describe('what may still be asked for', () => {
  const actions = (change: Partial<TransactionRow>) =>
    presentTransaction({ ...authorized, ...change }).supported_actions
  const paid = { status: 'completed', capturedMinor: 3400, capturesCount: 1 } as const
  const partly = { ...paid, capturedMinor: 1000 }
  const disputed = (amountMinor: number) => ({ disputes: [{ id: 'dp_1', status: 'open' as const, amountMinor }] })

  test.each<[string, Partial<TransactionRow>]>([
    ['a step on the reserved money is under way', { attemptsInFlight: [held('capture')] }],
    ['the authorization is being asked for', { status: 'waiting', authorizedMinor: 0 }],
    ['it failed', { status: 'failed', authorizedMinor: 0 }],
    ['it was voided', { status: 'voided', voidedMinor: 3400 }],
    ['all was refunded', { ...paid, status: 'refunded', refundedMinor: 3400 }],
    ['all is being refunded', { ...paid, refundingMinor: 3400, attemptsInFlight: [held('refund')] }],
    ['the issuer takes the money back', { ...paid, status: 'chargeback-initiated', ...disputed(3400) }],
    ['the issuer took the money back', { ...paid, status: 'reversed', ...disputed(3400) }],
    ['the gateway does not refund', { ...paid, capabilities: { ...ALL_CAPABILITIES, refund: false } }],
    [
      'the rest was voided, and the gateway does not refund',
      { ...partly, voidedMinor: 2400, capabilities: { ...ALL_CAPABILITIES, refund: false } },
    ],
  ])('is nothing where %s', (_, change) => {
    expect(actions(change)).toEqual([])
  })

  test.each<[string, Partial<TransactionRow>, string[]]>([
    ['all while the money is reserved', {}, ['capture', 'partial_capture', 'void', 'partial_void', INCREMENT]],
    [
      'the same where staff closed what was under way',
      { attemptsInFlight: [held('capture', { isAbandoned: true })] },
      ['capture', 'partial_capture', 'void', 'partial_void', INCREMENT],
    ],
    [
      'in whole only where the gateway knows no parts',
      { capabilities: { ...ALL_CAPABILITIES, partialCapture: false, partialVoid: false } },
      ['capture', 'void', INCREMENT],
    ],
    [
      'the void of an authorization that is not known yet',
      { status: 'pending', authorizedMinor: 0, attemptsInFlight: [held('authorization')] },
      ['void'],
    ],
    [
      'the void of an authorization whose customer has not authenticated yet',
      {
        status: 'waiting',
        authorizedMinor: 0,
        attemptsInFlight: [held('authorization', { awaitsCustomerUntil: 900_000 })],
      },
      ['void'],
    ],
    ['a refund of what was captured', paid, ['refund', 'partial_refund']],
    [
      'a refund of all only where the gateway knows no parts',
      { ...paid, capabilities: { ...ALL_CAPABILITIES, partialRefund: false } },
      ['refund'],
    ],
    [
      'both where a capture has left some',
      partly,
      ['capture', 'partial_capture', 'void', 'partial_void', 'refund', 'partial_refund'],
    ],
    [
      'all of what is reserved, and what is left of the refunds, while a refund is under way',
      { ...partly, refundingMinor: 400, attemptsInFlight: [held('refund')] },
      ['capture', 'partial_capture', ...VOIDS, ...REFUNDS],
    ],
    [
      'no increment after the last one that there may be',
      { incrementAttempts: 10 },
      ['capture', 'partial_capture', 'void', 'partial_void'],
    ],
    [
      'the release of the rest while the issuer takes all that was captured back',
      { ...partly, status: 'chargeback-initiated', ...disputed(1000) },
      VOIDS,
    ],
    ['a refund of what nobody disputes', { ...paid, status: 'chargeback-initiated', ...disputed(1400) }, REFUNDS],
    [
      'the release of the rest after the last capture there may be',
      { ...partly, capturesCount: 50 },
      [...VOIDS, ...REFUNDS],
    ],
  ])('is %s', (_, change, expected) => {
    expect(actions(change)).toEqual(expected)
  })

  test('is never something that is refused', () => {
    const at = (authorized.authorizationExpiresAt?.getTime() ?? 0) - 1
    const unplanned = { ...authorized, autoCaptureAt: null, autoCaptureDetailIds: null, autoCaptureAmountMinor: null }
    const rows = TRANSACTION_STATUSES.flatMap((status) =>
      [0, 1000, 3400].flatMap((capturedMinor) =>
        [0, 1000].flatMap((refundedMinor) =>
          [
            ALL_CAPABILITIES,
            { ...ALL_CAPABILITIES, partialCapture: false, partialVoid: false, partialRefund: false },
          ].map(
            (capabilities): TransactionRow => ({ ...unplanned, status, capturedMinor, refundedMinor, capabilities }),
          ),
        ),
      ),
    ).filter((row) => row.refundedMinor <= row.capturedMinor && isPossible(row))
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      for (const action of supportedActions(row)) {
        const decision = decide(paymentOf(invoice, row), commandOf(action), at)
        expect([row.status, action, decision.kind]).toEqual([row.status, action, 'proceed'])
      }
    }
  })
})

/** Before a capture nothing is captured, and after one something is. */
function isPossible({ status, capturedMinor }: TransactionRow): boolean {
  const isBefore = ['waiting', 'pending', 'failed', 'voided', 'in-review', 'blocked', 'pending-capture'].includes(
    status,
  )
  return !isBefore && (status === 'authorized') === (capturedMinor === 0)
}

function commandOf(action: SupportedAction): DecidedCommand {
  switch (action) {
    case 'capture':
      return captureCommand()
    case 'partial_capture':
      return captureCommand(1)
    case 'void':
      return voidCommand()
    case 'partial_void':
      return voidCommand(1)
    case 'increment_authorization':
      return incrementCommand(1)
    case 'refund':
      return refundCommand()
    case 'partial_refund':
      return refundCommand(1)
  }
}

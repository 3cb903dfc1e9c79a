import { describe, expect, test } from '@jest/globals'
import type { DeviceChannel } from '../../domain/authentication.ts'
import { type CommandAnswer, NEEDS_SALE_MESSAGE } from '../../domain/command.ts'
import { issueAction, type RequestedAction } from '../../domain/customer-action.ts'
import { ERRORS } from '../../domain/errors.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { type AnsweredPayment, presentPaymentAnswer } from '../../src/objects/payment-answer.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { makeRows } from '../persistence/rows.ts'

const rows = makeRows('answer')
const NOT_SUPPORTED = 'request.gateway.operation-not-supported'

const transactionOf = (change: Partial<TransactionRow> = {}): TransactionRow => ({
  ...rows.transaction,
  status: 'failed',
  authorizedMinor: 0,
  capturedMinor: 0,
  voidedMinor: 0,
  refundedMinor: 0,
  ...change,
})
const answerTo = (answer: CommandAnswer, more: Partial<AnsweredPayment> = {}) =>
  presentPaymentAnswer({ answer, transaction: transactionOf(), requestId: 'req_1', ...more })
const declinedBy = (code: string, transaction: TransactionRow | null = transactionOf()) =>
  answerTo({ kind: 'declined', code }, { transaction })

const OUTCOME_OF: Record<TransactionStatus, 'success' | 'pending' | 'failed'> = {
  waiting: 'pending',
  pending: 'pending',
  'in-review': 'pending',
  'pending-capture': 'pending',
  authorized: 'success',
  completed: 'success',
  failed: 'failed',
  blocked: 'failed',
  voided: 'success',
  'partially-refunded': 'success',
  refunded: 'success',
  'retrieval-request': 'success',
  'fraud-notification': 'success',
  'chargeback-initiated': 'success',
  solved: 'success',
  reversed: 'success',
}

describe('the answer to a command', () => {
  test.each(Object.entries(OUTCOME_OF))('that finds the payment %s says %s', (status, outcome) => {
    const transaction = transactionOf({ status: status as TransactionStatus })
    const isFailed = outcome === 'failed'
    expect(answerTo({ kind: 'unchanged' }, { transaction })).toMatchObject({
      status: isFailed ? 410 : 200,
      body: {
        success: !isFailed,
        outcome,
        transaction: { status },
        ...(isFailed && { error_type: transaction.errorCode }),
      },
    })
  })

  test.each([
    ['request.of-2030', 400],
    ['card.of-2030', 410],
  ])('that a worker of a later version refuses as %s is %d, in its words', (code, status) => {
    const answer = { kind: 'refused', code, message: 'Not in 2030.' } as unknown as CommandAnswer
    expect(answerTo(answer)).toMatchObject({ status, body: { error_type: code, message: 'Not in 2030.' } })
  })

  test('that was not carried out is never a success', () => {
    const answers: CommandAnswer[] = [
      { kind: 'declined', code: 'card.declined' },
      { kind: 'refused', code: 'request.validation.invalid-amount', message: 'No.' },
      { kind: 'refused', code: 'gateway.expired', message: 'No.' },
      { kind: 'duplicate' },
    ]
    // Also where the payment stands well: it is the command that was not carried out.
    const transaction = transactionOf({ status: 'authorized', authorizedMinor: 2900, errorCode: null })
    expect(answers.map((answer) => answerTo(answer, { transaction }))).toMatchObject([
      { status: 410, body: { success: false, error_type: 'card.declined' } },
      { status: 400, body: { success: false, error_type: 'request.validation.invalid-amount', message: 'No.' } },
      { status: 410, body: { success: false, outcome: 'failed', error_type: 'gateway.expired', message: 'No.' } },
      { status: 409, body: { success: false, error_type: 'request.still-processing' } },
    ])
  })

  const page = { url: 'https://bank.example', fields: null }
  const ofLibrary = { type: 'fingerprint-mobile', data: { a: 1 }, continuation: 'c' } as const
  const ofBank = { type: 'redirect', page, continuation: 'c' } as const
  const step = 'https://pay.example/three-d-s/iv_1/act_1'

  const waitingFor = (requested: RequestedAction, channel: DeviceChannel) => {
    const issue = { id: 'act_1', attemptId: 'tr_op_1', invoiceId: 'iv_1', previous: null, at: 0 }
    const customerAction = issueAction(requested, { ...issue, channel, publicUrl: 'https://pay.example' })
    const attempt = { operationId: 'tr_op_1', isAbandoned: false, awaitsCustomerUntil: 1 }
    return transactionOf({ status: 'waiting', customerAction, attemptsInFlight: [attempt as never] })
  }

  describe.each([
    ['the hosted page in a browser', ofBank, 'web', 410, 'redirect', 'https://pay.example/pay/iv_1?action=act_1'],
    ['the step itself in an app', ofBank, 'android', 410, 'redirect', step],
    ['what its native library needs, which is no page', ofLibrary, 'ios', 200, 'fingerprint-mobile', btoa('{"a":1}')],
  ] as const)('of a caller that shows no actions has %s', (_, requested, channel, status, type, value) => {
    const asked = { transaction: waitingFor(requested, channel), handlesActions: false }
    const customer_action = { type, value, metadata: null }

    test('for a payment, which has not succeeded', () => {
      const body = { success: status === 200, outcome: 'pending', customer_action }
      expect(answerTo({ kind: 'pending' }, asked)).toMatchObject({ status, body })
    })

    // A call that repeats the first one is `unchanged`.
    test.each(['pending', 'unchanged'] as const)('for an authentication, which is asked for: %s', (kind) => {
      const answer = answerTo({ kind }, { ...asked, isForAuthentication: true })
      expect(answer).toMatchObject({ status: 200, body: { success: true, outcome: 'pending', customer_action } })
      expect(answer.body).not.toHaveProperty('error_type')
    })
  })

  test('of a caller that shows the actions of an authentication has the step', () => {
    const asked = { transaction: waitingFor(ofBank, 'web'), handlesActions: true, isForAuthentication: true }
    expect(answerTo({ kind: 'pending' }, asked)).toMatchObject({
      status: 200,
      body: { customer_action: { value: step } },
    })
  })

  test('to an authentication that was declined is no success', () => {
    const answer = answerTo({ kind: 'declined', code: 'card.failed-3ds' }, { isForAuthentication: true })
    expect(answer).toMatchObject({ status: 410, body: { success: false, error_type: 'card.failed-3ds' } })
  })

  test('that is done tells the token that the source has become, and has nothing that is not there', () => {
    const answer = answerTo(
      { kind: 'done' },
      { transaction: transactionOf({ status: 'authorized', tokenId: 'tok_1' }) },
    )
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'success', customer_token_id: 'tok_1' } })
    expect(Object.keys(answer.body)).toEqual(['success', 'outcome', 'customer_token_id', 'transaction'])
    expect(answerTo({ kind: 'pending' }, { transaction: null, refund: null }).body).toEqual({
      success: true,
      outcome: 'pending',
      message: expect.any(String),
      customer_token_id: null,
    })
  })
})

describe('the answer to a failed payment', () => {
  test.each<[string, Partial<TransactionRow> | null, { authorized: boolean; captured: boolean }]>([
    ['nothing was ever asked of a gateway', null, { authorized: false, captured: false }],
    ['nothing is held', {}, { authorized: false, captured: false }],
    ['money is reserved', { authorizedMinor: 2900 }, { authorized: true, captured: false }],
    [
      'some of it is still reserved',
      { authorizedMinor: 2900, voidedMinor: 900 },
      { authorized: true, captured: false },
    ],
    ['all of it was released', { authorizedMinor: 2900, voidedMinor: 2900 }, { authorized: false, captured: false }],
    ['some was taken', { authorizedMinor: 2900, capturedMinor: 1 }, { authorized: true, captured: true }],
  ])('tells where the money is: %s', (_, change, expected) => {
    const { status, body } = declinedBy('card.declined', change && transactionOf(change))
    expect({ status, ...body }).toMatchObject({ status: 410, outcome: 'failed', ...expected })
  })

  test('is 410 for a code of ours that has another status, and for one of a gateway that we do not know', () => {
    expect(ERRORS['card.invalid-cvc'].status).not.toBe(410)
    expect(declinedBy('card.invalid-cvc').status).toBe(410)
    expect(declinedBy('gateway.of-tomorrow')).toMatchObject({
      status: 410,
      body: { error_type: 'gateway.of-tomorrow', message: rows.transaction.errorMessage },
    })
  })

  test('that the gateway cannot make is a wrong request, which says that it takes a sale only where none stands', () => {
    const said = (status: TransactionStatus) => declinedBy(NOT_SUPPORTED, transactionOf({ status }))
    expect(said('failed')).toMatchObject({ status: 400, body: { message: NEEDS_SALE_MESSAGE } })
    expect(said('authorized')).toMatchObject({ status: 400, body: { message: ERRORS[NOT_SUPPORTED].message } })
  })
})

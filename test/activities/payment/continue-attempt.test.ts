import { describe, expect, test } from '@jest/globals'
import { CUSTOMER_HAS_MS } from '../../../domain/customer-action.ts'
import type { Outcome } from '../../../domain/operation.ts'
import { answerLostKey } from '../../../src/idempotency/record.ts'
import { keepReturned } from '../../../src/persistence/queries/payments/customer-actions.ts'
import { ACTION_REQUIRED, APPROVED, authenticationsForFile, DECLINED, once } from '../authentications.ts'
import { MINUTE_MS, NO_ANSWER, SECOND_MS } from '../payments.ts'

const AUTHENTICATED = {
  version: '2.2.0',
  status: 'authenticated',
  aresTransStatus: 'C',
  cresTransStatus: 'Y',
  eci: '05',
  dsTransId: 'ds_1',
  serverTransId: 'server_1',
  fingerprintCompleted: null,
  wasChallenged: true,
  hasLiabilityShift: true,
} as const

const payments = authenticationsForFile()

const keep = (invoiceId: string, attemptId: string, parameters: Record<string, string>) =>
  keepReturned(payments.database.orm, { invoiceId, attemptId }, parameters)
const goOn = async (invoiceId: string) => payments.step(invoiceId, await payments.continuing(invoiceId))

describe('an authorization whose customer has to act', () => {
  test('waits, with nothing announced but the request, and no unknown outcome', async () => {
    const { invoiceId, operationId, result } = await payments.begin()
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { status: 'waiting', authorizedMinor: 0 } })
    const row = await payments.transactionOf(invoiceId)
    expect(row).toMatchObject({ status: 'waiting', outcomeUnknownSince: null, errorCode: null })
    expect(row.customerAction).toMatchObject({ attemptId: operationId, number: 1, type: 'redirect' })
    expect(row.nextLookUpAt?.getTime()).toBe(row.customerAction?.expiresAt)
    expect(await payments.eventsOf(invoiceId)).toEqual(['transaction.requested'])
    expect(await payments.resultsOf(operationId)).toEqual([])
  })

  test('goes on at the same gateway with what the bank has sent along, and is approved once', async () => {
    const { invoiceId, operationId } = await payments.begin()
    await keep(invoiceId, operationId, { cres: 'xyz' })
    payments.gateway.answers({ continueAuthorization: { ...APPROVED, authentication: AUTHENTICATED } as Outcome })
    const answer = await payments.continuing(invoiceId)
    const result = await payments.step(invoiceId, answer)
    expect(result).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'authorized' } })
    expect(payments.calls()).toEqual(['authorize', 'continueAuthorization'])
    expect(payments.requests()[1]).toMatchObject({
      ...{ continuation: 'auth_1', answer: { kind: 'returned', parameters: { cres: 'xyz' } } },
    })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'authorized', authorizedMinor: 2900, authentication: AUTHENTICATED },
    })
    expect(await payments.checksOf(invoiceId)).toMatchObject([
      { id: answer.operationId, isAttempt: true },
      { attemptOperationId: answer.operationId, outcome: 'succeeded' },
    ])
    expect(await payments.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.authorized'])
  })

  test('asks the gateway once, however often the answer is repeated', async () => {
    const { invoiceId } = await payments.begin()
    const answer = await payments.continuing(invoiceId)
    const again = await payments.continuing(invoiceId)
    await payments.step(invoiceId, answer)
    // The same command once more, as after a crash, and another one with the same answer, as after a double click.
    expect((await payments.step(invoiceId, answer)).answer).toEqual({ kind: 'done' })
    expect((await payments.step(invoiceId, again)).answer).toEqual({ kind: 'unchanged' })
    expect(payments.calls()).toEqual(['authorize', 'continueAuthorization'])
    expect((await payments.transactionOf(invoiceId)).authorizedMinor).toBe(2900)
  })

  test('of a sale whose capture no run has begun is pending under a key whose run was lost', async () => {
    const { invoiceId } = await payments.begin({ authorizeOnly: false })
    const idempotency = payments.newKey()
    const result = await payments.step(invoiceId, { ...(await payments.continuing(invoiceId)), idempotency })
    expect(result).toMatchObject({ goesOn: true, payment: { status: 'authorized' } })
    await answerLostKey(payments.em(), idempotency, payments.deps.clock.now())
    const kept = await payments.keyOf(idempotency)
    expect(JSON.parse(kept?.body ?? '')).toMatchObject({ outcome: 'pending', transaction: { captured_amount: '0.00' } })
  })

  test('asks no gateway for a customer who is still at the bank, and waits on', async () => {
    const { invoiceId, operationId } = await payments.begin()
    const early = payments.build.authorize('', {
      ...{ source: null, handlesActions: true },
      continues: { actionId: (await payments.actionOf(invoiceId)).id, answer: 'returned' },
    })
    expect(await payments.step(invoiceId, early)).toMatchObject({
      answer: { kind: 'unchanged' },
      payment: { status: 'waiting', attemptsInFlight: [{ operationId, awaitsCustomerUntil: expect.any(Number) }] },
    })
    expect(payments.calls()).toEqual(['authorize'])
    expect(await payments.checksOf(invoiceId)).toEqual([])
    expect((await goOn(invoiceId)).answer).toEqual({ kind: 'done' })
  })

  test('an answer to an earlier action changes nothing', async () => {
    const { invoiceId } = await payments.begin()
    payments.gateway.answers({ continueAuthorization: once(ACTION_REQUIRED) })
    const first = await payments.continuing(invoiceId)
    const late = await payments.continuing(invoiceId)
    const result = await payments.step(invoiceId, first)
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { status: 'waiting' } })
    const { id, number } = await payments.actionOf(invoiceId)
    expect(number).toBe(2)
    expect((await payments.step(invoiceId, late)).answer).toEqual({ kind: 'unchanged' })
    expect((await payments.step(invoiceId, first)).answer).toEqual({ kind: 'pending' })
    expect(payments.calls()).toEqual(['authorize', 'continueAuthorization'])
    expect((await payments.actionOf(invoiceId)).id).toBe(id)
  })

  test('another card does not begin a second authorization beside it, and the same one changes nothing', async () => {
    const { invoiceId, command } = await payments.begin()
    expect(await payments.payWithOther(invoiceId)).toMatchObject({
      answer: { kind: 'refused', code: 'card.pending-3ds' },
      payment: { status: 'waiting' },
    })
    const same = payments.build.authorize(command.source ?? '', { handlesActions: true })
    expect((await payments.step(invoiceId, same)).answer).toEqual({ kind: 'unchanged' })
    expect(payments.calls()).toEqual(['authorize'])
  })

  test('a decline after the authentication ends it, and another card may follow', async () => {
    const { invoiceId } = await payments.begin()
    payments.gateway.answers({ authorize: APPROVED, continueAuthorization: DECLINED })
    expect(await goOn(invoiceId)).toMatchObject({
      answer: { kind: 'declined', code: 'card.do-not-honor' },
      payment: { status: 'failed', attemptsInFlight: [] },
    })
    expect((await payments.payWithOther(invoiceId)).answer).toEqual({ kind: 'done' })
    expect((await payments.transactionOf(invoiceId)).customerAction).toBeNull()
  })

  test('the customer who closes the page cancels it, and the gateway is told', async () => {
    const { invoiceId } = await payments.begin()
    expect(await payments.step(invoiceId, await payments.continuing(invoiceId, 'canceled'))).toMatchObject({
      answer: { kind: 'declined', code: 'customer.cancelled' },
      payment: { status: 'failed' },
    })
    expect(payments.calls()).toEqual(['authorize', 'endAuthentication'])
  })

  test('has failed at the end of its time, once', async () => {
    const { invoiceId, operationId } = await payments.begin()
    await payments.lookUp(invoiceId, operationId, CUSTOMER_HAS_MS - MINUTE_MS)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'waiting' })
    await payments.lookUp(invoiceId, operationId, CUSTOMER_HAS_MS)
    await payments.lookUp(invoiceId, operationId, CUSTOMER_HAS_MS + 1)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'failed', errorCode: 'card.expired-3ds', nextLookUpAt: null },
    })
    expect(await payments.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.failed'])
    expect(payments.calls()).toEqual(['authorize', 'lookUp', 'endAuthentication', 'lookUp'])
  })

  test('a void gives it up, here and at once at the gateway', async () => {
    const { invoiceId, operationId } = await payments.begin()
    const given = payments.build.void()
    expect(await payments.step(invoiceId, given)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'voided', attemptsInFlight: [{ isAbandoned: true }] },
    })
    // Nor can its caller withdraw it any more, although it has written no attempt.
    expect(await payments.withdraw(invoiceId, given)).toEqual({ kind: 'done' })
    const { nextLookUpAt } = await payments.transactionOf(invoiceId)
    expect(nextLookUpAt?.getTime()).toBeLessThan(payments.now() + 2 * SECOND_MS)
    expect((await goOn(invoiceId)).answer).toMatchObject({ kind: 'refused', code: 'request.validation.invalid-state' })
    await payments.gateway.answersDuring({ endAuthentication: { kind: 'unreachable', reason: 'no connection' } }, () =>
      payments.lookUp(invoiceId, operationId, SECOND_MS),
    )
    expect((await payments.transactionOf(invoiceId)).attemptsInFlight).toHaveLength(1)
    await payments.lookUp(invoiceId, operationId, 6 * SECOND_MS)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'voided', attemptsInFlight: [], orphans: [] },
    })
    expect(payments.calls()).toEqual(['authorize', 'endAuthentication', 'endAuthentication'])
  })

  test('an approval that was faster than the void is reversed', async () => {
    const { invoiceId, operationId } = await payments.begin()
    await payments.step(invoiceId, payments.build.void())
    payments.gateway.answers({ endAuthentication: { kind: 'found', outcome: APPROVED } })
    await payments.lookUp(invoiceId, operationId, SECOND_MS)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'voided', authorizedMinor: 0, orphans: [{ gatewayAuthorizationId: 'gw_1' }] },
    })
  })

  test.each([
    ['that the merchant initiates', { initiationType: 'mit' }],
    ['that was taken by telephone', { paymentType: 'moto' }],
  ])('a payment %s has nobody who could act', async (_, invoice) => {
    const { invoiceId, result } = await payments.authorize({}, invoice)
    expect(result).toMatchObject({
      answer: { kind: 'declined', code: 'card.needs-authentication' },
      payment: { status: 'failed' },
    })
    expect(payments.calls()).toEqual(['authorize'])
    expect(payments.requests()).toMatchObject([{ authentication: { isPossible: false } }])
    expect((await payments.transactionOf(invoiceId)).customerAction).toBeNull()
  })
})

describe('what the bank has sent with the customer', () => {
  test('is kept as it was sent last, for an action that nobody has answered', async () => {
    const { invoiceId, operationId } = await payments.begin()
    const kept = async () => (await payments.actionOf(invoiceId)).returned
    await keep(invoiceId, 'tr_op_other', { cres: 'foreign' })
    expect(await kept()).toBeNull()
    await keep(invoiceId, operationId, {})
    expect(await kept()).toEqual({})
    // The fingerprint page of the action before comes back late.
    await keep(invoiceId, operationId, { threeDSMethodData: 'late' })
    await keep(invoiceId, operationId, { cres: 'result' })
    await keep(invoiceId, operationId, {})
    expect(await kept()).toEqual({ cres: 'result' })
    payments.gateway.answers({ continueAuthorization: NO_ANSWER })
    await goOn(invoiceId)
    await keep(invoiceId, operationId, { cres: 'too late' })
    expect(await kept()).toEqual({ cres: 'result' })
  })

  test('is deleted at the end of the attempt', async () => {
    const { invoiceId, operationId } = await payments.begin()
    await keep(invoiceId, operationId, { PaRes: 'proof' })
    expect(JSON.stringify(await payments.actionOf(invoiceId))).toMatch(/proof/)
    await goOn(invoiceId)
    expect(JSON.stringify(await payments.actionOf(invoiceId))).not.toMatch(/proof|bank\.example|auth_1/)
  })
})

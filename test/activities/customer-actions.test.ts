import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { CUSTOMER_HAS_MS } from '../../domain/customer-action.ts'
import type { Outcome } from '../../domain/operation.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { withdrawalOf, withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { keepReturned } from '../../src/persistence/queries/payments/customer-actions.ts'
import { APPROVED, ASKED, DECLINED, makeAuthenticationStage, UNKNOWN } from './authentication-stage.ts'

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

describe('an authorization whose customer has to act', () => {
  let stage: Awaited<ReturnType<typeof makeAuthenticationStage>>

  beforeAll(async () => {
    stage = await makeAuthenticationStage()
  })
  beforeEach(() => stage.reset())
  afterAll(() => stage.database.drop())

  test('waits, with nothing announced but the request, and no unknown outcome', async () => {
    const { invoiceId, command, result } = await stage.begin()
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { status: 'waiting', authorizedMinor: 0 } })
    const row = await stage.rowOf(invoiceId)
    expect(row).toMatchObject({ status: 'waiting', outcomeUnknownSince: null, errorCode: null })
    expect(row.customerAction).toMatchObject({ attemptId: command.operationId, number: 1, type: 'redirect' })
    expect(row.nextLookUpAt?.getTime()).toBe(row.customerAction?.expiresAt)
    expect(await stage.eventsOf(invoiceId)).toEqual(['transaction.requested'])
    expect(await stage.em().count(OperationEntity, { attemptOperationId: command.operationId })).toBe(0)
  })

  test('goes on at the same gateway with what the bank has sent along, and is approved once', async () => {
    const { invoiceId, command } = await stage.begin()
    await keepReturned(stage.database.orm, { invoiceId, attemptId: command.operationId }, { cres: 'xyz' })
    stage.says({ continued: [{ ...APPROVED, authentication: AUTHENTICATED } as Outcome] })
    const answer = await stage.continuing(invoiceId)
    expect(await stage.step(invoiceId, answer)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'authorized' },
    })
    expect(stage.asked().slice(1)).toMatchObject([
      { name: 'continue', continuation: 'auth_1', answer: { kind: 'returned', parameters: { cres: 'xyz' } } },
    ])
    expect(await stage.rowOf(invoiceId)).toMatchObject({
      status: 'authorized',
      authorizedMinor: 2900,
      authentication: AUTHENTICATED,
    })
    expect(await stage.checksOf(invoiceId)).toMatchObject([
      { id: answer.operationId, isAttempt: true },
      { attemptOperationId: answer.operationId, outcome: 'succeeded' },
    ])
    expect(await stage.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.authorized'])
  })

  test('asks the gateway once, however often the answer is repeated', async () => {
    const { invoiceId } = await stage.begin()
    const answer = await stage.continuing(invoiceId)
    const again = await stage.continuing(invoiceId)
    await stage.step(invoiceId, answer)
    // The same command once more, as after a crash, and another one with the same answer, as after a double click.
    expect(await stage.step(invoiceId, answer)).toMatchObject({ answer: { kind: 'done' } })
    expect(await stage.step(invoiceId, again)).toMatchObject({ answer: { kind: 'unchanged' } })
    expect(stage.names()).toEqual(['authorize', 'continue'])
    expect((await stage.rowOf(invoiceId)).authorizedMinor).toBe(2900)
  })

  test('an answer to an earlier action changes nothing', async () => {
    const { invoiceId } = await stage.begin()
    stage.says({ continued: [ASKED] })
    const first = await stage.continuing(invoiceId)
    const late = await stage.continuing(invoiceId)
    expect(await stage.step(invoiceId, first)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'waiting' },
    })
    const { id, number } = await stage.actionOf(invoiceId)
    expect(number).toBe(2)
    expect(await stage.step(invoiceId, late)).toMatchObject({ answer: { kind: 'unchanged' } })
    expect(await stage.step(invoiceId, first)).toMatchObject({ answer: { kind: 'pending' } })
    expect(stage.names()).toEqual(['authorize', 'continue'])
    expect((await stage.actionOf(invoiceId)).id).toBe(id)
  })

  test('another card does not begin a second authorization beside it, and the same one changes nothing', async () => {
    const { invoiceId, command } = await stage.begin()
    const other = stage.build.authorize(await stage.makeCard('5555555555554444'), { handlesActions: true })
    expect(await stage.step(invoiceId, other)).toMatchObject({
      answer: { kind: 'refused', code: 'card.pending-3ds' },
      payment: { status: 'waiting' },
    })
    const same = stage.build.authorize(command.source ?? '', { handlesActions: true })
    expect(await stage.step(invoiceId, same)).toMatchObject({ answer: { kind: 'unchanged' } })
    expect(stage.names()).toEqual(['authorize'])
  })

  test('a decline after the authentication ends it, and another card may follow', async () => {
    const { invoiceId } = await stage.begin()
    stage.says({ continued: [DECLINED] })
    expect(await stage.step(invoiceId, await stage.continuing(invoiceId))).toMatchObject({
      answer: { kind: 'declined', code: 'card.do-not-honor' },
      payment: { status: 'failed', attemptsInFlight: [] },
    })
    stage.says({ authorize: APPROVED })
    const other = stage.build.authorize(await stage.makeCard('5555555555554444'), { handlesActions: true })
    expect(await stage.step(invoiceId, other)).toMatchObject({ answer: { kind: 'done' } })
    expect((await stage.rowOf(invoiceId)).customerAction).toBeNull()
  })

  test('the customer who closes the page cancels it, and the gateway is told', async () => {
    const { invoiceId } = await stage.begin()
    expect(await stage.step(invoiceId, await stage.continuing(invoiceId, 'canceled'))).toMatchObject({
      answer: { kind: 'declined', code: 'customer.cancelled' },
      payment: { status: 'failed' },
    })
    expect(stage.names()).toEqual(['authorize', 'end'])
  })

  describe('at the end of its time', () => {
    test('has failed, once', async () => {
      const { invoiceId, command } = await stage.begin()
      await stage.lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS - 60_000)
      expect(await stage.rowOf(invoiceId)).toMatchObject({ status: 'waiting' })
      await stage.lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS)
      await stage.lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS + 1)
      expect(await stage.rowOf(invoiceId)).toMatchObject({
        status: 'failed',
        errorCode: 'card.expired-3ds',
        nextLookUpAt: null,
      })
      expect(await stage.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.failed'])
      expect(stage.names()).toEqual(['authorize', 'look up', 'end', 'look up'])
    })
  })

  test('a void gives it up, here and at once at the gateway', async () => {
    const { invoiceId, command } = await stage.begin()
    const given = stage.build.void()
    expect(await stage.step(invoiceId, given)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'voided', attemptsInFlight: [{ isAbandoned: true }] },
    })
    // Nor can its caller withdraw it any more, although it has written no attempt.
    const withdrawal = withdrawalOf(
      { projectId: stage.projectId, sandbox: true, invoiceId },
      given,
      new Date(stage.now()),
    )
    expect(await withdrawCommand(stage.em(), withdrawal)).toEqual({ kind: 'done' })
    expect((await stage.rowOf(invoiceId)).nextLookUpAt?.getTime()).toBeLessThan(stage.now() + 2_000)
    expect(await stage.step(invoiceId, await stage.continuing(invoiceId))).toMatchObject({
      answer: { kind: 'refused', code: 'request.validation.invalid-state' },
    })
    stage.says({ ended: { kind: 'unreachable', reason: 'no connection' } })
    await stage.lookUpAfter(invoiceId, command.operationId, 1_000)
    expect((await stage.rowOf(invoiceId)).attemptsInFlight).toHaveLength(1)
    stage.says({ ended: null })
    await stage.lookUpAfter(invoiceId, command.operationId, 6_000)
    expect(await stage.rowOf(invoiceId)).toMatchObject({ status: 'voided', attemptsInFlight: [], orphans: [] })
    expect(stage.names()).toEqual(['authorize', 'end', 'end'])
  })

  test('an approval that was faster than the void is reversed', async () => {
    const { invoiceId, command } = await stage.begin()
    await stage.step(invoiceId, stage.build.void())
    stage.says({ ended: { kind: 'found', outcome: APPROVED } })
    await stage.lookUpAfter(invoiceId, command.operationId, 1_000)
    expect(await stage.rowOf(invoiceId)).toMatchObject({
      status: 'voided',
      authorizedMinor: 0,
      orphans: [{ gatewayAuthorizationId: 'gw_1' }],
    })
  })

  test.each([
    ['that the merchant initiates', { initiationType: 'mit' }],
    ['that was taken by telephone', { paymentType: 'moto' }],
  ])('a payment %s has nobody who could act', async (_, values) => {
    const invoiceId = await stage.makeInvoice(values)
    const command = stage.build.authorize(await stage.makeCard())
    expect(await stage.step(invoiceId, command)).toMatchObject({
      answer: { kind: 'declined', code: 'card.needs-authentication' },
      payment: { status: 'failed' },
    })
    expect(stage.asked()).toMatchObject([{ name: 'authorize', authentication: { isPossible: false } }])
    expect((await stage.rowOf(invoiceId)).customerAction).toBeNull()
  })

  test('the last parameters of the bank are kept, for an action that nobody has answered', async () => {
    const { invoiceId, command } = await stage.begin()
    const keep = (attemptId: string, parameters: Record<string, string>) =>
      keepReturned(stage.database.orm, { invoiceId, attemptId }, parameters)
    await keep('tr_op_other', { cres: 'foreign' })
    expect((await stage.actionOf(invoiceId)).returned).toBeNull()
    await keep(command.operationId, {})
    expect((await stage.actionOf(invoiceId)).returned).toEqual({})
    // The fingerprint page of the action before comes back late.
    await keep(command.operationId, { threeDSMethodData: 'late' })
    await keep(command.operationId, { cres: 'result' })
    await keep(command.operationId, {})
    expect((await stage.actionOf(invoiceId)).returned).toEqual({ cres: 'result' })
    stage.says({ continued: [UNKNOWN] })
    await stage.step(invoiceId, await stage.continuing(invoiceId))
    await keep(command.operationId, { cres: 'too late' })
    expect((await stage.actionOf(invoiceId)).returned).toEqual({ cres: 'result' })
  })

  test('the bank’s messages are deleted at the end of the attempt', async () => {
    const { invoiceId, command } = await stage.begin()
    await keepReturned(stage.database.orm, { invoiceId, attemptId: command.operationId }, { PaRes: 'proof' })
    expect(JSON.stringify(await stage.actionOf(invoiceId))).toMatch(/proof/)
    await stage.step(invoiceId, await stage.continuing(invoiceId))
    expect(JSON.stringify(await stage.actionOf(invoiceId))).not.toMatch(/proof|bank\.example|auth_1/)
  })
})

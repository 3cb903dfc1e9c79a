import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { CustomerAnswer, RequestedAction } from '../../domain/customer-action.ts'
import { CUSTOMER_HAS_MS } from '../../domain/customer-action.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { keepReturned } from '../../src/persistence/queries/payments/customer-actions.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentActor } from '../support/payment-actor.ts'

const CHALLENGE: RequestedAction = {
  type: 'redirect',
  page: { url: 'https://bank.example/acs', fields: { creq: 'abc' } },
  continuation: 'auth_1',
}
const ASKED: Outcome = { kind: 'action-required', action: CHALLENGE }
const APPROVED: Outcome = { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 2900, currency: 'EUR' }
const DECLINED: Outcome = { kind: 'declined', code: 'card.do-not-honor', gatewayCode: '05' }
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
  let database: TestDatabase
  let actor: Awaited<ReturnType<typeof makePaymentActor>>
  /** What the gateway says next, and what it was asked. */
  let script: { authorize: Outcome; continued: Outcome[]; lookUp: LookUp; ended: LookUp | null }
  let asked: { name: string; answer?: CustomerAnswer; continuation?: string; isPossible?: boolean }[] = []

  const scripted = (gateway: Gateway): Gateway => ({
    ...gateway,
    authorize: async ({ authentication: { isPossible } }) => {
      asked.push({ name: 'authorize', isPossible })
      return script.authorize
    },
    continueAuthorization: async ({ answer, continuation }) => {
      asked.push({ name: 'continue', answer, continuation })
      return script.continued.shift() ?? APPROVED
    },
    lookUp: async (request) => {
      if (request.type !== 'authorization') return gateway.lookUp(request, AbortSignal.timeout(1_000))
      asked.push({ name: 'look up' })
      return script.lookUp
    },
    endAuthentication: async ({ continuation }) => {
      asked.push({ name: 'end', continuation })
      return script.ended ?? { kind: 'never-seen' }
    },
  })

  beforeAll(async () => {
    database = await makeDatabase()
    actor = await makePaymentActor(database, scripted)
  })
  beforeEach(() => {
    script = { authorize: ASKED, continued: [], lookUp: { kind: 'found', outcome: ASKED }, ended: null }
    asked = []
  })
  afterAll(() => database.drop())

  const em = () => database.orm.em.fork()
  const rowOf = (invoiceId: string) => em().findOneOrFail(TransactionEntity, { invoiceId })
  const eventsOf = async (invoiceId: string) =>
    (await em().find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })).map(({ name }) => name)
  const checksOf = async (invoiceId: string) =>
    em().find(
      OperationEntity,
      { transactionId: (await rowOf(invoiceId)).id, type: 'three_d_s_check' },
      { orderBy: { position: 'asc' } },
    )
  const names = () => asked.map(({ name }) => name)
  const actionOf = async (invoiceId: string) => {
    const { customerAction } = await rowOf(invoiceId)
    if (customerAction == null) throw new Error('There is no action.')
    return customerAction
  }
  const begin = async (values: Parameters<typeof actor.build.authorize>[1] = {}) => {
    const invoiceId = await actor.makeInvoice()
    const command = actor.build.authorize(await actor.makeCard(), { handlesActions: true, ...values })
    const result = await actor.step(invoiceId, command)
    return { invoiceId, command, result }
  }
  const continuing = async (invoiceId: string, answer: CustomerAnswer['kind'] = 'returned') =>
    actor.build.authorize('', {
      source: null,
      continues: { actionId: (await actionOf(invoiceId)).id, answer },
      handlesActions: true,
    })
  const lookUpAfter = async (invoiceId: string, operationId: string, laterMs: number) =>
    actor.activities.lookUp({
      payment: actor.referenceOf(invoiceId),
      operationId,
      at: actor.deps.clock.now().getTime() + laterMs,
    })

  test('waits, with nothing announced but the request, and no unknown outcome', async () => {
    const { invoiceId, command, result } = await begin()
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { status: 'waiting', authorizedMinor: 0 } })
    const row = await rowOf(invoiceId)
    expect(row).toMatchObject({ status: 'waiting', outcomeUnknownSince: null, errorCode: null })
    expect(row.customerAction).toMatchObject({ attemptId: command.operationId, number: 1, type: 'redirect' })
    expect(row.nextLookUpAt?.getTime()).toBe(row.customerAction?.expiresAt)
    expect(await eventsOf(invoiceId)).toEqual(['transaction.requested'])
    expect(await em().count(OperationEntity, { attemptOperationId: command.operationId })).toBe(0)
  })

  test('goes on at the same gateway with what the bank has sent along, and is approved once', async () => {
    const { invoiceId, command } = await begin()
    await keepReturned(database.orm, { invoiceId, attemptId: command.operationId }, { cres: 'xyz' })
    script.continued = [{ ...APPROVED, authentication: AUTHENTICATED } as Outcome]
    const answer = await continuing(invoiceId)
    expect(await actor.step(invoiceId, answer)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'authorized' },
    })
    expect(asked.slice(1)).toEqual([
      { name: 'continue', continuation: 'auth_1', answer: { kind: 'returned', parameters: { cres: 'xyz' } } },
    ])
    expect(await rowOf(invoiceId)).toMatchObject({
      status: 'authorized',
      authorizedMinor: 2900,
      authentication: AUTHENTICATED,
    })
    expect(await checksOf(invoiceId)).toMatchObject([
      { id: answer.operationId, isAttempt: true },
      { attemptOperationId: answer.operationId, outcome: 'succeeded' },
    ])
    expect(await eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.authorized'])
  })

  test('asks the gateway once, however often the answer is repeated', async () => {
    const { invoiceId } = await begin()
    const answer = await continuing(invoiceId)
    const again = await continuing(invoiceId)
    await actor.step(invoiceId, answer)
    // The same command once more, as after a crash, and another one with the same answer, as after a double click.
    expect(await actor.step(invoiceId, answer)).toMatchObject({ answer: { kind: 'done' } })
    expect(await actor.step(invoiceId, again)).toMatchObject({ answer: { kind: 'unchanged' } })
    expect(names()).toEqual(['authorize', 'continue'])
    expect((await rowOf(invoiceId)).authorizedMinor).toBe(2900)
  })

  test('an answer to an earlier action changes nothing', async () => {
    const { invoiceId } = await begin()
    script.continued = [ASKED]
    const first = await continuing(invoiceId)
    const late = await continuing(invoiceId)
    expect(await actor.step(invoiceId, first)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'waiting' },
    })
    const { id, number } = await actionOf(invoiceId)
    expect(number).toBe(2)
    expect(await actor.step(invoiceId, late)).toMatchObject({ answer: { kind: 'unchanged' } })
    expect(await actor.step(invoiceId, first)).toMatchObject({ answer: { kind: 'pending' } })
    expect(names()).toEqual(['authorize', 'continue'])
    expect((await actionOf(invoiceId)).id).toBe(id)
  })

  test('another card does not begin a second authorization beside it', async () => {
    const { invoiceId } = await begin()
    const other = actor.build.authorize(await actor.makeCard('5555555555554444'), { handlesActions: true })
    expect(await actor.step(invoiceId, other)).toMatchObject({
      answer: { kind: 'unchanged' },
      payment: { status: 'waiting' },
    })
    expect(names()).toEqual(['authorize'])
  })

  test('a decline after the authentication ends it, and another card may follow', async () => {
    const { invoiceId } = await begin()
    script.continued = [DECLINED]
    expect(await actor.step(invoiceId, await continuing(invoiceId))).toMatchObject({
      answer: { kind: 'declined', code: 'card.do-not-honor' },
      payment: { status: 'failed', attemptsInFlight: [] },
    })
    script.authorize = APPROVED
    const other = actor.build.authorize(await actor.makeCard('5555555555554444'), { handlesActions: true })
    expect(await actor.step(invoiceId, other)).toMatchObject({ answer: { kind: 'done' } })
    expect((await rowOf(invoiceId)).customerAction).toBeNull()
  })

  test('a lost answer leaves the outcome open, and a look-up finds it', async () => {
    const { invoiceId, command } = await begin()
    script.continued = [{ kind: 'unknown', reason: 'no answer' }]
    const answer = await continuing(invoiceId)
    expect(await actor.step(invoiceId, answer)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'pending' },
    })
    expect((await rowOf(invoiceId)).outcomeUnknownSince).not.toBeNull()
    script.lookUp = { kind: 'found', outcome: APPROVED }
    await lookUpAfter(invoiceId, command.operationId, 1_000)
    expect(await rowOf(invoiceId)).toMatchObject({ status: 'authorized', authorizedMinor: 2900 })
    expect(await actor.step(invoiceId, answer)).toMatchObject({ answer: { kind: 'done' } })
  })

  test('at most five actions are asked for', async () => {
    const { invoiceId } = await begin()
    script.continued = Array.from({ length: 9 }, () => ASKED)
    const answers: string[] = []
    for (let round = 0; round < 5; round += 1) {
      const { answer } = await actor.step(invoiceId, await continuing(invoiceId))
      answers.push(answer.kind === 'declined' ? answer.code : answer.kind)
    }
    expect(answers).toEqual(['pending', 'pending', 'pending', 'pending', 'card.failed-3ds-technical'])
    expect(await rowOf(invoiceId)).toMatchObject({ status: 'failed', errorCode: 'card.failed-3ds-technical' })
  })

  test('the customer who closes the page cancels it, and the gateway is told', async () => {
    const { invoiceId } = await begin()
    expect(await actor.step(invoiceId, await continuing(invoiceId, 'canceled'))).toMatchObject({
      answer: { kind: 'declined', code: 'customer.cancelled' },
      payment: { status: 'failed' },
    })
    expect(names()).toEqual(['authorize', 'end'])
  })

  test('an approval that was faster than the cancellation stands', async () => {
    const { invoiceId } = await begin()
    script.ended = { kind: 'found', outcome: APPROVED }
    expect(await actor.step(invoiceId, await continuing(invoiceId, 'canceled'))).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'authorized' },
    })
  })

  describe('at the end of its time', () => {
    test('has failed, once', async () => {
      const { invoiceId, command } = await begin()
      await lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS - 60_000)
      expect(await rowOf(invoiceId)).toMatchObject({ status: 'waiting' })
      await lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS)
      await lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS + 1)
      expect(await rowOf(invoiceId)).toMatchObject({
        status: 'failed',
        errorCode: 'card.expired-3ds',
        nextLookUpAt: null,
      })
      expect(await eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.failed'])
      expect(names()).toEqual(['authorize', 'look up', 'end', 'look up'])
    })

    test('is authorized if the gateway has approved it without the browser', async () => {
      const { invoiceId, command } = await begin()
      script.ended = { kind: 'found', outcome: APPROVED }
      await lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS)
      expect(await rowOf(invoiceId)).toMatchObject({ status: 'authorized', authorizedMinor: 2900 })
    })

    test('stays open while the gateway cannot be told', async () => {
      const { invoiceId, command } = await begin()
      script.ended = { kind: 'unreachable', reason: 'no connection' }
      await lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS)
      expect(await rowOf(invoiceId)).toMatchObject({ status: 'pending', authorizedMinor: 0 })
      script.ended = { kind: 'never-seen' }
      await lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS + 60_000)
      expect(await rowOf(invoiceId)).toMatchObject({ status: 'failed', errorCode: 'card.expired-3ds' })
    })
  })

  test('a void gives it up, and a late approval is reversed', async () => {
    const { invoiceId, command } = await begin()
    expect(await actor.step(invoiceId, actor.build.void())).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'voided', attemptsInFlight: [{ isAbandoned: true }] },
    })
    expect(await actor.step(invoiceId, await continuing(invoiceId))).toMatchObject({ answer: { kind: 'unchanged' } })
    script.lookUp = { kind: 'found', outcome: APPROVED }
    await lookUpAfter(invoiceId, command.operationId, CUSTOMER_HAS_MS)
    expect(await rowOf(invoiceId)).toMatchObject({
      status: 'voided',
      authorizedMinor: 0,
      orphans: [{ gatewayAuthorizationId: 'gw_1' }],
    })
    expect(names()).not.toContain('continue')
  })

  test('a suspended project does not go on, and still waits', async () => {
    const { invoiceId } = await begin()
    const answer = await continuing(invoiceId)
    await em().nativeUpdate(ProjectEntity, { id: actor.projectId }, { suspendedAt: new Date() })
    try {
      expect(await actor.step(invoiceId, answer)).toMatchObject({
        answer: { kind: 'refused', code: 'request.project-suspended' },
        payment: { status: 'waiting' },
      })
    } finally {
      await em().nativeUpdate(ProjectEntity, { id: actor.projectId }, { suspendedAt: null })
    }
    expect(names()).toEqual(['authorize'])
    expect(await actor.step(invoiceId, answer)).toMatchObject({ answer: { kind: 'done' } })
  })

  test.each([
    ['that the merchant initiates', { initiationType: 'mit' }],
    ['that was taken by telephone', { paymentType: 'moto' }],
  ])('a payment %s has nobody who could act', async (_, values) => {
    const invoiceId = await actor.makeInvoice(values)
    const command = actor.build.authorize(await actor.makeCard())
    expect(await actor.step(invoiceId, command)).toMatchObject({
      answer: { kind: 'declined', code: 'card.needs-authentication' },
      payment: { status: 'failed' },
    })
    expect(asked).toEqual([{ name: 'authorize', isPossible: false }])
    expect((await rowOf(invoiceId)).customerAction).toBeNull()
  })

  test('the parameters of the bank are kept once, and only for an action that nobody has answered', async () => {
    const { invoiceId, command } = await begin()
    const keep = (attemptId: string, parameters: Record<string, string>) =>
      keepReturned(database.orm, { invoiceId, attemptId }, parameters)
    await keep('tr_op_other', { cres: 'foreign' })
    expect((await actionOf(invoiceId)).returned).toBeNull()
    await keep(command.operationId, { cres: 'first' })
    await keep(command.operationId, { cres: 'second' })
    expect((await actionOf(invoiceId)).returned).toEqual({ cres: 'first' })
  })
})

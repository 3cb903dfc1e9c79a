import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { recordOutcome } from '../../activities/payment/record-outcome.ts'
import type { IdempotencyClaim, ReverseOrphanCommand } from '../../domain/command.ts'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { Outcome } from '../../domain/operation.ts'
import { answerLostKey } from '../../src/idempotency/record.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import {
  findReportedAuthorization,
  storeNotifications,
} from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { findUnresolvedPayments } from '../../src/persistence/queries/payments/unresolved-payments.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { disputeNotification, outcomeNotification } from '../support/gateway-notifications.ts'
import { type AccountName, makeRoutingStage, type RoutingStage } from './routing-stage.ts'

const FAILED: Outcome = { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' }
const NOT_SENT: Outcome = {
  kind: 'declined',
  code: 'gateway.network-error',
  gatewayCode: 'CIRCUIT_OPEN',
  isNotSent: true,
}
const APPROVED: Outcome = { kind: 'approved', gatewayOperationId: 'x', amountMinor: 2900, currency: 'EUR' }
const FALLBACK = 'route { gateways: first, second, third; fallback: { max_attempts: 3 }; }'

let stage: RoutingStage
let count = 0

beforeAll(async () => {
  stage = await makeRoutingStage()
})
beforeEach(async () => {
  await stage.reset()
  await stage.activate(FALLBACK)
})
afterAll(() => stage.drop())

const em = () => stage.database.orm.em.fork()

type Prepared = Awaited<ReturnType<RoutingStage['prepare']>>

async function prepareWithKey() {
  const { invoiceId, step } = await stage.prepare()
  count += 1
  const claim: IdempotencyClaim = {
    id: String(count).padStart(64, '0'),
    requestHash: 'a'.repeat(64),
    requestId: `req_${count}`,
  }
  return { invoiceId, claim, step: { ...step, command: { ...step.command, idempotency: claim } } }
}

const keyOf = ({ id }: IdempotencyClaim) => em().findOneOrFail(IdempotencyKeyEntity, { id })

const finish = ({ step }: Pick<Prepared, 'step'>, attemptId: string, outcome: Outcome) =>
  recordOutcome(stage.fixture.deps, step.payment, {
    attemptId,
    outcome,
    at: step.at,
    actor: 'merchant',
    step,
    mayTryNext: true,
  })

/** The first gateway has failed, and the second is being asked. */
async function goOn(prepared: Pick<Prepared, 'step'>): Promise<string> {
  await beginAttempt(stage.fixture.deps, prepared.step)
  const { next } = await finish(prepared, prepared.step.command.operationId, FAILED)
  if (next === undefined) throw new Error('It does not go on.')
  return next.operation.id
}

/** By their names: two calls of one millisecond have no other order. */
const callsOf = (invoiceId: string) =>
  stage.fixture
    .execute('select type, gateway_configuration_id as account from simulator.request where invoice_id = $1', [
      invoiceId,
    ])
    .then((rows) =>
      (rows as { type: string; account: string }[])
        .map(({ type, account }) => `${type} at ${stage.nameOf(account)}`)
        .sort(),
    )

test('the reference at the second gateway follows from the command, on whichever machine it is made', async () => {
  const other = await makeRoutingStage()
  try {
    await other.activate(FALLBACK)
    const referencesOf = async ({ step }: Prepared) => {
      const { operationId } = step.command
      const elsewhere = await other.prepare({}, undefined, { operationId })
      const { deps } = other.fixture
      await beginAttempt(deps, elsewhere.step)
      const ending = {
        attemptId: operationId,
        outcome: FAILED,
        at: step.at,
        actor: 'merchant',
        mayTryNext: true,
      } as const
      const { next } = await recordOutcome(deps, elsewhere.step.payment, { ...ending, step: elsewhere.step })
      return [await goOn({ step }), next?.operation.id]
    }
    const [first, second] = [await referencesOf(await stage.prepare()), await referencesOf(await stage.prepare())]
    expect(first[0]).toMatch(/^tr_op_[0-9A-Za-z]{32}$/)
    expect([first[1], second[1]]).toEqual([first[0], second[0]])
    expect(second[0]).not.toBe(first[0])
  } finally {
    await other.drop()
  }
})

describe('while a payment goes on at its second gateway', () => {
  test('a run that comes late with the failure of the first tells nobody that the payment has failed', async () => {
    const prepared = await prepareWithKey()
    const second = await goOn(prepared)
    const late = await finish(prepared, prepared.step.command.operationId, FAILED)
    expect(late.answer).toEqual({ kind: 'pending' })
    expect(late.next).toBeUndefined()
    expect((await finish(prepared, second, APPROVED)).answer).toEqual({ kind: 'done' })
    expect((await finish(prepared, prepared.step.command.operationId, FAILED)).answer).toEqual({ kind: 'done' })
    const kept = JSON.parse((await keyOf(prepared.claim)).body ?? 'null')
    expect(kept).not.toMatchObject({ outcome: 'failed' })
  })

  test('a caller that has waited long enough is told that it is open, and afterwards how it has ended', async () => {
    const prepared = await stage.prepare()
    const second = await goOn(prepared)
    const withdraw = () =>
      withdrawCommand(em(), {
        projectId: stage.fixture.projectId,
        sandbox: true,
        invoiceId: prepared.invoiceId,
        operationId: prepared.step.command.operationId,
        now: stage.fixture.deps.clock.now(),
      })
    expect(await withdraw()).toMatchObject({ kind: 'begun', result: null })
    await finish(prepared, second, APPROVED)
    expect(await withdraw()).toMatchObject({ kind: 'begun', result: { outcome: 'succeeded' } })
  })

  test('a key whose run was lost is answered with what is open, not with the failure of the first', async () => {
    const { step, claim } = await prepareWithKey()
    await goOn({ step })
    await answerLostKey(em(), claim, stage.fixture.deps.clock.now())
    const { status, body } = await keyOf(claim)
    expect([status, JSON.parse(body ?? 'null')]).toMatchObject([200, { outcome: 'pending' }])
  })
})

describe('an approval at the first gateway, of a payment that has gone on at the second', () => {
  const release = async (invoiceId: string) => {
    const { orphans } = await stage.transactionOf(invoiceId)
    const [orphan] = orphans
    if (orphan === undefined) throw new Error('Nothing is to be released.')
    const command = {
      kind: 'reverse-orphan' as const,
      operationId: stage.fixture.captureCommand().operationId,
      actor: 'scheduler' as const,
      deadline: Number.MAX_SAFE_INTEGER,
      idempotency: null,
      orphanOperationId: orphan.operationId,
    }
    return stage.activities().reverseOrphan(stage.fixture.step(invoiceId, command))
  }

  test('that another run of the step has got is released there, and the payment stays at the second', async () => {
    const { invoiceId, step } = await stage.prepare()
    stage.says('first', async (really) => {
      const approval = await really()
      // A run beside this one did not get through, and has gone on already.
      const { next } = await finish({ step }, step.command.operationId, NOT_SENT)
      expect(next?.configuration.id).toBe(stage.accounts.second)
      return approval
    })
    const { answer } = await stage.activities().authorize(step)
    expect(answer).toEqual({ kind: 'pending' })
    const { attemptsInFlight, orphans } = await stage.transactionOf(invoiceId)
    expect(orphans).toMatchObject([{ operationId: step.command.operationId, amountMinor: 2900 }])
    expect(attemptsInFlight).toHaveLength(1)
    await release(invoiceId)
    expect(await callsOf(invoiceId)).toEqual(['authorization at first', 'void at first'])
  })

  test('is recorded of the first account, also where both gateways number their authorizations alike', async () => {
    const { invoiceId, step } = await stage.prepare()
    const second = await goOn({ step })
    await finish({ step }, second, APPROVED)
    await finish({ step }, step.command.operationId, APPROVED)
    expect((await stage.transactionOf(invoiceId)).orphans).toMatchObject([{ operationId: step.command.operationId }])
    const late = (await stage.operationsOf(invoiceId)).find(({ reason }) => reason === 'late_approval')
    expect(late).toMatchObject({ gatewayOperationId: 'x', gatewayConfigurationId: stage.accounts.first })
  })

  test('that got lost on its way to another run of the step is looked up there, and released', async () => {
    const { invoiceId, step } = await stage.prepare()
    stage.says('first', async (really) => {
      await really()
      await finish({ step }, step.command.operationId, NOT_SENT)
      return { kind: 'unknown', reason: 'lost' }
    })
    await stage.activities().authorize(step)
    const { attemptsInFlight } = await stage.transactionOf(invoiceId)
    expect(attemptsInFlight).toMatchObject([
      { isAbandoned: false },
      { operationId: step.command.operationId, isAbandoned: true },
    ])
    await stage.activities().lookUp({ payment: step.payment, operationId: step.command.operationId, at: step.at })
    await release(invoiceId)
    expect(await callsOf(invoiceId)).toEqual(['authorization at first', 'void at first'])
  })

  test('that is of a capture, which another run of the step could not send, is recorded as one that comes late', async () => {
    const { invoiceId, step } = await stage.prepare()
    await stage.activities().authorize(step)
    const capture = stage.fixture.step(invoiceId, stage.fixture.captureCommand())
    const begun = await beginAttempt(stage.fixture.deps, capture)
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    const ending = { at: step.at, actor: 'merchant' as const, step: capture }
    await recordOutcome(stage.fixture.deps, step.payment, {
      ...ending,
      attemptId: capture.command.operationId,
      outcome: NOT_SENT,
    })
    const { payment } = await recordOutcome(stage.fixture.deps, step.payment, {
      ...ending,
      attemptId: begun.attempt.operation.id,
      outcome: APPROVED,
    })
    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 2900, attemptsInFlight: [] })
  })

  test('that its gateway tells later is released there, once, with whatever the payment does meanwhile', async () => {
    const { invoiceId, step } = await stage.prepare()
    let approval: Outcome | null = null
    stage.says('first', async (really) => {
      approval = await really()
      return FAILED
    })
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    const account = { gatewayConfigurationId: stage.accounts.first, projectId: stage.fixture.projectId, sandbox: true }
    await storeNotifications(
      em(),
      account,
      [outcomeNotification('authorization', step.command.operationId, approval)],
      new Date(),
    )
    const told = { payment: step.payment, at: step.at }
    await stage.activities().applyNotifications(told)
    await stage.activities().applyNotifications(told)
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      status: 'authorized',
      authorizedMinor: 2900,
      gatewayConfigurationId: stage.accounts.second,
      orphans: [{ operationId: step.command.operationId }],
    })
    expect((await release(invoiceId)).answer).toEqual({ kind: 'done' })
    const capture = stage.fixture.step(invoiceId, stage.fixture.captureCommand())
    expect((await stage.activities().capture(capture)).answer).toEqual({ kind: 'done' })
    expect(await callsOf(invoiceId)).toEqual([
      'authorization at first',
      'authorization at second',
      'capture at second',
      'void at first',
    ])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ capturedMinor: 2900, orphans: [], voidedMinor: 0 })
  })
})

describe('a card that a client has tried, and that failed at the second gateway', () => {
  test('counts as tried in vain, though its first gateway was only out of order', async () => {
    const { step } = await stage.prepare({}, undefined, { actor: 'client' })
    stage.says('first', FAILED)
    stage.says('second', { kind: 'declined', code: 'card.stolen', gatewayCode: '43' })
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'declined', code: 'card.stolen' })
    const tried = await em().find(VelocityRecordEntity, { operationId: step.command.operationId })
    expect(tried).toMatchObject([{ isClientFailure: true }])
  })
})

describe('of many equal requests at once', () => {
  test('one is carried out, and each gateway is asked once', async () => {
    stage.says('first', FAILED)
    const { step } = await prepareWithKey()
    const twins = Array.from({ length: 20 }, () => {
      const { operationId } = stage.fixture.captureCommand()
      return { ...step, command: { ...step.command, operationId }, answers: { ...step.answers, operationId } }
    })
    const results = await Promise.all(twins.map((twin) => stage.activities().authorize(twin)))
    expect(stage.asked).toEqual(['first', 'second'])
    const kinds = results.map(({ answer }) => answer.kind).sort()
    expect(kinds).toEqual(['done', ...Array.from({ length: 19 }, () => 'duplicate')])
  })
})

describe('staff who look after a payment that has gone on', () => {
  test('are sent to the account of the attempt, not to where the payment stands', async () => {
    const { invoiceId, step } = await stage.prepare()
    await goOn({ step })
    await recordOutcome(stage.fixture.deps, step.payment, {
      ...{ outcome: APPROVED, at: step.at, actor: 'merchant', step: null },
      attemptId: step.command.operationId,
    })
    const { orphans } = await stage.transactionOf(invoiceId)
    const command: ReverseOrphanCommand = {
      kind: 'reverse-orphan',
      actor: 'scheduler',
      idempotency: null,
      deadline: Number.MAX_SAFE_INTEGER,
      operationId: stage.fixture.captureCommand().operationId,
      orphanOperationId: orphans[0]?.operationId ?? '',
    }
    await beginAttempt(stage.fixture.deps, stage.fixture.step(invoiceId, command))
    const found = await findUnresolvedPayments(em(), { since: new Date(step.at + 60_000), invoiceId })
    expect(found.map(({ operationType, gatewayConfigurationId }) => [operationType, gatewayConfigurationId])).toEqual([
      ['authorization', stage.accounts.second],
      ['void', stage.accounts.first],
    ])
  })
})

describe('a word that another account has signed', () => {
  /** The account of another merchant, or another one of the same. */
  async function foreignAccount() {
    const { deps } = stage.fixture
    const { projectId } = await createProject(em(), {
      name: 'Another',
      sandbox: true,
      randomBytes: deps.randomBytes,
      hashSecret: deps.vault.hashSecret,
      now: deps.clock.now(),
    })
    const { id } = await em().findOneOrFail(GatewayConfigurationEntity, { projectId })
    return { gatewayConfigurationId: id, projectId, sandbox: true }
  }
  const own = (account: AccountName) => ({
    gatewayConfigurationId: stage.accounts[account],
    projectId: stage.fixture.projectId,
    sandbox: true,
  })

  test.each([
    ['of another merchant', foreignAccount],
    ['of another gateway of the merchant', async () => own('third')],
  ])('%s changes nothing of a payment, whatever it names', async (_, accountOf) => {
    stage.says('first', { kind: 'unknown', reason: 'lost' })
    const { invoiceId, step } = await stage.prepare()
    const reference = step.command.operationId
    await stage.activities().authorize(step)
    const before = await stage.transactionOf(invoiceId)
    const account = await accountOf()
    const told = (): GatewayNotification[] => [
      outcomeNotification('authorization', reference, APPROVED, { gatewayAuthorizationId: 'x' }),
      outcomeNotification('authorization', reference, { ...FAILED }, { gatewayAuthorizationId: 'x' }),
      outcomeNotification('authorization', reference, null, { gatewayAuthorizationId: 'y' }),
      disputeNotification('chargeback-created', { reference, gatewayAuthorizationId: 'x', invoiceId }),
    ]
    // What comes again is known by the authorization that the dispute has named with the invoice.
    for (const words of [told(), told()]) await storeNotifications(em(), account, words, new Date())
    await stage.activities().applyNotifications({ payment: step.payment, at: step.at })
    const after = await stage.transactionOf(invoiceId)
    const { updatedAt: _a, needsAttention: _b, ...same } = before
    expect(after).toMatchObject(JSON.parse(JSON.stringify({ status: same.status, authorizedMinor: 0 })))
    expect(after.attemptsInFlight).toEqual(before.attemptsInFlight)
    expect(after.orphans).toEqual([])
    // A look-up asks the gateway about no authorization that another account has named.
    expect(await findReportedAuthorization(em(), stage.accounts.first, { id: reference })).toBeNull()
    if (account.projectId !== stage.fixture.projectId)
      expect(await em().count(GatewayNotificationEntity, { invoiceId })).toBe(0)
  })
})

describe('a dispute that came before its payment was known', () => {
  test('is of no payment that another account has authorized under the same id', async () => {
    const { invoiceId, step } = await stage.prepare()
    const account = { gatewayConfigurationId: stage.accounts.third, projectId: stage.fixture.projectId, sandbox: true }
    const dispute = disputeNotification('chargeback-created', { gatewayAuthorizationId: 'alike' })
    await storeNotifications(em(), account, [dispute], new Date())
    stage.says('first', { ...APPROVED, gatewayOperationId: 'alike' } as Outcome)
    await stage.activities().authorize(step)
    const { payment } = await stage.activities().applyNotifications({ payment: step.payment, at: step.at })
    expect(payment).toMatchObject({ status: 'authorized', needsAttention: false })
    expect(await em().count(GatewayNotificationEntity, { invoiceId })).toBe(0)
  })
})

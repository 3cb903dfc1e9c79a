import { describe, expect, test } from '@jest/globals'
import type { Step, StepInput } from '../../../activities/payment/attempt.ts'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import { recordOutcome } from '../../../activities/payment/record-outcome.ts'
import type { ExternalAuthentication } from '../../../domain/authentication.ts'
import type { AuthorizeCommand, IdempotencyClaim, PayCommand } from '../../../domain/command.ts'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { Outcome } from '../../../domain/operation.ts'
import { decidePay } from '../../../domain/pay.ts'
import { newPayment } from '../../../domain/payment.ts'
import { answerLostKey } from '../../../src/idempotency/record.ts'
import { ExternalAuthenticationEntity } from '../../../src/persistence/entities/external-authentication.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { GatewayNotificationEntity } from '../../../src/persistence/entities/gateway-notification.ts'
import { VelocityRecordEntity } from '../../../src/persistence/entities/velocity-record.ts'
import {
  findReportedAuthorization,
  storeNotifications,
} from '../../../src/persistence/queries/payments/gateway-notifications.ts'
import { findUnresolvedPayments } from '../../../src/persistence/queries/payments/unresolved-payments.ts'
import { createProject } from '../../../src/persistence/queries/projects/projects.ts'
import { invoiceTerms } from '../../domain/payment-builders.ts'
import { disputeNotification, outcomeNotification } from '../../support/gateway-notifications.ts'
import { makePaymentsAtAccounts, type PaymentsAtAccounts, paymentsAtAccountsForFile } from '../accounts.ts'
import { DAY_MS, HOUR_MS, lostAnswer, NO_ANSWER } from '../payments.ts'

const FAILED: Outcome = { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' }
const NOT_SENT: Outcome = {
  ...{ kind: 'declined', code: 'gateway.network-error', gatewayCode: 'CIRCUIT_OPEN', isNotSent: true },
}
const APPROVED: Outcome = { kind: 'approved', gatewayOperationId: 'x', amountMinor: 2900, currency: 'EUR' }
const FALLBACK = 'route { gateways: first, second, third; fallback: { max_attempts: 3 }; }'

const payments = paymentsAtAccountsForFile()

/** A payment that may be authorized at each of the three accounts. */
const prepare = async (...given: Parameters<PaymentsAtAccounts['prepare']>) => {
  await payments.activateRules(FALLBACK)
  return payments.prepare(...given)
}
type Prepared = Awaited<ReturnType<typeof prepare>>
const pay = async (...given: Parameters<PaymentsAtAccounts['prepare']>) => {
  const prepared = await prepare(...given)
  return { ...prepared, result: await payments.activities.authorize(prepared.step) }
}

/** The step of a new authorization, as it is decided. */
const decided = ({ command, ...step }: StepInput<PayCommand>): Step<AuthorizeCommand> => {
  const { command: meant } = decidePay(
    command,
    newPayment({ ...invoiceTerms(), payableUntil: null }),
    invoiceTerms(),
    step.asOf,
  )
  if (meant?.kind !== 'authorize') throw new Error('The call is no authorization.')
  return { ...step, command: meant, answersTo: command.operationId }
}

/** Records an outcome of an authorization, as a run does that has it from the gateway. */
const record = (
  { step }: Pick<Prepared, 'step'>,
  attemptId: string,
  outcome: Outcome,
  { deps, mayTryNext = true }: { deps?: PaymentsAtAccounts['deps']; mayTryNext?: boolean } = {},
) => {
  const ending = { attemptId, outcome, at: step.at, actor: 'merchant', step: decided(step), mayTryNext } as const
  return recordOutcome(deps ?? payments.deps, step.payment, ending)
}
/** The first gateway has failed, and the second is being asked. @returns our reference there. */
async function failAtFirst(prepared: Pick<Prepared, 'step'>, { deps } = payments as Pick<PaymentsAtAccounts, 'deps'>) {
  await beginAttempt(deps, prepared.step)
  const { next } = await record(prepared, prepared.step.command.operationId, FAILED, { deps })
  if (next === undefined) throw new Error('It does not go on.')
  return next.operation.id
}
/** By their names: two calls of one millisecond have no other order. */
const callsOf = async (invoiceId: string) => {
  const rows = await payments.execute(
    'select type, gateway_configuration_id as account from simulator.request where invoice_id = $1',
    [invoiceId],
  )
  return rows.map(({ type, account }) => `${type} at ${payments.nameOf(String(account))}`).sort()
}

describe('a failure at one gateway', () => {
  test('that is not certain is never taken elsewhere', async () => {
    const { invoiceId, step } = await prepare()
    payments.answersAt('first', NO_ANSWER)
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'pending' })
    await payments.activities.authorize(step)
    expect(payments.askedAccounts()).not.toContain('second')
    const { gatewayConfigurationId } = await payments.transactionOf(invoiceId)
    expect(gatewayConfigurationId).toBe(payments.accounts.first)
  })

  test('that is listed, certain and soft goes on at the next, as one answer and without a word of failure', async () => {
    const { first, second } = payments.accounts
    payments.answersAt('first', FAILED)
    const { invoiceId, result } = await pay()
    expect(result).toMatchObject({
      answer: { kind: 'done' },
      triedBefore: [`simulator ${first}: gateway.internal-error`],
    })
    expect(payments.askedAccounts()).toEqual(['first', 'second'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'authorized', gatewayConfigurationId: second, attemptsCount: 2, attemptsInFlight: [] },
      errorCode: null,
    })
    expect(await payments.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.authorized'])
    const [, one, failure, other, success] = await payments.operationsOf(invoiceId)
    expect(one).toMatchObject({ isAttempt: true, gatewayConfigurationId: first, fallbackOf: null })
    expect(failure).toMatchObject({ hasFailed: true, errorCode: 'gateway.internal-error' })
    expect(other).toMatchObject({ isAttempt: true, gatewayConfigurationId: second, fallbackOf: one?.id })
    expect(success).toMatchObject({ outcome: 'succeeded', gatewayConfigurationId: second })
  })

  test('of a source that it has handed out itself is not taken elsewhere', async () => {
    payments.answersAt('first', FAILED)
    const { result } = await pay({ source: 'gway_req_of_first' })
    expect(result.answer).toMatchObject({ kind: 'declined' })
    expect(payments.askedAccounts()).toEqual(['first'])
  })

  test('forgets what the merchant has had authenticated elsewhere with its outcome at the next gateway', async () => {
    payments.answersAt('first', FAILED)
    const { step } = await prepare({ hasExternalAuthentication: true })
    const { operationId } = step.command
    const authentication: ExternalAuthentication = {
      ...{ version: '2.2.0', transStatus: 'Y', eci: '05', cavv: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=', xid: null },
      ...{ dsTransId: 'c6f2b7a6-6b0e-4d2a-8a0d-3f3c2e8f9d11', wasChallenged: true },
    }
    await payments.em().insert(ExternalAuthenticationEntity, {
      ...{ operationId, projectId: payments.projectId, sandbox: true },
      ...payments.deps.vault.encryptExternalAuthentication(operationId, JSON.stringify(authentication)),
      expiresAt: new Date(payments.now() + HOUR_MS),
    } as never)
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'done' })
    expect(payments.askedAccounts()).toEqual(['first', 'second'])
    expect(await payments.em().count(ExternalAuthenticationEntity, { operationId })).toBe(0)
  })

  test('leads past an account at which the authorization would end before its scheduled capture', async () => {
    payments.answersAt('first', FAILED)
    await payments.changeAccount('second', { authorizationValidity: [{ scheme: 'visa', seconds: 24 * 60 * 60 }] })
    const { result } = await pay({ autoCaptureAt: payments.now() + 3 * DAY_MS })
    expect(result.answer).toEqual({ kind: 'done' })
    expect(payments.askedAccounts()).toEqual(['first', 'third'])
  })

  test('goes on no further than the attempts that the rule allows', async () => {
    await payments.activateRules('route { gateways: first, second, third; fallback: { max_attempts: 2 }; }')
    payments.answersAt('first', FAILED)
    payments.answersAt('second', FAILED)
    await payments.authorize()
    expect(payments.askedAccounts()).toEqual(['first', 'second'])
  })

  test('leads past accounts that were switched off or drained meanwhile', async () => {
    payments.answersAt('first', async () => {
      await payments.changeAccount('second', { enabled: false })
      return FAILED
    })
    expect((await pay()).result.answer).toEqual({ kind: 'done' })
    expect(payments.askedAccounts()).toEqual(['first', 'third'])
  })

  test('has the next gateway asked for the authentication that a rule wants there', async () => {
    const wanted = (account: string, indicator: string) =>
      `dynamic_3ds { gateways: ${account}; dynamic_3ds_params: { challenge_indicator: ${indicator} }; }`
    await payments.activateRules(
      [FALLBACK, wanted('first', 'challenge-requested'), wanted('second', 'no-preference')].join('\n'),
    )
    payments.answersAt('first', FAILED)
    const { invoiceId } = await payments.authorized()
    const attempts = (await payments.operationsOf(invoiceId)).filter(({ isAttempt }) => isAttempt)
    expect(attempts).toMatchObject([
      { wantedAuthentication: { challengeIndicator: 'challenge-requested' } },
      { wantedAuthentication: { challengeIndicator: 'no-preference' } },
    ])
  })

  test('makes a payment that the next gateway cannot raise one that cannot be raised', async () => {
    payments.answersAt('first', FAILED)
    await payments.changeAccount('second', { capabilities: { incrementalAuthorization: false } })
    const { invoiceId } = await pay({ incremental: true }, { incremental: true, bypassIncrementalAuthorization: true })
    expect(payments.askedAccounts()).toEqual(['first', 'second'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', incremental: false })
  })

  test('leads nowhere while the project is suspended', async () => {
    payments.answersAt('first', async () => {
      await payments.suspend()
      return FAILED
    })
    const { result } = await pay()
    await payments.resume()
    expect(result.answer).toEqual({ kind: 'declined', code: 'gateway.internal-error' })
    expect(payments.askedAccounts()).toEqual(['first'])
  })

  test('that was booked before a crash goes on where it was to, and asks neither gateway twice', async () => {
    const { invoiceId, step } = await prepare()
    await failAtFirst({ step })
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'done' })
    expect(payments.askedAccounts()).toEqual(['second'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'authorized', attemptsCount: 2, gatewayConfigurationId: payments.accounts.second },
    })
  })

  test('that comes when the step has no time left is the last word', async () => {
    const { step } = await prepare()
    await beginAttempt(payments.deps, step)
    const { answer, next } = await record({ step }, step.command.operationId, FAILED, { mayTryNext: false })
    expect(next).toBeUndefined()
    expect(answer).toEqual({ kind: 'declined', code: 'gateway.internal-error' })
  })

  test('asks each gateway once, by however many workers the step is run', async () => {
    payments.answersAt('first', FAILED)
    const { invoiceId, step } = await prepare()
    await Promise.all(Array.from({ length: 6 }, () => payments.activities.authorize(step)))
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'done' })
    expect(await callsOf(invoiceId)).toEqual(['authorization at second'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', authorizedMinor: 2900 })
  })

  test('counts as a try in vain of a client where the second one declines the card', async () => {
    payments.answersAt('first', FAILED)
    payments.answersAt('second', { kind: 'declined', code: 'card.stolen', gatewayCode: '43' })
    const { command, result } = await pay({ actor: 'client' })
    expect(result.answer).toEqual({ kind: 'declined', code: 'card.stolen' })
    const tries = await payments.em().find(VelocityRecordEntity, { operationId: command.operationId })
    expect(tries).toMatchObject([{ isClientFailure: true }])
  })
})

test('the reference at the second gateway follows from the command, on whichever machine it is made', async () => {
  const other = await makePaymentsAtAccounts()
  try {
    await other.activateRules(FALLBACK)
    const references: string[][] = []
    for (let request = 0; request < 2; request += 1) {
      const here = await prepare()
      const there = await other.prepare({ operationId: here.command.operationId })
      references.push([await failAtFirst(here), await failAtFirst(there, other)])
    }
    const [[one, sameOne] = [], [two, sameTwo] = []] = references
    expect(one).toMatch(/^tr_op_[0-9A-Za-z]{32}$/)
    expect([sameOne, sameTwo]).toEqual([one, two])
    expect(two).not.toBe(one)
  } finally {
    await other.database.drop()
  }
})

describe('while a payment goes on at its second gateway', () => {
  const prepareWithKey = async () => {
    const key = payments.newKey()
    return { key, ...(await prepare({ idempotency: key })) }
  }
  const keptFor = async (key: IdempotencyClaim) => {
    const row = await payments.keyOf(key)
    return [row?.status, JSON.parse(row?.body ?? 'null')]
  }

  test('a run that comes late with the failure of the first tells nobody that the payment has failed', async () => {
    const prepared = await prepareWithKey()
    const { operationId } = prepared.command
    const second = await failAtFirst(prepared)
    const late = await record(prepared, operationId, FAILED)
    expect(late.answer).toEqual({ kind: 'pending' })
    expect(late.next).toBeUndefined()
    expect((await record(prepared, second, APPROVED)).answer).toEqual({ kind: 'done' })
    expect((await record(prepared, operationId, FAILED)).answer).toEqual({ kind: 'done' })
    expect((await keptFor(prepared.key))[1]).not.toMatchObject({ outcome: 'failed' })
  })

  test('a caller that has waited long enough is told that it is open, and afterwards how it has ended', async () => {
    const prepared = await prepare()
    const { invoiceId, command } = prepared
    const second = await failAtFirst(prepared)
    expect(await payments.withdraw(invoiceId, command)).toMatchObject({ kind: 'begun', result: null })
    await record(prepared, second, APPROVED)
    const ended = { kind: 'begun', result: { outcome: 'succeeded' } }
    expect(await payments.withdraw(invoiceId, command)).toMatchObject(ended)
  })

  test('a key whose run was lost is answered with what is open, not with the failure of the first', async () => {
    const { step, key } = await prepareWithKey()
    await failAtFirst({ step })
    await answerLostKey(payments.em(), key, payments.deps.clock.now())
    expect(await keptFor(key)).toMatchObject([200, { outcome: 'pending' }])
  })

  test('staff are sent to the account of the attempt, not to where the payment stands', async () => {
    const prepared = await prepare()
    const { invoiceId, command } = prepared
    await failAtFirst(prepared)
    await record(prepared, command.operationId, APPROVED)
    await beginAttempt(payments.deps, payments.stepOf(invoiceId, payments.build.reverseOrphan(command.operationId)))
    const found = await findUnresolvedPayments(payments.em(), { invoiceId })
    expect(found.map(({ operationType, gatewayConfigurationId }) => [operationType, gatewayConfigurationId])).toEqual([
      ['authorization', payments.accounts.second],
      ['void', payments.accounts.first],
    ])
  })
})

test('of many equal requests at once one is carried out, and each gateway is asked once', async () => {
  payments.answersAt('first', FAILED)
  const { invoiceId, command } = await prepare({ idempotency: payments.newKey() })
  const twins = Array.from({ length: 20 }, (): PayCommand => {
    const { operationId } = payments.build.capture()
    return { ...command, operationId }
  })
  const results = await Promise.all(twins.map((twin) => payments.step(invoiceId, twin)))
  expect(payments.askedAccounts()).toEqual(['first', 'second'])
  const kinds = results.map(({ answer }) => answer.kind).sort()
  expect(kinds).toEqual(['done', ...Array.from({ length: 19 }, () => 'duplicate')])
})

describe('an approval at the first gateway, of a payment that has gone on at the second', () => {
  const release = async (invoiceId: string) => {
    const [orphan] = (await payments.transactionOf(invoiceId)).orphans
    if (orphan === undefined) throw new Error('Nothing is to be released.')
    return payments.step(invoiceId, payments.build.reverseOrphan(orphan.operationId))
  }

  test('that another run of the step has got is released there, and the payment stays at the second', async () => {
    const { invoiceId, step, command } = await prepare()
    payments.answersAt('first', async (ask) => {
      const approval = await ask()
      // A run beside this one did not get through, and has gone on already.
      const { next } = await record({ step }, command.operationId, NOT_SENT)
      expect(next?.configuration.id).toBe(payments.accounts.second)
      return approval
    })
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'pending' })
    const { attemptsInFlight, orphans } = await payments.transactionOf(invoiceId)
    expect(orphans).toMatchObject([{ operationId: command.operationId, amountMinor: 2900 }])
    expect(attemptsInFlight).toHaveLength(1)
    await release(invoiceId)
    expect(await callsOf(invoiceId)).toEqual(['authorization at first', 'void at first'])
  })

  test('is recorded of the first account, also where both gateways number their authorizations alike', async () => {
    const prepared = await prepare()
    const { invoiceId, command } = prepared
    const second = await failAtFirst(prepared)
    await record(prepared, second, APPROVED)
    await record(prepared, command.operationId, APPROVED)
    expect((await payments.transactionOf(invoiceId)).orphans).toMatchObject([{ operationId: command.operationId }])
    const late = (await payments.operationsOf(invoiceId)).find(({ reason }) => reason === 'late_approval')
    expect(late).toMatchObject({ gatewayOperationId: 'x', gatewayConfigurationId: payments.accounts.first })
  })

  test('that got lost on its way to another run of the step is looked up there, and released', async () => {
    const { invoiceId, step, command } = await prepare()
    payments.answersAt('first', async (ask) => {
      const lost = await lostAnswer(ask)
      await record({ step }, command.operationId, NOT_SENT)
      return lost
    })
    await payments.activities.authorize(step)
    const { attemptsInFlight } = await payments.transactionOf(invoiceId)
    expect(attemptsInFlight).toMatchObject([
      { isAbandoned: false },
      { operationId: command.operationId, isAbandoned: true },
    ])
    await payments.lookUp(invoiceId, command.operationId)
    await release(invoiceId)
    expect(await callsOf(invoiceId)).toEqual(['authorization at first', 'void at first'])
  })

  test('that is of a capture, which another run of the step could not send, is recorded as one that comes late', async () => {
    const { invoiceId } = await pay()
    const step = payments.stepOf(invoiceId, payments.build.capture())
    const { operationId: attemptId } = step.command
    const capture = { ...payments.build.scheduledCapture(2900), operationId: attemptId, actor: 'merchant' as const }
    await beginAttempt(payments.deps, step)
    const ending = { attemptId, at: step.at, actor: 'merchant' as const, step: { ...decided(step), command: capture } }
    await recordOutcome(payments.deps, step.payment, { ...ending, outcome: NOT_SENT })
    const { payment } = await recordOutcome(payments.deps, step.payment, { ...ending, outcome: APPROVED })
    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 2900, attemptsInFlight: [] })
  })

  test('that its gateway tells later is released there, once, with whatever the payment does meanwhile', async () => {
    const { invoiceId, step, command } = await prepare()
    const { first: gatewayConfigurationId, second } = payments.accounts
    let approval: Outcome | null = null
    payments.answersAt('first', async (ask) => {
      approval = await ask()
      return FAILED
    })
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'done' })
    const account = { gatewayConfigurationId, projectId: payments.projectId, sandbox: true }
    const report = outcomeNotification('authorization', command.operationId, approval)
    await storeNotifications(payments.em(), account, [report], new Date())
    for (let time = 0; time < 2; time += 1) await payments.applyNotifications(invoiceId)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'authorized', authorizedMinor: 2900, gatewayConfigurationId: second },
      orphans: [{ operationId: command.operationId }],
    })
    expect((await release(invoiceId)).answer).toEqual({ kind: 'done' })
    expect((await payments.step(invoiceId, payments.build.capture())).answer).toEqual({ kind: 'done' })
    expect(await callsOf(invoiceId)).toEqual([
      ...['authorization at first', 'authorization at second', 'capture at second', 'void at first'],
    ])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ capturedMinor: 2900, orphans: [], voidedMinor: 0 })
  })
})

describe('a notification that another account has signed', () => {
  /** The account of another merchant, or another one of the same. */
  async function makeForeignAccount() {
    const { randomBytes, vault, clock } = payments.deps
    const project = { name: 'Another', sandbox: true, randomBytes, hashSecret: vault.hashSecret, now: clock.now() }
    const { projectId } = await createProject(payments.em(), project)
    const { id } = await payments.em().findOneOrFail(GatewayConfigurationEntity, { projectId })
    return { gatewayConfigurationId: id, projectId, sandbox: true }
  }
  const third = () => ({
    ...{ gatewayConfigurationId: payments.accounts.third, projectId: payments.projectId, sandbox: true },
  })

  test.each([
    ['of another merchant', makeForeignAccount],
    ['of another gateway of the merchant', async () => third()],
  ])('%s changes nothing of a payment, whatever it names', async (_, makeAccount) => {
    const { invoiceId, step, command } = await prepare()
    payments.answersAt('first', NO_ANSWER)
    await payments.activities.authorize(step)
    const before = await payments.transactionOf(invoiceId)
    const account = await makeAccount()
    const reference = command.operationId
    const makeReports = (): GatewayNotification[] => [
      outcomeNotification('authorization', reference, APPROVED, { gatewayAuthorizationId: 'x' }),
      outcomeNotification('authorization', reference, { ...FAILED }, { gatewayAuthorizationId: 'x' }),
      outcomeNotification('authorization', reference, null, { gatewayAuthorizationId: 'y' }),
      disputeNotification('chargeback-created', { reference, gatewayAuthorizationId: 'x', invoiceId }),
    ]
    // What comes again is known by the authorization that the dispute has named with the invoice.
    for (let time = 0; time < 2; time += 1) await storeNotifications(payments.em(), account, makeReports(), new Date())
    await payments.applyNotifications(invoiceId)
    const { status, attemptsInFlight } = before
    const unchanged = { status, authorizedMinor: 0, attemptsInFlight, orphans: [] }
    expect(await payments.transactionOf(invoiceId)).toMatchObject(unchanged)
    // A look-up asks the gateway about no authorization that another account has named.
    expect(await findReportedAuthorization(payments.em(), payments.accounts.first, { id: reference })).toBeNull()
    if (account.projectId !== payments.projectId)
      expect(await payments.em().count(GatewayNotificationEntity, { invoiceId })).toBe(0)
  })

  test('is of no payment that is authorized under the same id afterwards', async () => {
    const { invoiceId, step } = await prepare()
    const dispute = disputeNotification('chargeback-created', { gatewayAuthorizationId: 'alike' })
    await storeNotifications(payments.em(), third(), [dispute], new Date())
    payments.answersAt('first', { ...APPROVED, gatewayOperationId: 'alike' } as Outcome)
    await payments.activities.authorize(step)
    const { payment } = await payments.applyNotifications(invoiceId)
    expect(payment).toMatchObject({ status: 'authorized', needsAttention: false })
    expect(await payments.em().count(GatewayNotificationEntity, { invoiceId })).toBe(0)
  })
})

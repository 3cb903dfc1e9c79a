import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { recordOutcome } from '../../activities/payment/record-outcome.ts'
import type { ExternalAuthentication } from '../../domain/authentication.ts'
import type { Outcome } from '../../domain/operation.ts'
import { ExternalAuthenticationEntity } from '../../src/persistence/entities/external-authentication.ts'
import { makeRoutingStage, type RoutingStage } from './routing-stage.ts'

let stage: RoutingStage

beforeAll(async () => {
  stage = await makeRoutingStage()
})
beforeEach(() => stage.reset())
afterAll(() => stage.drop())

describe('an authorization that a rule blocks', () => {
  const block = 'block { condition: amount == 29.00; tags: too round; }'

  test('reaches no gateway, and its transaction says which rule it was', async () => {
    await stage.activate(block)
    const { invoiceId, step } = await stage.prepare()
    const { answer, payment } = await stage.activities().authorize(step)
    expect(answer).toEqual({ kind: 'declined', code: 'routing-rules.transaction-blocked' })
    expect(payment).toMatchObject({ status: 'blocked', attemptsInFlight: [], authorizedMinor: 0 })
    expect(stage.asked).toEqual([])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      status: 'blocked',
      gatewayConfigurationId: null,
      gatewayName: null,
      attemptsCount: 0,
      errorCode: 'routing-rules.transaction-blocked',
      ruleSetVersion: expect.any(Number),
      routingTags: ['rule-1-block', 'too round'],
    })
    expect(await stage.operationsOf(invoiceId)).toMatchObject([
      { type: 'request', outcome: 'succeeded' },
      { type: 'authorization', isAttempt: false, hasFailed: true, errorCode: 'routing-rules.transaction-blocked' },
    ])
    expect(await stage.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.failed'])
  })

  test('after a gateway has declined it is shown at no gateway, and without the account of the decline', async () => {
    stage.says('first', { kind: 'declined', code: 'card.declined', gatewayCode: '05' })
    const { invoiceId, step } = await stage.prepare()
    await stage.activities().authorize(step)
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ status: 'failed', gatewayName: 'simulator' })
    await stage.activate(block)
    const again = stage.fixture.step(invoiceId, stage.fixture.authorizeCommand(await stage.fixture.makeCard()))
    await stage.activities().authorize(again)
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      status: 'blocked',
      gatewayConfigurationId: null,
      gatewayName: null,
      schemeUsed: null,
    })
  })

  test('is blocked once, however often the step is run', async () => {
    await stage.activate(block)
    const { invoiceId, step } = await stage.prepare()
    const first = await stage.activities().authorize(step)
    await stage.activate(null)
    expect((await stage.activities().authorize(step)).answer).toEqual(first.answer)
    expect(await stage.operationsOf(invoiceId)).toHaveLength(2)
    expect(stage.asked).toEqual([])
  })
})

describe('an authorization that a rule sends to authentication', () => {
  test('tells its gateway so, which authenticates the customer', async () => {
    await stage.activate('trigger_3ds { condition: card_scheme == visa; }')
    const { invoiceId, step } = await stage.prepare()
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      status: 'authorized',
      authentication: { status: 'authenticated', hasLiabilityShift: true },
      routingTags: ['rule-1-trigger_3ds'],
    })
    expect(await stage.operationsOf(invoiceId)).toContainEqual(
      expect.objectContaining({ wantedAuthentication: expect.objectContaining({ isRequired: true }) }),
    )
  })
})

describe('an authorization that a rule routes', () => {
  test('goes to the first gateway of the rule, and everything after it goes there, too', async () => {
    await stage.activate('route { gateways: second, first; condition: currency == EUR; tags: euros; }')
    const { invoiceId, step } = await stage.prepare()
    await stage.activities().authorize(step)
    expect(stage.asked).toEqual(['second'])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      gatewayConfigurationId: stage.accounts.second,
      routingTags: ['rule-1-route', 'euros'],
    })
    const capture = stage.fixture.step(invoiceId, stage.fixture.captureCommand())
    expect((await stage.activities().capture(capture)).answer).toEqual({ kind: 'done' })
    expect(await stage.operationsOf(invoiceId)).toMatchObject([
      { type: 'request' },
      ...Array.from({ length: 4 }, () => ({ gatewayConfigurationId: stage.accounts.second })),
    ])
  })

  test('is a sale at an account that knows nothing else, where the merchant allows one', async () => {
    await stage.activate('route { gateways: second; }')
    await stage.change('second', { capabilities: { authorize: false } })
    const refused = await stage.prepare()
    expect((await stage.activities().authorize(refused.step)).answer).toMatchObject({
      kind: 'refused',
      code: 'request.gateway.operation-not-supported',
    })
    const { invoiceId, step } = await stage.prepare({}, undefined, { mayFallBackToSale: true })
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    expect((await stage.operationsOf(invoiceId)).at(-1)).toMatchObject({
      type: 'capture',
      isSale: true,
    })

    const part = await stage.prepare({}, undefined, { mayFallBackToSale: true, autoCaptureAmountMinor: 1000 })
    expect((await stage.activities().authorize(part.step)).answer).toMatchObject({
      kind: 'refused',
      code: 'request.gateway.operation-not-supported',
      message: expect.stringContaining('name no part to capture'),
    })
  })

  test.each([
    ['increments', { incrementalAuthorization: false }, { incremental: true }, 'incremental must be false'],
    ['parts', { partialCapture: false }, { autoCaptureAmountMinor: 1000 }, 'captures the whole amount only'],
  ])('is refused where no account can do the %s it asks for, which the answer names', async (_, lacks, wants, said) => {
    await stage.activate('route { gateways: second, third; }')
    for (const name of ['second', 'third'] as const) await stage.change(name, { capabilities: lacks })
    const { step } = await stage.prepare({}, undefined, wants)
    expect((await stage.activities().authorize(step)).answer).toMatchObject({
      kind: 'refused',
      code: 'request.gateway.operation-not-supported',
      message: expect.stringContaining(said),
    })
  })
})

const FAILED: Outcome = { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' }
const FALLBACK = 'route { gateways: first, second, third; fallback: { max_attempts: 3 }; }'

describe('a failure at one gateway', () => {
  test('that is not certain is never taken elsewhere', async () => {
    await stage.activate(FALLBACK)
    stage.says('first', { kind: 'unknown', reason: 'lost' })
    const { invoiceId, step } = await stage.prepare()
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'pending' })
    await stage.activities().authorize(step)
    expect(stage.asked).not.toContain('second')
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ gatewayConfigurationId: stage.accounts.first })
  })

  test('that is listed, certain and soft goes on at the next, as one answer and without a word of failure', async () => {
    await stage.activate(FALLBACK)
    stage.says('first', FAILED)
    const { invoiceId, step } = await stage.prepare()
    expect(await stage.activities().authorize(step)).toMatchObject({
      answer: { kind: 'done' },
      triedBefore: [`simulator ${stage.accounts.first}: gateway.internal-error`],
    })
    expect(stage.asked).toEqual(['first', 'second'])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      status: 'authorized',
      gatewayConfigurationId: stage.accounts.second,
      attemptsCount: 2,
      attemptsInFlight: [],
      errorCode: null,
    })
    expect(await stage.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.authorized'])
    const [, one, failure, other, success] = await stage.operationsOf(invoiceId)
    expect(one).toMatchObject({ isAttempt: true, gatewayConfigurationId: stage.accounts.first, fallbackOf: null })
    expect(failure).toMatchObject({ hasFailed: true, errorCode: 'gateway.internal-error' })
    expect(other).toMatchObject({ isAttempt: true, gatewayConfigurationId: stage.accounts.second, fallbackOf: one?.id })
    expect(success).toMatchObject({ outcome: 'succeeded', gatewayConfigurationId: stage.accounts.second })
  })

  test('of a source that it has handed out itself is not taken elsewhere', async () => {
    await stage.activate('route { gateways: first, second; fallback: true; }')
    stage.says('first', { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' })
    const { invoiceId } = await stage.prepare()
    const step = stage.fixture.step(invoiceId, stage.fixture.authorizeCommand('gway_req_of_first'))
    expect((await stage.activities().authorize(step)).answer).toMatchObject({ kind: 'declined' })
    expect(stage.asked).toEqual(['first'])
  })

  test('forgets what the merchant has had authenticated elsewhere with its outcome at the next gateway', async () => {
    await stage.activate('route { gateways: first, second; fallback: true; }')
    stage.says('first', { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' })
    const { step } = await stage.prepare({}, undefined, { hasExternalAuthentication: true })
    const { operationId } = step.command
    const { vault, clock } = stage.fixture.deps
    const authentication: ExternalAuthentication = {
      ...{ version: '2.2.0', transStatus: 'Y', eci: '05', cavv: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=', xid: null },
      ...{ dsTransId: 'c6f2b7a6-6b0e-4d2a-8a0d-3f3c2e8f9d11', wasChallenged: true },
    }
    const em = stage.database.orm.em.fork()
    await em.insert(ExternalAuthenticationEntity, {
      ...{ operationId, projectId: stage.fixture.projectId, sandbox: true },
      ...vault.encryptExternalAuthentication(operationId, JSON.stringify(authentication)),
      expiresAt: new Date(clock.now().getTime() + 60 * 60 * 1000),
    } as never)
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    expect(stage.asked).toEqual(['first', 'second'])
    expect(await em.count(ExternalAuthenticationEntity, { operationId })).toBe(0)
  })

  test('leads past an account at which the authorization would end before its scheduled capture', async () => {
    await stage.activate('route { gateways: first, second, third; fallback: { max_attempts: 3 }; }')
    stage.says('first', { kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' })
    await stage.change('second', { authorizationValidity: [{ scheme: 'visa', seconds: 24 * 60 * 60 }] })
    const { step } = await stage.prepare({}, undefined, { autoCaptureAt: Date.now() + 3 * 24 * 60 * 60 * 1000 })
    try {
      expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    } finally {
      await stage.change('second', { authorizationValidity: [] })
    }
    expect(stage.asked).toEqual(['first', 'third'])
  })

  test('goes on no further than the attempts that the rule allows', async () => {
    await stage.activate('route { gateways: first, second, third; fallback: { max_attempts: 2 }; }')
    stage.says('first', FAILED)
    stage.says('second', FAILED)
    const { step } = await stage.prepare()
    await stage.activities().authorize(step)
    expect(stage.asked).toEqual(['first', 'second'])
  })

  test('leads past accounts that were switched off or drained meanwhile', async () => {
    await stage.activate(FALLBACK)
    stage.says('first', async () => {
      await stage.change('second', { enabled: false })
      return FAILED
    })
    const { step } = await stage.prepare()
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    expect(stage.asked).toEqual(['first', 'third'])
  })

  test('has the next gateway asked for the authentication that a rule wants there', async () => {
    const wanted = (account: string, indicator: string) =>
      `dynamic_3ds { gateways: ${account}; dynamic_3ds_params: { challenge_indicator: ${indicator} }; }`
    await stage.activate(
      [FALLBACK, wanted('first', 'challenge-requested'), wanted('second', 'no-preference')].join('\n'),
    )
    stage.says('first', FAILED)
    const { invoiceId, step } = await stage.prepare()
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    const attempts = (await stage.operationsOf(invoiceId)).filter(({ isAttempt }) => isAttempt)
    expect(attempts).toMatchObject([
      { wantedAuthentication: { challengeIndicator: 'challenge-requested' } },
      { wantedAuthentication: { challengeIndicator: 'no-preference' } },
    ])
  })

  test('makes a payment that the next gateway cannot raise one that cannot be raised', async () => {
    await stage.activate(FALLBACK)
    stage.says('first', FAILED)
    await stage.change('second', { capabilities: { incrementalAuthorization: false } })
    const invoice = { incremental: true, bypassIncrementalAuthorization: true }
    const { invoiceId, step } = await stage.prepare(invoice, undefined, { incremental: true })
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    expect(stage.asked).toEqual(['first', 'second'])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', incremental: false })
  })

  test('leads nowhere while the project is suspended', async () => {
    await stage.activate(FALLBACK)
    const suspend = (at: Date | null) =>
      stage.database.orm.em
        .fork()
        .execute('update project set suspended_at = ? where id = ?', [at, stage.fixture.projectId])
    stage.says('first', async () => {
      await suspend(new Date())
      return FAILED
    })
    const { step } = await stage.prepare()
    const { answer } = await stage.activities().authorize(step)
    await suspend(null)
    expect(answer).toEqual({ kind: 'declined', code: 'gateway.internal-error' })
    expect(stage.asked).toEqual(['first'])
  })

  test('that was booked before a crash goes on where it was to, and asks neither gateway twice', async () => {
    await stage.activate(FALLBACK)
    const { invoiceId, step } = await stage.prepare()
    const begun = await beginAttempt(stage.fixture.deps, step)
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    const { next } = await recordOutcome(stage.fixture.deps, step.payment, {
      attemptId: step.command.operationId,
      outcome: FAILED,
      at: step.at,
      actor: 'merchant',
      step,
      mayTryNext: true,
    })
    expect(next?.configuration.id).toBe(stage.accounts.second)
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    expect(stage.asked).toEqual(['second'])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', attemptsCount: 2 })
  })

  test('that comes when the step has no time left is the last word', async () => {
    await stage.activate(FALLBACK)
    const { step } = await stage.prepare()
    await beginAttempt(stage.fixture.deps, step)
    const { answer, next } = await recordOutcome(stage.fixture.deps, step.payment, {
      attemptId: step.command.operationId,
      outcome: FAILED,
      at: step.at,
      actor: 'merchant',
      step,
      mayTryNext: false,
    })
    expect(next).toBeUndefined()
    expect(answer).toEqual({ kind: 'declined', code: 'gateway.internal-error' })
  })

  test('asks each gateway once, by however many workers the step is run', async () => {
    await stage.activate(FALLBACK)
    stage.says('first', FAILED)
    const { invoiceId, step } = await stage.prepare()
    await Promise.all(Array.from({ length: 6 }, () => stage.activities().authorize(step)))
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'done' })
    const requests = await stage.fixture.execute(
      'select gateway_configuration_id as account from simulator.request where invoice_id = $1',
      [invoiceId],
    )
    expect(requests).toEqual([{ account: stage.accounts.second }])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', authorizedMinor: 2900 })
  })
})

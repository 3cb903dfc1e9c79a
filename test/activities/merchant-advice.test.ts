import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import type { Outcome } from '../../domain/operation.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { countDeclines } from '../../src/persistence/queries/advice/count-declines.ts'
import { makeRoutingStage, type RoutingStage } from './routing-stage.ts'

const NUMBER = '5555555555554444'
const DO_NOT_TRY_AGAIN: Outcome = {
  kind: 'declined',
  code: 'card.dont-retry',
  gatewayCode: 'MC03',
  merchantAdviceCode: '03',
}
const BLOCKED = { kind: 'declined', code: 'request.transaction-blocked' }

let stage: RoutingStage

beforeAll(async () => {
  stage = await makeRoutingStage()
})
beforeEach(async () => {
  await stage.reset()
  await em().execute('delete from advice_block')
})
afterAll(() => stage.drop())

const em = () => stage.database.orm.em.fork()
const blocks = () =>
  em().execute<{ code: string; source: string; extended: string }[]>(
    'select code, source_operation_id as source, extended_at::text as extended from advice_block order by extended_at',
  )
const prepare = () => stage.prepare({}, NUMBER)
/** Only a network that gives such advice takes it back with an approval. */
const runOnMastercard = (id: string) => em().nativeUpdate(CardEntity, { id }, { scheme: 'mastercard' })
/** A payment with this card over this amount is told not to try again. */
async function block(account: 'first' | 'second' = 'first') {
  const { invoiceId, step } = await prepare()
  stage.says(account, DO_NOT_TRY_AGAIN)
  const { answer } = await stage.activities().authorize(step)
  expect(answer).toEqual({ kind: 'declined', code: 'card.dont-retry' })
  stage.asked.length = 0
  return { invoiceId, step }
}

describe('a payment that is blocked at one gateway', () => {
  test('goes to the next one where the rule of its route has a fallback', async () => {
    await stage.activate('route { gateways: first, second; fallback: true; }')
    await block()
    const { invoiceId, step } = await prepare()
    const { answer, payment } = await stage.activities().authorize(step)
    expect([answer, payment.status]).toEqual([{ kind: 'done' }, 'authorized'])
    expect(stage.asked).toEqual(['second'])
    expect(await stage.operationsOf(invoiceId)).toMatchObject([
      { type: 'request' },
      { isAttempt: true, gatewayConfigurationId: stage.accounts.first },
      { isAttempt: false, hasFailed: true, errorCode: 'request.transaction-blocked', isNotSent: true },
      { isAttempt: true, gatewayConfigurationId: stage.accounts.second },
      { isAttempt: false, outcome: 'succeeded' },
    ])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      gatewayConfigurationId: stage.accounts.second,
      errorCode: null,
      merchantAdviceCode: null,
      retryAfter: null,
    })
    expect(await stage.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.authorized'])
  })
})

describe('an authorization that may have been sent', () => {
  test('is not sent by a second run of its step, nor by a look-up, once a block forbids it; nor recorded as declined', async () => {
    const { invoiceId, step } = await prepare()
    await beginAttempt(stage.fixture.deps, step)
    await block()
    stage.says('first', { kind: 'approved', gatewayOperationId: 'sim_x', amountMinor: 2900, currency: 'EUR' })
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'pending' })
    const { operationId } = step.command
    await stage.activities().lookUp({ payment: step.payment, operationId, at: step.at })
    expect(stage.asked).toEqual([])
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ status: 'pending' })
  })

  test.each(['a look-up', 'a second run of its step'])(
    'and was refused for good sets its block also by %s',
    async (by) => {
      const { step } = await prepare()
      stage.says('first', { kind: 'unknown', reason: 'lost' })
      await stage.activities().authorize(step)
      stage.finds({ kind: 'found', outcome: DO_NOT_TRY_AGAIN })
      const { operationId } = step.command
      if (by === 'a look-up') await stage.activities().lookUp({ payment: step.payment, operationId, at: step.at })
      else await stage.activities().authorize(step)
      expect(await blocks()).toMatchObject([{ code: '03', source: operationId }])
    },
  )

  test('and is approved late, after another was told not to try again, is approved, and lifts no block', async () => {
    const [invoiceId, card] = [
      await stage.fixture.makeInvoice(),
      await stage.fixture.makeCard(NUMBER, 'SANDBOX:authorization-lost-approved'),
    ]
    await runOnMastercard(card)
    const step = stage.fixture.step(invoiceId, stage.fixture.authorizeCommand(card))
    expect((await stage.activities().authorize(step)).answer).toEqual({ kind: 'pending' })
    await block()
    const { operationId } = step.command
    const found = await stage.activities().lookUp({ payment: step.payment, operationId, at: step.at })
    expect(found).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'authorized' } })
    expect(await blocks()).toHaveLength(1)
  })
})

describe('what a decline says', () => {
  test('is recorded in the database transaction of its result, or not at all', async () => {
    const { step } = await prepare()
    stage.says('first', DO_NOT_TRY_AGAIN)
    await em().execute(`create function refuse_result() returns trigger language plpgsql as $$
      begin raise exception 'no result'; end $$;
      create trigger refuse_result before insert on operation for each row when (new.outcome = 'failed')
        execute function refuse_result()`)
    try {
      await expect(stage.activities().authorize(step)).rejects.toThrow()
      expect(await blocks()).toEqual([])
    } finally {
      await em().execute('drop trigger refuse_result on operation; drop function refuse_result')
    }
  })

  test('of a call that was not sent is no advice', async () => {
    const { step } = await prepare()
    stage.says('first', { ...DO_NOT_TRY_AGAIN, isNotSent: true } as Outcome)
    await stage.activities().authorize(step)
    expect(await blocks()).toEqual([])
  })

  test('stands on the transaction until the next try, also where a rule keeps that from every gateway', async () => {
    const { invoiceId, step } = await prepare()
    const cardChecks = { cvcCheck: 'failed', avsCheck: 'failed' } as const
    stage.says('first', { ...DO_NOT_TRY_AGAIN, merchantAdviceCode: '24', cardChecks } as Outcome)
    await stage.activities().authorize(step)
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      merchantAdviceCode: '24',
      recommendationCode: 'retry-after',
      retryAfter: expect.any(Date),
      cardChecks,
    })
    await stage.activate('block { }')
    const again = stage.fixture.step(invoiceId, stage.fixture.authorizeCommand(step.command.source ?? ''))
    await stage.activities().authorize(again)
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      errorCode: 'routing-rules.transaction-blocked',
      merchantAdviceCode: null,
      recommendationCode: null,
      retryAfter: null,
      cardChecks: null,
    })
  })

  test('and what it found of the card is gone from the transaction while another card is tried', async () => {
    const { invoiceId, step } = await prepare()
    const cardChecks = { cvcCheck: 'failed', avsCheck: 'failed' } as const
    stage.says('first', { ...DO_NOT_TRY_AGAIN, merchantAdviceCode: '24', cardChecks } as Outcome)
    await stage.activities().authorize(step)
    stage.says('first', { kind: 'unknown', reason: 'lost' })
    const again = stage.fixture.step(invoiceId, stage.fixture.authorizeCommand(await stage.fixture.makeCard()))
    expect((await stage.activities().authorize(again)).answer).toEqual({ kind: 'pending' })
    expect(await stage.transactionOf(invoiceId)).toMatchObject({
      status: 'pending',
      merchantAdviceCode: null,
      recommendationCode: null,
      retryAfter: null,
      cardChecks: null,
    })
  })

  test('is obeyed until the very instant that its merchant is told', async () => {
    const { invoiceId, step } = await prepare()
    const retryAfter = new Date(stage.fixture.deps.clock.now().getTime() + 3 * 3_600_000)
    const told = { merchantAdviceCode: '24', retryAfter: retryAfter.getTime() }
    stage.says('first', { ...DO_NOT_TRY_AGAIN, ...told } as Outcome)
    await stage.activities().authorize(step)
    expect(await stage.transactionOf(invoiceId)).toMatchObject({ retryAfter })
    expect(
      await em().execute('select extract(epoch from expires_at)::float8 * 1000 as ends from advice_block'),
    ).toEqual([{ ends: retryAfter.getTime() }])
  })
})

test('our own refusals do not count as declines of the network', async () => {
  const { step } = await block()
  const { fingerprint, scheme } = await em().findOneOrFail(CardEntity, { id: step.command.source ?? '' })
  const { projectId, deps } = stage.fixture
  const payment = { projectId, sandbox: true, cardFingerprint: fingerprint, scheme, amountMinor: 2900, currency: 'EUR' }
  const counted = () => countDeclines(em(), payment, deps.clock.now())
  const before = await counted()
  expect(before.inDay).toBeGreaterThan(0)
  for (let blocked = 1; blocked <= 3; blocked += 1) {
    const again = await prepare()
    expect((await stage.activities().authorize(again.step)).answer).toEqual(BLOCKED)
  }
  expect(await counted()).toEqual(before)
})

import { beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../../activities/payment/begin-attempt.ts'
import type { Outcome } from '../../../../domain/operation.ts'
import { CardEntity } from '../../../../src/persistence/entities/card.ts'
import { countDeclines } from '../../../../src/persistence/queries/advice/count-declines.ts'
import { paymentsAtAccountsForFile } from '../../accounts.ts'
import { HOUR_MS, NO_ANSWER } from '../../payments.ts'

const CARD = '5555555555554444'
const DO_NOT_TRY_AGAIN: Outcome = {
  ...{ kind: 'declined', code: 'card.dont-retry', gatewayCode: 'MC03', merchantAdviceCode: '03' },
}

const payments = paymentsAtAccountsForFile()
beforeEach(() => payments.em().execute('delete from advice_block'))

const blocks = () =>
  payments
    .em()
    .execute<{ code: string; source: string }[]>(
      'select code, source_operation_id as source from advice_block order by extended_at',
    )
const prepare = () => payments.prepare({}, {}, CARD)
const pay = async (answer: Outcome) => {
  payments.answersAt('first', answer)
  const prepared = await prepare()
  return { ...prepared, result: await payments.activities.authorize(prepared.step) }
}
/** A payment with this card over this amount is told not to try again. */
async function block() {
  const { command, result } = await pay(DO_NOT_TRY_AGAIN)
  expect(result.answer).toEqual({ kind: 'declined', code: 'card.dont-retry' })
  payments.gateway.asked.length = 0
  return command
}

test('a payment that is blocked at one gateway goes to the next one where the rule of its route has a fallback', async () => {
  await payments.activateRules('route { gateways: first, second; fallback: true; }')
  await block()
  const { first, second } = payments.accounts
  const { invoiceId, step } = await prepare()
  const { answer, payment } = await payments.activities.authorize(step)
  expect([answer, payment.status]).toEqual([{ kind: 'done' }, 'authorized'])
  expect(payments.askedAccounts()).toEqual(['second'])
  expect(await payments.operationsOf(invoiceId)).toMatchObject([
    { type: 'request' },
    { isAttempt: true, gatewayConfigurationId: first },
    { isAttempt: false, hasFailed: true, errorCode: 'request.transaction-blocked', isNotSent: true },
    { isAttempt: true, gatewayConfigurationId: second },
    { isAttempt: false, outcome: 'succeeded' },
  ])
  expect(await payments.transactionOf(invoiceId)).toMatchObject({
    ...{ gatewayConfigurationId: second, errorCode: null, merchantAdviceCode: null, retryAfter: null },
  })
  expect(await payments.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.authorized'])
})

describe('an authorization that may have been sent', () => {
  test('is not sent by a second run of its step, nor by a look-up, once a block forbids it; nor recorded as declined', async () => {
    const { invoiceId, step, command } = await prepare()
    await beginAttempt(payments.deps, step)
    await block()
    payments.answersAt('first', {
      ...{ kind: 'approved', gatewayOperationId: 'sim_x', amountMinor: 2900, currency: 'EUR' },
    })
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'pending' })
    await payments.lookUp(invoiceId, command.operationId)
    expect(payments.askedAccounts()).toEqual([])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'pending' })
  })

  test.each(['a look-up', 'a second run of its step'])(
    'and was refused for good sets its block also by %s',
    async (by) => {
      const { invoiceId, step, command } = await pay(NO_ANSWER)
      payments.gateway.answers({ lookUp: { kind: 'found', outcome: DO_NOT_TRY_AGAIN } })
      if (by === 'a look-up') await payments.lookUp(invoiceId, command.operationId)
      else await payments.activities.authorize(step)
      expect(await blocks()).toMatchObject([{ code: '03', source: command.operationId }])
    },
  )

  test('and is approved late, after another was told not to try again, is approved, and lifts no block', async () => {
    const invoiceId = await payments.makeInvoice()
    const card = await payments.makeCard(CARD, 'SANDBOX:authorization-lost-approved')
    // Only a network that gives such advice takes it back with an approval.
    await payments.em().nativeUpdate(CardEntity, { id: card }, { scheme: 'mastercard' })
    const command = payments.build.authorize(card)
    expect((await payments.step(invoiceId, command)).answer).toEqual({ kind: 'pending' })
    await block()
    const found = await payments.lookUp(invoiceId, command.operationId)
    expect(found).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'authorized' } })
    expect(await blocks()).toHaveLength(1)
  })
})

describe('what a decline says', () => {
  const NOTHING = { merchantAdviceCode: null, recommendationCode: null, retryAfter: null, cardChecks: null }
  /** A decline that asks to wait, and what its gateway has found of the card. */
  const payTooEarly = async () => {
    const cardChecks = { cvcCheck: 'failed', avsCheck: 'failed' } as const
    const prepared = await pay({ ...DO_NOT_TRY_AGAIN, merchantAdviceCode: '24', cardChecks } as Outcome)
    expect(await payments.transactionOf(prepared.invoiceId)).toMatchObject({
      ...{ merchantAdviceCode: '24', recommendationCode: 'retry-after', retryAfter: expect.any(Date), cardChecks },
    })
    return prepared
  }

  test('is recorded in the database transaction of its result, or not at all', async () => {
    await payments.em().execute(`create function refuse_result() returns trigger language plpgsql as $$
      begin raise exception 'no result'; end $$;
      create trigger refuse_result before insert on operation for each row when (new.outcome = 'failed')
        execute function refuse_result()`)
    try {
      await expect(pay(DO_NOT_TRY_AGAIN)).rejects.toThrow()
      expect(await blocks()).toEqual([])
    } finally {
      await payments.em().execute('drop trigger refuse_result on operation; drop function refuse_result')
    }
  })

  test('of a call that was not sent is no advice', async () => {
    await pay({ ...DO_NOT_TRY_AGAIN, isNotSent: true } as Outcome)
    expect(await blocks()).toEqual([])
  })

  test('stands on the transaction until the next try, also where a rule keeps that from every gateway', async () => {
    const { invoiceId, command } = await payTooEarly()
    await payments.activateRules('block { }')
    await payments.step(invoiceId, payments.build.authorize(command.source ?? ''))
    const blocked = { errorCode: 'routing-rules.transaction-blocked', ...NOTHING }
    expect(await payments.transactionOf(invoiceId)).toMatchObject(blocked)
  })

  test('and what it found of the card is gone from the transaction while another card is tried', async () => {
    const { invoiceId } = await payTooEarly()
    payments.answersAt('first', NO_ANSWER)
    const { answer } = await payments.step(invoiceId, payments.build.authorize(await payments.makeCard()))
    expect(answer).toEqual({ kind: 'pending' })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'pending', ...NOTHING })
  })

  test('is obeyed until the very instant that its merchant is told', async () => {
    const retryAfter = payments.now() + 3 * HOUR_MS
    const { invoiceId } = await pay({ ...DO_NOT_TRY_AGAIN, merchantAdviceCode: '24', retryAfter } as Outcome)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ retryAfter: new Date(retryAfter) })
    const ends = 'select extract(epoch from expires_at)::float8 * 1000 as ends from advice_block'
    expect(await payments.em().execute(ends)).toEqual([{ ends: retryAfter }])
  })
})

test('our own refusals do not count as declines of the network', async () => {
  const { source } = await block()
  const { fingerprint, scheme } = await payments.em().findOneOrFail(CardEntity, { id: source ?? '' })
  const { projectId } = payments
  const payment = { projectId, sandbox: true, cardFingerprint: fingerprint, scheme, amountMinor: 2900, currency: 'EUR' }
  const counted = () => countDeclines(payments.em(), payment, payments.deps.clock.now())
  const before = await counted()
  expect(before.inDay).toBeGreaterThan(0)
  for (let blocked = 1; blocked <= 3; blocked += 1) {
    const { step } = await prepare()
    const { answer } = await payments.activities.authorize(step)
    expect(answer).toEqual({ kind: 'declined', code: 'request.transaction-blocked' })
  }
  expect(await counted()).toEqual(before)
})

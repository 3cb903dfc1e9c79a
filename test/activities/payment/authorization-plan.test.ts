import { describe, expect, test } from '@jest/globals'
import type { PayCommand } from '../../../domain/command.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { paymentsAtAccountsForFile } from '../accounts.ts'
import { MINUTE_MS } from '../payments.ts'

const payments = paymentsAtAccountsForFile()

const NOT_SUPPORTED = { kind: 'refused', code: 'request.gateway.operation-not-supported' }

const partLater = () => ({ autoCaptureAt: payments.now() + MINUTE_MS, amountMinor: 1000 })

describe('an authorization that could not be carried out is refused before anything is begun', () => {
  const GONE_LINES = ['iv_det_gone']

  test.each<[string, string, () => Partial<PayCommand>]>([
    [
      'lines that are gone are scheduled',
      'request.validation.invalid-id',
      () => ({
        ...partLater(),
        detailIds: GONE_LINES,
      }),
    ],
    [
      'lines that are gone are sold',
      'request.validation.invalid-id',
      () => ({ authorizeOnly: false, amountMinor: 1000, detailIds: GONE_LINES }),
    ],
    [
      'more is sold than the invoice is over now',
      'request.validation.invalid-amount',
      () => ({ authorizeOnly: false, amountMinor: 2901 }),
    ],
    [
      'lines of nothing are scheduled',
      'request.validation.invalid-amount',
      () => ({
        ...{ autoCaptureAt: payments.now() + MINUTE_MS, amountMinor: 0, detailIds: GONE_LINES },
      }),
    ],
    [
      'its amount was read in another currency',
      'request.validation.invalid-state',
      () => ({ currency: 'JPY', amountMinor: 2900 }),
    ],
  ])('where %s', async (_, code, values) => {
    const { invoiceId, result } = await payments.authorize(values())
    expect(result.answer).toMatchObject({ kind: 'refused', code })
    expect(await payments.em().count(TransactionEntity, { invoiceId })).toBe(0)
    expect(payments.gateway.asked).toEqual([])
  })
})

describe('an authorization that a rule blocks', () => {
  const BLOCK = 'block { condition: amount == 29.00; tags: too round; }'

  test('reaches no gateway, and its transaction says which rule it was', async () => {
    await payments.activateRules(BLOCK)
    const { invoiceId, result } = await payments.authorize()
    expect(result).toMatchObject({
      answer: { kind: 'declined', code: 'routing-rules.transaction-blocked' },
      payment: { status: 'blocked', attemptsInFlight: [], authorizedMinor: 0 },
    })
    expect(payments.gateway.asked).toEqual([])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'blocked', gatewayConfigurationId: null, gatewayName: null, attemptsCount: 0 },
      ...{ errorCode: 'routing-rules.transaction-blocked', ruleSetVersion: expect.any(Number) },
      routingTags: ['rule-1-block', 'too round'],
    })
    expect(await payments.operationsOf(invoiceId)).toMatchObject([
      { type: 'request', outcome: 'succeeded' },
      { type: 'authorization', isAttempt: false, hasFailed: true, errorCode: 'routing-rules.transaction-blocked' },
    ])
    expect(await payments.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.failed'])
  })

  test('after a gateway has declined it is shown at no gateway, and without the account of the decline', async () => {
    payments.answersAt('first', { kind: 'declined', code: 'card.declined', gatewayCode: '05' })
    const { invoiceId } = await payments.authorize()
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'failed', gatewayName: 'simulator' })
    await payments.activateRules(BLOCK)
    await payments.step(invoiceId, payments.build.authorize(await payments.makeCard()))
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'blocked', gatewayConfigurationId: null, gatewayName: null, schemeUsed: null },
    })
  })

  test('is blocked once, however often the step is run', async () => {
    await payments.activateRules(BLOCK)
    const { invoiceId, command, result } = await payments.authorize()
    await payments.activateRules(null)
    expect((await payments.step(invoiceId, command)).answer).toEqual(result.answer)
    expect(await payments.operationsOf(invoiceId)).toHaveLength(2)
    expect(payments.gateway.asked).toEqual([])
  })
})

test('an authorization that a rule sends to authentication tells its gateway so, which authenticates the customer', async () => {
  await payments.activateRules('trigger_3ds { condition: card_scheme == visa; }')
  const { invoiceId } = await payments.authorized()
  expect(await payments.transactionOf(invoiceId)).toMatchObject({
    authentication: { status: 'authenticated', hasLiabilityShift: true },
    routingTags: ['rule-1-trigger_3ds'],
  })
  expect(await payments.operationsOf(invoiceId)).toContainEqual(
    expect.objectContaining({ wantedAuthentication: expect.objectContaining({ isRequired: true }) }),
  )
})

describe('an authorization that a rule routes', () => {
  test('goes to the first gateway of the rule, and everything after it goes there, too', async () => {
    await payments.activateRules('route { gateways: second, first; condition: currency == EUR; tags: euros; }')
    const { invoiceId } = await payments.authorized()
    const gatewayConfigurationId = payments.accounts.second
    expect(payments.askedAccounts()).toEqual(['second'])
    const routed = { gatewayConfigurationId, routingTags: ['rule-1-route', 'euros'] }
    expect(await payments.transactionOf(invoiceId)).toMatchObject(routed)
    expect((await payments.step(invoiceId, payments.build.capture())).answer).toEqual({ kind: 'done' })
    const there = { gatewayConfigurationId }
    expect(await payments.operationsOf(invoiceId)).toMatchObject([{ type: 'request' }, there, there, there, there])
  })

  test('is a sale at an account that knows nothing else, where the merchant allows one of everything', async () => {
    await payments.activateRules('route { gateways: second; }')
    await payments.changeAccount('second', { capabilities: { authorize: false } })
    expect((await payments.authorize()).result.answer).toMatchObject(NOT_SUPPORTED)
    const { invoiceId, result } = await payments.authorize({ mayFallBackToSale: true })
    expect(result.answer).toEqual({ kind: 'done' })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    expect((await payments.operationsOf(invoiceId)).at(-1)).toMatchObject({ type: 'capture', isSale: true })
    const part = await payments.authorize({ mayFallBackToSale: true, ...partLater() })
    const later = await payments.authorize({ mayFallBackToSale: true, autoCaptureAt: payments.now() + MINUTE_MS })
    const message = expect.stringContaining('without a partial or scheduled capture')
    for (const { answer } of [part.result, later.result]) expect(answer).toMatchObject({ ...NOT_SUPPORTED, message })
  })

  test.each([
    ['increments', { incrementalAuthorization: false }, () => ({ incremental: true }), 'incremental must be false'],
    ['parts', { partialCapture: false }, partLater, 'does not support partial captures'],
  ])('is refused where no account can do the %s it asks for, which the answer names', async (_, lacks, wants, said) => {
    await payments.activateRules('route { gateways: second, third; }')
    for (const name of ['second', 'third'] as const) await payments.changeAccount(name, { capabilities: lacks })
    const { result } = await payments.authorize(wants())
    expect(result.answer).toMatchObject({ ...NOT_SUPPORTED, message: expect.stringContaining(said) })
  })
})

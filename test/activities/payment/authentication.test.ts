import { describe, expect, test } from '@jest/globals'
import type { Attempt } from '../../../activities/payment/attempt.ts'
import { authenticationOf } from '../../../activities/payment/authentication.ts'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { keepReturned } from '../../../src/persistence/queries/payments/customer-actions.ts'
import { outcomeNotification } from '../../support/gateway-notifications.ts'
import { ACTION_REQUIRED, APPROVED, authenticationsForFile, DECLINED } from '../authentications.ts'
import { NO_ANSWER, SECOND_MS } from '../payments.ts'

const payments = authenticationsForFile()

/** The process dies between the row of the customer's answer and the call. */
async function dieBeforeCall(invoiceId: string, kind: 'returned' | 'canceled' = 'returned') {
  const command = await payments.continuing(invoiceId, kind)
  expect((await beginAttempt(payments.deps, payments.stepOf(invoiceId, command))).kind).toBe('continued')
  return command
}

describe('an answer of the customer that has not reached the gateway', () => {
  test.each([
    ['finds that it still waits', { kind: 'found', outcome: ACTION_REQUIRED }],
    ['cannot be asked', { kind: 'not-offered' }],
  ] as const)('is given again where a look-up %s', async (_, lookUp) => {
    const { invoiceId, operationId } = await payments.begin()
    await keepReturned(payments.database.orm, { invoiceId, attemptId: operationId }, { cres: 'xyz' })
    const answer = await dieBeforeCall(invoiceId)
    payments.gateway.answers({ lookUp })
    expect((await payments.step(invoiceId, answer)).answer).toEqual({ kind: 'done' })
    expect(payments.calls()).toEqual(['authorize', 'lookUp', 'continueAuthorization'])
    expect(payments.requests()[2]).toMatchObject({ answer: { kind: 'returned', parameters: { cres: 'xyz' } } })
  })

  test('is not given again where it has arrived, and only the record of its approval is missing', async () => {
    const { invoiceId } = await payments.begin()
    const answer = await dieBeforeCall(invoiceId)
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: APPROVED } })
    expect((await payments.step(invoiceId, answer)).answer).toEqual({ kind: 'done' })
    expect(payments.calls()).toEqual(['authorize', 'lookUp'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', authorizedMinor: 2900 })
  })

  test('is still a cancellation', async () => {
    const { invoiceId } = await payments.begin()
    const { answer } = await payments.step(invoiceId, await dieBeforeCall(invoiceId, 'canceled'))
    expect(answer).toMatchObject({ kind: 'declined', code: 'customer.cancelled' })
    expect(payments.calls()).toEqual(['authorize', 'lookUp', 'endAuthentication'])
  })
})

describe('an authorization that ends here while its gateway still asks for an action', () => {
  const exhaust = async () => {
    const { invoiceId, operationId } = await payments.begin()
    await payments.gateway.answersDuring({ continueAuthorization: ACTION_REQUIRED }, async () => {
      for (let round = 0; round < 5; round += 1) await payments.step(invoiceId, await payments.continuing(invoiceId))
    })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'failed', attemptsInFlight: [{ isAbandoned: true }] },
    })
    return { invoiceId, operationId }
  }

  test('is ended there as well', async () => {
    const { invoiceId, operationId } = await exhaust()
    await payments.lookUp(invoiceId, operationId, SECOND_MS)
    expect(payments.calls().slice(-2)).toEqual(['lookUp', 'endAuthentication'])
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'failed', errorCode: 'card.failed-3ds-technical', attemptsInFlight: [] },
    })
    expect(await payments.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.failed'])
  })

  test('is reversed where it was approved meanwhile, and another card may pay', async () => {
    const { invoiceId, operationId } = await exhaust()
    payments.gateway.answers({
      authorize: { ...APPROVED, gatewayOperationId: 'gw_2' },
      endAuthentication: { kind: 'found', outcome: APPROVED },
    })
    expect((await payments.payWithOther(invoiceId)).answer).toEqual({ kind: 'done' })
    await payments.lookUp(invoiceId, operationId, SECOND_MS)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'authorized', authorizedMinor: 2900, gatewayAuthorizationId: 'gw_2' },
      orphans: [{ gatewayAuthorizationId: 'gw_1' }],
    })
  })
})

describe('while the customer acts', () => {
  test('the gateway may report an approval, which the answer then finds', async () => {
    const { invoiceId, operationId } = await payments.begin()
    const answer = await payments.continuing(invoiceId)
    await payments.notifyAndApply(invoiceId, outcomeNotification('authorization', operationId, APPROVED))
    expect(await payments.step(invoiceId, answer)).toMatchObject({
      answer: { kind: 'unchanged' },
      payment: { status: 'authorized', authorizedMinor: 2900 },
    })
    expect(payments.calls()).toEqual(['authorize'])
  })

  test('the late outcome of a closed authorization does not answer for the customer of the next one', async () => {
    const { invoiceId, operationId } = await payments.begin()
    payments.gateway.answers({ continueAuthorization: NO_ANSWER })
    await payments.step(invoiceId, await payments.continuing(invoiceId))
    await payments.closeAttempt(invoiceId, operationId)
    const card = await payments.makeCard('5555555555554444')
    const second = payments.build.authorize(card, { handlesActions: true })
    await payments.step(invoiceId, second)
    const answer = await payments.continuing(invoiceId)
    await payments.step(invoiceId, answer)
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: DECLINED } })
    await payments.lookUp(invoiceId, operationId, SECOND_MS)
    expect(await payments.resultsOf(answer.operationId)).toEqual([])
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: APPROVED } })
    await payments.lookUp(invoiceId, second.operationId, 2 * SECOND_MS)
    expect((await payments.step(invoiceId, answer)).answer).toEqual({ kind: 'done' })
  })
})

describe('what the gateway is told of the customer', () => {
  test.each([
    ['ios', true, 'ios'],
    ['android', true, 'android'],
    // A server cannot run a native library; the pages of the bank lead back to the app.
    ['android', false, 'web'],
    ['web', true, 'web'],
  ])('the channel %s of a caller that shows steps (%s) is %s', async (deviceChannel, handles, channel) => {
    const { invoiceId } = await payments.authorize(handles ? { handlesActions: true } : {}, { deviceChannel })
    expect(payments.requests()).toMatchObject([{ authentication: { channel } }])
    expect(await payments.actionOf(invoiceId)).toMatchObject({ channel: deviceChannel })
  })

  const CARD = {
    userAgent: 'Mozilla/5.0',
    appLanguage: 'de-AT',
    appColorDepth: 30,
    appScreenHeight: 900,
    appScreenWidth: 1440,
    appTimezoneOffset: -60,
    appJavaEnabled: false,
    ipAddress: '192.0.2.1',
  }

  test('is the browser in which the card was entered, in every call', async () => {
    const browser = {
      acceptHeader: '*/*',
      userAgent: 'Mozilla/5.0',
      language: 'de-AT',
      colorDepth: 24,
      screenHeight: 900,
      screenWidth: 1440,
      timeZoneOffset: -60,
      javaEnabled: false,
      ipAddress: '192.0.2.1',
    }
    const [invoiceId, card] = [await payments.makeInvoice(), await payments.makeCard()]
    await payments.em().nativeUpdate(CardEntity, { id: card }, CARD)
    await payments.step(invoiceId, payments.build.authorize(card, { handlesActions: true }))
    await payments.step(invoiceId, await payments.continuing(invoiceId))
    expect(payments.requests().map(({ authentication }) => authentication.browser)).toEqual([browser, browser])
  })

  test('is no browser where the card was stored before, in another one', async () => {
    const languageFor = async (tokenId: string | null) => {
      const operation = { id: 'tr_op_1', tokenId }
      const attempt = { invoice: { id: 'iv_1' }, operation, configuration: { capabilities: {} }, card: CARD }
      const gateway = payments.deps.gateways.find('simulator')
      return (await authenticationOf(payments.deps, attempt as unknown as Attempt, gateway)).browser?.language
    }
    expect([await languageFor(null), await languageFor('tok_1')]).toEqual(['de-AT', undefined])
  })
})

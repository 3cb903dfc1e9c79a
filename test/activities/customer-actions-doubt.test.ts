import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Attempt } from '../../activities/payment/attempt.ts'
import { authenticationOf } from '../../activities/payment/authentication.ts'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import type { Outcome } from '../../domain/operation.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { keepReturned } from '../../src/persistence/queries/payments/customer-actions.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { outcomeNotification } from '../support/gateway-notifications.ts'
import { APPROVED, ASKED, DECLINED, makeAuthenticationStage, UNKNOWN } from './authentication-stage.ts'

let stage: Awaited<ReturnType<typeof makeAuthenticationStage>>

beforeAll(async () => {
  stage = await makeAuthenticationStage()
})
beforeEach(() => stage.reset())
afterAll(() => stage.database.drop())

const NOT_OFFERED = { kind: 'not-offered' } as const
/** The process dies between the row of the answer and the call. */
async function dieBeforeCall(invoiceId: string, kind: 'returned' | 'canceled' = 'returned') {
  const command = await stage.continuing(invoiceId, kind)
  expect((await beginAttempt(stage.deps, stage.stepOf(invoiceId, command, {}))).kind).toBe('continued')
  return command
}

describe('an answer of the customer that has not reached the gateway', () => {
  test.each([
    ['finds that it still waits', { kind: 'found', outcome: ASKED }],
    ['cannot be asked', NOT_OFFERED],
  ] as const)('is given again where a look-up %s', async (_, lookUp) => {
    const { invoiceId, command } = await stage.begin()
    await keepReturned(stage.database.orm, { invoiceId, attemptId: command.operationId }, { cres: 'xyz' })
    const answer = await dieBeforeCall(invoiceId)
    stage.says({ lookUp })
    expect(await stage.step(invoiceId, answer)).toMatchObject({ answer: { kind: 'done' } })
    expect(stage.names()).toEqual(['authorize', 'look up', 'continue'])
    expect(stage.asked()[2]).toMatchObject({ answer: { kind: 'returned', parameters: { cres: 'xyz' } } })
  })

  test('is not given again where it has arrived, and only the record of its approval is missing', async () => {
    const { invoiceId } = await stage.begin()
    const answer = await dieBeforeCall(invoiceId)
    stage.says({ lookUp: { kind: 'found', outcome: APPROVED } })
    expect(await stage.step(invoiceId, answer)).toMatchObject({ answer: { kind: 'done' } })
    expect(stage.names()).toEqual(['authorize', 'look up'])
    expect(await stage.rowOf(invoiceId)).toMatchObject({ status: 'authorized', authorizedMinor: 2900 })
  })

  test('is still a cancellation', async () => {
    const { invoiceId } = await stage.begin()
    const answer = await dieBeforeCall(invoiceId, 'canceled')
    expect(await stage.step(invoiceId, answer)).toMatchObject({
      answer: { kind: 'declined', code: 'customer.cancelled' },
    })
    expect(stage.names()).toEqual(['authorize', 'look up', 'end'])
  })
})

describe('an authorization that ends here while its gateway still asks for an action', () => {
  const exhaust = async () => {
    const { invoiceId, command } = await stage.begin()
    stage.says({ continued: Array.from({ length: 9 }, () => ASKED) })
    for (let round = 0; round < 5; round += 1) await stage.step(invoiceId, await stage.continuing(invoiceId))
    expect(await stage.rowOf(invoiceId)).toMatchObject({ status: 'failed', attemptsInFlight: [{ isAbandoned: true }] })
    return { invoiceId, operationId: command.operationId }
  }

  test('is ended there as well', async () => {
    const { invoiceId, operationId } = await exhaust()
    await stage.lookUpAfter(invoiceId, operationId, 1_000)
    expect(stage.names().slice(-2)).toEqual(['look up', 'end'])
    expect(await stage.rowOf(invoiceId)).toMatchObject({
      status: 'failed',
      errorCode: 'card.failed-3ds-technical',
      attemptsInFlight: [],
    })
    expect(await stage.eventsOf(invoiceId)).toEqual(['transaction.requested', 'transaction.failed'])
  })

  test('is reversed where it was approved meanwhile, and another card may pay', async () => {
    const { invoiceId, operationId } = await exhaust()
    stage.says({ authorize: { ...APPROVED, gatewayOperationId: 'gw_2' } })
    const other = stage.build.authorize(await stage.makeCard('5555555555554444'), { handlesActions: true })
    expect(await stage.step(invoiceId, other)).toMatchObject({ answer: { kind: 'done' } })
    stage.says({ ended: { kind: 'found', outcome: APPROVED } })
    await stage.lookUpAfter(invoiceId, operationId, 1_000)
    expect(await stage.rowOf(invoiceId)).toMatchObject({
      status: 'authorized',
      authorizedMinor: 2900,
      gatewayAuthorizationId: 'gw_2',
      orphans: [{ gatewayAuthorizationId: 'gw_1' }],
    })
  })
})

describe('while the customer acts', () => {
  const notify = async (invoiceId: string, reference: string, outcome: Outcome) => {
    const { gatewayConfigurationId } = await stage.rowOf(invoiceId)
    if (gatewayConfigurationId == null) throw new Error('There is no account.')
    const { projectId, deps } = stage
    const notification = outcomeNotification('authorization', reference, outcome)
    const account = { gatewayConfigurationId, projectId, sandbox: true }
    await storeNotifications(stage.em(), account, [notification], deps.clock.now())
    await stage.activities.applyNotifications({ payment: stage.referenceOf(invoiceId), at: stage.now() })
  }

  test('the gateway may report an approval, which the answer then finds', async () => {
    const { invoiceId, command } = await stage.begin()
    const answer = await stage.continuing(invoiceId)
    await notify(invoiceId, command.operationId, APPROVED)
    expect(await stage.step(invoiceId, answer)).toMatchObject({
      answer: { kind: 'unchanged' },
      payment: { status: 'authorized', authorizedMinor: 2900 },
    })
    expect(stage.names()).toEqual(['authorize'])
  })

  test('the late outcome of a closed authorization does not answer for the customer of the next one', async () => {
    const { invoiceId, command } = await stage.begin()
    stage.says({ continued: [UNKNOWN] })
    await stage.step(invoiceId, await stage.continuing(invoiceId))
    await stage.close(invoiceId, command.operationId)
    const second = stage.build.authorize(await stage.makeCard('5555555555554444'), { handlesActions: true })
    await stage.step(invoiceId, second)
    stage.says({ continued: [UNKNOWN] })
    const answer = await stage.continuing(invoiceId)
    await stage.step(invoiceId, answer)
    stage.says({ lookUp: { kind: 'found', outcome: DECLINED } })
    await stage.lookUpAfter(invoiceId, command.operationId, 1_000)
    const results = (await stage.checksOf(invoiceId)).filter(
      ({ attemptOperationId }) => attemptOperationId === answer.operationId,
    )
    expect(results).toEqual([])
    stage.says({ lookUp: { kind: 'found', outcome: APPROVED } })
    await stage.lookUpAfter(invoiceId, second.operationId, 2_000)
    expect(await stage.step(invoiceId, answer)).toMatchObject({ answer: { kind: 'done' } })
  })
})

describe('what the gateway is told of the customer', () => {
  const channelOf = () => stage.asked()[0]?.authentication?.channel

  test.each([
    ['ios', true, 'ios'],
    ['android', true, 'android'],
    // A server cannot run a native library; the pages of the bank lead back to the app.
    ['android', false, 'web'],
    ['web', true, 'web'],
  ])('the channel %s of a caller that shows steps (%s) is %s', async (deviceChannel, handles, channel) => {
    const invoiceId = await stage.makeInvoice({ deviceChannel })
    const more = handles ? { handlesActions: true as const } : {}
    await stage.step(invoiceId, stage.build.authorize(await stage.makeCard(), more))
    expect(channelOf()).toBe(channel)
    expect(await stage.actionOf(invoiceId)).toMatchObject({ channel: deviceChannel })
  })

  const BROWSER = {
    userAgent: 'Mozilla/5.0',
    appLanguage: 'de-AT',
    appColorDepth: 30,
    appScreenHeight: 900,
    appScreenWidth: 1440,
    appTimezoneOffset: -60,
    appJavaEnabled: false,
    ipAddress: '192.0.2.1',
  }
  const payWith = async (browser: object) => {
    const invoiceId = await stage.makeInvoice()
    const card = await stage.makeCard()
    await stage.em().nativeUpdate(CardEntity, { id: card }, browser)
    await stage.step(invoiceId, stage.build.authorize(card, { handlesActions: true }))
    await stage.step(invoiceId, await stage.continuing(invoiceId))
    return stage.asked().map(({ authentication }) => authentication?.browser)
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
    expect(await payWith(BROWSER)).toEqual([browser, browser])
  })

  test('is no browser where the card was stored before, in another one', async () => {
    const told = async (tokenId: string | null) => {
      const attempt = {
        invoice: { id: 'iv_1' },
        operation: { id: 'tr_op_1', tokenId },
        configuration: { capabilities: {} },
        card: BROWSER,
      }
      const gateway = stage.deps.gateways.find('simulator')
      return (await authenticationOf(stage.deps, attempt as unknown as Attempt, gateway)).browser?.language
    }
    expect([await told(null), await told('tok_1')]).toEqual(['de-AT', undefined])
  })
})

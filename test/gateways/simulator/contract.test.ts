import { describe, test } from '@jest/globals'
import type { RequestedAction } from '../../../domain/customer-action.ts'
import type { ContinueRequest } from '../../../src/gateways/gateway.ts'
import { createSimulator, type Transport } from '../../../src/gateways/simulator/adapter.ts'
import { signNotification } from '../../../src/gateways/simulator/notifications.ts'
import type { Trouble } from '../contract/harness.ts'
import { describeGateway } from '../contract.ts'
import { AUTHENTICATION_CASES, type AuthenticationHarness } from '../contract-authentication.ts'
import { makeSimulator, RETURNED, simulatorForFile, withCustomer } from '../simulator-fixture.ts'

const NOTIFICATION_KEY = 'notification-key-of-the-test'

const KNOWN = {
  ...{ kind: 'outcome', gatewayNotificationId: 'sim_cap_1_outcome', type: 'authorization' },
  ...{ reference: 'tr_op_1', gatewayAuthorizationId: 'sim_auth_1' },
  outcome: { kind: 'approved', gatewayOperationId: 'sim_auth_1', amountMinor: 2_900, currency: 'EUR' },
}
const INVENTED = [
  { ...KNOWN, kind: 'approved' },
  { ...KNOWN, type: 'blessing' },
  { ...KNOWN, outcome: { ...KNOWN.outcome, kind: 'approved-in-principle' } },
  { kind: 'refund-approved', gatewayNotificationId: '1', gatewayAuthorizationId: 'sim_auth_1', invoiceId: 'iv_1' },
]

const cardOf = (number: string) => ({
  card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
  scheme: 'visa',
})

function arrivalOf(notification: object) {
  const { body, headers } = signNotification(notification as Parameters<typeof signNotification>[0], NOTIFICATION_KEY)
  return { rawBody: new TextEncoder().encode(body), headers }
}

const failWith = (code: string) => Object.assign(new Error('The connection failed.'), { code })

/**
 * The simulator answers with values, so nonsense on the way is the same as a lost answer.
 *
 * @returns null for a trouble that only text on a connection can have
 */
function troubled({ kind }: Trouble): Transport | null {
  switch (kind) {
    case 'refuses-connections':
      return () => Promise.reject(failWith('ECONNREFUSED'))
    case 'never-answers':
      return async (call) => {
        await call()
        return new Promise(() => {})
      }
    case 'loses-answers':
    case 'answers':
      return async (call) => {
        await call()
        throw failWith('ECONNRESET')
      }
    default:
      return null
  }
}

describeGateway('the simulator', async () => {
  const { gateway, execute, clock, readLog, drop } = await makeSimulator('contract')
  const total = async (invoiceId: string, name: 'capturedMinor' | 'refundedMinor') =>
    (await readLog({ invoiceId })).authorizations.reduce((sum, authorization) => sum + authorization[name], 0)
  return {
    gateway,
    async over(trouble) {
      const transport = trouble.kind === 'loses-answers' || trouble.kind === 'never-answers' ? troubled(trouble) : null
      return transport === null ? null : createSimulator({ execute, clock, transport })
    },
    access: { credentials: { notification_key: NOTIFICATION_KEY }, settings: {} },
    remembersRefusedSteps: true,
    repetitionsWait: true,
    // Its answers are values of ours, which nothing on the way can change.
    inventStatus: (answer) => answer,
    misstate: (answer) => answer,
    approvedCard: cardOf('4242424242424242'),
    declinedCard: cardOf('4000000000002180'),
    pendingCard: { ...cardOf('4000000000007049'), step: 'capture' },
    actionCard: null,
    notifications: { known: () => arrivalOf(KNOWN), invented: () => INVENTED.map(arrivalOf) },
    countAuthorizations: async (invoiceId) => (await readLog({ invoiceId })).authorizations.length,
    capturedMinor: (invoiceId) => total(invoiceId, 'capturedMinor'),
    refundedMinor: (invoiceId) => total(invoiceId, 'refundedMinor'),
    close: drop,
  }
})

/** A challenge in a browser, the page of version 1, and a native library, which has two steps. */
const SITUATIONS = [
  ['4000000000000101', 'web'],
  ['4000000000003246', 'web'],
  ['4000000000000101', 'ios'],
] as const

const simulator = simulatorForFile('contract of authentication')

describe.each(SITUATIONS)('the simulator with the card %s and the channel %s', (number, channel) => {
  const harness = (): AuthenticationHarness => ({
    gateway: simulator.gateway,
    async over(trouble) {
      const { execute, clock } = simulator
      const transport = troubled(trouble)
      if (transport === null) throw new Error(`The simulator cannot have the trouble ${trouble.kind}.`)
      return createSimulator({ execute, clock, transport })
    },
    request: (overrides) => simulator.requestOf(number, { authentication: withCustomer({ channel }), ...overrides }),
    act,
    countAuthorizations: async (invoiceId) => (await simulator.readLog({ invoiceId })).authorizations.length,
  })

  test.each(AUTHENTICATION_CASES)('$name', ({ check }) => check(harness()))
})

async function act(action: RequestedAction, passes: boolean): Promise<ContinueRequest['answer']> {
  if (passes) return simulator.act(action)
  if (action.type === 'challenge-mobile') return { kind: 'challenge result', transStatus: 'N' }
  if (action.type !== 'redirect' && action.type !== 'url') return simulator.act(action)
  for (const code of ['4321', '4322', '4323']) await simulator.bank.answer(action.continuation, { kind: 'code', code })
  return RETURNED
}

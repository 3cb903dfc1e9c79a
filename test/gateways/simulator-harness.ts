import type { Gateway, GatewayAccess } from '../../src/gateways/gateway.ts'
import { signNotification } from '../../src/gateways/simulator/notifications.ts'
import type { GatewayHarness, Trouble } from './contract/harness.ts'
import type { makeSimulator } from './simulator-fixture.ts'

const NOTIFICATION_KEY = 'notification-key-of-the-test'

const KNOWN = {
  kind: 'outcome',
  gatewayNotificationId: 'sim_cap_1_outcome',
  type: 'authorization',
  reference: 'tr_op_1',
  gatewayAuthorizationId: 'sim_auth_1',
  outcome: { kind: 'approved', gatewayOperationId: 'sim_auth_1', amountMinor: 2_900, currency: 'EUR' },
} as const

const INVENTED = [
  { ...KNOWN, kind: 'approved' },
  { ...KNOWN, type: 'blessing' },
  { ...KNOWN, outcome: { ...KNOWN.outcome, kind: 'approved-in-principle' } },
  { kind: 'refund-approved', gatewayNotificationId: '1', gatewayAuthorizationId: 'sim_auth_1', invoiceId: 'iv_1' },
]

/** What the conformance suite needs of the simulator. */
export function simulatorHarness(
  { readLog }: Pick<Awaited<ReturnType<typeof makeSimulator>>, 'readLog'>,
  parts: {
    gateway: Gateway
    over(trouble: Trouble): Promise<Gateway | null>
    close(): Promise<void>
  },
): GatewayHarness {
  const access: Pick<GatewayAccess, 'credentials' | 'settings'> = {
    credentials: { notification_key: NOTIFICATION_KEY },
    settings: {},
  }
  const total = async (invoiceId: string, name: 'capturedMinor' | 'refundedMinor') =>
    (await readLog({ invoiceId })).authorizations.reduce((sum, authorization) => sum + authorization[name], 0)

  return {
    ...parts,
    access,
    remembersRefusedSteps: true,
    repetitionsWait: true,
    // Its answers are values of ours, which nothing on the way can change.
    inventStatus: (answer) => answer,
    misstate: (answer) => answer,
    approvedCard: cardOf('4242424242424242'),
    declinedCard: cardOf('4000000000002180'),
    pendingCard: { ...cardOf('4000000000007049'), step: 'capture' },
    actionCard: null,
    notifications: {
      known: () => arrivalOf(KNOWN),
      invented: () => INVENTED.map(arrivalOf),
    },
    countAuthorizations: async (invoiceId) => (await readLog({ invoiceId })).authorizations.length,
    capturedMinor: (invoiceId) => total(invoiceId, 'capturedMinor'),
    refundedMinor: (invoiceId) => total(invoiceId, 'refundedMinor'),
  }
}

const cardOf = (number: string) => ({
  card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
  scheme: 'visa',
})

function arrivalOf(notification: object) {
  const { body, headers } = signNotification(notification as Parameters<typeof signNotification>[0], NOTIFICATION_KEY)
  return { rawBody: new TextEncoder().encode(body), headers }
}

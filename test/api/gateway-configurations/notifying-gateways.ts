import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { batch, HMAC_KEY, signed } from '../../../stand-ins/adyen/adyen.ts'
import { MERCHANT_ACCOUNT } from '../../../stand-ins/adyen/books.ts'
import type { TestDatabase } from '../../support/database.ts'
import { makePaymentActor } from '../../support/payment-actor.ts'

export interface Post {
  body: string | Uint8Array
  headers: Record<string, string>
}

/** The call of ours that a notification is about. */
export interface Call {
  id: string
  reference: string
  invoiceId: string
}

/** How a gateway writes its notifications, and signs them. */
export interface NotifyingGateway {
  name: string
  credentials: Record<string, string>
  settings: Record<string, string>
  notification(about: Call): object
  /** One of each form that the gateway has, about the same payment. */
  notifications(about: Call): object[]
  /** About nothing of ours. */
  foreignNotification(id: string): object
  /** @param key in place of the account's. */
  sign(notification: object | string, key?: string): Post
}

const STRIPE_SECRET = 'whsec_of_a_test'
const SIMULATOR_KEY = 'a-key-that-a-test-has-made'

const stripeEvent = (id: string, metadata: object) => ({
  id: `evt_${id}`,
  object: 'event',
  type: 'payment_intent.succeeded',
  data: { object: { id: `pi_${id}`, object: 'payment_intent', metadata, receipt_email: 'ann@shop.example' } },
})

const adyenItem = (id: string, merchantReference: string) => ({
  eventCode: 'AUTHORISATION',
  success: 'true',
  eventDate: '2026-11-21T10:00:00+01:00',
  merchantAccountCode: MERCHANT_ACCOUNT,
  merchantReference,
  pspReference: `PSP${id}`,
  amount: { value: 2_900, currency: 'EUR' },
  additionalData: { shopperEmail: 'ann@shop.example' },
})

export function signedForStripe(payload: string, secret = STRIPE_SECRET, timestamp?: number): Post {
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  })
  return { body: payload, headers: { 'content-type': 'application/json', 'stripe-signature': signature } }
}

export const NOTIFYING_GATEWAYS: readonly NotifyingGateway[] = [
  {
    name: 'stripe',
    credentials: { webhook_secret: STRIPE_SECRET },
    settings: {},
    notification: ({ id, reference, invoiceId }) => stripeEvent(id, { reference, invoice_id: invoiceId }),
    notifications({ id, reference, invoiceId }) {
      const sum = { payment_intent: `pi_${id}`, amount: 900, currency: 'eur' }
      const metadata = { reference, invoice_id: invoiceId }
      const ended = { id: `pi_${id}`, metadata, status: 'succeeded', amount_received: 900, currency: 'eur' }
      const event = (type: string, object: object) => ({ id: `evt_${id}`, object: 'event', type, data: { object } })
      return [
        event('payment_intent.succeeded', ended),
        event('refund.failed', { ...sum, id: 're_1', metadata, status: 'failed', failure_reason: 'unknown' }),
        event('charge.dispute.created', { ...sum, id: 'du_1', status: 'needs_response', reason: 'fraudulent' }),
        event('radar.early_fraud_warning.created', { payment_intent: { id: `pi_${id}` }, fraud_type: 'misc' }),
      ]
    },
    foreignNotification: (id) => stripeEvent(id, { reference: 'order-17' }),
    sign: (notification, key) =>
      signedForStripe(typeof notification === 'string' ? notification : JSON.stringify(notification), key),
  },
  {
    name: 'adyen',
    credentials: { hmacKey: HMAC_KEY },
    settings: { merchantAccount: MERCHANT_ACCOUNT, environment: 'test' },
    notification: ({ id, reference }) => adyenItem(id, reference),
    notifications: ({ id, reference }) => [
      adyenItem(id, reference),
      { ...adyenItem(id, reference), eventCode: 'CHARGEBACK', originalReference: 'PSP0', reason: 'fraud' },
    ],
    foreignNotification: (id) => adyenItem(id, 'order-17'),
    sign: (notification, key) => ({
      body:
        typeof notification === 'string'
          ? notification
          : JSON.stringify(batch([signed(notification as Record<string, unknown>, key)])),
      headers: { 'content-type': 'application/json' },
    }),
  },
  {
    name: 'simulator',
    credentials: { notification_key: SIMULATOR_KEY },
    settings: {},
    notification: ({ id, reference, invoiceId }) => simulatorNotification(id, reference, invoiceId),
    notifications: ({ id, reference, invoiceId }) => [
      simulatorNotification(id, reference, invoiceId),
      {
        ...{ kind: 'outcome', gatewayNotificationId: `notification-${id}`, gatewayAuthorizationId: `sim_${id}` },
        ...{ type: 'capture', reference, outcome: { kind: 'pending', gatewayOperationId: `sim_${id}` } },
      },
    ],
    foreignNotification: (id) => simulatorNotification(id, 'order-17', 'iv_of_others'),
    sign(notification, key = SIMULATOR_KEY) {
      const body = typeof notification === 'string' ? notification : JSON.stringify(notification)
      const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
      return { body, headers: { 'content-type': 'application/json', 'simulator-signature': signature } }
    },
  },
]

const simulatorNotification = (id: string, reference: string, invoiceId: string) => ({
  ...{ kind: 'refund-failed', gatewayNotificationId: `notification-${id}`, gatewayAuthorizationId: `sim_${id}` },
  ...{ invoiceId, reference, amountMinor: 900, currency: 'EUR', reason: 'ann@shop.example' },
})

/** An account at a gateway, and a payment that was authorized there. */
export async function openAccount(database: TestDatabase, gateway: NotifyingGateway) {
  const actor = await makePaymentActor(database, (simulator) => ({ ...simulator, name: gateway.name }))
  const { orm, vault } = actor.deps
  const em = orm.em.fork()
  const account = await em.findOneOrFail(GatewayConfigurationEntity, { projectId: actor.projectId })
  const { ciphertext, keyId, hash } = vault.encryptCredentials(account.id, gateway.credentials)
  await em.nativeUpdate(
    GatewayConfigurationEntity,
    { id: account.id },
    {
      gatewayName: gateway.name,
      settings: gateway.settings,
      credentialsCiphertext: Buffer.from(ciphertext),
      credentialsKeyId: keyId,
      credentialsHash: hash,
      credentialsSetAt: {},
    },
  )
  const invoiceId = await actor.makeInvoice()
  const command = actor.build.authorize(await actor.makeSource())
  await actor.step(invoiceId, command)
  const transaction = await em.findOneOrFail(TransactionEntity, { invoiceId })
  return {
    actor,
    gatewayConfigurationId: account.id,
    path: `/gateways/${gateway.name}/notifications/${account.id}`,
    invoiceId,
    transaction,
    /** Our reference for the authorization. */
    reference: command.operationId,
  }
}

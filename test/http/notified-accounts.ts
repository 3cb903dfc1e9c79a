import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { batch, HMAC_KEY, signed } from '../gateways/adyen/stand-in.ts'
import { MERCHANT_ACCOUNT } from '../gateways/adyen/stand-in-books.ts'
import type { TestDatabase } from '../support/database.ts'
import { makePaymentActor } from '../support/payment-actor.ts'

export interface Post {
  body: string | Uint8Array
  headers: Record<string, string>
}

/** What a gateway would send about one call of ours. */
export interface About {
  id: string
  reference: string
  invoiceId: string
}

/** A gateway as a test plays it: how it signs, and what it says. */
export interface PlayedGateway {
  name: string
  credentials: Record<string, string>
  settings: Record<string, string>
  /** Something that has become of the authorization `reference`. */
  tell(about: About): object
  /** About nothing of ours. */
  tellOthers(id: string): object
  /** @param key in place of the account's. */
  post(told: object | string, key?: string): Post
}

const STRIPE_SECRET = 'whsec_played_by_a_test'
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

export const PLAYED_GATEWAYS: readonly PlayedGateway[] = [
  {
    name: 'stripe',
    credentials: { webhook_secret: STRIPE_SECRET },
    settings: {},
    tell: ({ id, reference, invoiceId }) => stripeEvent(id, { reference, invoice_id: invoiceId }),
    tellOthers: (id) => stripeEvent(id, { reference: 'order-17' }),
    post: (told, key) => signedForStripe(typeof told === 'string' ? told : JSON.stringify(told), key),
  },
  {
    name: 'adyen',
    credentials: { hmacKey: HMAC_KEY },
    settings: { merchantAccount: MERCHANT_ACCOUNT, environment: 'test' },
    tell: ({ id, reference }) => adyenItem(id, reference),
    tellOthers: (id) => adyenItem(id, 'order-17'),
    post: (told, key) => ({
      body: typeof told === 'string' ? told : JSON.stringify(batch([signed(told as Record<string, unknown>, key)])),
      headers: { 'content-type': 'application/json' },
    }),
  },
  {
    name: 'simulator',
    credentials: { notification_key: SIMULATOR_KEY },
    settings: {},
    tell: ({ id, reference, invoiceId }) => simulatorNotification(id, reference, invoiceId),
    tellOthers: (id) => simulatorNotification(id, 'order-17', 'iv_of_others'),
    post(told, key = SIMULATOR_KEY) {
      const body = typeof told === 'string' ? told : JSON.stringify(told)
      const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
      return { body, headers: { 'content-type': 'application/json', 'simulator-signature': signature } }
    },
  },
]

const simulatorNotification = (id: string, reference: string, invoiceId: string) => ({
  ...{ kind: 'refund-failed', gatewayNotificationId: `notification-${id}`, gatewayAuthorizationId: `sim_${id}` },
  ...{ invoiceId, reference, amountMinor: 900, currency: 'EUR', reason: 'ann@shop.example' },
})

/** An account at a played gateway, and a payment that was authorized there. */
export async function openAccount(database: TestDatabase, gateway: PlayedGateway) {
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

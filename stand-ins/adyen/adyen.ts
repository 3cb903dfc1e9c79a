import type { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js'
import hmac from '@adyen/api-library/lib/src/utils/hmacValidator.js'
import type { Answer, Arrived, GatewayModel, Outside, Step } from '../engine/model.ts'
import { type StandInOptions, startStandIn } from '../engine/stand-in.ts'
import { type Item, MERCHANT_ACCOUNT, openBooks } from './books.ts'
import type { Fields } from './issuer.ts'

export const API_KEY = 'stand-in-key'
export const HMAC_KEY = '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056'

/** By the last part of the path. */
const STEP_OF: Readonly<Record<string, Step>> = {
  payments: 'authorize',
  details: 'continue',
  captures: 'capture',
  cancels: 'void',
  amountUpdates: 'increment',
  refunds: 'refund',
  paymentMethods: 'test',
}

const errorOf = (status: number, errorCode: string, message: string, headers = {}): Answer => ({
  status,
  body: { status, errorCode, message },
  headers,
})

/** Adyen's Checkout API as far as the adapter speaks it; it tells how later steps end by signed notifications alone. */
function modelAdyen(outside: Outside<Item>) {
  const books = openBooks(outside, signed)
  return {
    name: 'Adyen',
    account: {
      credentials: { apiKey: API_KEY, hmacKey: HMAC_KEY },
      settings: { merchantAccount: MERCHANT_ACCOUNT, environment: 'test', returnUrl: 'https://shop.example/return' },
    },
    steps: Object.values(STEP_OF),
    // Source: Adyen's page "API idempotency".
    keys: {
      applies: () => true,
      underWay: errorOf(422, '704', 'request already processed or in progress', { 'transient-error': 'true' }),
      otherRequest: null,
      keepsFailures: false,
    },
    read: (text) => JSON.parse(text) as Fields,
    stepOf: ({ path }) => STEP_OF[path.split('/').at(-1) ?? ''] ?? 'test',
    refuse: ({ headers }) =>
      headers['x-api-key'] === API_KEY ? null : errorOf(401, '000', 'HTTP Status Response - Unauthorized'),
    handle({ path, fields }: Arrived<Fields>, circumstances): Answer {
      const [status, body] = books.decide(path, fields, circumstances)
      return { status, body }
    },
    failure: (status) => errorOf(status, '000', 'Something has failed.'),
    posts: (items) => [{ body: JSON.stringify(batch(items)), headers: { 'content-type': 'application/json' } }],
    // Source: Adyen's page "Troubleshoot webhooks", where the queue then goes on every eight hours.
    retrySeconds: [9, 18, 27, ...[2, 5, 10, 15, 30, 60, 120, 240, 480].map((minutes) => 60 * minutes)],
    openDispute: ({ payment }, amount) => books.openDispute(payment, amount),
    endDispute: ({ payment }, isWon) => books.endDispute(payment, isWon),
    visit: (payment, visit) => books.visitOf(payment, visit),
    books,
  } satisfies GatewayModel<Fields, Item> & { books: ReturnType<typeof openBooks> }
}

export async function startAdyenStandIn(options: StandInOptions = {}) {
  const standIn = await startStandIn<Fields, Item, ReturnType<typeof modelAdyen>>(modelAdyen, options)
  return { ...standIn, books: standIn.model.books }
}

export type AdyenStandIn = Awaited<ReturnType<typeof startAdyenStandIn>>

/** A standard webhook as it arrives. */
export function batch(items: readonly Fields[]) {
  return { live: 'false', notificationItems: items.map((item) => ({ NotificationRequestItem: item })) }
}

/** The item with its signature. */
export function signed(item: Fields, key = HMAC_KEY): Fields {
  const hmacSignature = new hmac.default().calculateHmac(item as unknown as NotificationRequestItem, key)
  return { ...item, additionalData: { ...(item.additionalData as Fields | undefined), hmacSignature } }
}

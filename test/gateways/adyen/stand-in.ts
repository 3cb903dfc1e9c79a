import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js'
import hmac from '@adyen/api-library/lib/src/utils/hmacValidator.js'
import { listen } from '../../support/listen.ts'
import { type Answer, type Fields, MERCHANT_ACCOUNT, openBooks, type Tell } from './stand-in-books.ts'

export const API_KEY = 'stand-in-key'
export const HMAC_KEY = '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056'

export interface Seen {
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Record<string, unknown>
}

/**
 * Adyen's Checkout API as far as the adapter speaks it, with books of its own. It answers steps on a payment with
 * `received`, decides them at once, and keeps a signed notification of each for the test to send when and how it likes.
 */
export async function startStandIn() {
  const answers = new Map<string, Answer>()
  const seen: Seen[] = []
  const outbox: Fields[] = []

  const tell: Tell = (eventCode, success, item) => {
    const eventDate = '2026-11-21T10:00:00+01:00'
    const told = { eventCode, success: String(success), eventDate, merchantAccountCode: MERCHANT_ACCOUNT, ...item }
    outbox.push(signed(told))
  }
  const books = openBooks(tell)

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as Fields
    const path = request.url ?? ''
    seen.push({ path, headers: request.headers, body })
    if (request.headers['x-api-key'] !== API_KEY)
      return reply(response, [401, { status: 401, errorCode: '000', message: 'HTTP Status Response - Unauthorized' }])
    const key = request.headers['idempotency-key']
    const answer = answers.get(String(key)) ?? books.decide(path, body)
    if (key !== undefined) answers.set(String(key), answer)
    reply(response, answer)
  }

  const { url, close } = await listen(handle)

  return {
    url,
    seen,
    /** Notification items that wait to be sent, in the order of what they tell. */
    outbox,
    authorizations: books.authorizations,
    /** The customer takes an action on the issuer's page; answers with what the browser brings back. */
    visit: books.visit,
    completionOf: books.completionOf,
    /** Sends items in one batch; answers with what the receiver said. */
    async send(receiver: string, items: readonly Fields[]) {
      const answer = await fetch(receiver, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(batch(items)),
      })
      return { status: answer.status, body: await answer.text() }
    },
    close,
  }
}

export type StandIn = Awaited<ReturnType<typeof startStandIn>>

/** A standard webhook as it arrives. */
export function batch(items: readonly Fields[]) {
  return { live: 'false', notificationItems: items.map((item) => ({ NotificationRequestItem: item })) }
}

/** The item with its signature. */
export function signed(item: Fields, key = HMAC_KEY): Fields {
  const hmacSignature = new hmac.default().calculateHmac(item as unknown as NotificationRequestItem, key)
  return { ...item, additionalData: { ...(item.additionalData as Fields | undefined), hmacSignature } }
}

function reply(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

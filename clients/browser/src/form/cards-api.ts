import { randomKey } from '../bytes.ts'
import type { FrameFailure } from '../messages.ts'
import { failureOf, objectIn, type Reply, textIn } from '../payment/answer.ts'
import { createSend, type Send } from '../payment/api.ts'
import type { Card, CardContact, FieldName } from '../published.ts'

/** A card is not money: the customer rather sees that it failed, and tries again. */
const TRIES = 3
const PAUSE_MS = 1_000

export interface CardsApi {
  createCard(fields: Readonly<Record<string, unknown>>): Promise<Created>
  /** The schemes of cards with these first digits; null where the API does not know them. */
  schemesOf(iin: string): Promise<Schemes | null>
}

export interface Schemes {
  scheme: string
  coScheme: string | null
}

export type Created =
  | { kind: 'created'; card: Card }
  /** `invalid`: the fields that the API does not accept. */
  | { kind: 'failed'; failure: FrameFailure; invalid: readonly FieldName[] }

/** Sends from the frame, whose origin is that of the API. */
export function createCardsApi(
  apiUrl: string,
  projectId: string,
  send: Send = createSend(apiUrl, projectId),
): CardsApi {
  return {
    async createCard(fields) {
      const reply = await sendCard(send, fields)
      if (reply === null) return { kind: 'failed', failure: UNREACHABLE, invalid: [] }
      const card = objectIn(reply.body.card)
      if (reply.status === 200 && typeof card.id === 'string')
        return { kind: 'created', card: safeFacts(card, card.id) }
      const { code, detail, requestId = null } = failureOf(null, reply)
      const failure = { code, detail, message: null, requestId, fields: {} }
      return { kind: 'failed', failure, invalid: invalidIn(reply.body) }
    },
    async schemesOf(iin) {
      const reply = await send({ method: 'GET', path: `/iins/${iin}` }).catch(() => null)
      const { scheme, co_scheme: coScheme } = objectIn(reply?.body.card_information)
      return typeof scheme === 'string' ? { scheme, coScheme: textIn(coScheme) } : null
    },
  }
}

async function sendCard(send: Send, body: object): Promise<Reply | null> {
  const headers = { 'Idempotency-Key': randomKey() }
  for (let tries = 1; ; tries += 1) {
    const reply = await send({ method: 'POST', path: '/cards', body, headers }).catch(() => null)
    const isAnswered = reply !== null && reply.status < 500 && reply.status !== 409
    if (isAnswered || tries === TRIES) return reply
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries))
  }
}

const UNREACHABLE: FrameFailure = {
  code: 'network',
  detail: 'The API could not be reached, so the card was not stored.',
  message: null,
  requestId: null,
  fields: {},
}

/** What leaves the frame of a stored card; nothing that is not listed. */
function safeFacts(card: Readonly<Record<string, unknown>>, id: string): Card {
  return {
    id,
    scheme: textIn(card.scheme) ?? '',
    co_scheme: textIn(card.co_scheme),
    preferred_scheme: textIn(card.preferred_scheme),
    type: textIn(card.type),
    last_4_digits: textIn(card.last_4_digits) ?? '',
    exp_month: Number(card.exp_month),
    exp_year: Number(card.exp_year),
    country_code: textIn(card.country_code),
  }
}

const FIELD_OF: Readonly<Record<string, FieldName>> = {
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvc2: 'cvc',
  name: 'name',
}

function invalidIn(body: Reply['body']): FieldName[] {
  const { invalid_fields: fields } = body
  const names = Array.isArray(fields) ? fields.map((field) => FIELD_OF[String(objectIn(field).name)]) : []
  return names.filter((name) => name !== undefined)
}

const CONTACT = ['address1', 'address2', 'city', 'state', 'zip', 'billing_country_code'] as const

/** The address as the API takes it; whatever else the page has sent stays here. */
export function contactOf(contact: unknown): CardContact {
  const given = objectIn(contact)
  const entries = CONTACT.map((name) => [name, given[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && value !== ''))
}

/** What 3-D Secure wants to know of the customer's browser, in the words of `POST /cards`. */
export function browserFacts(): Record<string, unknown> {
  return {
    channel: 'web',
    user_agent: navigator.userAgent,
    app_language: navigator.language,
    app_java_enabled: false,
    app_color_depth: screen.colorDepth,
    app_screen_width: screen.width,
    app_screen_height: screen.height,
    app_timezone_offset: new Date().getTimezoneOffset(),
  }
}

import Stripe from 'stripe'
import type { Answer, Arrived, GatewayModel, Outside, Step } from '../engine/model.ts'
import { type StandInOptions, startStandIn } from '../engine/stand-in.ts'
import { Books, type Event, type Fields, routeOf, StripeRefusal } from './books.ts'

export const SECRET_KEY = 'sk_test_holdfast'
const WEBHOOK_SECRET = 'whsec_holdfast_stand_in'

const STEP_OF: Readonly<Record<string, Step>> = {
  'POST payment_methods': 'prepare',
  'POST payment_intents': 'authorize',
  'POST payment_intents/id/confirm': 'continue',
  'POST payment_intents/id/capture': 'capture',
  'POST payment_intents/id/cancel': 'void',
  'POST payment_intents/id/increment_authorization': 'increment',
  'POST refunds': 'refund',
  'GET payment_intents/search': 'search',
  'GET balance_transactions': 'list',
  'GET events': 'list',
  'GET account': 'test',
}

const errorOf = (status: number, error: object): Answer => ({ status, body: { error } })

const FAILURES: Readonly<Record<429 | 500 | 503, Answer>> = {
  429: errorOf(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' }),
  500: errorOf(500, { type: 'api_error', message: 'Something has failed.' }),
  503: errorOf(503, { type: 'api_error', message: 'Nothing was looked at.' }),
}

/** Stripe as far as its documentation goes: PaymentIntents, idempotency keys, events and its own test cards. */
function modelStripe(outside: Outside<Event>) {
  const books = new Books(outside)
  return {
    name: 'Stripe',
    account: { credentials: { secret_key: SECRET_KEY, webhook_secret: WEBHOOK_SECRET }, settings: {} },
    steps: [...new Set([...Object.values(STEP_OF), 'read' as const])],
    // Source: Stripe's page "Idempotent requests".
    keys: {
      applies: ({ method }) => method === 'POST',
      underWay: errorOf(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }),
      otherRequest: errorOf(400, { type: 'idempotency_error', message: 'Other parameters.' }),
      keepsFailures: true,
    },
    read: (text) => Object.fromEntries(new URLSearchParams(text)),
    stepOf: ({ method, path }) => STEP_OF[routeOf(method, path)] ?? 'read',
    refuse: ({ headers }) =>
      headers.authorization === `Bearer ${SECRET_KEY}`
        ? null
        : errorOf(401, { type: 'invalid_request_error', message: 'No such key.' }),
    handle({ method, path, fields, headers }: Arrived<Fields>, circumstances): Answer {
      const key = headers['idempotency-key']
      try {
        const reference = typeof key === 'string' ? key : null
        return { status: 200, body: books.handle(method, path, fields, reference, circumstances) }
      } catch (error) {
        if (!(error instanceof StripeRefusal)) throw error
        return errorOf(error.status, error.body)
      }
    },
    failure: (status) => FAILURES[status],
    posts: (events) => events.map((event) => signed(JSON.stringify(event))),
    // "Three times over the course of a few hours" in a sandbox; when exactly it does not say.
    retrySeconds: [5 * 60, 30 * 60, 2 * 60 * 60],
    openDispute: ({ payment }, amount) => books.openDispute(payment, amount),
    endDispute: ({ payment }, isWon) => books.endDispute(payment, isWon),
    visit: (payment, { passes }) => books.visit(payment, passes),
    books,
  } satisfies GatewayModel<Fields, Event> & { books: Books }
}

/** As Stripe signs: with the time of sending. */
function signed(payload: string) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET })
  return { body: payload, headers: { 'content-type': 'application/json', 'stripe-signature': signature } }
}

export async function startStripeStandIn(options: StandInOptions = {}) {
  const standIn = await startStandIn<Fields, Event, ReturnType<typeof modelStripe>>(modelStripe, options)
  return { ...standIn, books: standIn.model.books }
}

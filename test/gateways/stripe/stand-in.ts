import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StripeHost } from '../../../src/gateways/stripe/client.ts'
import { listen } from '../../support/listen.ts'
import { Books, type Fields, type Json, StripeRefusal } from './stand-in-books.ts'

/** One request as it arrived. */
export interface Arrived {
  method: string
  path: string
  fields: Fields
  headers: IncomingMessage['headers']
}

interface Answer {
  status: number
  body: Json
  location?: string
}

export const SECRET_KEY = 'sk_test_holdfast'

/** A gateway that behaves like Stripe as far as its documentation goes: it keeps books, idempotency keys, and test cards. */
export async function startStripeStandIn() {
  const books = new Books()
  const arrived: Arrived[] = []
  const answers = new Map<string, { request: string; answer: Answer | null }>()
  const next: (Answer | 'reset')[] = []

  const act = (request: Arrived): Answer => {
    try {
      return { status: 200, body: books.handle(request.method, request.path, request.fields) }
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return { status: error.status, body: { error: error.body } }
    }
  }

  /** The first answer to a key is the answer for good; only what was refused before it was looked at is not remembered. */
  const actOnce = async (request: Arrived): Promise<Answer> => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string' || request.method !== 'POST') return act(request)
    const wanted = JSON.stringify([request.path, request.fields])
    const known = answers.get(key)
    if (known !== undefined && known.request !== wanted)
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'Other parameters.' } } }
    if (known !== undefined)
      return (
        known.answer ?? { status: 409, body: { error: { type: 'idempotency_error', code: 'idempotency_key_in_use' } } }
      )
    const entry: { request: string; answer: Answer | null } = { request: wanted, answer: null }
    answers.set(key, entry)
    // Other requests of the same key arrive meanwhile.
    await sleep(25)
    entry.answer = act(request)
    return entry.answer
  }

  const respond = async (incoming: IncomingMessage, response: ServerResponse, losesAnswers: boolean) => {
    const [path = '/', query = ''] = (incoming.url ?? '/').split('?')
    const body = await text(incoming)
    const fields = Object.fromEntries(new URLSearchParams(body === '' ? query : body))
    const request: Arrived = { method: incoming.method ?? 'GET', path, fields, headers: incoming.headers }
    arrived.push(request)
    if (incoming.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return send(response, {
        status: 401,
        body: { error: { type: 'invalid_request_error', message: 'No such key.' } },
      })
    const planned = next.shift()
    if (planned === 'reset') return incoming.socket.destroy()
    const answer = planned ?? (await actOnce(request))
    if (losesAnswers && isAboutMoney(request)) return incoming.socket.destroy()
    send(response, answer)
  }

  const servers: Awaited<ReturnType<typeof listen>>[] = []
  const open = async (line: 'clear' | 'loses-answers' = 'clear'): Promise<StripeHost> => {
    const server = await listen((incoming, response) => respond(incoming, response, line === 'loses-answers'))
    servers.push(server)
    return { protocol: 'http', host: '127.0.0.1', port: Number(new URL(server.url).port) }
  }

  return {
    books,
    arrived,
    access: { credentials: { secret_key: SECRET_KEY }, settings: {} },
    /** Opens another line to the same gateway; over one that loses answers requests are done, and cards handed out. */
    listen: open,
    /** What the next request gets, whatever it asks. */
    answerNext: (answer: Answer | 'reset') => next.push(answer),
    async close() {
      for (const server of servers) await server.close()
    },
  }
}

/** To hand out a card, and to read a PaymentIntent before a step, moves nothing: its answers are not lost. */
function isAboutMoney({ method, path }: Arrived): boolean {
  if (method === 'POST') return path !== '/v1/payment_methods'
  return path.endsWith('/search') || path === '/v1/balance_transactions'
}

function send(response: ServerResponse, { status, body, location }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${randomUUID()}`,
    ...(location !== undefined && { location }),
  })
  response.end(JSON.stringify(body))
}

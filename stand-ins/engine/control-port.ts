import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { FAULTS, type Faults, ImpossibleRequest } from './faults.ts'
import type { Entry, Ledger } from './ledger.ts'
import { listen, sendJson } from './listen.ts'
import type { GatewayModel, Logged } from './model.ts'

interface Controlled {
  url: string
  model: Pick<GatewayModel<never, never>, 'name' | 'account' | 'steps' | 'openDispute' | 'endDispute' | 'visit'>
  faults: Faults
  ledger: Ledger
  log: readonly Logged[]
  notifier: { readonly receivers: readonly string[]; notifyAt(urls: readonly string[]): void }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const isReceiver = (url: string) =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && LOOPBACK.test(new URL(url).hostname)

/** Receivers of notifications, which have to be on this machine like the stand-in itself. */
export const RECEIVERS = z.array(z.string().refine(isReceiver, 'a receiver is an http address of this machine'))

const NOTIFY = z.strictObject({ urls: RECEIVERS })
const DISPUTE = z.strictObject({ payment: z.string().min(1), amount_minor: z.int().positive().optional() })
const DISPUTE_END = z.strictObject({ won: z.boolean() })
const VISIT = z.strictObject({
  passes: z.boolean(),
  form: z.record(z.string(), z.string()).nullable().default(null),
})

interface Reply {
  status: number
  body: unknown
}

const done = (body: unknown): Reply => ({ status: 200, body })

/** By method and first part of the path; `name` is the second part. */
const ROUTES: Readonly<Record<string, (on: Controlled, body: unknown, name: string) => Reply>> = {
  'GET /': ({ url, model: { name, account, steps }, notifier }) =>
    done({ gateway: name, url, account, steps, notify: notifier.receivers, faults: Object.keys(FAULTS) }),
  'GET /faults': ({ faults }) => done({ faults: faults.show() }),
  'PUT /faults'({ faults }, body) {
    faults.set(Array.isArray(body) ? body : [body])
    return done({ faults: faults.show() })
  },
  'DELETE /faults'({ faults }) {
    const ended = faults.show()
    faults.set([])
    return done({ faults: ended })
  },
  'GET /ledger': ({ ledger }) => done({ entries: ledger.entries }),
  'GET /requests': ({ log }) => done({ requests: log }),
  'PUT /notify'({ notifier }, body) {
    const { urls } = readBody(NOTIFY, body)
    notifier.notifyAt(urls)
    return done({ urls })
  },
  'POST /disputes'({ ledger, model }, body) {
    const { payment: name, amount_minor: amount } = readBody(DISPUTE, body)
    const payment = authorizationIn(ledger, name)
    model.openDispute(payment, amount ?? payment.amount_minor)
    return done({ dispute: ledger.entries.at(-1) })
  },
  'PUT /disputes'({ ledger, model }, body, name) {
    const { won } = readBody(DISPUTE_END, body)
    if (!model.endDispute(authorizationIn(ledger, name), won))
      throw new ImpossibleRequest(`No dispute of ${name} is open.`)
    return done({ dispute: ledger.entries.at(-1) })
  },
  'POST /customers'({ model }, body, name) {
    const { passes, form } = readBody(VISIT, body)
    const wayBack = model.visit(name, { passes, form })
    if (wayBack === null) throw new ImpossibleRequest(`No customer of ${name} has anything to do.`)
    return done(wayBack)
  },
}

function authorizationIn(ledger: Ledger, name: string): Entry {
  const payment = ledger.authorization(name)
  if (payment === undefined) throw new ImpossibleRequest(`No payment ${name} was authorized.`)
  return payment
}

/** Where whoever runs the stand-in tells it what to do, and asks what it has done. */
export function openControlPort(port: number, on: Controlled) {
  return listen(port, async (incoming, response) => {
    const [, room = '', name = ''] = new URL(incoming.url ?? '/', on.url).pathname.split('/')
    const route = ROUTES[`${incoming.method} /${room}`]
    if (route === undefined) return sendJson(response, 404, { error: `There are ${Object.keys(ROUTES).join(', ')}.` })
    try {
      const { status, body } = route(on, await readJson(incoming), decodeURIComponent(name))
      sendJson(response, status, body)
    } catch (error) {
      if (!(error instanceof ImpossibleRequest)) throw error
      sendJson(response, 400, { error: error.message })
    }
  })
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const body = await text(incoming)
  try {
    return body === '' ? null : JSON.parse(body)
  } catch {
    throw new ImpossibleRequest('The body is no JSON.')
  }
}

function readBody<T>(shape: z.ZodType<T>, body: unknown): T {
  const read = shape.safeParse(body)
  if (read.success) return read.data
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.') || 'The body'}: ${message}`)
  throw new ImpossibleRequest(`${problems.join('; ')}.`)
}

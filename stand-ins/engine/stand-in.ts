import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { openControlPort } from './control-port.ts'
import { type Exchange, FAULTS, openFaults } from './faults.ts'
import { keepAnswers } from './idempotency.ts'
import { openLedger } from './ledger.ts'
import { listen, sendJson } from './listen.ts'
import { type Answer, type Arrived, type GatewayModel, type Logged, ORDINARY, type Outside } from './model.ts'
import { createNotifier } from './notifier.ts'

export interface StandInOptions {
  /** Any free one by default. */
  port?: number
  controlPort?: number
  /** Where notifications go; without a receiver they wait in the outbox. */
  notify?: readonly string[]
  /** By how many times the waits between repeated notifications are shorter than the gateway's own. */
  hurry?: number
}

/** The log has the latest requests only. */
const LOGGED_MAX = 10_000

/** A gateway of this machine: it speaks as the gateway does, keeps books, and misbehaves on demand. */
export async function startStandIn<Fields, Payload, Model extends GatewayModel<Fields, Payload>>(
  makeModel: (outside: Outside<Payload>) => Model,
  { port = 0, controlPort = 0, notify = [], hurry = 1 }: StandInOptions = {},
) {
  const ending = new AbortController()
  const ledger = openLedger()
  const arrived: Arrived<Fields>[] = []
  const log: Logged[] = []
  const outbox: Payload[] = []
  const planned: Answer[] = []

  const model = makeModel({
    enter: ledger.enter,
    tell(step, payload) {
      if (notifier.receivers.length === 0) outbox.push(payload)
      // Where the stand-in ends, nobody waits for what was late.
      else notifier.notify(step, payload).catch(() => undefined)
    },
  })
  const faults = openFaults(model)
  const { posts, retrySeconds } = model
  const notifier = createNotifier<Payload>({ posts, retrySeconds, hurry, faults, signal: ending.signal })
  notifier.notifyAt(notify)
  const actOnce = keepAnswers<Fields>(model.keys)

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await read(model, incoming)
    const entry = begin(request)
    const answer = ({ status, body, headers }: Answer) => {
      entry.status = status
      sendJson(response, status, body, { 'request-id': `req_${randomUUID()}`, ...headers })
    }
    const refusal = model.refuse(request) ?? planned.shift() ?? null
    if (refusal !== null) return answer(refusal)
    const perform: Exchange['perform'] = (changes = {}, failure) =>
      actOnce(request, () => model.handle(request, { ...ORDINARY, ...changes }), failure)
    const found = faults.striking('request', entry.step)
    if (found === null) return answer(await perform())
    entry.fault = found.name
    const { strike } = FAULTS[found.name]
    if (!('request' in strike)) return
    await strike.request({
      perform,
      answer,
      failure: model.failure,
      answerHalf({ status, body }) {
        entry.status = status
        const whole = JSON.stringify(body)
        response.writeHead(status, { 'content-type': 'application/json' }).end(whole.slice(0, whole.length / 2))
      },
      reset: () => incoming.socket.resetAndDestroy(),
      wait: () => sleep(found.ms, undefined, { signal: ending.signal }),
      ms: found.ms,
    })
  }

  const begin = (request: Arrived<Fields>): Logged => {
    arrived.push(request)
    const key = request.headers['idempotency-key']
    const { method, path } = request
    const reference = typeof key === 'string' ? key : null
    const at = new Date().toISOString()
    const entry: Logged = { at, step: model.stepOf(request), method, path, reference, status: null, fault: null }
    log.push(entry)
    if (log.length > LOGGED_MAX) log.shift()
    if (arrived.length > LOGGED_MAX) arrived.shift()
    return entry
  }

  const { url, close } = await listen(port, serve)
  const control = await openControlPort(controlPort, { url, model, faults, ledger, log, notifier })

  return {
    url,
    controlUrl: control.url,
    model,
    ledger,
    faults,
    /** The requests that have arrived, the latest 10,000. */
    arrived,
    /** Notifications that wait to be sent by hand, where no receiver was given. */
    outbox,
    notifier,
    /** What the next request gets, whatever it asks. */
    answerNext: (answer: Answer) => void planned.push(answer),
    /** Sends notifications by hand; answers with the statuses of the receiver. */
    send: (receiver: string, payloads: readonly Payload[]) =>
      Promise.all(model.posts(payloads).map((post) => notifier.send(receiver, post))),
    async close() {
      ending.abort()
      await Promise.all([close(), control.close()])
    },
  }
}

async function read<Fields>(
  model: Pick<GatewayModel<Fields, never>, 'read'>,
  incoming: IncomingMessage,
): Promise<Arrived<Fields>> {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?')
  const body = await text(incoming)
  return {
    method: incoming.method ?? 'GET',
    path,
    fields: model.read(body === '' ? query : body),
    headers: incoming.headers,
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Shutdown } from '../../src/shutdown.ts'
import { chance } from '../support/chance.ts'
import { makeReceiver, type ReceivedWebhook, type Receiver } from '../support/receiver.ts'
import type { Killable } from './killer.ts'
import type { ChaosOptions } from './options.ts'

const RECEIVERS = 3

/** A webhook as a receiver has written it down. */
export interface Arrival {
  /** Epoch ms. */
  at: number
  method: string
  url: string
  /** The header `webhook-id`. */
  messageId: string
  contentType: string
  body: string
  /** `absent`, `valid`, `of another time`, or what is wrong with it. */
  signature: string
  /** The status that it was about to be answered with; null for none. */
  answer: number | null
}

/** The merchants' servers, which write each webhook down before they answer. A kill breaks off all that they have not answered. */
export interface Receivers {
  urls: readonly string[]
  all: readonly Killable[]
  arrivals: readonly Arrival[]
  /** By the URL of the endpoint, for the verification. */
  secrets: Map<string, string>
}

export async function startReceivers(
  { seed, trouble }: Pick<ChaosOptions, 'seed' | 'trouble'>,
  shutdown: Shutdown,
  lineTo: (address: string) => Promise<string>,
): Promise<Receivers> {
  const arrivals: Arrival[] = []
  const secrets = new Map<string, string>()
  const timesReceived = new Map<string, number>()
  const servers: { origin: string; receiver: Receiver }[] = []
  for (let index = 0; index < RECEIVERS; index += 1) {
    const receiver = await makeReceiver()
    shutdown.add({ name: 'A receiver', stop: () => receiver.stop() })
    servers.push({ origin: `http://${await lineTo(new URL(receiver.url).host)}`, receiver })
  }
  for (const [index, { origin, receiver }] of servers.entries()) {
    receiver.answerWith((response, webhook) => {
      const url = `${origin}${webhook.path}`
      const messageId = String(webhook.headers['webhook-id'])
      const time = (timesReceived.get(`${messageId} ${url}`) ?? 0) + 1
      timesReceived.set(`${messageId} ${url}`, time)
      const { at, method, body } = webhook
      const contentType = String(webhook.headers['content-type'])
      const signature = verify(webhook, secrets.get(url))
      const isSound = signature === 'valid' || signature === 'absent'
      const reaction: Reaction = isSound
        ? reactionTo(`${seed} ${messageId} ${webhook.path}`, time, trouble)
        : { status: 400 }
      const { status, headers = {}, delayMs = 0 } = reaction
      arrivals.push({ at, method, url, messageId, contentType, body, signature, answer: status })
      // Whoever follows a redirect arrives at the next one, where nothing must arrive by that way.
      const location = `${servers[(index + 1) % RECEIVERS]?.origin}/redirected`
      setTimeout(() => {
        if (status === null) response.destroy()
        else response.writeHead(status, status === 302 ? { location } : headers).end()
      }, delayMs)
    })
  }
  const urls = servers.map(({ origin }) => origin)
  return { urls, all: servers.map(({ receiver }) => killable(receiver)), arrivals, secrets }
}

function killable(receiver: Receiver): Killable {
  let [kills, isRunning] = [0, true]
  return {
    kind: 'receiver',
    isRunning: () => isRunning,
    kills: () => kills,
    endings: () => ({ early: 0, late: 0 }),
    kill(pauseMs) {
      kills += 1
      isRunning = false
      void receiver
        .pause()
        .then(() => sleep(pauseMs))
        .then(() => receiver.resume())
        .then(() => {
          isRunning = true
        })
    },
  }
}

/** As a merchant does it: at once, with the official package, which also refuses what is minutes off. */
function verify({ headers, body }: ReceivedWebhook, secret: string | undefined): Arrival['signature'] {
  if (headers['webhook-signature'] === undefined) return 'absent'
  try {
    new Webhook(String(secret)).verify(body, headers as Record<string, string>)
    return 'valid'
  } catch (error) {
    const { message } = error as Error
    return /^Message timestamp too (old|new)$/.test(message) ? 'of another time' : `invalid: ${message}`
  }
}

/** What a receiver does with a webhook; without a status it closes the connection. */
interface Reaction {
  status: number | null
  headers?: Record<string, string>
  delayMs?: number
}

/** So often a webhook may be given trouble; then it is accepted, so that the longer waits of the schedule are rare. */
const TROUBLED_TIMES_MAX = 2
/** Longer than a webhook is waited for. */
const TOO_LATE_MS = 11_000

/** Everything that makes an attempt fail, and two that do not. A 410 would switch the endpoint off. */
const TROUBLES: readonly ((share: number) => Reaction)[] = [
  () => ({ status: 500 }),
  () => ({ status: 503, headers: { 'retry-after': '1' } }),
  () => ({ status: 302 }),
  () => ({ status: null }),
  () => ({ status: null, delayMs: TOO_LATE_MS }),
  (share) => ({ status: 200, delayMs: 3_000 * share }),
  (share) => ({ status: 204, delayMs: 3_000 * share }),
]

/** The same webhook gets the same answers in each run of a seed. */
function reactionTo(webhook: string, time: number, trouble: number): Reaction {
  const hash = [...`${webhook} ${time}`].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), 7)
  const isTroubled = time <= TROUBLED_TIMES_MAX && 100 * chance(hash) < trouble
  const choice = TROUBLES[Math.floor(chance(hash + 1) * TROUBLES.length)]
  return isTroubled && choice !== undefined ? choice(chance(hash + 2)) : { status: 200 }
}

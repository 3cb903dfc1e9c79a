import { createPublicKey, verify } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { makeReceiver, type ReceivedWebhook, type Receiver } from '../support/receiver.ts'
import { makeStack, type Stack } from '../support/stack.ts'

/** A customer every 30 ms is more than the machine's other work leaves room for: webhooks are always under way. */
const PAUSE_MS = 30
/** Webhooks that arrive between two steps of a rotation. */
const STREAM = 20
const TEST_TIMEOUT_MS = 180_000

let stack: Stack
let receiver: Receiver

beforeAll(async () => {
  ;[stack, receiver] = await Promise.all([makeStack({ mode: 'apart' }), makeReceiver()])
})
afterAll(async () => {
  await receiver?.stop()
  await stack?.stop()
})

/** What a merchant's server verifies with. */
interface Trusted {
  secret: string
  publicKey: string
}

const trustedIn = ({
  webhook_endpoint: { secret, public_key: publicKey },
}: {
  webhook_endpoint: Record<string, string>
}) => ({ secret, publicKey }) as Trusted

/** Why a receiver that trusts nothing but this refuses a webhook; null where it takes it. */
function refusal({ secret, publicKey }: Trusted, { body, headers }: ReceivedWebhook): string | null {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
  } catch (error) {
    return String(error)
  }
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = String(headers['webhook-signature']).split(' ')
  const isSigned = signatures.some(
    (one) => one.startsWith('v1a,') && verify(null, content, key, Buffer.from(one.slice(4), 'base64')),
  )
  return isSigned ? null : 'no v1a signature by this key'
}

test(
  'no webhook of a stream fails to verify while its secret is rotated twice and the receiver changes later',
  async () => {
    const created = await stack.post('/webhook-endpoints', { url: receiver.url, sign_with_ed25519: true })
    expect(created.status).toBe(200)
    const endpointId: string = created.body.webhook_endpoint.id
    const path = `/webhook-endpoints/${endpointId}`
    let trusted = trustedIn(created.body)
    const refusals: string[] = []
    // The first webhook of each customer is refused by its status, so that retries run through the rotations as well.
    const seen = new Set<string>()
    receiver.answerWith((response, webhook) => {
      const reason = refusal(trusted, webhook)
      if (reason !== null) refusals.push(reason)
      const id = String(webhook.headers['webhook-id'])
      const isRepeated = seen.has(id)
      seen.add(id)
      response.writeHead(isRepeated || seen.size % 3 !== 0 ? 204 : 503).end()
    })

    let isOver = false
    let customers = 0
    const stream = (async () => {
      while (!isOver) {
        const { status } = await stack.post('/customers', { first_name: `Ada ${customers}` })
        if (status !== 200) throw new Error(`A customer was answered ${status}.`)
        customers += 1
        await sleep(PAUSE_MS)
      }
    })()
    const more = async (count: number) => {
      const until = receiver.received.length + count
      await stack.waitFor(() => receiver.received.length >= until, 60_000)
    }
    const all: Trusted[] = [trusted]
    await more(STREAM)
    for (let rotation = 0; rotation < 2; rotation += 1) {
      const rotated = await stack.post(`${path}/rotate-secret`, { previous_expires_in: 3_600 })
      expect(rotated.status).toBe(200)
      const before = await stack.database.orm.em.fork().execute<{ id: string }[]>('select id from event')
      all.push(trustedIn(rotated.body))
      // The merchant takes its time, and still verifies with the old secret only.
      await more(STREAM)
      // Everything that was signed before the rotation has arrived, if only once.
      await stack.waitFor(() => before.every(({ id }) => seen.has(`${id}-${endpointId}`)), 60_000)
      trusted = trustedIn(rotated.body)
      await more(STREAM)
    }
    isOver = true
    await stream
    // A third of them is refused at first, and comes again some seconds later.
    await stack.waitFor(() => seen.size === customers && receiver.received.length > seen.size, 60_000)
    expect(refusals).toEqual([])
    expect(receiver.received.length).toBeGreaterThanOrEqual(5 * STREAM)
    expect(new Set(all.map(({ secret }) => secret)).size).toBe(3)
    expect(new Set(all.map(({ publicKey }) => publicKey)).size).toBe(3)
    // Two at once: the one of before the last rotation still verifies, the first one does not.
    const last = receiver.received.at(-1) as ReceivedWebhook
    expect(all.map((one) => refusal(one, last) === null)).toEqual([false, true, true])
    // Every retry ends, so that nothing is on its way when the stack stops.
    await stack.waitFor(async () => {
      const [row] = await stack.database.orm.em
        .fork()
        .execute<{ waiting: string }[]>(`select count(*) as waiting from delivery where status <> 'delivered'`)
      return row?.waiting === '0'
    }, 60_000)
  },
  TEST_TIMEOUT_MS,
)

import { waitUntil } from '../../src/embedded/wait-until.ts'
import type { HttpClient } from '../support/http-client.ts'
import { CARD, ORDER } from '../support/order-audit.ts'
import { makeReceiver } from '../support/receiver.ts'

/** Of one invoice: it is made, paid, captured, and a part of it refunded. */
const EVENTS = ['transaction.authorized', 'transaction.captured', 'transaction.refunded'] as const

/** Webhooks leave within milliseconds, on a machine that does other things within seconds. */
const WEBHOOKS_TIMEOUT_MS = 60_000

/**
 * The main job: an invoice, its authorization, capture and refund, and the webhooks of all that.
 *
 * @throws Error with the first answer that is not as it is to be, or the webhooks that did not come.
 */
export async function doMainJob(client: HttpClient, signal: AbortSignal): Promise<string> {
  const receiver = await makeReceiver()
  try {
    const ask = async (path: string, body: object) => {
      const answer = await client.post(path, body)
      if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    await ask('/webhook-endpoints', { url: receiver.url })
    const { invoice } = await ask('/invoices', ORDER)
    const { card } = await ask('/cards', CARD)
    const path = `/invoices/${invoice.id}`
    const states = [
      (await ask(`${path}/authorize`, { source: card.id })).transaction.status,
      (await ask(`${path}/capture`, {})).transaction.status,
    ]
    if (states.join() !== 'authorized,completed') throw new Error(`The payment went through ${states}.`)
    await ask(`${path}/refunds`, { amount: '5.00' })

    const missing = () => {
      const received = receiver.received.map(({ body }) => JSON.parse(body).event_type)
      return EVENTS.filter((event) => !received.includes(event))
    }
    await waitUntil(() => missing().length === 0, WEBHOOKS_TIMEOUT_MS, signal)
    if (missing().length > 0) throw new Error(`These webhooks did not come: ${missing().join(', ')}.`)
    return `${invoice.id} authorized, captured, refunded; webhooks received: ${EVENTS.join(', ')}`
  } finally {
    await receiver.stop()
  }
}

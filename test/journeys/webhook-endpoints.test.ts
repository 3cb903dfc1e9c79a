import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { makeReceiver, type ReceivedWebhook, type Receiver } from '../support/receiver.ts'
import { stackForFile } from '../support/stack-for-file.ts'

const verify = (secret: string, { body, headers }: ReceivedWebhook) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { event_id: string; event_type: string }

describe('a webhook endpoint', () => {
  const stack = stackForFile({ mode: 'together' })
  const receivers: Receiver[] = []

  afterAll(async () => {
    for (const receiver of receivers) await receiver.stop()
  })

  /** An endpoint with a receiver of its own. */
  const endpoint = async (fields: object = {}) => {
    const receiver = await makeReceiver()
    receivers.push(receiver)
    const { status, body } = await stack.post('/webhook-endpoints', { url: receiver.url, ...fields })
    expect(status).toBe(200)
    const { id, secret } = body.webhook_endpoint
    return { id: String(id), secret: String(secret), receiver, path: `/webhook-endpoints/${id}` }
  }
  const webhooksOf = async (eventId: string) =>
    (await stack.get(`/events/${eventId}/webhooks?expand=attempts&limit=100`)).body.webhooks
  const deliveryTo = async (eventId: string, id: string) =>
    (await webhooksOf(eventId)).find(({ endpoint_id: endpointId }: { endpoint_id: string }) => endpointId === id)

  test('is told of a payment, beside the URL of the invoice, signed, and of nothing that it does not take', async () => {
    const names = ['transaction.captured', 'invoice.completed']
    const { id, secret, receiver, path } = await endpoint({ events_whitelist: names })
    const own = await makeReceiver()
    receivers.push(own)
    await stack.payInvoice({ invoice: { webhook_url: own.url }, authorize: { authorize_only: false } })
    await receiver.waitForCount(2)
    await own.waitForCount(3)
    await sleep(200)
    const sent = receiver.received.map((webhook) => ({ ...verify(secret, webhook), id: webhook.headers['webhook-id'] }))
    expect(sent.map(({ event_type: name }) => name).toSorted()).toEqual(names.toSorted())
    for (const { event_id: eventId, id: webhookId } of sent) {
      expect(webhookId).toBe(`${eventId}-${id}`)
      expect((await stack.get(`/events/${eventId}`)).status).toBe(200)
      await stack.waitFor(async () => (await deliveryTo(eventId, id)).status === 'delivered')
      expect(await deliveryTo(eventId, id)).toMatchObject({ run: 0, attempt: 0, response_code: '200' })
    }
    await stack.delete(path)
  })
})

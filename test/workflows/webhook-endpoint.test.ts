import { afterAll, describe, expect, test } from '@jest/globals'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { WebhookEndpointEntity } from '../../src/persistence/entities/webhook-endpoint.ts'
import { resendEvent } from '../../src/persistence/queries/webhooks/resend-event.ts'
import { readableHistory } from '../support/card-data.ts'
import { runningForFile } from '../support/for-file.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { readHistory, skipAllWaiting } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { seedEndpoint, seedEventFor, seedProject, seedSecret } from '../webhooks/endpoint-seed.ts'
import { webhookStageForFile } from '../webhooks/stage.ts'

const stage = webhookStageForFile()
runningForFile(() => stage.startWorker())
const receivers: Receiver[] = []

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()))
})

async function makeTarget(given: { path?: string } = {}) {
  const receiver = await makeReceiver()
  receivers.push(receiver)
  const projectId = await seedProject(stage.orm)
  const endpoint = await seedEndpoint(stage.orm, { projectId, url: receiver.url + (given.path ?? '') })
  return { receiver, endpoint }
}

const change = (id: string, columns: object) => stage.orm.em.fork().nativeUpdate(WebhookEndpointEntity, { id }, columns)

describe('the history of a webhook to an endpoint', () => {
  test('has neither its path nor its secret, nor a signature that the receiver has sent back', async () => {
    const { receiver, endpoint } = await makeTarget({ path: '/secret-path?token=t0ken' })
    await change(endpoint.id, { signWithEd25519: true })
    const secrets = [
      await seedSecret(stage.orm, endpoint),
      await seedSecret(stage.orm, endpoint, { scheme: 'ed25519' }),
    ]
    receiver.answerWith((response, { headers }) => {
      const signature = String(headers['webhook-signature'])
      response.writeHead(500, { 'x-signature': signature }).end(signature)
    })
    const event = await seedEventFor(stage.orm, [endpoint])
    expect(await stage.runToEnd(event)).toMatchObject([{ status: 'failed', attempts: 13 }])
    const text = readableHistory(await readHistory(stage.client, `webhook-${event.eventId}`))
    expect(text).toContain(new URL(receiver.url).host)
    expect(text).not.toMatch(/secret-path|t0ken|v1a?,|wh(sec|sk|pk)_/)
    const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']))
    expect(new Set(signatures).size).toBeGreaterThan(0)
    const parts = [...secrets, ...signatures].flatMap((one) => one.match(/[A-Za-z0-9+/]{16,}/g) ?? [])
    expect(parts.filter((part) => text.includes(part))).toEqual([])
  })
})

describe('a running webhook', () => {
  test('passes over what its merchant has switched off, and delivers on its schedule once it is on again', async () => {
    const { receiver, endpoint } = await makeTarget()
    const off = { enabled: false, disabledReason: 'merchant', disabledAt: new Date() }
    await change(endpoint.id, off)
    const event = await seedEventFor(stage.orm, [endpoint])
    const isOn = Promise.withResolvers<void>()
    // On a busy machine the retry would come before the endpoint is on.
    stage.beforeAttempt = ({ attempt }) => (attempt > 0 ? isOn.promise : undefined)
    const handle = await stage.start(event)
    await waitFor(async () => (await stage.attemptsOf(event.deliveryIds[0])).length === 1)
    expect(receiver.received).toHaveLength(0)
    await change(endpoint.id, { enabled: true, disabledReason: null, disabledAt: null })
    isOn.resolve()
    await skipAllWaiting(stage.client, handle.workflowId)
    expect(await handle.result()).toMatchObject([{ status: 'delivered', attempts: 2 }])
    expect(receiver.received).toHaveLength(1)
    expect((await stage.attemptsOf(event.deliveryIds[0])).map(({ failureReason }) => failureReason)).toEqual([
      'endpoint_disabled',
      null,
    ])
  })

  test('ends where another run has taken its place, which has a whole schedule of its own', async () => {
    const { receiver, endpoint } = await makeTarget()
    receiver.answerWith(500)
    const event = await seedEventFor(stage.orm, [endpoint])
    const resent = Promise.withResolvers<void>()
    // On a busy machine the retry would come before the event is sent again.
    stage.beforeAttempt = ({ attempt }) => (attempt > 0 ? resent.promise : undefined)
    const first = await stage.start(event)
    await waitFor(async () => (await stage.attemptsOf(event.deliveryIds[0])).length === 1)
    await stage.orm.em
      .fork()
      .transactional((em) => resendEvent(em, endpoint, { eventId: event.eventId, endpointId: null, now: new Date() }))
    resent.resolve()
    const second = { ...event, run: 1 }
    const results = await Promise.all([first.result(), stage.runToEnd(second, `webhook-${event.eventId}-1`)])
    expect(results).toMatchObject([[{ attempts: 1 }], [{ status: 'failed', attempts: 13 }]])
    const made = await stage.attemptsOf(event.deliveryIds[0])
    expect(made.filter(({ run }) => run === 0)).toHaveLength(1)
    expect(made.filter(({ run }) => run === 1)).toHaveLength(13)
    expect(await stage.orm.em.fork().count(DeliveryEntity, { eventId: event.eventId })).toBe(1)
    expect(receiver.received).toHaveLength(14)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ApplicationFailure, defaultPayloadConverter, type Payload } from '@temporalio/common'
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js'
import { fetchHistory } from '../../scripts/replay/fetch-history.ts'
import { parseHistory } from '../../scripts/replay/history.ts'
import { replayHistory } from '../../scripts/replay/replay-history.ts'
import { readConfigWith } from '../../src/config.ts'
import type { TemporalConnection } from '../../src/temporal/connection.ts'
import { decryptPayload } from '../../src/temporal/payload-codec.ts'
import { createTaskSlots } from '../../src/temporal/task-slots.ts'
import { createWorkers } from '../../src/temporal/workers.ts'
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts'
import { testCli } from '../journeys/launched.ts'
import { readableHistory } from '../support/card-data.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { plainFailures, plainPayloads } from '../support/plain-payloads.ts'
import { makeReceiver } from '../support/receiver.ts'
import { server as part } from '../support/servers.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { connectTemporal, type HistoryJson, readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'

/** Neither is ever in a payload; where one is by a mistake, it must not be read in Temporal. */
const NUMBER = '4242424242424242'
const EMAIL = 'ada.lovelace@example.com'

describe('a service that encrypts', () => {
  const stack = stackForFile({ mode: 'together', encrypts: true })

  test('leaves no payload and no failure of a payment and its webhooks in clear', async () => {
    const receiver = await makeReceiver()
    try {
      const { invoiceId } = await stack.payInvoice({ invoice: { webhook_url: receiver.url } })
      const refused = await stack.post(`/invoices/${invoiceId}/capture`, { amount: '9999.00' })
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect((await stack.post(`/invoices/${invoiceId}/capture`)).status).toBe(200)
      await stack.waitFor(() => stack.isClosed(invoiceId))
      const { id: eventId } = await stack.waitFor(async () => {
        const { body } = await stack.get(`/events?filter=invoice_id:${invoiceId}`)
        return body.events.find(({ name }: { name: string }) => name === 'transaction.authorized')
      })
      await stack.waitFor(async () => (await stack.history(eventId)) !== undefined && stack.isClosed(eventId))
      for (const id of [invoiceId, eventId]) {
        const history = (await stack.history(id)) as HistoryJson
        expect(history.events.length).toBeGreaterThan(4)
        expect(plainPayloads(history)).toEqual([])
        expect(plainFailures(history)).toEqual([])
        // The summary of support staff is a payload, too.
        expect(readableHistory(history)).not.toContain('EUR 29.00')
      }
      const description = await stack.temporal.workflow.getHandle(`payment-${invoiceId}`).describe()
      expect(await description.staticSummary()).toContain('EUR 29.00')
    } finally {
      await receiver.stop()
    }
  })
})

/** A webhook whose activities are played here: how it goes, by the id of its event. */
type Played = Record<'beginDeliveries' | 'deliverWebhook', () => unknown>

describe('a worker that encrypts', () => {
  const plays = new Map<string, Played>()
  const received: unknown[] = []
  const taskQueues = { payments: `payments-played-${process.pid}`, webhooks: `webhooks-played-${process.pid}` }
  let encrypting: TemporalConnection
  let plain: TemporalConnection
  let stop: () => Promise<void>

  beforeAll(async () => {
    encrypting = await connectTemporal({ keys: TEST_KEYS, encrypts: true })
    plain = await connectTemporal({ keys: TEST_KEYS, encrypts: false })
    const activity = (name: keyof Played) => async (input: { eventId?: string; deliveryId?: string }) => {
      received.push(input)
      return plays.get(input.eventId ?? input.deliveryId ?? '')?.[name]()
    }
    const workers = await createWorkers({
      connection: encrypting.connection,
      namespaces: { sandbox: 'sandbox' },
      taskQueues,
      workflowBundle: await bundleWorkflows({ encodesFailures: true }),
      dataConverter: encrypting.dataConverter,
      taskSlots: createTaskSlots(),
      activities: {
        payments: {},
        webhooks: { beginDeliveries: activity('beginDeliveries'), deliverWebhook: activity('deliverWebhook') },
      },
    })
    const done = workers.run()
    done.catch(() => {})
    stop = async () => {
      workers.shutdown()
      await done
    }
  })
  afterAll(async () => {
    await stop?.()
    globalHandlers.uninstall()
    await encrypting?.close()
    await plain?.close()
  })

  const eventId = (name: string) => `ev_${name}_${process.pid}`
  const start = (name: string, played: Partial<Played>, { clients }: TemporalConnection = encrypting) => {
    const id = eventId(name)
    plays.set(id, { beginDeliveries: () => [], deliverWebhook: () => null, ...played })
    return clients.sandbox.workflow.start('webhookWorkflow', {
      workflowId: `webhook-${id}`,
      taskQueue: taskQueues.webhooks,
      args: [{ projectId: 'proj_a', environment: 'sandbox', eventId: id, run: 0 }],
    })
  }
  const historyOf = async (name: string) =>
    (await readHistory(encrypting.clients.sandbox, `webhook-${eventId(name)}`)) as HistoryJson
  const eventOf = ({ events }: HistoryJson | { events: [] }, type: string) =>
    events.find(({ eventType }) => eventType === `EVENT_TYPE_${type}`)
  const failing = () => {
    throw ApplicationFailure.create({
      message: `The card ${NUMBER} of ${EMAIL} was declined`,
      type: 'Declined',
      nonRetryable: true,
      details: [{ number: NUMBER, email: EMAIL }],
    })
  }
  const delivery = (id: string) => [
    {
      deliveryId: id,
      target: `${EMAIL} at ${NUMBER}`,
      status: 'pending',
      attemptsMade: 0,
      nextAt: null,
      health: 'new',
    },
  ]

  test.each([
    ['a local activity', 'local', { beginDeliveries: failing }, 'MARKER_RECORDED'],
    [
      'an activity',
      'regular',
      { beginDeliveries: () => delivery(eventId('regular')), deliverWebhook: failing },
      'ACTIVITY_TASK_FAILED',
    ],
  ])(
    'leaves nothing of the failure of %s in clear: no message, no stack, no details',
    async (_, name, played, type) => {
      const handle = await start(name, played)
      // Whoever has the keys reads it as ever.
      expect(rootOf(await handle.result().catch((error: Error) => error))).toMatchObject({
        message: `The card ${NUMBER} of ${EMAIL} was declined`,
        type: 'Declined',
      })
      const history = await historyOf(name)
      expect(eventOf(history, type)).toBeDefined()
      expect(eventOf(history, 'WORKFLOW_EXECUTION_FAILED')).toBeDefined()
      expect(plainPayloads(history)).toEqual([])
      expect(plainFailures(history)).toEqual([])
      const text = readableHistory(history)
      for (const secret of [NUMBER, EMAIL, 'was declined', 'encrypted-histories.test.ts', 'webhook.ts'])
        expect(text).not.toContain(secret)
    },
  )

  test('leaves nothing of the failure of a workflow task in clear', async () => {
    const handle = await start('task', { beginDeliveries: () => NUMBER })
    const failed = await waitFor(async () =>
      eventOf((await historyOf('task')) ?? { events: [] }, 'WORKFLOW_TASK_FAILED'),
    )
    await handle.terminate()
    const history = { events: [failed] } as HistoryJson
    expect(JSON.stringify(history)).toContain('Encoded failure')
    expect(plainFailures(history)).toEqual([])
    expect(plainPayloads(history)).toEqual([])
    expect(readableHistory(history)).not.toContain('webhook.ts')
  })

  test('carries out what was sent in plain before encryption was switched on', async () => {
    const handle = await start('before', {}, plain)
    expect(await handle.result()).toEqual([])
    expect(received).toContainEqual(expect.objectContaining({ eventId: eventId('before') }))
    // And what it gives back is read where encryption is switched off.
    expect(await plain.clients.sandbox.workflow.getHandle(handle.workflowId).result()).toEqual([])
  })

  test('leaves histories that npm run replay fetches and replays, also as the command line of Temporal prints them', async () => {
    await (await start('replayed', {})).result()
    const workflowId = `webhook-${eventId('replayed')}`
    const { address } = await part('temporal')
    const config = readConfigWith({ servers: ['temporalAddress'], keys: false }, { TEMPORAL_ADDRESS: address })
    const wanted = { workflowId, runId: undefined, namespace: undefined }
    const fetched = await fetchHistory(config, wanted)
    expect(await replayHistory(fetched, { workflowId, keys: TEST_KEYS })).toBeNull()
    const show = ['workflow', 'show', '--address', address, '--namespace', 'sandbox', '--workflow-id', workflowId]
    const { stdout } = await promisify(execFile)(await testCli(), [...show, '--output', 'json'])
    expect(await replayHistory(parseHistory(stdout, 'stdout'), { workflowId, keys: TEST_KEYS })).toBeNull()

    await expect(fetchHistory(config, { ...wanted, workflowId: 'payment-none' })).rejects.toThrow(
      'There is no workflow payment-none in live, sandbox.',
    )
    await expect(fetchHistory(config, { ...wanted, runId: 'no run' })).rejects.toThrow(
      `Temporal does not give the history of ${workflowId}: `,
    )
  })

  test('does not carry out the input of another workflow, and says so', async () => {
    await (await start('ada', {})).result()
    const started = eventOf(await historyOf('ada'), 'WORKFLOW_EXECUTION_STARTED')
    const given = started?.workflowExecutionStartedEventAttributes as { input: { payloads: JsonPayload[] } } | undefined
    const workflowId = `webhook-${eventId('bob')}`
    await encrypting.connection.workflowService.startWorkflowExecution({
      namespace: 'sandbox',
      workflowId,
      requestId: workflowId,
      workflowType: { name: 'webhookWorkflow' },
      taskQueue: { name: taskQueues.webhooks },
      input: { payloads: given?.input.payloads.map(fromJson) ?? null },
    })
    const failed = await waitFor(async () =>
      eventOf((await historyOf('bob')) ?? { events: [] }, 'WORKFLOW_TASK_FAILED'),
    )
    await encrypting.clients.sandbox.workflow.getHandle(workflowId).terminate()
    const attributes = failed?.workflowTaskFailedEventAttributes as { failure: { encodedAttributes: JsonPayload } }
    expect(decodedValue(attributes.failure.encodedAttributes)).toMatchObject({
      message: `A payload of webhook-${eventId('ada')} was found in ${workflowId}.`,
    })
  })
})

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

interface JsonPayload {
  metadata: Record<string, string>
  data: string
}

function fromJson({ metadata, data }: JsonPayload): Payload {
  const bytes = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')])
  return { metadata: Object.fromEntries(bytes), data: Buffer.from(data, 'base64') }
}

function decodedValue(payload: JsonPayload): unknown {
  return defaultPayloadConverter.fromPayload(decryptPayload(TEST_KEYS, fromJson(payload)))
}

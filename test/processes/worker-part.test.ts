import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readConfig } from '../../src/config.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { ReconciliationEntity } from '../../src/persistence/entities/reconciliation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { startApiPart } from '../../src/processes/api-part.ts'
import { startWorkerPart } from '../../src/processes/worker-part.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { FAILING } from '../../src/temporal/stuck-runs.ts'
import { readDeployment } from '../../src/temporal/worker-versions.ts'
import { ANYWHERE, openTestCore, type TestCore } from '../support/core.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { makePaymentActor } from '../support/payment-actor.ts'
import { makeReceiver, type ReceivedWebhook, type Receiver } from '../support/receiver.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'
import { waitFor } from '../support/wait-for.ts'
import { testWorkflows } from '../support/workflows.ts'
import { seedEvent } from '../webhooks/seed.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const { retention } = readConfig({})
const BUILD_ID = 'worker-part'

describe('a worker that starts does at once what has become due while none was there', () => {
  let database: TestDatabase
  let core: TestCore
  let receiver: Receiver
  let client: HttpClient
  let actor: Awaited<ReturnType<typeof makePaymentActor>>
  /** What was asked of the list of workflows. */
  const queries: string[] = []

  beforeAll(async () => {
    database = await makeDatabase()
    core = await openTestCore(database)
    receiver = await makeReceiver()
    actor = await makePaymentActor(database)
    const { clock, shutdown } = core
    const begun = { config: { ...readConfig({}), port: 0 }, allowPrivateWebhookTargets: true, shutdown }
    const url = await startApiPart(core, { ...begun, eager: false, pendingAnswers: createPendingAnswers() })
    client = createHttpClient(url, { username: `test-${actor.projectId}`, password: actor.secretKey })

    await authorizeToCaptureBy(Date.now() - HOUR_MS)
    await seedEvent(database.orm, [receiver.url], actor.projectId)
    const soon = new Date(Date.now() + HOUR_MS).toISOString()
    await client.post('/invoices', { name: 'Late', amount: '1.00', currency: 'EUR', expires_at: soon })
    await storeCardThatEndsAt(new Date(Date.now() + 2 * DAY_MS))
    await client.post('/cards', { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc2: '123' })

    const { workflow } = core.temporal.clients.sandbox
    const list = workflow.list.bind(workflow)
    workflow.list = (options) => {
      queries.push(options?.query ?? '')
      return list(options)
    }
    clock.advance(2 * DAY_MS)
    await startWorkerPart(core, {
      ...(await testWorkflows()),
      environments: ['sandbox'],
      publicUrl: () => null,
      pendingAnswers: createPendingAnswers(),
      allowPrivateWebhookTargets: true,
      retention,
      version: { buildId: BUILD_ID, rollout: 'automatic' },
      shutdown,
    })
  })
  afterAll(async () => {
    await core?.shutdown.stop()
    await receiver?.stop()
    await database?.drop()
  })

  const em = () => database.orm.em.fork()

  /** Authorized two hours before its capture was due; no run knows of it. */
  async function authorizeToCaptureBy(autoCaptureAt: number) {
    const invoiceId = await actor.makeInvoice()
    const command = actor.build.authorize(await actor.makeSource(), { autoCaptureAt })
    await actor.step(invoiceId, command, { at: autoCaptureAt - 2 * HOUR_MS })
  }
  async function storeCardThatEndsAt(end: Date) {
    const card = { number: '4242424242424242', exp_month: end.getUTCMonth() + 1, exp_year: end.getUTCFullYear() }
    const [{ body: made }, { body: customer }] = [await client.post('/cards', card), await client.post('/customers')]
    await client.post(`/customers/${customer.customer.id}/tokens`, { source: made.card.id })
  }
  const currentVersion = async () => {
    const { temporal, taskQueues } = core
    const { namespace } = temporal.clients.sandbox.options
    const service = temporal.connection.workflowService
    return (await readDeployment({ service, namespace, taskQueues, identity: 'test' }))?.currentBuildId
  }
  const isDatedByCore = ({ headers }: ReceivedWebhook) =>
    Math.abs(Number(headers['webhook-timestamp']) * 1_000 - core.clock.now().getTime()) < HOUR_MS
  const isFired = async (name: string) => (await em().count(EventEntity, { name } as object)) > 0

  test.each<[string, () => Promise<boolean> | boolean]>([
    ['seals entries of the audit log', async () => (await em().execute('select from audit_checkpoint')).length > 0],
    ['deletes a security code', async () => (await em().count(CardSecurityCodeEntity)) === 0],
    ['captures a payment', async () => (await em().count(TransactionEntity, { capturedMinor: 2900 })) === 1],
    ['looks for runs that fail again and again', () => queries.some((query) => query.includes(FAILING))],
    ['tells that an invoice has expired', () => isFired('invoice.expired')],
    ['tells that a card expires soon', () => isFired('card.expires_soon')],
    ['compares the books of a day', async () => (await em().count(ReconciliationEntity, { status: 'completed' })) > 0],
    ['counts the payments of a day', async () => (await em().execute('select from payment_day')).length > 0],
    ['sends a webhook with the time of the service', () => receiver.received.some(isDatedByCore)],
    ['gets the work of its environment for its version', async () => (await currentVersion()) === BUILD_ID],
  ])('%s', async (_, isDone) => {
    await waitFor(isDone)
  })
})

describe('the workers of a service', () => {
  const receiver = receiverForFile()
  const stack = stackForFile({ mode: 'together', metricsAt: ANYWHERE })

  test('leave a gateway alone that fails again and again, note it for staff, and measure it', async () => {
    const story = createStory(stack)
    const { id } = (await stack.get('/gateway-configurations')).body.gateway_configurations[0]
    const failing = { settings: { fault_rate: '1', faults: 'failed' } }
    expect((await stack.put(`/gateway-configurations/${id}`, failing)).status).toBe(200)
    const open = 'select from gateway_circuit where state = ? and gateway_configuration_id = ?'
    await stack.waitFor(async () => {
      const { invoiceId } = await story.pay()
      // It opens a moment before the row says so.
      expect((await stack.gatewayRequests(invoiceId)).length).toBeLessThanOrEqual(1)
      return (await stack.database.orm.em.fork().execute(open, ['open', id])).length === 1
    })
    const { invoiceId, answer } = await story.pay()
    expect(answer).toMatchObject({ status: 410, body: { error_type: 'gateway.network-error' } })
    expect(await stack.gatewayRequests(invoiceId)).toEqual([])
    const text = await stack.core.metrics?.text()
    expect(text).toMatch(/^holdfast_gateway_circuit_open\{.*\} 1$/m)
    expect(text).toMatch(
      /^holdfast_gateway_call_duration_seconds_count\{.*operation="authorize",outcome="not_sent".* [1-9]\d*$/m,
    )
    expect(text).toMatch(/^holdfast_http_request_duration_seconds_count\{route="\/invoices\/:id\/authorize"/m)
  })

  test('measure the webhooks that they send', async () => {
    await stack.post('/webhook-endpoints', { url: receiver.url, events_whitelist: ['customer.created'] })
    await stack.post('/customers', {})
    await receiver.waitForCount(1)
    const line = 'holdfast_webhook_attempt_duration_seconds_count{environment="sandbox",outcome="delivered"} 1'
    await stack.waitFor(async () => (await stack.core.metrics?.text())?.includes(line))
  })
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readBuildId } from '../../src/temporal/build-id.ts'
import { paymentWorkflowId, webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { challenge } from '../support/bank.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { type HistoryJson, readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { authorizedEventOf } from './broken-deploy.ts'
import { type CodeTree, plantRelease } from './code-trees.ts'
import { type Deployed, makeDeployed } from './deployed.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let release: CodeTree
let deployed: Deployed
let receiver: Receiver

interface Begun {
  invoiceId: string
  runId: string
}
/** By what the payment waits for. */
const begun: Record<string, Begun> = {}
let eventId: string
let customerPage: string

beforeAll(async () => {
  release = plantRelease()
  ;[deployed, receiver] = await Promise.all([makeDeployed(), makeReceiver()])
  const before = [await deployed.startWorker(release.root), await deployed.startApi(release.root)]
  await beginPayments()
  for (const process of before) await deployed.end(process)
  // As docs/operations.md says: the workers, then the APIs.
  await deployed.startWorker()
  await deployed.startApi()
})

afterAll(async () => {
  await deployed?.remove()
  await receiver?.stop()
  release?.remove()
})

/** Leaves a payment in each state in which one waits, and a webhook that has failed. */
async function beginPayments(): Promise<void> {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const pay = async (waitsFor: string, fields: Parameters<Deployed['payInvoice']>[0] = {}) => {
    const { invoiceId } = await deployed.payInvoice(fields)
    const { runId } = await runOf(invoiceId)
    begun[waitsFor] = { invoiceId, runId }
    return invoiceId
  }
  await Promise.all([
    pay('capture'),
    pay('void'),
    pay('its end'),
    pay('its scheduled capture', { authorize: { auto_capture_at: inDays(3) } }),
    pay('an outcome', { card: { name: 'SANDBOX:authorization-approved-late' } }),
  ])
  const inPart = await pay('the rest of its capture')
  await succeed(`/invoices/${inPart}/capture`, { capture_amount: '10.00', capture_type: 'non-final' })
  const refunded = await pay('the outcome of a refund', {
    card: { name: 'SANDBOX:refund-never-resolved' },
    authorize: { authorize_only: false },
  })
  await succeed(`/invoices/${refunded}/refunds`, { amount: '9.00' })
  // Another run than that of the sale, which has ended.
  begun['the outcome of a refund'] = { invoiceId: refunded, runId: (await runOf(refunded)).runId }
  const unknown = await pay('an answer for hours', { card: { name: 'SANDBOX:capture-never-resolved' } })
  await succeed(`/invoices/${unknown}/capture`)
  await advance(unknown, 0.1)
  begun['an answer for hours'] = { invoiceId: unknown, runId: (await runOf(unknown)).runId }
  await pay('nothing', { authorize: { authorize_only: false } })

  const [{ id }, card] = await Promise.all([
    deployed.createInvoice(),
    deployed.createCard({ number: '4000000000000101' }),
  ])
  const { body } = await deployed.post(`/invoices/${id}/authorize`, { source: card.id, enable_three_d_s_2: true })
  customerPage = body.customer_action.value
  begun['its customer'] = { invoiceId: id, runId: (await runOf(id)).runId }

  receiver.answerWith(500)
  const notified = await pay('the next attempt of its webhook', { invoice: { webhook_url: receiver.url } })
  eventId = await authorizedEventOf(deployed, receiver, notified)
}

function invoiceThat(waitsFor: string): string {
  return (begun[waitsFor] as Begun).invoiceId
}

async function runOf(invoiceId: string): Promise<{ runId: string }> {
  return deployed.temporal.workflow.getHandle(paymentWorkflowId(invoiceId)).describe()
}

async function succeed(path: string, body: object = {}): Promise<void> {
  const answer = await deployed.post(path, body)
  expect([path, answer.status, answer.body.error_type]).toEqual([path, 200, undefined])
}

function advance(invoiceId: string, days: number): Promise<void> {
  return succeed(`/invoices/${invoiceId}/clock/advance`, { seconds: (days * DAY_MS) / 1000 })
}

// biome-ignore lint/suspicious/noExplicitAny: the answer of the API, which the client has checked.
async function transactionOf(invoiceId: string): Promise<any> {
  return (await deployed.get(`/invoices/${invoiceId}/transactions`)).body.transactions[0]
}

/** The build ids that have completed its workflow tasks, in order, each once. */
function versionsIn({ events }: HistoryJson): string[] {
  type Completed = { workflowTaskCompletedEventAttributes?: { deploymentVersion?: { buildId: string } } }
  const ids = (events as Completed[]).flatMap(
    ({ workflowTaskCompletedEventAttributes: one }) => one?.deploymentVersion?.buildId ?? [],
  )
  return [...new Set(ids)]
}

describe('what the release before has begun', () => {
  test('a payment that waits for its capture is captured', async () => {
    await succeed(`/invoices/${invoiceThat('capture')}/capture`)
    expect(await transactionOf(invoiceThat('capture'))).toMatchObject({ status: 'completed', captured_amount: '29.00' })
  })

  test('one that waits for its void is voided', async () => {
    await succeed(`/invoices/${invoiceThat('void')}/void`)
    expect(await transactionOf(invoiceThat('void'))).toMatchObject({ status: 'voided' })
  })

  test('one whose authorization ends is voided then', async () => {
    await advance(invoiceThat('its end'), 8)
    expect(await transactionOf(invoiceThat('its end'))).toMatchObject({ status: 'voided', captured_amount: '0.00' })
  })

  test('a scheduled capture is made', async () => {
    await advance(invoiceThat('its scheduled capture'), 4)
    expect(await transactionOf(invoiceThat('its scheduled capture'))).toMatchObject({ status: 'completed' })
  })

  test('an unknown outcome is looked up until it is known', async () => {
    await advance(invoiceThat('an outcome'), 1)
    expect(await transactionOf(invoiceThat('an outcome'))).toMatchObject({ status: 'authorized' })
    await succeed(`/invoices/${invoiceThat('an outcome')}/void`)
  })

  /** Staff have seen at the gateway that it was approved. */
  async function resolve(invoiceId: string, step: 'capture' | 'refund'): Promise<void> {
    const { body } = await deployed.get(`/invoices/${invoiceId}/transactions?expand[]=operations`)
    const attempt = body.transactions[0].operations.find(
      ({ type, is_attempt: isAttempt }: { type: string; is_attempt: boolean }) => isAttempt && type === step,
    )
    await deployed.admin('payments', 'resolve', invoiceId, attempt.id, 'approved', '--reason', 'seen at the gateway')
  }

  test('a refund whose outcome nobody knows is resolved by staff', async () => {
    const invoiceId = invoiceThat('the outcome of a refund')
    await resolve(invoiceId, 'refund')
    await waitFor(async () => (await transactionOf(invoiceId)).refunded_amount === '9.00')
  })

  test('a capture that was unknown for hours needs attention, and is resolved by staff', async () => {
    const invoiceId = invoiceThat('an answer for hours')
    expect(await deployed.admin('payments', 'attention')).toContain(invoiceId)
    const query = 'PaymentStatus = "needs-attention"'
    await waitFor(async () => {
      for await (const { workflowId } of deployed.temporal.workflow.list({ query }))
        if (workflowId === paymentWorkflowId(invoiceId)) return true
      return false
    })
    await resolve(invoiceId, 'capture')
    await waitFor(async () => (await transactionOf(invoiceId)).captured_amount === '29.00')
    expect(await deployed.admin('payments', 'attention')).not.toContain(invoiceId)
  })

  test('one that is captured in part is captured to its end', async () => {
    await succeed(`/invoices/${invoiceThat('the rest of its capture')}/capture`, { capture_amount: '19.00' })
    expect(await transactionOf(invoiceThat('the rest of its capture'))).toMatchObject({
      status: 'completed',
      captured_amount: '29.00',
    })
  })

  test('one that waits for its customer is authorized when the customer has authenticated', async () => {
    const source = await challenge(customerPage, '1234')
    await succeed(`/invoices/${invoiceThat('its customer')}/authorize`, { source, enable_three_d_s_2: true })
    await succeed(`/invoices/${invoiceThat('its customer')}/capture`)
    expect(await transactionOf(invoiceThat('its customer'))).toMatchObject({ status: 'completed' })
  })

  test('one that has ended is refunded', async () => {
    await succeed(`/invoices/${invoiceThat('nothing')}/refunds`, { amount: '29.00' })
    expect(await transactionOf(invoiceThat('nothing'))).toMatchObject({ refunded_amount: '29.00' })
  })

  test('a webhook that has failed is delivered at its next attempt', async () => {
    const failed = receiver.received.length
    receiver.answerWith(200)
    await advance(invoiceThat('the next attempt of its webhook'), 1)
    await waitFor(() => receiver.received.length > failed)
    await waitFor(async () => {
      const { status } = await deployed.temporal.workflow.getHandle(webhookWorkflowId(eventId)).describe()
      return status.name === 'COMPLETED'
    })
  })
})

test('the same runs went on with the new version, failed no workflow task, and asked the gateway once for each step', async () => {
  const [before, now] = await Promise.all([readBuildId(release.root), readBuildId()])
  for (const [waitedFor, { invoiceId, runId }] of Object.entries(begun)) {
    const history = (await readHistory(deployed.temporal, paymentWorkflowId(invoiceId), runId)) as HistoryJson
    const failed = history.events.filter(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_FAILED')
    // That of a payment that waits for nothing had ended before.
    const versions = waitedFor === 'nothing' ? [before] : [before, now]
    expect({ waitedFor, failed, versions: versionsIn(history) }).toEqual({ waitedFor, failed: [], versions })
    for (const { type, timesAsked } of await deployed.gatewayRequests(invoiceId))
      expect([waitedFor, type, timesAsked]).toEqual([waitedFor, type, 1])
  }
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS } from '../support/story.ts'

const stack = stackForFile({ mode: 'apart' })
const story = createStory(stack)
const receiver = receiverForFile()

// Apart, so that every command travels as an update.

interface AcceptedUpdate {
  workflowExecutionUpdateAcceptedEventAttributes?: {
    acceptedRequest: { meta: { updateId: string }; input: { name: string } }
  }
}

/** Name and id of every update that a payment's last run has accepted. */
async function updatesOf(invoiceId: string): Promise<{ name: string; id: string }[]> {
  const { events } = (await stack.history(invoiceId)) ?? { events: [] }
  return (events as AcceptedUpdate[]).flatMap(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) =>
    accepted === undefined
      ? []
      : [{ name: accepted.acceptedRequest.input.name, id: accepted.acceptedRequest.meta.updateId }],
  )
}

const attemptsOf = async (invoiceId: string) => {
  const em = stack.database.orm.em.fork()
  const { id } = await em.findOneOrFail(TransactionEntity, { invoiceId })
  const attempts = await em.find(OperationEntity, { transactionId: id, isAttempt: true })
  return attempts.map((attempt) => attempt.id).toSorted()
}

describe('support staff', () => {
  test('find a payment and its webhooks by the ids that the merchant knows', async () => {
    const { invoiceId } = await story.pay({ invoice: { webhook_url: receiver.url } })
    const [webhook] = await receiver.waitForCount(1)
    const { event_id: eventId } = JSON.parse(String(webhook?.body))
    const [payment, delivery] = await Promise.all(
      [`payment-${invoiceId}`, `webhook-${eventId}`].map((id) => stack.temporal.workflow.getHandle(id).describe()),
    )
    expect(payment).toMatchObject({ type: 'paymentWorkflow', taskQueue: stack.taskQueues.payments })
    expect(delivery).toMatchObject({ type: 'webhookWorkflow', taskQueue: stack.taskQueues.webhooks })
    expect(TASK_QUEUES).toEqual({ payments: 'payments', webhooks: 'webhooks' })
  })

  test('read in a history what was asked for, by name', async () => {
    const { invoiceId } = await story.pay({ invoice: { incremental: true } })
    await story.post(invoiceId, 'increment_authorization', { amount: '1.00' })
    await story.post(invoiceId, 'capture', { capture_amount: '10.00', capture_type: 'non-final' })
    await story.post(invoiceId, 'void', { amount: '1.00' })
    await story.post(invoiceId, 'refunds', { amount: '1.00' })
    await stack.put(`/invoices/${invoiceId}/sync-with-psp`)
    expect((await updatesOf(invoiceId)).map(({ name }) => name)).toEqual([
      'authorize',
      'increment',
      'capture',
      'void',
      'refund',
      'resync',
    ])
  })
})

describe('a command', () => {
  test('is named by its operation, under which the gateway knows it as well', async () => {
    const { invoiceId } = await story.pay()
    await story.post(invoiceId, 'void', { amount: '1.00' })
    const asked = (await updatesOf(invoiceId)).map(({ id }) => id)
    const references = (await stack.gatewayRequests(invoiceId)).map(({ reference }) => reference)
    expect(references).toEqual(asked)
    expect(references.toSorted()).toEqual(await attemptsOf(invoiceId))
  })
})

describe('time', () => {
  test('is skipped by the test clock only, for one workflow of the sandbox', async () => {
    const files = ['src', 'activities', 'workflows', 'scripts'].flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') || name.endsWith('.mjs'))
        .map((name) => `${room}/${name}`),
    )
    expect(files.length).toBeGreaterThan(200)
    const skipping = files.filter((file) =>
      /timeSkippingConfig|time_skipping_config|fastForward/.test(readFileSync(file, 'utf8')),
    )
    expect(skipping).toEqual(['src/temporal/test-clock.ts'])
    const [one, other] = await Promise.all([story.pay(), story.pay()])
    await stack.skipTime(one.invoiceId, 7 * DAY_MS + 60_000)
    await story.becomes(one.invoiceId, { status: 'voided' })
    expect(await story.transactionOf(other.invoiceId)).toMatchObject({ status: 'authorized' })
  })
})

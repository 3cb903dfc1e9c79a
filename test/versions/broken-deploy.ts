import type { ServerResponse } from 'node:http'
import { expect } from '@jest/globals'
import { webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { Launched } from '../journeys/launched.ts'
import type { Answer } from '../support/http-client.ts'
import type { Receiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Change } from './code-trees.ts'
import type { Deployed } from './deployed.ts'

/** Before these lines a workflow has asked for nothing; that of a payment takes commands. */
const FIRST_LINES = {
  'workflows/payment.ts': '  CancellationScope.current().cancelRequested',
  'workflows/webhook.ts': '  const offsets = planRetries(',
}

function atFirst(statement: string): Change[] {
  return Object.entries(FIRST_LINES).map(([file, from]) => ({ file, from, to: `  ${statement}\n${from}` }))
}

/** Its workflows throw in every run, so that nobody can begin or go on. */
export const THROWS: readonly Change[] = atFirst("if (Date.now() > 0) throw new Error('a defect')")

/** Its workflows ask for a timer more, so that they replay no history of before, and theirs is replayed by no other code. */
export const ASKS_FOR_MORE: readonly Change[] = [
  ...atFirst('await sleep(1)'),
  { file: 'workflows/payment.ts', from: 'import { CancellationScope,', to: 'import { sleep, CancellationScope,' },
]

/**
 * A run whose task has failed three times is replaced within a minute. A try of a webhook that was held for longer than its
 * ten seconds fails, and on a busy machine its run may wait for the fifth retry, four minutes later.
 */
const RECOVERED_WITHIN_MS = 600_000

/** The key by which a merchant asks the same again. */
export const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Asks as merchants do that are answered 503, with the same key, until something else is answered. */
export async function askAgain(ask: () => Promise<Answer>): Promise<Answer> {
  return waitFor(async () => {
    const answer = await ask()
    return answer.status === 503 ? null : answer
  }, RECOVERED_WITHIN_MS)
}

export async function isNotStarted(asked: Promise<Answer>): Promise<void> {
  const { status, body } = await asked
  expect([status, body.error_type]).toEqual([503, 'request.not-started'])
}

export async function statusOf(deployed: Deployed, invoiceId: string): Promise<string> {
  return (await deployed.get(`/invoices/${invoiceId}/transactions`)).body.transactions[0]?.status
}

export async function hasStatus(deployed: Deployed, invoiceId: string, status: string): Promise<void> {
  await waitFor(async () => (await statusOf(deployed, invoiceId)) === status, RECOVERED_WITHIN_MS)
}

/** Leaves the next tries of this event without an answer until it is accepted; fails all others. */
export async function holdRetry(receiver: Receiver, eventId: string): Promise<{ accept(): void }> {
  const held: ServerResponse[] = []
  receiver.answerWith((response, { body }) => {
    if (body.includes(eventId)) held.push(response)
    else response.writeHead(500).end()
  })
  await waitFor(() => held.length > 0)
  return {
    accept() {
      receiver.answerWith(200)
      for (const response of held) response.writeHead(200).end()
    },
  }
}

/** Waits until the workers of a process get all work. */
export function getsAllWork(worker: Launched): Promise<void> {
  return worker.printed('These workers have the current version now')
}

/** An authorized payment with a webhook that was refused once. */
export async function failWebhook(deployed: Deployed, receiver: Receiver): Promise<string> {
  receiver.answerWith(500)
  const { invoiceId } = await deployed.payInvoice({ invoice: { webhook_url: receiver.url } })
  const id = await authorizedEventOf(deployed, receiver, invoiceId)
  receiver.answerWith(200)
  return id
}

/** Waits until the webhook of an authorization has arrived; gives the id of its event. */
export async function authorizedEventOf(deployed: Deployed, receiver: Receiver, invoiceId: string): Promise<string> {
  await receiver.waitForCount(1)
  const { body } = await deployed.get(`/events?filter=invoice_id:${invoiceId}`)
  const { id } = body.events.find(({ name }: { name: string }) => name === 'transaction.authorized')
  await waitFor(() => receiver.received.some(({ body: sent }) => sent.includes(id)))
  return id
}

/** Waits until the event has arrived by the record, and its run has come to an end, by itself or by that of the sweep. */
export async function isDelivered(deployed: Deployed, eventId: string): Promise<void> {
  const statuses = async () => {
    const { body } = await deployed.get(`/events/${eventId}/webhooks`)
    return body.webhooks.map(({ status }: { status: string }) => status).join()
  }
  await waitFor(async () => (await statuses()) === 'delivered', RECOVERED_WITHIN_MS)
  const run = deployed.temporal.workflow.getHandle(webhookWorkflowId(eventId))
  await waitFor(async () => (await run.describe()).status.name !== 'RUNNING', RECOVERED_WITHIN_MS)
}

/** Every step was asked for once at the gateway, and nothing is left that a person must look after. */
export async function nothingIsLostOrTwice(
  deployed: Deployed,
  steps: Record<string, readonly string[]>,
): Promise<void> {
  for (const [invoiceId, expected] of Object.entries(steps)) {
    const asked = (await deployed.gatewayRequests(invoiceId)).map(({ type, timesAsked }) => `${timesAsked} ${type}`)
    expect([invoiceId, asked]).toEqual([invoiceId, expected.map((type) => `1 ${type}`)])
  }
  expect(await deployed.admin('payments', 'attention')).toBe('No payment needs attention.\n')
}

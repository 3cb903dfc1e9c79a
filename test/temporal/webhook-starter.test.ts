import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import type { Client } from '@temporalio/client'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { createGiveWay } from '../../src/temporal/give-way.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { captureLog } from '../support/captured-log.ts'
import { waitFor } from '../support/wait-for.ts'

const log = captureLog()
const started: string[] = []
let failure: Error | null = null

const client = {
  workflow: {
    async start(_: string, { workflowId }: { workflowId: string }) {
      if (failure !== null) throw failure
      started.push(workflowId)
    },
  },
} as unknown as Client

afterEach(() => {
  started.splice(0)
  failure = null
})

const makeStarter = () =>
  createWebhookStarter({
    temporal: { sandbox: client, live: client },
    taskQueues: TASK_QUEUES,
    giveWay: createGiveWay(),
    eager: true,
    logger: log.logger,
  })

function event(eventId: string, given: Partial<FiredEvent> = {}): FiredEvent {
  return {
    projectId: 'proj_1',
    sandbox: true,
    eventId,
    eventName: 'customer.created',
    invoiceId: null,
    run: 0,
    ...given,
  }
}

const failing = { isFailing: true }

test('an event is started when it is announced; one for failing endpoints only after it, and nobody waits for that', async () => {
  const { start } = makeStarter()
  await Promise.all([start(event('ev_1')), start(event('ev_2', failing)), start(event('ev_3'))])
  expect(started).toEqual(['webhook-ev_1', 'webhook-ev_3'])
  await waitFor(() => started.length === 3)
  expect(started[2]).toBe('webhook-ev_2')
})

test('what cannot be started is told to whoever waits, and logged where nobody does', async () => {
  const { start } = makeStarter()
  failure = new Error('Temporal is away.')
  await expect(start(event('ev_4'))).rejects.toThrow('Temporal is away.')
  await start(event('ev_5', failing))
  await waitFor(() => log.text().includes('ev_5'))
  expect(log.text()).toContain('the sweep will do it')
  await sleep(0)
  expect(started).toEqual([])
})

import { afterEach, expect, test } from '@jest/globals'
import type { Client, WorkflowStartOptions } from '@temporalio/client'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { createAnnouncer, createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { captureLog } from '../support/captured-log.ts'
import { waitFor } from '../support/wait-for.ts'

const started: WorkflowStartOptions[] = []
let failure: Error | null = null

const client = {
  workflow: {
    async start(_: string, options: WorkflowStartOptions) {
      if (failure !== null) throw failure
      started.push(options)
    },
  },
} as unknown as Client

afterEach(() => {
  started.splice(0)
  failure = null
})

const makeStarter = (eager = true) =>
  createWebhookStarter({ temporal: { sandbox: client, live: client }, taskQueues: TASK_QUEUES, eager })

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

test.each([
  ['that somebody is known to accept', { isFailing: false }, { fairnessKey: 'proj_1' }, true],
  ['of whose targets nothing is known', {}, { fairnessKey: 'proj_1' }, true],
  ['only for failing endpoints', { isFailing: true }, { fairnessKey: 'proj_1', priorityKey: 4 }, false],
] as const)('an event %s is started with its priority, fairly among projects', async (_, given, priority, eager) => {
  await makeStarter().start(event('ev_1', given))
  expect(started).toMatchObject([{ workflowId: 'webhook-ev_1', requestEagerStart: eager }])
  expect(started[0]?.priority).toEqual(priority)
  await makeStarter(false).start(event('ev_2', given))
  expect(started[1]).toMatchObject({ workflowId: 'webhook-ev_2', requestEagerStart: false })
})

test('what cannot be started is told to whoever waits, and logged where nobody does', async () => {
  failure = new Error('Temporal is away.')
  const starter = makeStarter()
  await expect(starter.start(event('ev_3'))).rejects.toThrow('Temporal is away.')
  const log = captureLog()
  createAnnouncer(starter, log.logger)([event('ev_4')])
  await waitFor(() => log.text().includes('ev_4'))
  expect(log.text()).toContain('the sweep will do it')
})

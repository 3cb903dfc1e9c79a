import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Client } from '@temporalio/client'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { replaceStuckRuns } from '../../src/sweeps/stuck-runs.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { captureLog } from '../support/captured-log.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { seedEvent } from '../webhooks/seed.ts'

/** What becomes of payments is in test/workflows/payment-stuck.test.ts, with a real server. */

let database: TestDatabase

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

/** A Temporal that lists the runs of these workflows as failing; by default their tasks fail again and again. */
function temporalWith(workflowIds: readonly string[], end: (workflowId: string) => void, attempt = 6): Client {
  const description = { status: { name: 'RUNNING' }, raw: { pendingWorkflowTask: { attempt } } }
  const workflow = {
    async *list() {
      for (const workflowId of workflowIds) yield { workflowId, runId: 'run' }
    },
    getHandle: (workflowId: string) => ({
      describe: async () => description,
      terminate: async () => end(workflowId),
    }),
  }
  return { workflow } as unknown as Client
}

test('the run of a webhook that fails again and again is ended, and another one begun although there was one', async () => {
  const { eventId } = await seedEvent(database.orm, ['https://shop.example/hooks'])
  const { eventId: delivered } = await seedEvent(database.orm, ['https://shop.example/hooks'])
  const ended = { status: 'delivered', firstAttemptAt: new Date(), endedAt: new Date() } as const
  await database.orm.em.fork().nativeUpdate(DeliveryEntity, { eventId: delivered }, ended)
  const steps: string[] = []
  const end = (workflowId: string) => void steps.push(`end ${workflowId}`)
  await replaceStuckRuns({
    orm: database.orm,
    logger: captureLog().logger,
    clients: {
      // What is not of its environment, has nothing left to send or is not in this database stays as it is.
      live: temporalWith([`webhook-${eventId}`], end),
      sandbox: temporalWith([`webhook-${eventId}`, `webhook-${delivered}`, 'webhook-ev_other'], end),
    },
    taskQueues: TASK_QUEUES,
    resync: () => Promise.reject(new Error('There is no payment here.')),
    webhookStarter: { start: async (event, again) => void steps.push(`start ${event.eventId} ${again}`) },
  })
  expect(steps).toEqual([`end webhook-${eventId}`, `start ${eventId} again`])
})

test('a run that is called like that of a payment of the other environment stays as it is', async () => {
  const { eventId } = await seedEvent(database.orm, [])
  const { invoiceId } = await database.orm.em.fork().findOneOrFail(EventEntity, { id: eventId })
  const steps: string[] = []
  const end = (workflowId: string) => void steps.push(`end ${workflowId}`)
  await replaceStuckRuns({
    orm: database.orm,
    logger: captureLog().logger,
    clients: {
      live: temporalWith([`payment-${invoiceId}`], end),
      sandbox: temporalWith([`payment-${invoiceId}`], end),
    },
    taskQueues: TASK_QUEUES,
    resync: async ({ environment }) => void steps.push(`resync in ${environment}`),
    webhookStarter: { start: async () => void steps.push('start') },
  })
  expect(steps).toEqual([`end payment-${invoiceId}`, 'resync in sandbox'])
})

test('a run that has recovered since it was listed is left alone, and no other one is begun', async () => {
  const { eventId } = await seedEvent(database.orm, ['https://shop.example/hooks'])
  const steps: string[] = []
  const recovered = temporalWith([`webhook-${eventId}`], (workflowId) => void steps.push(`end ${workflowId}`), 1)
  await replaceStuckRuns({
    orm: database.orm,
    logger: captureLog().logger,
    clients: { live: recovered, sandbox: recovered },
    taskQueues: TASK_QUEUES,
    resync: () => Promise.reject(new Error('There is no payment here.')),
    webhookStarter: { start: async ({ eventId: begun }) => void steps.push(`start ${begun}`) },
  })
  expect(steps).toEqual([])
})

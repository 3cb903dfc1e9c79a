import { expect, test } from '@jest/globals'
import type { Client } from '@temporalio/client'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { replaceStuckRuns } from '../../src/sweeps/stuck-runs.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { captureLog } from '../support/captured-log.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEvent } from '../webhooks/seed.ts'

/** What becomes of payments is in test/workflows/payment-stuck.long.test.ts, with a real server. */

const database = databaseForFile()

const em = () => database.orm.em.fork()

interface Newest {
  runId?: string
  status?: { name: string }
  attempt?: number
}

/** A Temporal that lists the runs of these workflows as failing; by default their tasks fail again and again. */
function temporalWith(workflowIds: readonly string[], end: (workflowId: string) => void, newest: Newest): Client {
  const { attempt = 6, ...given } = newest
  const description = { runId: 'run', status: { name: 'RUNNING' }, raw: { pendingWorkflowTask: { attempt } }, ...given }
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

/** Ends and begins what it has to on these servers, and gives what it did, in order. */
async function stepsOf(runs: Record<'live' | 'sandbox', readonly string[]>, newest: Newest = {}): Promise<string[]> {
  const steps: string[] = []
  const temporal = (workflowIds: readonly string[]) =>
    temporalWith(workflowIds, (workflowId) => void steps.push(`end ${workflowId}`), newest)
  await replaceStuckRuns({
    orm: database.orm,
    logger: captureLog().logger,
    clients: { live: temporal(runs.live), sandbox: temporal(runs.sandbox) },
    taskQueues: TASK_QUEUES,
    resync: async ({ environment }) => void steps.push(`resync in ${environment}`),
    webhookStarter: { start: async (event, again) => void steps.push(`start ${event.eventId} ${again}`) },
  })
  return steps
}

test('the run of a webhook that fails again and again is ended, and another one begun although there was one', async () => {
  const { eventId } = await seedEvent(database.orm, ['https://shop.example/hooks'])
  // What is not of its environment or not in this database stays as it is.
  const steps = await stepsOf({ live: [`webhook-${eventId}`], sandbox: [`webhook-${eventId}`, 'webhook-ev_other'] })
  expect(steps).toEqual([`end webhook-${eventId}`, `start ${eventId} again`])
})

test('the run of a webhook that has nothing left to send is ended, and no other one is begun', async () => {
  const targets = ['https://shop.example/hooks', 'https://shop.example/others']
  const [delivered, resent] = [await seedEvent(database.orm, targets), await seedEvent(database.orm, targets)]
  const ended = { status: 'delivered', firstAttemptAt: new Date(), endedAt: new Date() } as const
  await em().nativeUpdate(DeliveryEntity, { eventId: delivered.eventId }, ended)
  await em().nativeUpdate(DeliveryEntity, { eventId: resent.eventId }, { run: 1 })
  const [first, second] = [`webhook-${resent.eventId}`, `webhook-${resent.eventId}-1`]
  expect(await stepsOf({ live: [], sandbox: [`webhook-${delivered.eventId}`, first, second] })).toEqual([
    `end webhook-${delivered.eventId}`,
    `end ${first}`,
    `end ${second}`,
    `start ${resent.eventId} again`,
  ])
})

test('a run that is called like that of a payment of the other environment stays as it is', async () => {
  const { eventId } = await seedEvent(database.orm, [])
  const { invoiceId } = await em().findOneOrFail(EventEntity, { id: eventId })
  const runs = [`payment-${invoiceId}`]
  expect(await stepsOf({ live: runs, sandbox: runs })).toEqual([`end payment-${invoiceId}`, 'resync in sandbox'])
})

test('a run that did not replay and so has failed is not ended again, and another one is begun', async () => {
  const { eventId } = await seedEvent(database.orm, ['https://shop.example/hooks'])
  const runs = { live: [], sandbox: [`webhook-${eventId}`] }
  expect(await stepsOf(runs, { status: { name: 'FAILED' } })).toEqual([`start ${eventId} again`])
})

test.each<[string, Newest]>([
  ['has recovered since it was listed', { attempt: 1 }],
  ['has ended since it was listed', { status: { name: 'COMPLETED' } }],
  ['has failed, and another one has gone on', { status: { name: 'FAILED' }, runId: 'next' }],
])('a run that %s is left alone, and no other one is begun', async (_, newest) => {
  const { eventId } = await seedEvent(database.orm, ['https://shop.example/hooks'])
  const runs = [`webhook-${eventId}`]
  expect(await stepsOf({ live: runs, sandbox: runs }, newest)).toEqual([])
})

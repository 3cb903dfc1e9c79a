import { randomBytes } from 'node:crypto'
import { afterEach } from '@jest/globals'
import type { AttemptInput } from '../../../activities/webhooks/deliver.ts'
import { createWebhookActivities } from '../../../activities/webhooks.ts'
import type { FiredEvent } from '../../../domain/webhook-event.ts'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../../src/persistence/entities/delivery-attempt.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../../src/persistence/entities/webhook-endpoint.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { createWebhookLimits } from '../../../src/webhooks/concurrency-limit.ts'
import { createWebhookSender } from '../../../src/webhooks/send.ts'
import { type AdjustableClock, runningClock } from '../../support/clock.ts'
import { makeDatabase } from '../../support/database.ts'
import { forFile } from '../../support/for-file.ts'
import { TEST_KEYS } from '../../support/keys.ts'
import { makeReceiver, type Receiver } from '../../support/receiver.ts'
import type { SeededEvent } from '../../webhooks/seed.ts'

/** The planned waits do not matter here; every retry is said to be due soon after the first attempt. */
const NEXT_OFFSET_MS = 2_500

/** Temporal runs it for the first time, and it was due at no other time than it is asked. */
export const FIRST_TRY = { number: 1, dueAt: 0 }

/** The activities of webhooks over a real database, with receivers, without Temporal. */
export async function makeDeliveryStage({ clock = runningClock() }: { clock?: AdjustableClock } = {}) {
  const database = await makeDatabase()
  const started: FiredEvent[] = []
  const receivers: Receiver[] = []
  const em = () => database.orm.em.fork()
  const deps = {
    orm: database.orm,
    webhookSender: createWebhookSender({ allowPrivateTargets: true, clock }),
    webhookStarter: {
      start: async (event: FiredEvent) => void started.push(event),
    },
    limits: createWebhookLimits(),
    vault: createVault(TEST_KEYS),
    clock,
    randomBytes,
  }
  const activitiesWith = (changes: Partial<typeof deps>, thisTry = FIRST_TRY) =>
    createWebhookActivities({ ...deps, ...changes }, () => thisTry)
  const { deliverWebhook, beginDeliveries } = activitiesWith({})
  const inputOf = (
    { projectId, environment, deliveryIds }: SeededEvent,
    { target = 0, ...given }: Partial<AttemptInput> & { target?: number } = {},
  ): AttemptInput => ({
    ...{ projectId, environment, deliveryId: deliveryIds[target] ?? '', run: 0, attempt: 0 },
    ...{ at: clock.now().getTime(), nextOffsetMs: NEXT_OFFSET_MS, health: 'good', ...given },
  })
  const beginningOf = ({ projectId, environment, eventId, run }: SeededEvent) => ({
    ...{ projectId, environment, eventId, run, at: clock.now().getTime(), nextOffsetMs: NEXT_OFFSET_MS },
  })
  return {
    database,
    clock,
    limits: deps.limits,
    activitiesWith,
    inputOf,
    beginningOf,
    /** Events whose webhook workflow was started. */
    started,
    async receiver() {
      const made = await makeReceiver()
      receivers.push(made)
      return made
    },
    /** Makes an attempt of the event's delivery, the first one where nothing is said. */
    attempt: (...asked: Parameters<typeof inputOf>) => deliverWebhook(inputOf(...asked)),
    /** What a workflow of the event begins with. */
    begin: (event: SeededEvent) => beginDeliveries(beginningOf(event)),
    delivery: ({ deliveryIds }: SeededEvent, target = 0) =>
      em().findOneOrFail(DeliveryEntity, { id: deliveryIds[target] ?? '' }),
    attempts: ({ deliveryIds }: SeededEvent, target = 0) =>
      em().find(
        DeliveryAttemptEntity,
        { deliveryId: deliveryIds[target] ?? '' },
        { orderBy: { run: 'asc', attempt: 'asc' } },
      ),
    endpoint: (id: string) => em().findOneOrFail(WebhookEndpointEntity, { id }),
    change: async (id: string, columns: Partial<WebhookEndpointRow>) =>
      void (await em().nativeUpdate(WebhookEndpointEntity, { id }, columns)),
    stopReceivers: async () => void (await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))),
  }
}

export type DeliveryStage = Awaited<ReturnType<typeof makeDeliveryStage>>

/** For the tests of a file, each of which has receivers of its own. */
export function deliveryStageForFile(options: Parameters<typeof makeDeliveryStage>[0] = {}): DeliveryStage {
  const stage = forFile(
    () => makeDeliveryStage(options),
    ({ database }) => database.drop(),
  )
  afterEach(() => stage.stopReceivers())
  return stage
}

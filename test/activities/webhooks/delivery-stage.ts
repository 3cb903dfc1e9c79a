import { randomBytes } from 'node:crypto'
import type { AttemptInput } from '../../../activities/webhooks/deliver.ts'
import { createWebhookActivities, type WebhookActivities } from '../../../activities/webhooks.ts'
import type { FiredEvent } from '../../../domain/webhook-event.ts'
import { DeliveryEntity, type DeliveryRow } from '../../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../../src/persistence/entities/delivery-attempt.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../../src/persistence/entities/webhook-endpoint.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { createWebhookLimits } from '../../../src/webhooks/concurrency-limit.ts'
import { createWebhookSender } from '../../../src/webhooks/send.ts'
import { type AdjustableClock, runningClock } from '../../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../../support/database.ts'
import { TEST_KEYS } from '../../support/keys.ts'
import { makeReceiver, type Receiver } from '../../support/receiver.ts'
import type { SeededEvent } from '../../webhooks/seed.ts'

/** The planned waits do not matter here; every retry is said to be due soon after the first attempt. */
const NEXT_OFFSET_MS = 2_500

/** Temporal runs it for the first time, and it was due at no other time than it is asked. */
export const FIRST_TRY = { number: 1, dueAt: 0 }

/** The activities of webhooks over a real database, with receivers, without Temporal. */
export interface DeliveryStage {
  database: TestDatabase
  clock: AdjustableClock
  /** Events whose webhook workflow was started. */
  started: FiredEvent[]
  /** Makes starts fail until told otherwise. */
  failStarts(error: Error | null): void
  receiver(): Promise<Receiver>
  /** Makes an attempt of the event's delivery at that place, the first one where nothing is said. */
  attempt(
    event: SeededEvent,
    given?: Partial<AttemptInput> & { target?: number },
  ): ReturnType<WebhookActivities['deliverWebhook']>
  /** What a workflow of the event begins with. */
  begin(event: SeededEvent): ReturnType<WebhookActivities['beginDeliveries']>
  delivery(event: SeededEvent, target?: number): Promise<DeliveryRow>
  attempts(event: SeededEvent, target?: number): Promise<DeliveryAttemptRow[]>
  endpoint(id: string): Promise<WebhookEndpointRow>
  change(id: string, columns: Partial<WebhookEndpointRow>): Promise<void>
  stopReceivers(): Promise<void>
  close(): Promise<void>
}

export async function makeDeliveryStage(): Promise<DeliveryStage> {
  const database = await makeDatabase()
  const clock = runningClock()
  const started: FiredEvent[] = []
  const receivers: Receiver[] = []
  let startError: Error | null = null
  const em = () => database.orm.em.fork()
  const deps = {
    orm: database.orm,
    webhookSender: createWebhookSender({ allowPrivateTargets: true, clock }),
    webhookStarter: {
      start: async (event: FiredEvent) => {
        if (startError !== null) throw startError
        started.push(event)
      },
    },
    limits: createWebhookLimits(),
    vault: createVault(TEST_KEYS),
    clock,
    randomBytes,
  }
  const { deliverWebhook, beginDeliveries } = createWebhookActivities(deps, () => FIRST_TRY)
  return {
    database,
    clock,
    started,
    failStarts(error) {
      startError = error
    },
    async receiver() {
      const made = await makeReceiver()
      receivers.push(made)
      return made
    },
    attempt({ projectId, environment, deliveryIds }, { target = 0, ...given } = {}) {
      const input = {
        projectId,
        environment,
        deliveryId: deliveryIds[target] ?? '',
        run: 0,
        attempt: 0,
        at: clock.now().getTime(),
        nextOffsetMs: NEXT_OFFSET_MS,
        health: 'good' as const,
        ...given,
      }
      return deliverWebhook(input)
    },
    begin({ projectId, environment, eventId, run }) {
      const at = clock.now().getTime()
      return beginDeliveries({ projectId, environment, eventId, run, at, nextOffsetMs: NEXT_OFFSET_MS })
    },
    delivery: ({ deliveryIds }, target = 0) => em().findOneOrFail(DeliveryEntity, { id: deliveryIds[target] ?? '' }),
    attempts: ({ deliveryIds }, target = 0) =>
      em().find(
        DeliveryAttemptEntity,
        { deliveryId: deliveryIds[target] ?? '' },
        { orderBy: { run: 'asc', attempt: 'asc' } },
      ),
    endpoint: (id) => em().findOneOrFail(WebhookEndpointEntity, { id }),
    change: async (id, columns) => void (await em().nativeUpdate(WebhookEndpointEntity, { id }, columns)),
    stopReceivers: async () => void (await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))),
    close: () => database.drop(),
  }
}

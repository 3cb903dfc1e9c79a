import { randomBytes } from 'node:crypto'
import type { AttemptInput, DeliverWebhookInput } from '../../activities/webhooks/deliver-webhook.ts'
import { createWebhookActivities, type WebhookActivities } from '../../activities/webhooks.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { DeliveryEntity, type DeliveryRow } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../src/persistence/entities/delivery-attempt.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import { createGiveWay, type GiveWay } from '../../src/temporal/give-way.ts'
import { createVault } from '../../src/vault/vault.ts'
import { createHostSlots } from '../../src/webhooks/host-slots.ts'
import type { RunsLately } from '../../src/webhooks/runs-lately.ts'
import { createWebhookSender } from '../../src/webhooks/send.ts'
import { createShortWaits } from '../../src/webhooks/short-waits.ts'
import { type AdjustableClock, runningClock } from '../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import type { SeededEvent } from '../webhooks/seed.ts'

/** The planned waits do not matter here; every retry is said to be due soon after the first attempt. */
const NEXT_OFFSET_MS = 2_500

/** Has the activity make that attempt and no other. */
export function onlyThis({ nextOffsetMs, ...input }: AttemptInput): DeliverWebhookInput {
  const before = Array<number>(input.attempt).fill(0)
  const retryOffsetsMs = nextOffsetMs === null ? before : [...before, nextOffsetMs]
  return { ...input, lastAttempt: input.attempt, retryOffsetsMs }
}

/** No wait is short, and no run of an activity was due at another time than it is asked. */
export const OUTSIDE_TEMPORAL = { shortWaits: { wait: async () => false }, dueAt: () => 0 }

/** The real one, which tells what it was asked. */
interface WatchedGiveWay extends GiveWay {
  /** How long each attempt that has asked for its turn was ready to wait. */
  turns: number[]
  beginnings: number
}

function makeWatchedGiveWay(): WatchedGiveWay {
  const { begins, turn } = createGiveWay()
  return {
    turns: [],
    beginnings: 0,
    begins() {
      this.beginnings += 1
      begins()
    },
    turn(maxMs) {
      this.turns.push(maxMs)
      return turn(maxMs)
    },
  }
}

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
  /** Makes attempts of the event's delivery, from the first to that one, whose retries are planned at these offsets. */
  attemptUpTo(
    event: SeededEvent,
    plan: Pick<DeliverWebhookInput, 'lastAttempt' | 'retryOffsetsMs'> & { at?: number },
  ): ReturnType<WebhookActivities['deliverWebhook']>
  /** Lets attempts wait in the activity for their next one, instead of being run again for it. */
  allowWaits(isAllowed: boolean): void
  /** Lets attempts wait, and ends the next wait after so many milliseconds, as a stop of the process does. */
  stopWaitsAfter(milliseconds: number): void
  /** What attempts that are not urgent wait for. */
  giveWay: WatchedGiveWay
  /** Events of whose runs the sweep is told. */
  runsLately: RunsLately
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
  const runsLately: RunsLately = new Map()
  const giveWay = makeWatchedGiveWay()
  let areWaitsAllowed = false
  let stopsAfterMs: number | null = null
  const shortWaits = createShortWaits({ waitsMax: 1, signal: new AbortController().signal })
  const wait = async (milliseconds: number) => {
    if (!areWaitsAllowed) return false
    const stopAfterMs = stopsAfterMs
    stopsAfterMs = null
    if (stopAfterMs === null) return shortWaits.wait(milliseconds)
    await shortWaits.wait(stopAfterMs)
    return false
  }
  const deps = {
    orm: database.orm,
    runsLately,
    shortWaits: { wait },
    giveWay,
    webhookSender: createWebhookSender({ allowPrivateTargets: true, clock }),
    webhookStarter: {
      start: async (event: FiredEvent) => {
        if (startError !== null) throw startError
        started.push(event)
      },
    },
    hostSlots: createHostSlots({ attemptsMax: 400, doubtfulMax: 300, atOnceMax: 75 }),
    vault: createVault(TEST_KEYS),
    clock,
    randomBytes,
  }
  const { deliverWebhook, beginDeliveries } = createWebhookActivities(deps, OUTSIDE_TEMPORAL.dueAt)
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
        isAtOnce: false,
        ...given,
      }
      return deliverWebhook(onlyThis(input))
    },
    attemptUpTo({ projectId, environment, deliveryIds }, plan) {
      const of = { projectId, environment, deliveryId: deliveryIds[0] ?? '', run: 0 }
      const at = clock.now().getTime()
      return deliverWebhook({ ...of, attempt: 0, at, health: 'unknown', isAtOnce: false, ...plan })
    },
    allowWaits(isAllowed) {
      areWaitsAllowed = isAllowed
    },
    stopWaitsAfter(milliseconds) {
      areWaitsAllowed = true
      stopsAfterMs = milliseconds
    },
    giveWay,
    runsLately,
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

import { describe, test } from '@jest/globals'
import fc from 'fast-check'
import { makeDatabase } from '../support/database.ts'
import { makePaymentActor } from '../support/payment-actor.ts'
import { createFaultyGateway } from './model-gateway.ts'
import { stories } from './model-steps.ts'
import { ModelStory } from './model-story.ts'

/** How many payments are lived through; `HOLDFAST_MODEL_RUNS` raises it. */
const RUNS = Number(process.env.HOLDFAST_MODEL_RUNS ?? 150)
/** The same stories each time, so that a change is judged by itself; `HOLDFAST_MODEL_SEED` takes others. */
const SEED = Number(process.env.HOLDFAST_MODEL_SEED ?? 20_261_121)
/** So many at once keep the database busy while we think; each has a database of its own, and so its own seed. */
const LANES = 3
/** Long enough for every run, and for the search of a short story where one fails. */
const TIME_LIMIT_MS = 120_000 + RUNS * 1_000

describe('whatever is asked of a payment, and whatever its gateway does', () => {
  test(
    'its books agree with the gateway and with a bookkeeper who only adds up',
    async () => {
      const liveThrough = async (lane: number) => {
        const database = await makeDatabase()
        const gateway = createFaultyGateway()
        const actor = await makePaymentActor(database, gateway.wrap)
        try {
          await fc.assert(
            fc.asyncProperty(stories, async ({ acceptsPartialApprovals, first, rest }) => {
              const story = await ModelStory.begin({ actor, gateway, acceptsPartialApprovals })
              for (const step of [first, ...rest]) await story.act(step)
              await story.end()
            }),
            {
              seed: SEED + lane,
              numRuns: Math.ceil(RUNS / LANES),
              interruptAfterTimeLimit: TIME_LIMIT_MS,
              markInterruptAsFailure: true,
            },
          )
        } finally {
          await database.drop()
        }
      }
      const lanes = await Promise.allSettled(Array.from({ length: LANES }, (_, lane) => liveThrough(lane)))
      for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
    },
    TIME_LIMIT_MS + 60_000,
  )
})

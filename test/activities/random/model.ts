import { describe, test } from '@jest/globals'
import fc from 'fast-check'
import { makeDatabase } from '../../support/database.ts'
import { makePaymentActor } from '../../support/payment-actor.ts'
import { createFaultyGateway } from './faulty-gateway.ts'
import { ModelSequence } from './model-sequence.ts'
import { sequences } from './model-steps.ts'

/** So many at once keep the database busy while we think; each has a database of its own, and so its own seed. */
const LANES = 3

/**
 * Payments to which things happen at random, held against a bookkeeper who only adds up.
 *
 * @param runs how many payments.
 * @param seed the same one makes the same payments, so that a change is judged by itself.
 */
export function describeModel({ runs, seed }: { runs: number; seed: number }): void {
  /** Long enough for every run, and for the search of a short sequence where one fails. */
  const timeLimitMs = 120_000 + runs * 1_000

  const runLane = async (lane: number) => {
    const database = await makeDatabase()
    const gateway = createFaultyGateway()
    const actor = await makePaymentActor(database, gateway.wrap)
    const property = fc.asyncProperty(sequences, async ({ acceptsPartialApprovals, first, rest }) => {
      const sequence = await ModelSequence.begin({ actor, gateway, acceptsPartialApprovals })
      for (const step of [first, ...rest]) await sequence.act(step)
      await sequence.end()
    })
    try {
      await fc.assert(property, {
        seed: seed + lane,
        numRuns: Math.ceil(runs / LANES),
        interruptAfterTimeLimit: timeLimitMs,
        markInterruptAsFailure: true,
      })
    } finally {
      await database.drop()
    }
  }

  describe('whatever is asked of a payment, and whatever its gateway does', () => {
    test(
      'its books agree with the gateway and with a bookkeeper who only adds up',
      async () => {
        const lanes = await Promise.allSettled(Array.from({ length: LANES }, (_, lane) => runLane(lane)))
        for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
      },
      timeLimitMs + 60_000,
    )
  })
}

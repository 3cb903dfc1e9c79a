import { describe, test } from '@jest/globals'
import fc from 'fast-check'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { makeDatabase, type TestDatabase } from '../../support/database.ts'
import { makePaymentActor } from '../../support/payment-actor.ts'
import { ACCOUNTS, type Account, createFaultyGateway } from './faulty-gateway.ts'
import type { ModelWorld } from './model-payment.ts'
import { ModelSequence } from './model-sequence.ts'
import { storiesOf } from './model-steps.ts'

/** So many at once keep the database busy while we think; each has a database of its own. */
const LANES = 3

/**
 * Payments to which things happen at random, held against a bookkeeper who only adds up.
 *
 * @param runs how many payments.
 * @param seed the same one makes the same payments, so that a change is judged by itself.
 */
export function describeModel({ runs, seed }: { runs: number; seed: number }): void {
  /** Long enough for every run, and for the search of a short sequence where one fails. */
  const timeLimitMs = 900_000 + runs * 1_000
  const stories = storiesOf(runs).map((one, index) => ({ ...one, seed: seed + index }))

  const runLane = async () => {
    const database = await makeDatabase()
    const worlds = new Map<string, Omit<ModelWorld, 'acceptsPartialApprovals'>>()
    for (const [name, account] of Object.entries(ACCOUNTS)) worlds.set(name, await makeWorld(database, account))
    try {
      for (let next = stories.shift(); next !== undefined; next = stories.shift()) {
        const property = fc.asyncProperty(next.story, async ({ account, acceptsPartialApprovals, first, rest }) => {
          const world = worlds.get(account)
          if (world === undefined) throw new Error(`There is no account ${account}.`)
          const sequence = await ModelSequence.begin({ ...world, acceptsPartialApprovals })
          for (const step of [...first, ...rest]) await sequence.act(step)
          await sequence.end()
        })
        await fc.assert(property, {
          seed: next.seed,
          numRuns: next.runs,
          interruptAfterTimeLimit: timeLimitMs,
          markInterruptAsFailure: true,
        })
      }
    } finally {
      await database.drop()
    }
  }

  describe('whatever is asked of a payment, and whatever its gateway does', () => {
    test(
      'its books agree with the gateway and with a bookkeeper who only adds up',
      async () => {
        const lanes = await Promise.allSettled(Array.from({ length: LANES }, runLane))
        const failures = lanes.flatMap((lane) => (lane.status === 'rejected' ? [lane.reason] : []))
        if (failures.length > 1) throw new Error(failures.map(({ message }) => message).join('\n\n'))
        if (failures.length > 0) throw failures[0]
      },
      timeLimitMs + 60_000,
    )
  })
}

/** A project whose one gateway is an account of this kind. */
async function makeWorld(
  database: TestDatabase,
  account: Account,
): Promise<Omit<ModelWorld, 'acceptsPartialApprovals'>> {
  const gateway = createFaultyGateway(account)
  const actor = await makePaymentActor(database, gateway.wrap)
  const { deps, projectId } = actor
  Object.assign(deps.vault, { decryptCredentials: gateway.guardCredentials(deps.vault.decryptCredentials) })
  if (account.isSaleOnly)
    await deps.orm.em
      .fork()
      .nativeUpdate(GatewayConfigurationEntity, { projectId }, { capabilities: { authorize: false } })
  return { actor, gateway, account }
}

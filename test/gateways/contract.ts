import { afterAll, beforeAll, describe } from '@jest/globals'
import { describeAuthorizing } from './contract/authorizing.ts'
import { describeConnection } from './contract/connection.ts'
import type { GatewayHarness } from './contract/harness.ts'
import { describeInventedAnswers } from './contract/invented-answers.ts'
import { describeLaterSteps } from './contract/later-steps.ts'
import { describeListing } from './contract/listing.ts'
import { describeLookingUp } from './contract/looking-up.ts'
import { describeNotifications } from './contract/notifications.ts'
import { describeSecrets } from './contract/secrets.ts'
import { createStage, type Stage } from './contract/stage.ts'
import { describeUncertainty } from './contract/uncertainty.ts'

/** The parts that an adapter is judged by where nothing tells how later steps end. */
export const WITHOUT_LATER_STEPS = [
  describeAuthorizing,
  describeUncertainty,
  describeInventedAnswers,
  describeNotifications,
  describeConnection,
  describeSecrets,
] as const

const EVERY_PART = [
  describeAuthorizing,
  describeLaterSteps,
  describeLookingUp,
  describeListing,
  describeUncertainty,
  describeInventedAnswers,
  describeNotifications,
  describeConnection,
  // The last one: it looks through everything that was said before.
  describeSecrets,
] as const

interface Variation {
  parts?: readonly ((stage: Stage) => void)[]
  /** Where the references begin; a host that remembers earlier runs wants another seed each time. */
  seed?: string
}

/**
 * What every gateway adapter must do, whatever stands behind it. Source: the comments of `Gateway`. A capability that the
 * adapter claims is exercised; one that it does not claim must be refused.
 */
export function describeGateway(
  name: string,
  makeHarness: () => Promise<GatewayHarness>,
  { parts = EVERY_PART, seed = name }: Variation = {},
): void {
  describe(`${name} keeps the contract of a gateway`, () => {
    const stage = createStage(seed, makeHarness)
    beforeAll(() => stage.open())
    afterAll(() => stage.close())
    for (const describePart of parts) describePart(stage)
  })
}

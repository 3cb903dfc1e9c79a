import { isErrorCode, retryClassOf } from '../../../domain/errors.ts'
import type { GatewayCard } from '../gateway.ts'
import { refusal, type Scenario } from './scenario.ts'
import { SCENARIOS, type ScenarioKey } from './scenarios.ts'
import { findTestCard } from './test-cards.ts'

/** A scenario and the name by which the log knows it; the name never tells the card. */
export interface Story {
  key: string
  scenario: Scenario
}

/** A cardholder of this name asks for the scenario that follows, whichever test card is used. */
const NAME_PREFIX = 'SANDBOX:'

const STEPS = ['authorize', 'capture', 'increment', 'void', 'refund'] as const satisfies (keyof Scenario)[]

/**
 * A name that asks for nothing we know would be taken for the story that it was meant to be, if it were approved. What it
 * asks for is not kept: it may be anything.
 */
const UNKNOWN_SCENARIO: Story = {
  key: 'unknown-scenario',
  scenario: { authorize: { decline: { code: 'gateway.invalid-customer-input', gatewayCode: 'UNKNOWN_SCENARIO' } } },
}

/**
 * The story of a card: the one that the cardholder's name asks for, else the number's own. Null for a number that is no
 * test card, whatever the name.
 */
export function storyOf({ number, name }: GatewayCard): Story | null {
  const testCard = findTestCard(number)
  if (testCard === null) return null
  if (!name?.startsWith(NAME_PREFIX)) return storyOfKey(testCard.scenario)
  return findStory(name.slice(NAME_PREFIX.length)) ?? UNKNOWN_SCENARIO
}

export function storyOfKey(key: ScenarioKey): Story {
  return { key, scenario: SCENARIOS[key] }
}

/**
 * The story of a scenario's key, of a code that a payment can fail with (the authorization is declined with it), or of
 * `step:code` for a decline at a later step. Null for anything else.
 */
function findStory(key: string): Story | null {
  if (Object.hasOwn(SCENARIOS, key)) return storyOfKey(key as ScenarioKey)
  const step = STEPS.find((name) => key.startsWith(`${name}:`)) ?? 'authorize'
  const code = key.startsWith(`${step}:`) ? key.slice(step.length + 1) : key
  if (!isErrorCode(code) || retryClassOf(code) === null) return null
  return { key, scenario: { [step]: { decline: refusal(code) } } }
}

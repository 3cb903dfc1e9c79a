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
 * The story of a card: the one that the cardholder's name asks for, else the number's own. A name that asks for
 * nothing we know is only a name. Null for a number that is no test card, whatever the name.
 */
export function storyOf({ number, name }: GatewayCard): Story | null {
  const testCard = findTestCard(number)
  if (testCard === null) return null
  const asked = name?.startsWith(NAME_PREFIX) ? findStory(name.slice(NAME_PREFIX.length)) : null
  return asked ?? storyOfKey(testCard.scenario)
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

import { nearestName } from '../../../domain/nearest-name.ts'
import { EVENT_NAMES, type EventName } from '../../../domain/webhook-event.ts'
import { UsageError } from './failures.ts'
import type { Io } from './io.ts'

export const NAMES = Object.keys(EVENT_NAMES) as readonly EventName[]

/** @throws UsageError for what is the name of no event. */
export function eventNameOf(text: string, { command }: Io): EventName {
  const known = NAMES.find((name) => name === text)
  if (known !== undefined) return known
  const nearest = nearestName(text, NAMES)
  const advice = nearest === undefined ? `"${command} trigger --help" lists all.` : `Did you mean ${nearest}?`
  throw new UsageError(`There is no event "${text}". ${advice}`)
}

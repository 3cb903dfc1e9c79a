import type { Ask } from './ask-gateway.ts'
import { followUp } from './follow-up.ts'

/** Asks for a higher authorization. The total was written with the attempt, so that asking again cannot add twice. */
export const askForIncrement: Ask = (gateway, attempt, signal) => {
  const { targetTotalMinor } = attempt.operation
  if (targetTotalMinor == null) throw new Error('An increment was written without its total.')
  return gateway.increment({ ...followUp(attempt), targetTotalMinor }, signal)
}

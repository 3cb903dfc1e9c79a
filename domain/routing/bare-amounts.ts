import { currenciesWithin } from './compile-condition.ts'
import type { Condition } from './condition.ts'

/** No currency is named around the condition. */
const NONE: readonly string[] = []

/**
 * Whether an amount in the condition has no currency beside it, so that it is one of the project's default currency and the
 * rule meets payments of no other: 1,000 of what, somebody may have meant otherwise.
 */
export function hasBareAmount(condition: Condition | null, named: readonly string[] = NONE): boolean {
  if (condition === null) return false
  switch (condition.kind) {
    case 'comparison':
      return named === NONE && condition.operand.kind === 'field' && condition.operand.name === 'amount'
    case 'not':
      return hasBareAmount(condition.condition, named)
    default: {
      const within = currenciesWithin(condition, named)
      return condition.conditions.some((part) => hasBareAmount(part, within))
    }
  }
}

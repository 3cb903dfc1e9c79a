import type { Condition } from './condition.ts'
import { normalizeFor } from './fields.ts'

/**
 * The currencies in which the amounts of a condition are meant: those of the nearest `currency == …` or
 * `currency in (…)` that stands beside the comparison, or beside a group around it, in an AND. Without one it is the
 * default currency of the project. There are no exchange rates: an amount says nothing about a payment in another currency.
 *
 * @param inherited what holds outside of the condition
 * @returns what holds for the parts of the condition
 */
export function currenciesWithin(condition: Condition, inherited: readonly string[]): readonly string[] {
  if (condition.kind !== 'and') return inherited
  return condition.conditions.map(namedCurrencies).find((named) => named !== null) ?? inherited
}

function namedCurrencies(condition: Condition): readonly string[] | null {
  if (condition.kind !== 'comparison') return null
  const { operand, operator, value } = condition
  if (operand.kind !== 'field' || operand.name !== 'currency') return null
  if (operator === '==' && typeof value === 'string') return [normalizeFor(operand, value)]
  return operator === 'in' && Array.isArray(value) ? value.map((one) => normalizeFor(operand, one)) : null
}

import type { nearestName } from '../../domain/nearest-name.ts'
import type { Condition } from '../../domain/routing/condition.ts'
import { TEXT_LENGTH_MAX } from '../../domain/routing/limits.ts'
import { parseCondition } from './parse-condition.ts'
import { createScanner } from './scanner.ts'
import { RoutingTextError } from './text-error.ts'

/**
 * Reads the text of one condition, which is not checked yet.
 *
 * @param suggest finds the known name that was probably meant.
 * @throws RoutingTextError, and nothing else, whatever the text is
 */
export function parseConditionText(text: string, suggest?: typeof nearestName): Condition {
  if (text.length > TEXT_LENGTH_MAX)
    throw new RoutingTextError({ line: 1, column: 1 }, `the text has more than ${TEXT_LENGTH_MAX} characters`)
  const scanner = createScanner(text, suggest)
  const condition = parseCondition(scanner, { nodes: new Map(), properties: new Map() })
  if (!scanner.isAtEnd()) scanner.failNext(['AND', 'OR', 'the end of the condition'])
  return condition
}

import type { BodyLimits, ParsedBody } from '../../middleware/body.ts'
import { defineInput, readInput } from '../fields/input.ts'
import { RULES, type RuleInput } from './rule-input.ts'

/**
 * Conditions nest 20 deep, which takes two levels of JSON each; as wide as 64 KiB of JSON can be, so that the size of the
 * body alone is the limit.
 */
export const RULES_BODY: BodyLimits = { bytes: 65_536, depth: 64, entries: 40_000 }

export const NEW_RULE_SET = defineInput(({ flag }) => ({ rules: RULES, activate: flag.optional() }))

/** The rules of a new version, and whether they decide from now on. */
export function readNewRuleSet(body: ParsedBody): { rules: string | readonly RuleInput[]; activate: boolean } {
  const { rules, activate = true } = readInput(NEW_RULE_SET, body)
  return { rules, activate }
}

import { type TargetRule, targetProblem } from '../../../webhooks/target-problem.ts'
import type { Caller } from '../../context.ts'
import type { Fields } from '../../middleware/body.ts'
import type { Problem } from './input.ts'

/** What is wrong with the URL that webhooks are to be sent to; nothing where none is given, or an empty one. */
export function webhookTargetProblems(
  fields: Fields,
  name: string,
  { environment }: Caller,
  rule: TargetRule,
): Problem[] {
  const url = fields[name]
  const message = typeof url === 'string' && url !== '' ? targetProblem(url, environment, rule) : null
  return message === null ? [] : [{ name, message, code: 'request.validation.invalid-url' }]
}

import { type TargetRule, targetProblem } from '../../webhooks/target-problem.ts'
import type { Caller } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import type { Fields } from '../middleware/body.ts'
import { type Problem, problem } from './input.ts'

/** The allowed targets of this installation's webhooks. */
export function targetRuleOf({ allowPrivateWebhookTargets }: Pick<AppDeps, 'allowPrivateWebhookTargets'>): TargetRule {
  return { allowPrivateTargets: allowPrivateWebhookTargets }
}

/** The problems of the URL for webhooks; none for an absent or empty one. */
export function webhookTargetProblems(
  fields: Fields,
  name: string,
  { environment }: Caller,
  rule: TargetRule,
): Problem[] {
  const url = fields[name]
  const message = typeof url === 'string' && url !== '' ? targetProblem(url, environment, rule) : null
  return message === null ? [] : [problem(name, message, 'request.validation.invalid-url')]
}

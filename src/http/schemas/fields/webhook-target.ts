import { type TargetRule, targetProblem } from '../../../webhooks/target-problem.ts'
import type { Caller } from '../../context.ts'
import type { AppDeps } from '../../dependencies.ts'
import type { Fields } from '../../middleware/body.ts'
import { optionalText, URL_LENGTH_MAX } from './fields.ts'
import { type Problem, problem } from './input.ts'

/** Where the webhooks of this installation may go. */
export function targetRuleOf({ allowPrivateWebhookTargets }: Pick<AppDeps, 'allowPrivateWebhookTargets'>): TargetRule {
  return { allowPrivateTargets: allowPrivateWebhookTargets }
}

/** Where webhooks are to be sent; `webhookTargetProblems` judges it. */
export const webhookUrl = optionalText(URL_LENGTH_MAX, { invalid: 'request.validation.invalid-url' })

/** What is wrong with the URL that webhooks are to be sent to; nothing where none is given, or an empty one. */
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

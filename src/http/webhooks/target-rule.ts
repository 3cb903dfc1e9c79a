import type { TargetRule } from '../../webhooks/target-problem.ts'
import type { AppDeps } from '../dependencies.ts'

/** Where the webhooks of this installation may go. */
export function targetRuleOf({ allowPrivateWebhookTargets }: Pick<AppDeps, 'allowPrivateWebhookTargets'>): TargetRule {
  return { allowPrivateTargets: allowPrivateWebhookTargets }
}

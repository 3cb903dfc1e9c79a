import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** The active version of the routing rules in a project and environment; no row without one. */
export const ActiveRuleSetEntity = defineEntity({
  name: 'ActiveRuleSet',
  tableName: 'active_rule_set',
  properties: {
    projectId: p.string().primary(),
    sandbox: p.boolean().primary(),
    ruleSetId: p.string(),
    activatedAt: p.datetime(3),
  },
})

export type ActiveRuleSetRow = InferEntity<typeof ActiveRuleSetEntity>

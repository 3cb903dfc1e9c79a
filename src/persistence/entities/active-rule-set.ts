import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** Which version of the routing rules decides in a project and environment; absent where none does. */
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

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { Rule } from '../../../domain/routing/rule.ts'

/** A version of the routing rules of a project in one environment; never changed. */
export const RuleSetEntity = defineEntity({
  name: 'RuleSet',
  tableName: 'rule_set',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    version: p.integer(),
    /** As the merchant wrote it, comments included. */
    text: p.text(),
    rules: p.json<Rule[]>(),
    /** For amounts without a currency; the project's default when the version was made. */
    defaultCurrency: p.string(),
    createdAt: p.datetime(3),
    /** The API key, or an operator's name. */
    createdBy: p.string(),
  },
})

export type RuleSetRow = InferEntity<typeof RuleSetEntity>

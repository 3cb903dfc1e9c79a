import { ActiveRuleSetEntity } from '../../../src/persistence/entities/active-rule-set.ts'
import { RuleSetEntity } from '../../../src/persistence/entities/rule-set.ts'
import { HOSTILE, rowsOf } from './values.ts'

/** A version of the routing rules, and that it decides. */
export function makeRoutingRows(seed: string) {
  const { ids, filled } = rowsOf(seed)
  const ruleSet = filled(RuleSetEntity, {
    version: 3,
    text: `/* ${HOSTILE} */ route { gateways: ${ids.gatewayConfiguration}; }`,
    rules: [
      {
        id: `rr_${seed}`,
        position: 1,
        kind: 'route',
        enabled: true,
        condition: {
          kind: 'comparison',
          operand: { kind: 'metadata', key: HOSTILE },
          operator: 'contains',
          value: HOSTILE,
        },
        tags: [HOSTILE],
        gateways: [{ gatewayConfigurationId: ids.gatewayConfiguration, weight: null }],
        strategy: 'priority',
        fallback: { enabled: true, errorCodes: ['gateway.timeout'], maxAttempts: 2 },
      },
    ],
    createdBy: ids.apiKey,
  })
  const activeRuleSet = filled(ActiveRuleSetEntity)
  return { ruleSet, activeRuleSet }
}

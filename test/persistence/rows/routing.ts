import type { ActiveRuleSetRow } from '../../../src/persistence/entities/active-rule-set.ts'
import { RuleSetEntity } from '../../../src/persistence/entities/rule-set.ts'
import { VelocityRecordEntity, type VelocityRecordRow } from '../../../src/persistence/entities/velocity-record.ts'
import { AT, filled, HOSTILE, idsOf } from './values.ts'

/** A version of the routing rules, that it decides, and what it may count an attempt by. */
export function makeRoutingRows(seed: string) {
  const ids = idsOf(seed)
  const owner = { projectId: ids.project, sandbox: true }
  const ruleSet = filled(RuleSetEntity, {
    ...owner,
    id: ids.ruleSet,
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
    defaultCurrency: 'EUR',
    createdBy: ids.apiKey,
  })
  const activeRuleSet: ActiveRuleSetRow = { ...owner, ruleSetId: ids.ruleSet, activatedAt: AT }
  const velocityRecord: VelocityRecordRow = filled(VelocityRecordEntity, {
    ...owner,
    operationId: ids.attempt,
    invoiceId: ids.invoice,
    cardFingerprint: 'f'.repeat(64),
    cardIin: '42424242',
    customerId: ids.customer,
    ipAddress: '2001:db8::1',
  })
  return { ruleSet, activeRuleSet, velocityRecord }
}

import { endpoint, type Refusal, section } from '../../http/endpoint.ts'
import { routingExplanation } from '../../objects/routing-explanation.ts'
import { ruleSet } from '../../objects/rule-set.ts'
import { ok, shows, showsOnly } from '../answers.ts'
import { changing } from '../change.ts'
import { EXAMPLES } from '../examples/index.ts'
import { BLOCKING_TEXT, blockingRuleSet, explanation } from '../examples/settings.ts'
import { lists, retrieves } from '../usual-endpoints.ts'
import { EXPLANATION } from './explanation-input.ts'
import { explainRouting } from './routing-explanation.ts'
import {
  activateRules,
  createRoutingRules,
  deactivateRules,
  retrieveRoutingRules,
  retrieveRuleSet,
} from './routing-rules.ts'
import { NEW_RULE_SET, RULES_BODY } from './rule-input.ts'

const WRONG_RULES: Refusal = [
  'request.validation.error',
  'the rules cannot be read, each mistake with its line and column or its path, or name a gateway that the project does not have',
]

export const ROUTING = section({ tag: 'Routing rules', says: 'Which gateway takes which payment.' }, [
  lists('GET /rule-sets', 'rule_set', {
    summary: 'List versions of the routing rules',
    notes: 'They are listed without their rules.',
  }),
  endpoint('GET /routing-rules', {
    id: 'retrieveRoutingRules',
    method: 'routingRules.retrieve',
    summary: 'Retrieve the routing rules',
    access: { permission: 'read' },
    answers: {
      ...ok(
        'The version that decides, or null.',
        { rule_set: ruleSet.nullable().describe('The version that decides; null where none does.') },
        { rule_set: EXAMPLES.rule_set },
      ),
      expands: 'rule_set',
    },
    run: retrieveRoutingRules,
  }),
  endpoint('POST /routing-rules', {
    id: 'createRoutingRules',
    method: 'routingRules.create',
    summary: 'Write the routing rules',
    access: { permission: 'configuration' },
    description: 'Makes the next version, which decides from the next payment on unless `activate` is false.',
    body: {
      name: 'RuleSetInput',
      description: 'The rules, in the text form or in JSON.',
      input: NEW_RULE_SET,
      limits: RULES_BODY,
      example: { rules: BLOCKING_TEXT },
    },
    answers: showsOnly('rule_set', 'The new version.', blockingRuleSet),
    refuses: [WRONG_RULES],
    run: changing(createRoutingRules),
  }),
  endpoint('DELETE /routing-rules', {
    id: 'deactivateRoutingRules',
    method: 'routingRules.deactivate',
    summary: 'Deactivate the routing rules',
    access: { permission: 'configuration' },
    description: 'No version decides any more; all of them stay, and each can be activated again.',
    answers: ok(
      'No version decides.',
      { rule_set: ruleSet.nullable().describe('Null: no version decides.') },
      { rule_set: null },
    ),
    refuses: [['request.validation.error', 'there is any field']],
    run: changing(deactivateRules),
  }),
  endpoint('POST /routing-rules/explain', {
    id: 'explainRouting',
    // A hypothetical payment may still have a real person's data.
    logs: ['invoice_id', 'source', 'rules', 'incremental', 'authorize_only', 'allow_fallback_to_sale'],
    method: 'routingRules.explain',
    summary: 'Explain what becomes of a payment',
    access: { permission: 'read' },
    description:
      'Of an invoice or a hypothetical payment; by the active rules, or by those of the request. Changes nothing.',
    body: {
      name: 'ExplanationInput',
      description: 'The payment, and the rules.',
      input: EXPLANATION,
      limits: RULES_BODY,
      example: {
        payment: { amount: '29.00', currency: 'EUR', customer_country: 'FR', channel: 'web' },
        card: { scheme: 'visa', type: 'credit', country_code: 'FR' },
      },
    },
    answers: ok('The rule that decides, the others, and why.', { explanation: routingExplanation }, { explanation }),
    refuses: [
      ['request.validation.error', 'the payment is missing or said twice, or the rules cannot be read'],
      ['resource.invoice.not-found', 'there is no such invoice'],
    ],
    run: changing(explainRouting),
  }),
  retrieves('GET /rule-sets/:id', 'rule_set', {
    summary: 'Retrieve a version of the routing rules',
    answers: shows('rule_set', 'The version, whether or not it decides.'),
    run: retrieveRuleSet,
  }),
  endpoint('POST /rule-sets/:id/activate', {
    id: 'activateRuleSet',
    method: 'ruleSets.activate',
    summary: 'Activate a version of the routing rules',
    access: { permission: 'configuration' },
    description: 'It decides from the next payment on. Takes no fields.',
    answers: showsOnly('rule_set', 'The version, which decides now.'),
    refuses: [['request.validation.error', 'there is any field']],
    run: changing(activateRules),
  }),
])

import { z } from 'zod'
import { type Endpoint, endpoint, type Refusal } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { routingExplanation } from '../../objects/routing-explanation.ts'
import { ruleSet } from '../../objects/rule-set.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { ROUTING_TEXT } from '../examples/settings.ts'
import { shown } from '../examples/shown.ts'
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

export const ROUTING: readonly Endpoint[] = [
  listEndpoint('GET /rule-sets', {
    id: 'listRuleSets',
    method: 'ruleSets.list',
    tag: 'Routing rules',
    summary: 'List versions of the routing rules',
    list: 'rule_sets',
    resource: 'rule_set',
    notes: 'They are listed without their rules.',
    shows: 'ListedRuleSet',
    example: () => example.listedRuleSet,
  }),
  endpoint('GET /routing-rules', {
    id: 'retrieveRoutingRules',
    method: 'routingRules.retrieve',
    tag: 'Routing rules',
    summary: 'Retrieve the routing rules',
    access: { permission: 'read' },
    says: 'The version that decides, or null.',
    answers: ok({ rule_set: ruleSet.nullable().describe('The version that decides; null where none does.') }),
    expands: 'rule_set',
    examples: () => shown({ rule_set: example.ruleSet }),
    run: retrieveRoutingRules,
  }),
  endpoint('POST /routing-rules', {
    id: 'createRoutingRules',
    method: 'routingRules.create',
    tag: 'Routing rules',
    summary: 'Write the routing rules',
    access: { permission: 'configuration' },
    description: 'Makes the next version, which decides from the next payment on unless `activate` is false.',
    body: {
      name: 'RuleSetInput',
      description: 'The rules, in the text form or in JSON.',
      input: NEW_RULE_SET,
      limits: RULES_BODY,
      example: { rules: ROUTING_TEXT, activate: true },
    },
    says: 'The new version.',
    answers: ok({ rule_set: ruleSet }),
    refuses: [WRONG_RULES],
    examples: () => shown({ rule_set: example.ruleSet }),
    run: createRoutingRules,
  }),
  endpoint('DELETE /routing-rules', {
    id: 'deactivateRoutingRules',
    method: 'routingRules.deactivate',
    tag: 'Routing rules',
    summary: 'Deactivate the routing rules',
    access: { permission: 'configuration' },
    description: 'No version decides any more; all of them stay, and each can be activated again.',
    says: 'No version decides.',
    answers: ok({ rule_set: z.null().describe('Always null.') }),
    refuses: [['request.validation.error', 'there is any field']],
    examples: () => shown({ rule_set: null }),
    run: deactivateRules,
  }),
  endpoint('POST /routing-rules/explain', {
    id: 'explainRouting',
    // A hypothetical payment may still have a real person's data.
    logs: ['invoice_id', 'source', 'rules', 'incremental', 'authorize_only', 'allow_fallback_to_sale'],
    method: 'routingRules.explain',
    tag: 'Routing rules',
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
    says: 'The rule that decides, the others, and why.',
    answers: ok({ explanation: routingExplanation }),
    refuses: [
      ['request.validation.error', 'the payment is missing or said twice, or the rules cannot be read'],
      ['resource.invoice.not-found', 'there is no such invoice'],
    ],
    examples: () => shown({ explanation: example.explanation }),
    run: explainRouting,
  }),
  endpoint('GET /rule-sets/:id', {
    id: 'retrieveRuleSet',
    method: 'ruleSets.retrieve',
    tag: 'Routing rules',
    summary: 'Retrieve a version of the routing rules',
    access: { permission: 'read' },
    says: 'The version, whether or not it decides.',
    answers: ok({ rule_set: ruleSet }),
    expands: 'rule_set',
    examples: () => shown({ rule_set: example.ruleSet }),
    run: retrieveRuleSet,
  }),
  endpoint('POST /rule-sets/:id/activate', {
    id: 'activateRuleSet',
    method: 'ruleSets.activate',
    tag: 'Routing rules',
    summary: 'Activate a version of the routing rules',
    access: { permission: 'configuration' },
    description: 'It decides from the next payment on. Takes no fields.',
    says: 'The version, which decides now.',
    answers: ok({ rule_set: ruleSet }),
    refuses: [['request.validation.error', 'there is any field']],
    examples: () => shown({ rule_set: example.ruleSet }),
    run: activateRules,
  }),
]

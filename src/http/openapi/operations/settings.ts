import { z } from 'zod'
import { CONFIGURATION_CHANGES, NEW_CONFIGURATION } from '../../schemas/gateway-configuration-input.ts'
import { EXPLANATION } from '../../schemas/rules/explanation-input.ts'
import { NEW_RULE_SET } from '../../schemas/rules/rule-input.ts'
import { list } from '../answers/fields.ts'
import { gatewayConfiguration } from '../answers/gateway-configuration.ts'
import { routingExplanation, ruleSet } from '../answers/routing.ts'
import { apiRequest, errorDescription, readiness, versions } from '../answers/service.ts'
import { type Operation, ok, type Refusal } from './operation.ts'

const CONFIGURATION = { about: ['GatewayConfiguration'] }

const UNUSABLE: Refusal = [
  'request.validation.error',
  'the account could not be used, a key is of the other environment, or a capability is none of the gateway',
]

const WRONG_RULES: Refusal = [
  'request.validation.error',
  'the rules cannot be read, each mistake with its line and column or its path, or name a gateway that the project does not have',
]

const NEEDS_NO_KEY = 'Needs no key.'

/** Gateway configurations, routing rules, the request log, and the service itself. */
export const SETTING_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /gateway-configurations/:id': {
    id: 'retrieveGatewayConfiguration',
    tag: 'Gateway configurations',
    summary: 'Retrieve a gateway configuration',
    says: 'The account, without what is secret.',
    answers: ok({ gateway_configuration: gatewayConfiguration }),
    expands: 'gateway_configuration',
  },
  'POST /gateways/:name/gateway-configurations': {
    id: 'createGatewayConfiguration',
    tag: 'Gateway configurations',
    summary: 'Create a gateway configuration',
    description: 'An account of yours at this gateway. A project has 50 at most in each environment.',
    request: {
      name: 'GatewayConfigurationInput',
      description: 'A new account.',
      input: NEW_CONFIGURATION,
      ...CONFIGURATION,
    },
    says: 'The account, without what is secret.',
    answers: ok({ gateway_configuration: gatewayConfiguration }),
    expands: 'gateway_configuration',
    refuses: [
      ['resource.gateway.not-found', 'there is no such gateway'],
      UNUSABLE,
      ['request.validation.missing-name', 'it has no name'],
      ['request.validation.invalid-state', 'there are 50 already'],
    ],
  },
  'PUT /gateway-configurations/:id': {
    id: 'updateGatewayConfiguration',
    tag: 'Gateway configurations',
    summary: 'Change a gateway configuration',
    description:
      'Of `credentials`, `settings` and `capabilities` each name is changed by itself, and null takes it away; other fields are replaced as a whole. An account stays the same account while something is open there.',
    request: {
      name: 'GatewayConfigurationChanges',
      clears: true,
      description: 'What is to be changed.',
      input: CONFIGURATION_CHANGES,
      ...CONFIGURATION,
    },
    says: 'The changed account.',
    answers: ok({ gateway_configuration: gatewayConfiguration }),
    expands: 'gateway_configuration',
    refuses: [
      UNUSABLE,
      ['request.configuration.in-use', 'it would become another account while something is open there'],
      ['request.validation.invalid-state', 'its gateway is not installed any more'],
    ],
  },
  'DELETE /gateway-configurations/:id': {
    id: 'deleteGatewayConfiguration',
    tag: 'Gateway configurations',
    summary: 'Delete a gateway configuration',
    description: 'For good: it takes nothing new. Captures, voids and refunds of what is there go on.',
    says: 'The account takes nothing new.',
    answers: ok({}),
  },

  'GET /routing-rules': {
    id: 'retrieveRoutingRules',
    tag: 'Routing rules',
    summary: 'Retrieve the routing rules',
    says: 'The version that decides, or null.',
    answers: ok({ rule_set: ruleSet.nullable().describe('The version that decides; null where none does.') }),
    expands: 'rule_set',
  },
  'POST /routing-rules': {
    id: 'createRoutingRules',
    tag: 'Routing rules',
    summary: 'Write the routing rules',
    description: 'Makes the next version, which decides from the next payment on unless `activate` is false.',
    request: { name: 'RuleSetInput', description: 'The rules, in the text form or in JSON.', input: NEW_RULE_SET },
    says: 'The new version.',
    answers: ok({ rule_set: ruleSet }),
    refuses: [WRONG_RULES],
  },
  'DELETE /routing-rules': {
    id: 'deactivateRoutingRules',
    tag: 'Routing rules',
    summary: 'Deactivate the routing rules',
    description: 'No version decides any more; all of them stay, and each can be activated again.',
    says: 'No version decides.',
    answers: ok({ rule_set: z.null().describe('Always null.') }),
    refuses: [['request.validation.error', 'there is any field']],
  },
  'POST /routing-rules/explain': {
    id: 'explainRouting',
    tag: 'Routing rules',
    summary: 'Explain what becomes of a payment',
    description:
      'Of an invoice, or of a payment that is made up; by the active rules, or by those of the request. Changes nothing.',
    request: { name: 'ExplanationInput', description: 'The payment, and the rules.', input: EXPLANATION },
    says: 'The rule that decides, the others, and why.',
    answers: ok({ explanation: routingExplanation }),
    refuses: [
      ['request.validation.error', 'the payment is missing or said twice, or the rules cannot be read'],
      ['resource.invoice.not-found', 'there is no such invoice'],
    ],
  },
  'GET /rule-sets/:id': {
    id: 'retrieveRuleSet',
    tag: 'Routing rules',
    summary: 'Retrieve a version of the routing rules',
    says: 'The version, whether or not it decides.',
    answers: ok({ rule_set: ruleSet }),
    expands: 'rule_set',
  },
  'POST /rule-sets/:id/activate': {
    id: 'activateRuleSet',
    tag: 'Routing rules',
    summary: 'Activate a version of the routing rules',
    description: 'It decides from the next payment on. Takes no fields.',
    says: 'The version, which decides now.',
    answers: ok({ rule_set: ruleSet }),
    refuses: [['request.validation.error', 'there is any field']],
  },

  'GET /api-requests/:id': {
    id: 'retrieveApiRequest',
    tag: 'Request log',
    summary: 'Retrieve a logged request',
    description:
      'By its own id or by the `X-Request-Id` of its answer: of several with the same, the latest. It can be read within seconds of its answer, and for 30 days.',
    says: 'What was asked and answered.',
    answers: ok({ api_request: apiRequest }),
  },

  'GET /': {
    id: 'listVersions',
    tag: 'Service',
    summary: 'List the versions of the interface',
    description: NEEDS_NO_KEY,
    says: 'The versions.',
    answers: ok(versions),
  },
  'GET /error-codes': {
    id: 'listErrorCodes',
    tag: 'Service',
    summary: 'List the error codes',
    description: NEEDS_NO_KEY,
    says: 'Every code with its meaning.',
    answers: ok({ error_codes: list(errorDescription, 'Every code.') }),
  },
  'GET /health/live': {
    id: 'checkLiveness',
    tag: 'Service',
    summary: 'Whether the process answers',
    description: NEEDS_NO_KEY,
    says: 'The process answers.',
    answers: ok({}),
  },
  'GET /health/ready': {
    id: 'checkReadiness',
    tag: 'Service',
    summary: 'Whether the service can work',
    description: `${NEEDS_NO_KEY} A process that is about to end answers 503 while it still serves.`,
    says: 'Database and Temporal answer.',
    answers: {
      ...ok(readiness),
      503: z.strictObject({ success: z.literal(false).describe('Always false.'), ...readiness }),
    },
  },
}

import { reconciliation, reconciliationDifference } from './books.ts'
import { exampleEvent } from './events.ts'
import { card, customer, token } from './payer.ts'
import { dispute, invoice, refund, transaction } from './payment.ts'
import * as settings from './settings.ts'

/** An example of each object, by its name in answers. They tell one story. */
export const EXAMPLES = {
  api_request: settings.apiRequest,
  card,
  customer,
  dispute,
  event: exampleEvent('customer.created'),
  gateway_configuration: settings.gatewayConfiguration,
  invoice,
  reconciliation,
  reconciliation_difference: reconciliationDifference,
  refund,
  rule_set: settings.ruleSet,
  token,
  transaction,
  webhook: settings.webhook,
  webhook_endpoint: settings.webhookEndpoint,
}

export type ObjectName = keyof typeof EXAMPLES

/** Of those of which lists show less. */
export const LISTED_EXAMPLES: Partial<Record<ObjectName, object>> = {
  api_request: settings.listedApiRequest,
  rule_set: settings.listedRuleSet,
}

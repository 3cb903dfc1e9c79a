/** Example objects, which tell one story. */
export { handedIn, reconciliation, reconciliationDifference, resolvedDifference } from './books.ts'
export { exampleEvent as event } from './events.ts'
export { card, cardInformation, customer, newCard, token } from './payer.ts'
export { dispute, invoice, refund, transaction } from './payment.ts'
export {
  apiRequest,
  explanation,
  gatewayConfiguration,
  listedApiRequest,
  listedRuleSet,
  newWebhook,
  ruleSet,
  webhook,
  webhookEndpoint,
  webhookEndpointWithSecret,
} from './settings.ts'

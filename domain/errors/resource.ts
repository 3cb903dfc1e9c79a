import { type ErrorEntry, refusal } from './entry.ts'

/** What belongs to another project or environment is not found either, so that nobody learns of it. */
const notFound = (what: string): ErrorEntry =>
  refusal(404)(`There is no such ${what}.`, 'Check the id, and that the key is of the same project and environment.')

/** Objects that are not there. Source of the codes: ProcessOut's reference. */
export const RESOURCE_ERRORS = {
  'resource.api-request.not-found': notFound('request in the log'),
  'resource.card.not-found': notFound('card'),
  'resource.customer.not-found': notFound('customer'),
  'resource.event.not-found': notFound('event'),
  'resource.gateway.not-found': refusal(404)(
    'There is no such gateway.',
    'Name one of the gateways that the message lists.',
  ),
  'resource.gateway-configuration.not-found': notFound('gateway configuration'),
  'resource.invoice.not-found': notFound('invoice'),
  'resource.refund.not-found': notFound('refund'),
  'resource.rule-set.not-found': notFound('version of the routing rules'),
  'resource.token.not-found': notFound('token'),
  'resource.transaction.not-found': notFound('transaction'),
  'resource.webhook-endpoint.not-found': notFound('webhook endpoint'),
} as const satisfies Record<`resource.${string}`, ErrorEntry>

import { z } from 'zod'
import type { ListName } from '../../../persistence/queries/lists/list-definitions.ts'
import { EVENT_FILTERS, LISTS } from '../../../persistence/queries/lists/list-definitions.ts'
import type { ResourceName } from '../../expansion/resources.ts'
import { LIST_ROUTES, type ListRoute } from '../../lists/list-routes.ts'
import { PAGE } from '../answers/error.ts'
import { named } from '../answers/objects.ts'
import type { Operation, Refusal, Tag } from './operation.ts'

/** The object that a list shows of each resource. */
const LISTED: Readonly<Record<ResourceName, string>> = {
  invoice: 'Invoice',
  transaction: 'Transaction',
  operation: 'Operation',
  dispute: 'Dispute',
  card: 'Card',
  customer: 'Customer',
  token: 'Token',
  refund: 'Refund',
  gateway_configuration: 'GatewayConfiguration',
  reconciliation: 'Reconciliation',
  reconciliation_difference: 'ReconciliationDifference',
  event: 'Event',
  api_request: 'ListedApiRequest',
  rule_set: 'ListedRuleSet',
  webhook: 'Webhook',
  webhook_attempt: 'WebhookAttempt',
  webhook_endpoint: 'WebhookEndpoint',
}

const WORDS: Readonly<Record<ListName, { tag: Tag; plural: string; notes?: string }>> = {
  invoices: { tag: 'Invoices', plural: 'invoices' },
  transactions: { tag: 'Transactions', plural: 'transactions' },
  refunds: { tag: 'Transactions', plural: 'refunds' },
  disputes: {
    tag: 'Transactions',
    plural: 'disputes',
    notes: 'What gateways have reported of chargebacks, retrieval requests and fraud.',
  },
  customers: { tag: 'Customers', plural: 'customers' },
  tokens: { tag: 'Tokens', plural: 'tokens' },
  cards: { tag: 'Cards', plural: 'cards' },
  gateway_configurations: {
    tag: 'Gateway configurations',
    plural: 'gateway configurations',
    notes: 'A client sees four fields of those that are enabled.',
  },
  reconciliations: {
    tag: 'Books',
    plural: 'reconciliations',
    notes: 'One for each gateway configuration and day, and one for each file that was handed in.',
  },
  reconciliation_differences: {
    tag: 'Books',
    plural: 'differences of reconciliations',
    notes: '`filter=status:open` lists what is left to be followed up.',
  },
  api_requests: {
    tag: 'Request log',
    plural: 'requests of the log',
    notes: 'They are kept for 30 days, and are listed without their bodies.',
  },
  webhooks: { tag: 'Events', plural: 'deliveries' },
  rule_sets: {
    tag: 'Routing rules',
    plural: 'versions of the routing rules',
    notes: 'They are listed without their rules.',
  },
  webhook_endpoints: { tag: 'Webhook endpoints', plural: 'webhook endpoints' },
}

const WRONG_QUERY: readonly Refusal[] = [
  ['request.pagination.invalid', 'there is no such page'],
  ['request.filter.invalid', 'there is no such filter, or its value cannot be one'],
]

/** Every list, by its place in the router. */
export const LIST_OPERATIONS: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(LIST_ROUTES.map((route) => [`GET ${route.path}`, listOperation(route)])),
  'GET /events': {
    id: 'listEvents',
    tag: 'Events',
    summary: 'List events',
    description:
      'In the order in which they were committed. An event is shown only once no earlier one can appear before it, so that a reader that keeps the last id misses none. Counts towards the limit `secondary`.',
    says: 'A page of the list.',
    answers: pageOf('events', 'event'),
    expands: 'event',
    filters: EVENT_FILTERS,
    refuses: WRONG_QUERY,
  },
}

function listOperation({ list, resource, of, single }: ListRoute): Operation {
  const { tag, plural, notes } = WORDS[list]
  const owner = of === undefined ? '' : ` of ${of === 'invoice' || of === 'event' ? 'an' : 'a'} ${of.replace('_', ' ')}`
  return {
    id: `list${pascal(of ?? '')}${pascal(list)}`,
    tag,
    summary: `List ${plural}${owner}`,
    description: ['The newest first, unless `order` says otherwise.', ...(notes === undefined ? [] : [notes])].join(
      ' ',
    ),
    says: 'A page of the list.',
    answers: pageOf(list, resource, single),
    expands: resource,
    filters: LISTS[list].filters,
    refuses: WRONG_QUERY,
  }
}

function pageOf(plural: string, resource: ResourceName, single?: ResourceName): Operation['answers'] {
  const object = named(LISTED[resource])
  const alone = single === undefined ? {} : { [single]: object.describe('The one object of the list.').optional() }
  return {
    200: z.strictObject({ ...PAGE, [plural]: z.array(object).describe('The objects of this page.'), ...alone }),
  }
}

/** `webhook_endpoints` becomes `WebhookEndpoints`. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
}

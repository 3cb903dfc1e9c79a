import type { ListName } from '../../persistence/queries/lists/list-definitions.ts'
import type { AddressedName, ResourceName } from '../expansion/resources.ts'

export interface ListRoute {
  path: string
  /** The table of the list, and its name in the answer. */
  list: ListName
  resource: ResourceName
  /** Where the list is a part of its table: the object that the address names, and the column in which the rows name it. */
  of?: AddressedName
  by?: string
  /** Where the rows name another object instead: its kind, and its property that names the one of the address. */
  through?: { resource: ResourceName; property: string }
  /** What must be true of a row of the table to be in the list. */
  only?: Readonly<Record<string, string>>
  /** The name under which the one row there can be stands beside the list, for client libraries that read one object. */
  single?: ResourceName
  /** What else must be true of a row that a client is shown. */
  forClients?: Readonly<Record<string, boolean>>
}

/** Every list but that of events, which has an order of its own. */
export const LIST_ROUTES: readonly ListRoute[] = [
  { path: '/invoices', list: 'invoices', resource: 'invoice' },
  {
    path: '/invoices/:id/transactions',
    list: 'transactions',
    resource: 'transaction',
    of: 'invoice',
    by: 'invoice_id',
    single: 'transaction',
  },
  {
    path: '/invoices/:id/refunds',
    list: 'refunds',
    resource: 'refund',
    of: 'invoice',
    by: 'transaction_id',
    through: { resource: 'transaction', property: 'invoiceId' },
  },
  { path: '/transactions', list: 'transactions', resource: 'transaction' },
  { path: '/transactions/:id/refunds', list: 'refunds', resource: 'refund', of: 'transaction', by: 'transaction_id' },
  { path: '/refunds', list: 'refunds', resource: 'refund' },
  { path: '/disputes', list: 'disputes', resource: 'dispute', only: { type: 'chargeback' } },
  { path: '/customers', list: 'customers', resource: 'customer' },
  { path: '/customers/:id/tokens', list: 'tokens', resource: 'token', of: 'customer', by: 'customer_id' },
  {
    path: '/customers/:id/transactions',
    list: 'transactions',
    resource: 'transaction',
    of: 'customer',
    by: 'customer_id',
  },
  { path: '/cards', list: 'cards', resource: 'card' },
  {
    path: '/gateway-configurations',
    list: 'gateway_configurations',
    resource: 'gateway_configuration',
    forClients: { enabled: true },
  },
  { path: '/api-requests', list: 'api_requests', resource: 'api_request' },
  { path: '/events/:id/webhooks', list: 'webhooks', resource: 'webhook', of: 'event', by: 'event_id' },
  { path: '/rule-sets', list: 'rule_sets', resource: 'rule_set' },
  { path: '/webhook-endpoints', list: 'webhook_endpoints', resource: 'webhook_endpoint' },
  {
    path: '/webhook-endpoints/:id/webhooks',
    list: 'webhooks',
    resource: 'webhook',
    of: 'webhook_endpoint',
    by: 'endpoint_id',
  },
]

import type { ListName } from '../../persistence/queries/lists/list-definitions.ts'
import type { AddressedName, ResourceName } from '../expansion/resources.ts'

export interface ListRoute {
  path: string
  /** The table of the list, and the list's name in the answer. */
  list: ListName
  resource: ResourceName
  /** For a list of one object's rows: the object in the address, and the column that refers to it. */
  of?: AddressedName
  by?: string
  /** Where the rows refer to it indirectly: the resource between, and its property that refers to the object. */
  through?: { resource: ResourceName; property: string }
  /** Fixed values of the list's rows. */
  only?: Readonly<Record<string, string>>
  /** The name of a single row besides the list, for client libraries that read one object. */
  single?: ResourceName
  /** Further fixed values of rows shown to a client. */
  forClients?: Readonly<Record<string, boolean>>
}

/** All lists except events, which have an order of their own. */
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
  { path: '/reconciliations', list: 'reconciliations', resource: 'reconciliation' },
  {
    path: '/reconciliation-differences',
    list: 'reconciliation_differences',
    resource: 'reconciliation_difference',
  },
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

import type { ListName } from '../../persistence/queries/lists/list-definitions.ts'
import type { AddressedName, ResourceName } from '../expansion/resources.ts'

/** A list that is a part of a table: the rows of the object that the address names. */
export interface Owner {
  resource: AddressedName
  /** The column in which the rows name it. */
  column: string
  /** Where they do not: the kind of object that they name, and its property that names the owner. */
  through?: { resource: ResourceName; property: string }
}

export interface ListRoute {
  path: string
  /** The table of the list, and its name in the answer. */
  list: ListName
  resource: ResourceName
  of?: Owner
  /** What must be true of a row of the table to be in the list. */
  only?: Readonly<Record<string, string>>
  /** The name under which the one row there can be stands beside the list, for client libraries that read one object. */
  single?: ResourceName
  /** What else must be true of a row that a client is shown. */
  forClients?: Readonly<Record<string, boolean>>
}

/** Every list but that of events, whose order is its own. */
export const LIST_ROUTES: readonly ListRoute[] = [
  { path: '/invoices', list: 'invoices', resource: 'invoice' },
  {
    path: '/invoices/:id/transactions',
    list: 'transactions',
    resource: 'transaction',
    of: { resource: 'invoice', column: 'invoice_id' },
    single: 'transaction',
  },
  {
    path: '/invoices/:id/refunds',
    list: 'refunds',
    resource: 'refund',
    of: {
      resource: 'invoice',
      column: 'transaction_id',
      through: { resource: 'transaction', property: 'invoiceId' },
    },
  },
  { path: '/transactions', list: 'transactions', resource: 'transaction' },
  {
    path: '/transactions/:id/refunds',
    list: 'refunds',
    resource: 'refund',
    of: { resource: 'transaction', column: 'transaction_id' },
  },
  { path: '/refunds', list: 'refunds', resource: 'refund' },
  { path: '/disputes', list: 'disputes', resource: 'dispute', only: { type: 'chargeback' } },
  { path: '/customers', list: 'customers', resource: 'customer' },
  {
    path: '/customers/:id/tokens',
    list: 'tokens',
    resource: 'token',
    of: { resource: 'customer', column: 'customer_id' },
  },
  {
    path: '/customers/:id/transactions',
    list: 'transactions',
    resource: 'transaction',
    of: { resource: 'customer', column: 'customer_id' },
  },
  { path: '/cards', list: 'cards', resource: 'card' },
  {
    path: '/gateway-configurations',
    list: 'gateway_configurations',
    resource: 'gateway_configuration',
    forClients: { enabled: true },
  },
  { path: '/api-requests', list: 'api_requests', resource: 'api_request' },
  {
    path: '/events/:id/webhooks',
    list: 'webhooks',
    resource: 'webhook',
    of: { resource: 'event', column: 'event_id' },
  },
  { path: '/rule-sets', list: 'rule_sets', resource: 'rule_set' },
  { path: '/webhook-endpoints', list: 'webhook_endpoints', resource: 'webhook_endpoint' },
  {
    path: '/webhook-endpoints/:id/webhooks',
    list: 'webhooks',
    resource: 'webhook',
    of: { resource: 'webhook_endpoint', column: 'endpoint_id' },
  },
]

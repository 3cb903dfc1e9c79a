/** A row of a project that addresses can name. */
export interface NamedRow {
  transaction_id: string
  invoice_id: string
  card_id: string
  event_id: string
}

/** A list, as one project asks for it. */
export interface AskedList {
  name: string
  /** Under which name its objects stand. */
  plural: string
  path: (row: NamedRow) => string
}

/** Every list that grows with payments: from its beginning, from its middle, narrowed to many and to few rows, expanded. */
export const LISTS: readonly AskedList[] = [
  { name: 'invoices', plural: 'invoices', path: () => '/invoices' },
  { name: 'invoices, 100', plural: 'invoices', path: () => '/invoices?limit=100' },
  { name: 'invoices, expanded', plural: 'invoices', path: () => '/invoices?expand=transaction.card' },
  { name: 'invoices after one', plural: 'invoices', path: ({ invoice_id: id }) => `/invoices?start_after=${id}` },
  { name: 'invoices of an order', plural: 'invoices', path: () => '/invoices?filter=order_id:order-777' },
  { name: 'transactions', plural: 'transactions', path: () => '/transactions' },
  {
    name: 'transactions before one',
    plural: 'transactions',
    path: ({ transaction_id: id }) => `/transactions?end_before=${id}&order=asc`,
  },
  { name: 'transactions, completed', plural: 'transactions', path: () => '/transactions?filter=status:completed' },
  { name: 'transactions, pending', plural: 'transactions', path: () => '/transactions?filter=status:pending' },
  { name: 'transactions in one currency', plural: 'transactions', path: () => '/transactions?filter=currency:USD' },
  {
    name: 'transactions of a card',
    plural: 'transactions',
    path: ({ card_id: id }) => `/transactions?filter=card_id:${id}`,
  },
  {
    name: 'transactions since',
    plural: 'transactions',
    path: () => `/transactions?filter=created_at>=${new Date(Date.now() - 14 * 86_400_000).toISOString()}`,
  },
  { name: 'cards', plural: 'cards', path: () => '/cards' },
  { name: 'requests', plural: 'api_requests', path: () => '/api-requests' },
  { name: 'events', plural: 'events', path: () => '/events' },
  { name: 'events after one', plural: 'events', path: ({ event_id: id }) => `/events?order=asc&start_after=${id}` },
  { name: 'events by name', plural: 'events', path: () => '/events?filter=name:transaction.captured' },
]

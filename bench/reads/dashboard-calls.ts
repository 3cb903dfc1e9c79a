import type { NamedRow } from './lists.ts'

/** What a page asks, in the name of a person. */
export interface Call {
  name: string
  path: (row: NamedRow) => string
}

const search = (name: string, query: string): Call => ({
  name: `payments ${name}`,
  path: () => `/dashboard/payments?${query}`,
})

/**
 * Every list of the dashboard that grows with payments. The last ones of the searches find nothing, so that each looks
 * through as many payments as a call may.
 */
export const CALLS: readonly Call[] = [
  { name: 'payments', path: () => '/dashboard/payments' },
  { name: 'payments, 100', path: () => '/dashboard/payments?limit=100' },
  {
    name: 'payments after one',
    path: ({ transaction_id: id }) => `/dashboard/payments?start_after=${id}`,
  },
  search('of one status', 'status=pending'),
  search('of several statuses', 'status=pending,failed,authorized'),
  search('within a time', 'created_from=2026-07-01&created_to=2026-07-02&status=failed'),
  search('in one currency', 'currency=USD&amount_from=30.00&amount_to=31.00'),
  search('of an order', 'search=order-777'),
  search('with few cards that end so', 'search=0077'),
  search('with many cards that end so', 'search=4242'),
  search('that need attention', 'needs_attention=true'),
  search('with a code', 'error_code=card.expired'),
  search('of no gateway', 'gateway_configuration_id=gway_conf_none'),
  search('of no amount', 'currency=EUR&amount_from=1000.00&status=completed,failed,authorized,voided'),
  search('with many cards, of no amount', 'search=4242&currency=EUR&amount_from=1000.00'),
  { name: 'one payment', path: ({ invoice_id: id }) => `/dashboard/payments/${id}` },
  { name: 'statistics of 30 days', path: () => '/dashboard/statistics?from=2026-09-01&to=2026-09-30' },
  { name: 'statistics of a year', path: () => '/dashboard/statistics?from=2026-01-01&to=2026-12-31' },
  { name: 'rate limits of a day', path: () => '/dashboard/rate-limits?minutes=1440' },
  { name: 'requests', path: () => '/api-requests?limit=25' },
  { name: 'requests with errors', path: () => '/api-requests?filter=error_type:request.validation.error' },
  { name: 'events', path: () => '/events?limit=25' },
]

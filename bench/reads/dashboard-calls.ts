import type { DashboardProject } from './dashboard-project.ts'

/** What a page asks, in the name of a person. */
export interface Call {
  name: string
  path: (row: DashboardProject['row']) => string
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const search = (name: string, query: string): Call => ({
  name: `payments ${name}`,
  path: () => `/dashboard/payments?${query}`,
})

/** So many days to today. */
const statistics = (name: string, days: number): Call => ({
  name: `statistics of ${name}`,
  path: () => `/dashboard/statistics?from=${dayBefore(days - 1)}&to=${dayBefore(0)}`,
})

const requests = (name: string, ...filters: string[]): Call => ({
  name,
  path: () => `/api-requests?limit=50${filtered(filters)}`,
})

const webhooks = (name: string, ...filters: string[]): Call => ({
  name,
  path: ({ endpoint_id: id }) =>
    `/webhook-endpoints/${id}/webhooks?limit=25&expand[]=event&expand[]=attempts${filtered(filters)}`,
})

const filtered = (filters: readonly string[]) =>
  filters.map((filter) => `&filter[]=${encodeURIComponent(filter)}`).join('')

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
  search('within a time', `created_from=${dayBefore(15)}&created_to=${dayBefore(14)}&status=failed`),
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
  {
    name: 'one payment, by REST',
    path: ({ invoice_id: id }) =>
      `/invoices/${id}?expand=customer,transaction.card,transaction.refunds,transaction.gateway_configuration`,
  },
  statistics('30 days', 30),
  statistics('a year', 366),
  { name: 'rate limits of an hour', path: () => '/dashboard/rate-limits' },
  { name: 'rate limits of a day', path: () => '/dashboard/rate-limits?minutes=1440' },
  requests('requests'),
  requests('requests with errors', 'error_type:request.validation.error'),
  requests('requests that succeeded', 'status<400'),
  requests('requests that were refused', 'status>=400', 'status<500'),
  requests('requests that failed, of which there are none', 'status>=500'),
  requests('requests of one method', 'method:POST'),
  requests('requests of a method that nobody uses', 'method:DELETE'),
  requests('requests of one path', 'path:/invoices'),
  requests('requests of a path that nobody asked for', 'path:/invoices/iv_none'),
  webhooks('webhooks of an endpoint'),
  webhooks('webhooks that failed', 'status:failed'),
  webhooks('webhooks on their way, of which there are none', 'status:pending'),
  {
    name: 'webhooks of an event',
    path: ({ event_id: id }) => `/events/${id}/webhooks?expand=attempts`,
  },
]

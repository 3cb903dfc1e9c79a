import type { NamedRow } from './population.ts'

type Path = string | ((row: NamedRow & { endpoint_id: string }) => string)

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const payments = (query: string) => `/dashboard/payments?${query}`

/** So many days to today. */
const statistics = (days: number) => `/dashboard/statistics?from=${dayBefore(days - 1)}&to=${dayBefore(0)}`

const filtered = (filters: readonly string[]) =>
  filters.map((filter) => `&filter[]=${encodeURIComponent(filter)}`).join('')

const requests = (...filters: string[]) => `/api-requests?limit=50${filtered(filters)}`

const webhooks =
  (...filters: string[]): Path =>
  ({ endpoint_id: id }) =>
    `/webhook-endpoints/${id}/webhooks?limit=25&expand[]=event&expand[]=attempts${filtered(filters)}`

const EVERYTHING = 'customer,transaction.card,transaction.refunds,transaction.gateway_configuration'

/**
 * Every list of the dashboard that grows with payments. The last ones of the searches find nothing, so that each looks
 * through as many payments as a call may.
 */
export const CALLS: Readonly<Record<string, Path>> = {
  payments: '/dashboard/payments',
  'payments, 100': payments('limit=100'),
  'payments after one': ({ transaction_id: id }) => payments(`start_after=${id}`),
  'payments of one status': payments('status=pending'),
  'payments of several statuses': payments('status=pending,failed,authorized'),
  'payments within a time': payments(`created_from=${dayBefore(15)}&created_to=${dayBefore(14)}&status=failed`),
  'payments in one currency': payments('currency=USD&amount_from=30.00&amount_to=31.00'),
  'payments of an order': payments('search=order-777'),
  'payments of an email address': payments('search=ann%40shop.example'),
  'payments with few cards that end so': payments('search=0077'),
  'payments with many cards that end so': payments('search=4242'),
  'payments that need attention': payments('needs_attention=true'),
  'payments with a code': payments('error_code=card.expired'),
  'payments of no gateway': payments('gateway_configuration_id=gway_conf_none'),
  'payments of no amount': payments('currency=EUR&amount_from=1000.00&status=completed,failed,authorized,voided'),
  'payments with many cards, of no amount': payments('search=4242&currency=EUR&amount_from=1000.00'),
  'one payment': ({ invoice_id: id }) => `/dashboard/payments/${id}`,
  'one payment, by REST': ({ invoice_id: id }) => `/invoices/${id}?expand=${EVERYTHING}`,
  'statistics of 30 days': statistics(30),
  'statistics of a year': statistics(366),
  'rate limits of an hour': '/dashboard/rate-limits',
  'rate limits of a day': '/dashboard/rate-limits?minutes=1440',
  requests: requests(),
  'requests with errors': requests('error_type:request.validation.error'),
  'requests that succeeded': requests('status<400'),
  'requests that were refused': requests('status>=400', 'status<500'),
  'requests that failed, of which there are none': requests('status>=500'),
  'requests of one method': requests('method:POST'),
  'requests of a method that nobody uses': requests('method:DELETE'),
  'requests of one path': requests('path:/invoices'),
  'requests of a path that nobody asked for': requests('path:/invoices/iv_none'),
  'webhooks of an endpoint': webhooks(),
  'webhooks that failed': webhooks('status:failed'),
  'webhooks on their way, of which there are none': webhooks('status:pending'),
  'webhooks of an event': ({ event_id: id }) => `/events/${id}/webhooks?expand=attempts`,
}

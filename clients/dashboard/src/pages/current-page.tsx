import type { ReactNode } from 'react'
import { Empty, Page } from '../parts/page.tsx'
import type { Route } from '../service/route.ts'
import { t } from '../words/words.ts'
import { Account } from './account.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Books } from './books/books.tsx'
import { CustomerPage } from './customers/customer.tsx'
import { Customers } from './customers/customers.tsx'
import { Disputes } from './disputes/disputes.tsx'
import { GatewayPage } from './gateways/gateway.tsx'
import { Gateways } from './gateways/gateways.tsx'
import { Limits } from './limits.tsx'
import { Overview } from './overview/overview.tsx'
import { PaymentPage } from './payment/payment.tsx'
import { Payments } from './payments/payments.tsx'
import { People } from './people.tsx'
import { RequestPage } from './requests/request.tsx'
import { Requests } from './requests/requests.tsx'
import { Routing } from './routing/routing.tsx'
import { EndpointPage } from './webhooks/endpoint.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'

/** The pages by the first part of their address: the list, and where there is one, the page of one object. */
const PAGES: Readonly<Record<string, { list: (route: Route) => ReactNode; one?: (id: string) => ReactNode }>> = {
  '': { list: (route) => <Overview query={route.query} /> },
  payments: { list: (route) => <Payments query={route.query} />, one: (id) => <PaymentPage key={id} id={id} /> },
  disputes: { list: (route) => <Disputes query={route.query} /> },
  customers: { list: (route) => <Customers query={route.query} />, one: (id) => <CustomerPage key={id} id={id} /> },
  webhooks: { list: () => <Webhooks />, one: (id) => <EndpointPage key={id} id={id} /> },
  'api-keys': { list: () => <ApiKeys /> },
  requests: { list: (route) => <Requests query={route.query} />, one: (id) => <RequestPage key={id} id={id} /> },
  limits: { list: () => <Limits /> },
  routing: { list: () => <Routing /> },
  gateways: { list: () => <Gateways />, one: (id) => <GatewayPage key={id} id={id} /> },
  books: { list: (route) => <Books query={route.query} /> },
  people: { list: () => <People /> },
  account: { list: () => <Account /> },
}

export function CurrentPage({ route }: { route: Route }) {
  const [name = '', id, ...rest] = route.path
  const page = rest.length === 0 && Object.hasOwn(PAGES, name) ? PAGES[name] : undefined
  if (page === undefined) return <NoSuchPage />
  if (id === undefined) return page.list(route)
  return page.one?.(id) ?? <NoSuchPage />
}

function NoSuchPage() {
  return (
    <Page title={t('common.noSuchPage.title')}>
      <Empty title={t('common.noSuchPage.empty')}>{t('common.noSuchPage.advice')}</Empty>
    </Page>
  )
}

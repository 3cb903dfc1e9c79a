import type { ListedPayment, PaymentsAnswer } from '../../../../../src/dashboard/contract.ts'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Listing } from '../../parts/table.tsx'
import { useReadPages } from '../../service/read-pages.ts'
import { instant } from '../../words/format.ts'
import { filtersIn, queryOf } from './filter-fields.ts'
import { Filters } from './filters.tsx'
import { usePaymentColumns } from './payment-table.tsx'

const nextOf = ({ next }: PaymentsAnswer) => next

export function Payments({ query }: { query: URLSearchParams }) {
  const filters = filtersIn(query)
  const { pages, ...listing } = useReadPages<PaymentsAnswer>('/dashboard/payments', queryOf(filters), nextOf)
  const columns = usePaymentColumns()
  const isFiltered = Object.keys(filters).length > 0
  const searchedTo = pages?.at(-1)?.searched_to ?? null
  return (
    <Page title="Payments" about="The newest first.">
      <Filters filters={filters} />
      <Section title={isFiltered ? 'Payments found' : 'All payments'} flush>
        <Listing<ListedPayment>
          label="Payments"
          columns={columns}
          keyOf={({ invoice_id }) => invoice_id}
          listing={{ ...listing, items: pages?.flatMap(({ payments }) => payments) }}
          more={searchedTo === null ? 'Show more' : 'Look further back'}
          note={searchedTo === null ? null : `Looked at everything since ${instant(searchedTo)}.`}
          empty={
            isFiltered ? (
              <Empty title="No payment matches">
                The search compares whole values. Remove a filter, or look in the other environment.
              </Empty>
            ) : (
              <Empty title="No payments yet">They appear here after the first attempt to pay an invoice.</Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

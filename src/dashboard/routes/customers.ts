import { scopeOf } from '../../http/context.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import { listCustomers, searchCustomers } from '../../persistence/queries/customers/search-customers.ts'
import { call } from '../call.ts'
import { customersAnswer } from '../contract.ts'
import { readCustomerSearch } from '../query.ts'

const CUSTOMERS_MAX = 50

export const CUSTOMERS = [
  // The customers of a search, or all.
  call('GET /customers', {
    who: everyRole,
    answers: customersAnswer,
    hasQuery: true,
    // Names and addresses of people are no matter of the request log.
    logs: [],
    async run({ ctx, em }) {
      const { text, startAfter } = readCustomerSearch(ctx)
      const limit = CUSTOMERS_MAX + 1
      const found =
        text === ''
          ? await listCustomers(em, scopeOf(ctx), { startAfter, limit })
          : await searchCustomers(em, scopeOf(ctx), { text, limit })
      const shown = found.slice(0, CUSTOMERS_MAX)
      const hasMore = found.length > CUSTOMERS_MAX
      return {
        customers: shown.map(({ id, name, email, referenceId, createdAt }) => ({
          ...{ id, name, email, reference_id: referenceId },
          created_at: presentTimestamp(createdAt),
        })),
        next: hasMore && text === '' ? (shown.at(-1)?.id ?? null) : null,
        has_more: hasMore,
      }
    },
  }),
]

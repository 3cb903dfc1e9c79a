import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import type { SqlCondition } from './list-conditions.ts'
import type { Page } from './page.ts'

/**
 * The lists whose rows are counted as they come and go, by triggers of their tables: those that grow with every payment.
 * Source: the migration of list totals.
 */
export type CountedList = 'invoices' | 'transactions' | 'cards' | 'customers' | 'events' | 'api_requests'

/**
 * Rows that are counted one by one for a list that is narrowed, which takes as long whether ten thousand match or a million.
 * To count them all would take longer than everything else about a page, and a second where there are millions.
 */
export const COUNTED_MAX = 1_000

/** How many rows a list has: an expression of SQL, and what its value says. */
export interface ListTotal {
  condition: SqlCondition
  read(total: number): Pick<Page<object>, 'totalCount' | 'isTotalExact'>
}

/** All rows of a list, as the triggers have counted them; exact for whoever reads it in the statement that reads the rows. */
export function wholeTotal({ projectId, sandbox }: Scope, list: CountedList): ListTotal {
  const rows = 'project_id = ? and sandbox = ? and list = ?'
  const values = [projectId, sandbox, list]
  return {
    condition: {
      sql: `coalesce((select rows from list_total where ${rows}), 0)
        + coalesce((select sum(rows) from list_change where ${rows}), 0)`,
      values: [...values, ...values],
    },
    read: (total) => ({ totalCount: total, isTotalExact: true }),
  }
}

/** The rows of a list that is narrowed, as far as they are counted. */
export function narrowedTotal(table: string, listed: SqlCondition): ListTotal {
  return {
    condition: {
      sql: `select count(*) from (select from "${table}" where ${listed.sql} limit ${COUNTED_MAX + 1}) counted`,
      values: listed.values,
    },
    read: (total) => ({ totalCount: Math.min(total, COUNTED_MAX), isTotalExact: total <= COUNTED_MAX }),
  }
}

/** Changes that one statement adds up: it is over within some 50 ms. */
const CHANGES_AT_ONCE = 20_000

/**
 * Adds the changes that were committed to the totals, as many as there are. Those that somebody else is adding up at this
 * moment are left to him.
 */
export async function addUpListChanges(em: EntityManager, stopping: AbortSignal): Promise<void> {
  for (let taken = CHANGES_AT_ONCE; taken === CHANGES_AT_ONCE && !stopping.aborted; ) {
    const [answer] = await em.execute<{ taken: number }[]>(
      `with taken as (
         delete from list_change where ctid = any(array(
           select ctid from list_change limit ${CHANGES_AT_ONCE} for update skip locked)) returning *
       ), added as (
         -- In an order, so that nobody waits for somebody who waits for him.
         insert into list_total (project_id, sandbox, list, rows)
         select project_id, sandbox, list, sum(rows) from taken group by 1, 2, 3 order by 1, 2, 3
         on conflict (project_id, sandbox, list) do update set rows = list_total.rows + excluded.rows
       )
       select count(*)::integer as taken from taken`,
    )
    taken = answer?.taken ?? 0
  }
}

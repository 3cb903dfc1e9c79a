import type { ListRequest, SettlementPage } from '../gateway.ts'
import { linesOf } from './bookings.ts'
import { type Entry, type Execute, objectOf } from './ledger.ts'

/** Steps on a page. */
const PAGE = 500

/** $1 account, $2 from, $3 until, $4 and $5 the last step of the page before, $6 how many. */
const LIST = `
select to_jsonb(r) as entry from simulator.request as r
where gateway_configuration_id = $1 and booked_at >= $2::timestamptz and booked_at < $3::timestamptz
  and (booked_at, reference) > ($4::timestamptz, $5)
order by booked_at, reference limit $6`

/** A page of what was booked at an account, the oldest first. The cursor is the last step of the page before. */
export async function listSettlements(
  execute: Execute,
  account: string,
  { from, until, cursor }: Pick<ListRequest, 'from' | 'until' | 'cursor'>,
): Promise<SettlementPage> {
  const [afterAt = from.toISOString(), after = ''] = cursor?.split(' ') ?? []
  const rows = await execute(LIST, [account, from, until, afterAt, after, PAGE])
  const entries = rows.map(({ entry }) => objectOf<Entry & { bookedAt: Date }>(entry))
  const last = rows.length < PAGE ? undefined : entries.at(-1)
  return {
    kind: 'page',
    lines: entries.flatMap(linesOf),
    next: last === undefined ? null : `${last.bookedAt.toISOString()} ${last.reference}`,
  }
}

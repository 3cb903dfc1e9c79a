import type { ListRequest, SettlementPage } from '../gateway.ts'
import { linesOf } from './bookings.ts'
import { readPage } from './entry-pages.ts'
import type { Execute } from './ledger.ts'

const LIST = `
select to_jsonb(r) as entry from simulator.request as r
where gateway_configuration_id = $1 and booked_at >= $2::timestamptz and booked_at < $3::timestamptz
  and (booked_at, reference) > ($4::timestamptz, $5)
order by booked_at, reference limit $6`

/** A page of what was booked at an account. */
export async function listSettlements(
  execute: Execute,
  account: string,
  span: Pick<ListRequest, 'from' | 'until' | 'cursor'>,
): Promise<SettlementPage> {
  const { entries, next } = await readPage(execute, { sql: LIST, at: 'bookedAt' }, account, span)
  return { kind: 'page', lines: entries.flatMap(linesOf), next }
}

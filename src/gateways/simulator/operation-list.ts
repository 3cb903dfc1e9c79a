import type { ListedOperation } from '../../../domain/recovery.ts'
import type { ListRequest, OperationPage } from '../gateway.ts'
import { type Entry, type Execute, objectOf } from './ledger.ts'

/** Steps on a page. */
const PAGE = 500

/**
 * $1 account, $2 from, $3 until, $4 and $5 the last step of the page before, $6 how many. Instants are compared as the
 * cursor tells them, in whole milliseconds.
 */
const LIST = `
select to_jsonb(r) as entry from simulator.request as r
where gateway_configuration_id = $1 and asked_at >= $2::timestamptz and asked_at < $3::timestamptz
  and (asked_at, reference) > ($4::timestamptz, $5) and outcome ->> 'kind' in ('approved', 'pending')
order by asked_at, reference limit $6`

/** A page of what was asked of an account and not refused, the oldest first. The cursor is the last step of the page before. */
export async function listOperations(
  execute: Execute,
  account: string,
  { from, until, cursor }: Pick<ListRequest, 'from' | 'until' | 'cursor'>,
): Promise<OperationPage> {
  const [afterAt = from.toISOString(), after = ''] = cursor?.split(' ') ?? []
  const rows = await execute(LIST, [account, from, until, afterAt, after, PAGE])
  const entries = rows.map(({ entry }) => objectOf<Entry>(entry))
  const last = rows.length < PAGE ? undefined : entries.at(-1)
  return {
    kind: 'page',
    operations: entries.map(operationOf),
    next: last === undefined ? null : `${last.askedAt.toISOString()} ${last.reference}`,
  }
}

function operationOf(entry: Entry): ListedOperation {
  const { type, reference, invoiceId, gatewayAuthorizationId, amountMinor, currency, isFinal, outcome, askedAt } = entry
  return {
    type,
    reference,
    invoiceId,
    gatewayAuthorizationId,
    amountMinor: outcome.kind === 'approved' ? outcome.amountMinor : amountMinor,
    currency,
    isFinal: isFinal === true,
    at: askedAt.getTime(),
  }
}

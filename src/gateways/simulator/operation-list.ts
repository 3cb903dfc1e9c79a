import type { ListedOperation } from '../../../domain/recovery.ts'
import type { ListRequest, OperationPage } from '../gateway.ts'
import { readPage } from './entry-pages.ts'
import type { Entry, Execute } from './ledger.ts'

/** Instants are compared as the cursor tells them, in whole milliseconds. */
const LIST = `
select to_jsonb(r) as entry from simulator.request as r
where gateway_configuration_id = $1 and asked_at >= $2::timestamptz and asked_at < $3::timestamptz
  and (asked_at, reference) > ($4::timestamptz, $5) and outcome ->> 'kind' in ('approved', 'pending')
order by asked_at, reference limit $6`

/** A page of what was asked of an account and not refused. */
export async function listOperations(
  execute: Execute,
  account: string,
  span: Pick<ListRequest, 'from' | 'until' | 'cursor'>,
): Promise<OperationPage> {
  const { entries, next } = await readPage(execute, { sql: LIST, at: 'askedAt' }, account, span)
  return { kind: 'page', operations: entries.map(operationOf), next }
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

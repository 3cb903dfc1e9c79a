import type { Sandbox } from './sandbox.ts'

/** Everything of an invoice that happened from an instant on, moved by so many milliseconds. */
export interface Move {
  invoiceId: string
  from: Date
  byMs: number
}

/** The rows of an invoice, and how each table knows it. */
const INVOICE_OF: Readonly<Record<string, string>> = {
  invoice: 'invoice.id',
  transaction: 'transaction.invoice_id',
  payment_status: 'payment_status.invoice_id',
  event: 'event.invoice_id',
  card: 'card.used_by_invoice_id',
  operation: '(select paid.invoice_id from transaction paid where paid.id = operation.transaction_id)',
  refund: '(select paid.invoice_id from transaction paid where paid.id = refund.transaction_id)',
  delivery: '(select fired.invoice_id from event fired where fired.id = delivery.event_id)',
  delivery_attempt: `(select fired.invoice_id from event fired join delivery sent on sent.event_id = fired.id
    where sent.id = delivery_attempt.delivery_id)`,
}

/** Instants that lie ahead belong to the authorization, whatever has happened since. */
const AHEAD = ['authorization_expires_at', 'auto_capture_at', 'next_due_at', 'expires_at']

/** The instants of a transaction, and the operations that they are those of. */
const OF_OPERATION = {
  authorized_at: 'authorization',
  captured_at: 'capture',
  voided_at: 'void',
  refunded_at: 'refund',
}

/**
 * Moves what was made just now to when it is said to have happened, step by step; then the service counts its charts anew.
 * Only for a database that is thrown away: the audit log does not follow.
 */
export async function moveToThePast({ sql }: Sandbox, moves: readonly Move[]): Promise<void> {
  await sql('set session_replication_role = replica')
  await sql('create temporary table moved (invoice_id text, from_at timestamptz, by interval)')
  await sql(`insert into moved select * from unnest($1::text[], $2::timestamptz[], $3::interval[])`, [
    moves.map(({ invoiceId }) => invoiceId),
    moves.map(({ from }) => from),
    moves.map(({ byMs }) => `${byMs} milliseconds`),
  ])
  await sql('create index on moved (invoice_id, from_at)')
  // The end of a dispute's term stands in a list of the transaction as well, where it lies ahead.
  const columns = await sql(
    `select table_name as table, column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone' and table_name = any($1)
        and column_name <> 'evidence_due_at'`,
    [Object.keys(INVOICE_OF)],
  )
  for (const [table, invoice] of Object.entries(INVOICE_OF)) {
    const own = columns.filter((column) => column.table === table).map(({ name }) => String(name))
    const moved = own.map((name) => {
      const which = AHEAD.includes(name) ? `order by from_at` : `and from_at <= ${table}.${name} order by from_at desc`
      return `${name} = ${name} + coalesce((select by from moved where moved.invoice_id = ${invoice} ${which} limit 1), '0')`
    })
    await sql(`update ${table} set ${moved.join(', ')} where ${invoice} in (select invoice_id from moved)`)
  }
  const instants = Object.entries(OF_OPERATION).map(
    ([name, type]) => `${name} = case when ${name} is not null then coalesce((select max(created_at) from operation
      where transaction_id = transaction.id and type = '${type}' and outcome = 'succeeded'), ${name}) end`,
  )
  await sql(
    `update transaction set clock_offset_ms = 0, ${instants.join(', ')} where invoice_id in (select invoice_id from moved)`,
  )
  await sql(`update transaction set disputes = (
      select jsonb_agg(jsonb_set(dispute, '{reportedAt}', to_jsonb((extract(epoch from told.at) * 1000)::bigint)) order by place)
      from jsonb_array_elements(disputes) with ordinality as listed (dispute, place))
    from (select transaction_id, min(created_at) as at from operation where type = 'chargeback' group by transaction_id) told
    where told.transaction_id = transaction.id and invoice_id in (select invoice_id from moved)`)
  await sql(`update payment_status set due_at = least(next_due_at, next_look_up_at)
    from transaction where transaction.id = transaction_id and payment_status.invoice_id in (select invoice_id from moved)`)
  await sql('delete from payment_day')
  await sql('update payment_day_progress set counted_before = 0')
}

/** Waits until the charts show what there is. */
export async function untilCounted({ sql }: Sandbox): Promise<void> {
  for (;;) {
    const [row] = await sql('select count(*)::int as days from payment_day')
    if (row.days > 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

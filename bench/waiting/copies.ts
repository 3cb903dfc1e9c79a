import type { Execute } from '../../src/gateways/simulator/ledger.ts'

/** Every id that a payment has for itself, in our books and in the simulator's, up to its last six characters. */
const OWN_ID = '\\m((iv|iv_det|tr|tr_op|ev|refd|sim_[a-z]+)_[0-9A-Za-z]{18,26})[0-9A-Za-z]{6}\\M'

/** Everything that is written of a payment, in an order in which nothing refers to what is not there yet. */
const TABLES = [
  ['invoice', 'id = $1'],
  ['transaction', 'invoice_id = $1'],
  ['operation', 'transaction_id in (select id from transaction where invoice_id = $1)'],
  ['event', 'invoice_id = $1'],
  ['simulator.request', 'invoice_id = $1'],
  [
    'simulator.held_authorization',
    'id in (select gateway_authorization_id from simulator.request where invoice_id = $1)',
  ],
] as const

/** The id of a copy, of which there may be a million. */
export function idOfCopy(id: string, copy: number): string {
  return `${id.slice(0, -6)}${String(copy).padStart(6, '0')}`
}

/**
 * Copies a payment as it stands, with all that we and the simulator have written of it, as if it had happened again: what a
 * hundred thousand payments would leave behind in the tables, in a minute instead of an hour.
 *
 * @param from the number of the first copy, which `idOfCopy` makes ids of.
 */
export async function copyPayment(execute: Execute, invoiceId: string, from: number, count: number): Promise<void> {
  for (const [table, isOfPayment] of TABLES)
    await execute(
      `insert into ${table} overriding user value
       select copied.* from (select to_jsonb(t)::text as own from ${table} t where ${isOfPayment}) original
         cross join generate_series($2::int, $2::int + $3::int - 1) copy
         cross join lateral jsonb_populate_record(null::${table},
           regexp_replace(own, '${OWN_ID}', '\\1' || lpad(copy::text, 6, '0'), 'g')::jsonb) copied`,
      [invoiceId, from, count],
    )
}

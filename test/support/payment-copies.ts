import type { Execute } from '../../src/gateways/simulator/ledger.ts'

/** Every id that a payment has for itself, in our books and in the simulator's, up to its last six characters. */
const OWN_ID = /\b((?:iv|iv_det|tr|tr_op|ev|refd|sim_[a-z]+)_[0-9A-Za-z]{18,26})[0-9A-Za-z]{6}\b/g

const TABLES = [
  ['invoice', 'id = $1'],
  ['invoice_detail', 'invoice_id = $1'],
  ['transaction', 'invoice_id = $1'],
  ['operation', 'transaction_id in (select id from transaction where invoice_id = $1)'],
  ['refund', 'transaction_id in (select id from transaction where invoice_id = $1)'],
  ['event', 'invoice_id = $1'],
  ['simulator.request', 'invoice_id = $1'],
  [
    'simulator.held_authorization',
    'id in (select gateway_authorization_id from simulator.request where invoice_id = $1)',
  ],
  ['simulator.notification', 'invoice_id = $1'],
] as const

/** The same id in a copy. */
export function idInCopy(id: string, copy: number): string {
  return id.replace(OWN_ID, `$1${String(copy).padStart(6, '0')}`)
}

/**
 * Copies a payment as it stands, with everything that we and the simulator know of it, as if it had happened so often: far
 * cheaper than to have it happen. Copies are numbered, from 0 unless told otherwise; `idInCopy` tells how things are called in each.
 */
export async function copyPayment(execute: Execute, invoiceId: string, count: number, from = 0): Promise<void> {
  for (const [table, isOfPayment] of TABLES) {
    const rows = await execute(`select to_jsonb(t)::text as row from ${table} t where ${isOfPayment}`, [invoiceId])
    if (rows.length === 0) continue
    const own = `[${rows.map(({ row }) => String(row)).join()}]`
    const copies = Array.from({ length: count }, (_, copy) => idInCopy(own, from + copy).slice(1, -1))
    await execute(
      `insert into ${table} overriding user value select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [`[${copies.join()}]`],
    )
  }
}

import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { auditPayment } from './payment-audit.ts'
import { executeOn, readBooks } from './payment-books.ts'

/** An order of 29 euro, and an approved test card to pay it with; see the simulator's list. */
export const ORDER = { name: 'Order', amount: '29.00', currency: 'EUR' }
const ORDER_AMOUNT_MINOR = 2_900
export const CARD = { number: '4242424242424242', exp_month: '12', exp_year: '2030', cvc2: '123' }

/**
 * What a customer was told of an order. `created`: that it is to be paid; `approved`: the money is reserved; `captured`: it
 * is taken; `unknown`: that it is not known yet, or nothing within the time of a request.
 */
export type OrderState = 'created' | 'approved' | 'captured' | 'failed' | 'unknown'

export interface Audit {
  payments: number
  approved: number
  captured: number
  /** Those that failed for certain: at an open circuit, or where no place was left. */
  failed: number
  /** Those of which the customer did not hear at once what became of them. */
  unknownAtFirst: number
}

/**
 * Compares what customers were told, the record, and the gateway's own books; without it a figure counts for nothing.
 * Whatever was told, both books agree, and nothing is in one of them twice, or without having been asked for.
 *
 * @param told of every order of the project, by invoice.
 * @param copied how many payments the project has besides, which nobody has asked for.
 * @throws Error with the first payment on which they differ.
 */
export async function auditOrders(
  { orm }: { orm: Orm },
  { projectId }: { projectId: string },
  told: ReadonlyMap<string, OrderState>,
  copied = 0,
): Promise<Audit> {
  const em = orm.em.fork()
  const invoices = await em.find(InvoiceEntity, { projectId }, { fields: ['id'], disableIdentityMap: true })
  const invoiceIds = new Set(invoices.map(({ id }) => id))
  const books = await readBooks({ orm, execute: await executeOn(orm) }, [...told.keys()])
  for (const [invoiceId, state] of told) {
    const own = books.get(invoiceId)
    const faults = own === undefined ? [] : auditPayment(own)
    if (!invoiceIds.has(invoiceId)) faults.push('there is no invoice')
    if (!agreesWithRecord(state, own?.transaction))
      faults.push(`the record has ${JSON.stringify(own?.transaction ?? null)}`)
    if (faults.length > 0) throw new Error(`${invoiceId}, which was told ${state}: ${faults.join(', ')}.`)
  }
  const unasked = (await em.count(TransactionEntity, { projectId })) - books.size - copied
  if (unasked !== 0) throw new Error(`Nobody has asked for ${unasked} payments that there are.`)
  const count = (state: OrderState) => [...told.values()].filter((other) => other === state).length
  return {
    payments: told.size,
    approved: count('approved'),
    captured: count('captured'),
    failed: count('failed'),
    unknownAtFirst: count('unknown'),
  }
}

/** Pure: whether the record, which agrees with the gateway's books, agrees with what was told of an order, too. */
export function agreesWithRecord(
  state: OrderState,
  transaction: Pick<TransactionRow, 'authorizedMinor' | 'capturedMinor'> | undefined,
): boolean {
  const { authorizedMinor = 0, capturedMinor = 0 } = transaction ?? {}
  const isAuthorized = authorizedMinor === ORDER_AMOUNT_MINOR
  switch (state) {
    case 'created':
      return transaction === undefined
    case 'approved':
      return isAuthorized && capturedMinor === 0
    case 'captured':
      return isAuthorized && capturedMinor === ORDER_AMOUNT_MINOR
    case 'failed':
      return authorizedMinor === 0
    case 'unknown':
      return true
  }
}

import type { Execute } from '../../src/gateways/simulator/ledger.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { Core } from '../../src/processes/core.ts'
import { ORDER_AMOUNT_MINOR, type Project } from './project.ts'

/**
 * What a customer was told of a payment. `approved`: the money is reserved; `captured`: it is taken; `unknown`: that it is
 * not known yet, or nothing within the time of a request.
 */
export type Told = 'approved' | 'captured' | 'failed' | 'unknown'

/** A payment in the books of both sides, in minor units. */
export interface Books {
  /** Of each authorization that the gateway approved. */
  held: number[]
  taken: number
  authorized: number
  captured: number
  /** How many transactions of ours the invoice has. */
  transactions: number
}

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
 * @param told of every payment of the project, by invoice.
 * @throws Error with the first payment on which they differ.
 */
export async function auditPayments(
  core: Pick<Core, 'orm'>,
  project: Pick<Project, 'projectId' | 'gatewayConfigurationId'>,
  told: ReadonlyMap<string, Told>,
): Promise<Audit> {
  const all = await readBooks(core, project)
  for (const invoiceId of all.keys())
    if (!told.has(invoiceId)) throw new Error(`Nobody has asked for a payment of ${invoiceId}, and there is one.`)
  for (const [invoiceId, word] of told) {
    const books = all.get(invoiceId) ?? { held: [], taken: 0, authorized: 0, captured: 0, transactions: 0 }
    if (!isRight(word, books))
      throw new Error(`${invoiceId} was told ${word}, and the books have ${JSON.stringify(books)}.`)
  }
  const words = [...told.values()]
  const count = (word: Told) => words.filter((other) => other === word).length
  return {
    payments: words.length,
    approved: count('approved'),
    captured: count('captured'),
    failed: count('failed'),
    unknownAtFirst: count('unknown'),
  }
}

/** Pure: whether the books of both sides agree, and with what was told of an order. */
export function isRight(word: Told, { held, taken, authorized, captured, transactions }: Books): boolean {
  const agree = held.length <= 1 && transactions <= 1 && authorized === (held[0] ?? 0) && captured === taken
  switch (word) {
    case 'approved':
      return agree && authorized === ORDER_AMOUNT_MINOR
    case 'captured':
      return agree && authorized === ORDER_AMOUNT_MINOR && captured === ORDER_AMOUNT_MINOR
    case 'failed':
      return agree && authorized === 0
    case 'unknown':
      return agree
  }
}

async function readBooks(
  core: Pick<Core, 'orm'>,
  project: Pick<Project, 'projectId' | 'gatewayConfigurationId'>,
): Promise<Map<string, Books>> {
  const { projectId, gatewayConfigurationId } = project
  const books = new Map<string, Books>()
  const of = (invoiceId: string) => {
    const known = books.get(invoiceId) ?? { held: [], taken: 0, authorized: 0, captured: 0, transactions: 0 }
    books.set(invoiceId, known)
    return known
  }
  const pool = await core.orm.driver.getConnection().getNativeClient()
  const execute: Execute = async (sql, values) => (await pool.query(sql, [...values])).rows
  const { requests, authorizations } = await readSimulatorLog(execute)
  const byId = new Map(authorizations.map((row) => [row.gatewayAuthorizationId, row]))
  for (const { gatewayConfigurationId: id, invoiceId, type, outcome } of requests) {
    if (id !== gatewayConfigurationId || type !== 'authorization' || outcome.kind !== 'approved') continue
    const authorization = byId.get(outcome.gatewayOperationId)
    of(invoiceId).held.push(authorization?.authorizedMinor ?? 0)
    of(invoiceId).taken += authorization?.capturedMinor ?? 0
  }
  const fields = ['invoiceId', 'authorizedMinor', 'capturedMinor'] as const
  for (const row of await core.orm.em.fork().find(TransactionEntity, { projectId }, { fields })) {
    const known = of(row.invoiceId)
    known.transactions += 1
    known.authorized += row.authorizedMinor
    known.captured += row.capturedMinor
  }
  return books
}

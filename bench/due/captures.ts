import type { Execute } from '../../src/gateways/simulator/ledger.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { Core } from '../../src/processes/core.ts'

/** All that is written of the captures of one payment, on both sides. */
export interface CaptureBooks {
  /** When the gateway was asked, for each capture that it has heard of, and how often it heard the same one. */
  asked: { at: number; times: number; isApproved: boolean }[]
  /** When our result was written, for each capture that has succeeded. */
  booked: number[]
  amountMinor: number
  capturedMinor: number
}

/** How late a capture was, in milliseconds. */
export interface Lateness {
  /** Until the gateway was asked. */
  asked: number
  /** Until its answer was in the record. */
  booked: number
}

/** Reads the books of these invoices; one without a transaction is not in the answer. */
export async function readCaptures(
  { orm }: Core,
  projectId: string,
  invoiceIds: ReadonlySet<string>,
): Promise<Map<string, CaptureBooks>> {
  const em = orm.em.fork()
  const pool = await orm.driver.getConnection().getNativeClient()
  const execute: Execute = async (sql, values) => (await pool.query(sql, [...values])).rows
  const transactions = (await em.find(TransactionEntity, { projectId })).filter((row) => invoiceIds.has(row.invoiceId))
  const results = await em.find(OperationEntity, { projectId, type: 'capture', isAttempt: false, outcome: 'succeeded' })
  const resultsOf = Map.groupBy(results, ({ transactionId }) => transactionId)
  const { requests } = await readSimulatorLog(execute)
  const captures = requests.filter(({ type }) => type === 'capture')
  const capturesOf = Map.groupBy(captures, ({ invoiceId }) => invoiceId)
  return new Map(
    transactions.map(({ id, invoiceId, amountMinor, capturedMinor }) => [
      invoiceId,
      {
        asked: (capturesOf.get(invoiceId) ?? []).map(({ askedAt, timesAsked, outcome }) => {
          return { at: askedAt.getTime(), times: timesAsked, isApproved: outcome.kind === 'approved' }
        }),
        booked: (resultsOf.get(id) ?? []).map(({ createdAt }) => createdAt.getTime()),
        amountMinor,
        capturedMinor,
      },
    ]),
  )
}

/**
 * Pure: how late each payment was captured.
 *
 * @param due when each was to be captured, in epoch ms.
 * @throws Error with the first payment that was captured early, twice, or not at all, in one of the books.
 */
export function auditCaptures(
  due: ReadonlyMap<string, number>,
  books: ReadonlyMap<string, CaptureBooks>,
): Map<string, Lateness> {
  return new Map(
    [...due].map(([invoiceId, dueAt]) => {
      const own = books.get(invoiceId)
      const [asked, ...otherAsked] = own?.asked ?? []
      const [bookedAt, ...otherBooked] = own?.booked ?? []
      const isOnce =
        own !== undefined &&
        own.capturedMinor === own.amountMinor &&
        asked?.isApproved === true &&
        asked.times === 1 &&
        bookedAt !== undefined &&
        otherAsked.length + otherBooked.length === 0
      if (!isOnce) throw new Error(`${invoiceId} was to be captured once, and the books have ${JSON.stringify(own)}.`)
      if (asked.at < dueAt) throw new Error(`${invoiceId} was captured ${dueAt - asked.at} ms early.`)
      return [invoiceId, { asked: asked.at - dueAt, booked: bookedAt - dueAt }]
    }),
  )
}

import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { auditPayment } from '../support/payment-audit.ts'
import { type PaymentBooks, readBooks } from '../support/payment-books.ts'
import type { Stack } from '../support/stack.ts'

/** About as long as a command takes, so that the second one meets the first at every point of its way. */
export const LAG_MAX_MS = 60

/** Enough to see that the whole stack leaves nothing to chance; `test/activities/random/races.test.ts` meets at every point of the way. */
export const SEEDS = { count: 1, atOnce: 2 }

/**
 * Our books against the gateway's own, and against themselves, once nothing is open any more. Every call must have been made
 * once, and nobody asked for webhooks.
 *
 * @throws Error with what does not agree.
 */
export async function audit({ database }: Stack, invoiceId: string): Promise<PaymentBooks> {
  const { orm } = database
  const pool = await orm.driver.getConnection().getNativeClient()
  const execute = async (sql: string, parameters: readonly unknown[]) => (await pool.query(sql, [...parameters])).rows
  const books = (await readBooks({ orm, execute }, [invoiceId])).get(invoiceId)
  if (books === undefined) throw new Error(`${invoiceId} has no transaction.`)
  const deliveries = await orm.em.fork().count(DeliveryEntity, { eventId: { $in: books.events.map(({ id }) => id) } })
  const findings = [
    ...auditPayment(books),
    ...books.requests.filter(({ timesAsked }) => timesAsked > 1).map(({ reference }) => `${reference} was asked again`),
    ...books.transaction.attemptsInFlight.map(({ operationId }) => `${operationId} is still open`),
    ...(deliveries === 0 ? [] : ['a webhook is sent that nobody asked for']),
  ]
  if (findings.length > 0) throw new Error(`The books of ${invoiceId} do not agree: ${findings.join('; ')}`)
  return books
}

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { chance } from '../support/chance.ts'
import type { Answer } from '../support/http-client.ts'
import { auditPayment } from '../support/payment-audit.ts'
import { executeOn, type PaymentBooks, readBooks } from '../support/payment-books.ts'
import type { Stack } from '../support/stack.ts'

/** About as long as a command takes, so that the second one meets the first at every point of its way. */
export const LAG_MAX_MS = 60

export const REQUESTS = {
  capture: ['capture', {}],
  'final capture of a part': ['capture', { capture_amount: '10.00' }],
  'capture of a part': ['capture', { capture_amount: '12.00', capture_type: 'non-final' }],
  void: ['void', {}],
  'void of a part': ['void', { amount: '9.00' }],
  increment: ['increment_authorization', { amount: '5.00' }],
} as const
export type Name = keyof typeof REQUESTS

export const NAMES = Object.keys(REQUESTS) as Name[]

export function send(stack: Stack, invoiceId: string, name: Name): Promise<Answer> {
  const [verb, fields] = REQUESTS[name]
  return stack.post(`/invoices/${invoiceId}/${verb}`, fields)
}

/** Two requests about one authorization, a moment apart. */
export function testPairs(stack: Stack, pairs: readonly (readonly [Name, Name])[]): void {
  test.each(pairs)('%s and %s keep the same books as the gateway', async (first, second) => {
    const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
    const answers = await Promise.all([
      send(stack, invoiceId, first),
      sleep(chance(NAMES.indexOf(first) * NAMES.length + NAMES.indexOf(second)) * LAG_MAX_MS).then(() =>
        send(stack, invoiceId, second),
      ),
    ])
    for (const { status } of answers) expect([200, 400]).toContain(status)
    expect(answers.map(({ status }) => status)).toContain(200)
    await endsWhereNothingIsLeft(stack, invoiceId)
  })
}

/** A run waits for nothing once no money is reserved. */
export async function endsWhereNothingIsLeft(stack: Stack, invoiceId: string): Promise<PaymentBooks['transaction']> {
  const { transaction } = await audit(stack, invoiceId)
  const { authorizedMinor, capturedMinor, voidedMinor } = transaction
  if (authorizedMinor === capturedMinor + voidedMinor) await stack.waitFor(() => stack.isClosed(invoiceId))
  return transaction
}

/**
 * Our books against the gateway's own, and against themselves, once nothing is open any more. Every call must have been made
 * once, and nobody asked for webhooks.
 *
 * @throws Error with what does not agree.
 */
export async function audit({ database }: Stack, invoiceId: string): Promise<PaymentBooks> {
  const { orm } = database
  const books = (await readBooks({ orm, execute: await executeOn(orm) }, [invoiceId])).get(invoiceId)
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

import { expect, test } from '@jest/globals'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const told: (boolean | undefined)[] = []
const actor = actorForFile(databaseForFile(), (gateway) => ({
  ...gateway,
  authorize(request, signal) {
    told.push(request.isMoto)
    return gateway.authorize(request, signal)
  },
}))

test.each<[string, Partial<InvoiceRow>, true | undefined]>([
  ['an order by mail or telephone', { paymentType: 'moto' }, true],
  ['an order in a shop', { paymentType: 'ecommerce' }, undefined],
  ['an order of which nothing is said', {}, undefined],
  ['a payment that the merchant makes later', { paymentType: 'moto', merchantInitiatorType: 'recurring' }, undefined],
])('a gateway is told of %s what it is', async (_, values, expected) => {
  const invoiceId = await actor.makeInvoice(values)
  await actor.step(invoiceId, actor.build.authorize(await actor.makeCard()))
  expect(told.at(-1)).toBe(expected)
})

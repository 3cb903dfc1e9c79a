import { expect, test } from '@jest/globals'
import type { Outcome } from '../../domain/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
/** What the gateway answers to the next capture; null where the simulator does. */
let answer: Outcome | null = null

const actor = actorForFile(database, (gateway) => ({
  ...gateway,
  capture: async (request, signal) => answer ?? gateway.capture(request, signal),
}))

test('a capture that is approved takes the failure of the one before it off the transaction', async () => {
  const invoiceId = await actor.makeInvoice()
  const transaction = () => database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
  await actor.step(invoiceId, actor.build.authorize(await actor.makeCard()))
  answer = { kind: 'declined', code: 'gateway.declined', gatewayCode: 'no' }
  await actor.step(invoiceId, actor.build.capture())
  expect(await transaction()).toMatchObject({ status: 'authorized', errorCode: 'gateway.declined' })
  answer = null
  await actor.step(invoiceId, actor.build.capture())
  expect(await transaction()).toMatchObject({ status: 'completed', errorCode: null, errorMessage: null })
})

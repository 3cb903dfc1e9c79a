import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Outcome } from '../../domain/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'

let database: TestDatabase
let actor: PaymentActor
/** What the gateway answers to the next capture; null where the simulator does. */
let answer: Outcome | null = null

beforeAll(async () => {
  database = await makeDatabase()
  actor = await makePaymentActor(database, (gateway) => ({
    ...gateway,
    capture: async (request, signal) => answer ?? gateway.capture(request, signal),
  }))
})
afterAll(() => database.drop())

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

import { expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const database = databaseForFile()

const fixture = fixtureForFile(database)

test('an amount that was read in one currency is not asked for in another', async () => {
  const invoiceId = await fixture.makeInvoice()
  const command = fixture.authorizeCommand(await fixture.makeCard(), { currency: 'JPY', autoCaptureAmountMinor: 2900 })
  const { answer } = await createSignedActivities(fixture.deps).authorize(fixture.step(invoiceId, command))
  expect(answer).toMatchObject({ kind: 'refused', code: 'request.validation.invalid-state' })
  expect(await database.orm.em.fork().count(TransactionEntity, { invoiceId })).toBe(0)
})

import { expect, test } from '@jest/globals'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { findRelated } from '../../src/persistence/queries/lists/list-related.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const database = databaseForFile()

test('rows related to others are found in their own project and environment only', async () => {
  const [own, foreign] = [makeRows('own'), makeRows('foreign')]
  for (const rows of [own, foreign]) await insertRows(database.orm.em.fork(), rows)
  const values = [own.transaction.id, foreign.transaction.id]
  const request = { entity: RefundEntity, property: 'transactionId', values, order: ['createdAt'], limit: 10 } as const
  const { projectId, sandbox } = own.refund
  const em = () => database.orm.em.fork()
  expect(await findRelated(em(), { projectId, sandbox }, request)).toMatchObject([{ id: own.refund.id }])
  expect(await findRelated(em(), { projectId, sandbox: !sandbox }, request)).toEqual([])
  const ofAnother = { projectId: foreign.refund.projectId, sandbox }
  expect(await findRelated(em(), ofAnother, request)).toMatchObject([{ id: foreign.refund.id }])
})

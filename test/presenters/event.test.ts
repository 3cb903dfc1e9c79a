import { expect, test } from '@jest/globals'
import { presentEvent, presentEventData } from '../../src/presenters/event.ts'
import { makeRows } from '../persistence/rows.ts'

const { invoice, transaction, card, event, ...steps } = makeRows('present')
const attempt = { ...steps.attempt, position: 1 }
const result = { ...steps.result, position: 2 }

test('the data of an event is a snapshot of invoice and transaction, expanded by one level', () => {
  const data = presentEventData('transaction.captured', {
    invoice,
    details: [],
    transaction,
    card,
    operations: [attempt, result],
  })
  expect(data).toMatchObject({
    name: 'transaction.captured',
    sandbox: true,
    invoice: { id: invoice.id, transaction_id: transaction.id, status: 'completed' },
    transaction: {
      id: transaction.id,
      invoice: { id: invoice.id },
      card: { id: card.id, last_4_digits: '4242' },
      operations: [{ id: attempt.id }, { id: result.id }],
    },
  })
})

test('the data of an event survives the way into the database and back', () => {
  const data = presentEventData('transaction.failed', {
    invoice,
    details: [],
    transaction,
    card: null,
    operations: [attempt],
  })
  expect(JSON.parse(JSON.stringify(data))).toEqual(data)
})

test('an event has its name, its place among the events of its transaction, and its data', () => {
  expect(presentEvent(event)).toEqual({
    id: event.id,
    project_id: event.projectId,
    name: 'transaction.captured',
    sandbox: true,
    fired_at: '2026-11-21T01:17:10.123Z',
    sequence: 1,
    transaction_id: transaction.id,
    invoice_id: invoice.id,
    webhooks: null,
    data: event.data,
  })
})

import { describe, expect, test } from '@jest/globals'
import { presentEvent, presentEventData } from '../../src/objects/event.ts'
import { makeRows } from '../persistence/rows.ts'

const { invoice, invoiceDetail, transaction, card, customer, token, gatewayConfiguration, refund, event, ...steps } =
  makeRows('present')
/** A month before the last one of the card. */
const NOW = new Date('2030-11-01T00:00:00Z')
const attempt = { ...steps.attempt, position: 1 }
const result = { ...steps.result, position: 2 }

test('the data of an event is a snapshot of invoice and transaction, expanded by one level', () => {
  const data = presentEventData(
    'transaction.captured',
    { invoice, transaction, card, operations: [attempt, result] },
    { details: [invoiceDetail], gatewayConfiguration, customer, token, refunds: [refund] },
    NOW,
  )
  expect(data).toMatchObject({
    name: 'transaction.captured',
    sandbox: true,
    invoice: { id: invoice.id, transaction_id: transaction.id, status: 'completed' },
    transaction: {
      id: transaction.id,
      invoice: { id: invoice.id, details: [{ id: invoiceDetail.id }] },
      card: { id: card.id, last_4_digits: '4242', expires_soon: true },
      customer: { id: customer.id, email: customer.email },
      token: { id: token.id, summary: token.summary },
      gateway_configuration: { id: gatewayConfiguration.id, name: gatewayConfiguration.name },
      operations: [
        { id: attempt.id, is_attempt: true, outcome: null },
        { id: result.id, is_attempt: false, attempt_operation_id: attempt.id, outcome: 'failed' },
      ],
      refunds: [{ id: refund.id }],
    },
  })
})

describe('the data of an event', () => {
  const shown = (source: { card: typeof card; customer: typeof customer | null } = { card, customer }) =>
    presentEventData(
      'transaction.refunded',
      { invoice, transaction, card: source.card, operations: [attempt, result] },
      { details: [], gatewayConfiguration, customer: source.customer, token, refunds: [] },
      NOW,
    ).transaction

  test('never shows what is the gateway’s or ours alone', () => {
    const text = JSON.stringify({ ...shown(), gateway_configuration: null })
    expect(text).not.toMatch(/ciphertext|key_id|"n1"|gateway_code|in_flight|event_count|orphan|attention|capabilities/i)
    expect(card.numberCiphertext).toBeInstanceOf(Buffer)
    expect(text).not.toContain(card.numberCiphertext?.toString('base64'))
  })

  test('shows of the account at the gateway which one it is, and nothing of how that is set up', () => {
    const { gateway_configuration: account } = shown()
    expect(account).toMatchObject({ id: gatewayConfiguration.id, public_keys: {} })
    expect(gatewayConfiguration.settings).not.toEqual({})
    expect(JSON.stringify(account)).not.toMatch(/settings|credentials|capabilities|validity|circuit/)
  })

  test('shows no deleted card', () => {
    expect(shown({ card: { ...card, deletedAt: NOW }, customer })).toMatchObject({ card_id: card.id, card: null })
  })

  test('shows neither card nor token of a customer that is gone, though their rows were read before', () => {
    expect(shown({ card, customer })).toMatchObject({ card: { id: card.id }, token: { id: token.id } })
    expect(shown({ card, customer: null })).toMatchObject({
      customer_id: customer.id,
      card_id: card.id,
      token_id: token.id,
      customer: null,
      card: null,
      token: null,
    })
  })
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

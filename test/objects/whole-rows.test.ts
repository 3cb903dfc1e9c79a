import { expect, test } from '@jest/globals'
import type { EntitySchema } from '@mikro-orm/postgresql'
import { presentApiRequest } from '../../src/objects/api-request.ts'
import { presentCard } from '../../src/objects/card.ts'
import { presentCustomer } from '../../src/objects/customer.ts'
import { presentEvent } from '../../src/objects/event.ts'
import { presentGatewayConfiguration } from '../../src/objects/gateway-configuration.ts'
import { presentInvoice } from '../../src/objects/invoice.ts'
import { presentOperation } from '../../src/objects/operation.ts'
import { presentReconciliation, presentReconciliationDifference } from '../../src/objects/reconciliation.ts'
import { presentRefund } from '../../src/objects/refund.ts'
import { presentToken } from '../../src/objects/token.ts'
import { presentTransaction } from '../../src/objects/transaction.ts'
import { presentWebhookAttempt, presentWebhookDelivery } from '../../src/objects/webhook-delivery.ts'
import { presentWebhookEndpoint } from '../../src/objects/webhook-endpoint.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeRows } from '../persistence/rows.ts'

const rows = makeRows('whole')
const now = new Date('2026-11-21T09:00:00.000Z')
const operation = { ...rows.result, position: 1 }

/** Each object of a row whose columns are all filled, and its fields without a value: what only `expand` fills, mostly. */
test.each<[string, object, string[]]>([
  ['a card', presentCard(rows.card, now), ['token']],
  ['a customer', presentCustomer(rows.customer), ['default_token', 'tokens', 'transactions']],
  ['an event', presentEvent(rows.event), ['webhooks']],
  [
    'an invoice',
    presentInvoice(rows.invoice, rows.transaction, { details: [rows.invoiceDetail], now }),
    ['subscription_id', 'customer', 'token', 'transaction'],
  ],
  ['a token', presentToken(rows.token, rows.customer), ['customer', 'card', 'invoice', 'gateway_configuration']],
  [
    'a transaction',
    presentTransaction(rows.transaction),
    ['invoice', 'customer', 'token', 'card', 'gateway_configuration', 'operations', 'refunds'],
  ],
  ['an operation', presentOperation(operation), []],
  ['a refund', presentRefund(rows.refund), ['transaction']],
  ['a reconciliation', presentReconciliation(rows.reconciliation), ['gateway_configuration', 'next_try_at', 'failure']],
  [
    'a reconciliation that is tried again',
    presentReconciliation(rows.waitingReconciliation),
    ['gateway_configuration', 'day', 'completed_at'],
  ],
  [
    'a difference',
    presentReconciliationDifference(rows.reconciliationDifference),
    ['reconciliation', 'gateway_configuration', 'transaction'],
  ],
  ['a request', presentApiRequest(rows.apiRequest), []],
  [
    'a gateway configuration',
    presentGatewayConfiguration(rows.gatewayConfiguration, null, []),
    ['gateway', 'capabilities'],
  ],
  ['a webhook endpoint', presentWebhookEndpoint(rows.webhookEndpoint, 'whpk_1', 'whsec_1'), []],
  ['a delivery', presentWebhookDelivery(rows.delivery, rows.deliveryAttempt), ['event', 'attempts']],
  ['an attempt of a delivery', presentWebhookAttempt(rows.deliveryAttempt), []],
])('%s shows every column that is filled', (_, shown, empty) => {
  const without = Object.entries(shown).filter(([, value]) => value === null || value === '')
  expect(without.map(([name]) => name)).toEqual(empty)
})

/** A row that has been written without the columns that may be empty. */
const bare = <Row extends object>({ meta }: EntitySchema<Row>, row: Row) => {
  const properties: Record<string, { nullable?: boolean }> = meta.properties
  return Object.fromEntries(Object.entries(row).filter(([name]) => properties[name]?.nullable !== true)) as Row
}

test.each<[string, object]>([
  ['an invoice', presentInvoice(bare(InvoiceEntity, rows.invoice), null)],
  ['a transaction', presentTransaction(bare(TransactionEntity, rows.transaction))],
])('%s has null for what its row has not', (_, shown) => {
  expect(Object.entries(shown).filter(([, value]) => value === undefined)).toEqual([])
})

test('the operation of a sale says that it is one, and no other does', () => {
  expect(presentOperation({ ...operation, isSale: true }).metadata).toMatchObject({ is_sale: 'true' })
  expect(presentOperation({ ...operation, isSale: false }).metadata).not.toHaveProperty('is_sale')
})

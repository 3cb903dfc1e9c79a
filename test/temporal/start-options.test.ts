import { expect, test } from '@jest/globals'
import { startOptions } from '../../src/temporal/client.ts'

const payment = {
  projectId: 'proj_1',
  environment: 'sandbox',
  invoiceId: 'iv_1',
  amountMinor: 2900,
  currency: 'EUR',
} as const
const optionsOf = (orderId: string | null) => startOptions({ ...payment, orderId }, { payments: 'p', webhooks: 'w' })
const orderIn = (orderId: string | null) =>
  optionsOf(orderId).typedSearchAttributes.find(({ key }) => key.name === 'OrderReference')?.value

test('a run is found by the order of its merchant, and tells it', () => {
  expect(orderIn('A-1')).toBe('A-1')
  expect(optionsOf('A-1').staticSummary).toBe('EUR 29.00 · order A-1')
  expect(orderIn(null)).toBeUndefined()
})

test('a card number or a secret that stands in place of an order does not reach Temporal', () => {
  for (const secret of ['4242424242424242', 'key_live_0123456789abcdef']) {
    const options = JSON.stringify(optionsOf(`order ${secret}`))
    expect(options).not.toContain(secret)
    expect(options).toContain('order ')
  }
  expect(orderIn('4242424242424242')).toBe('************4242')
})

import { expect, test } from '@jest/globals'
import { presentReconciliationDifference } from '../../src/objects/reconciliation.ts'
import { makeRows } from '../persistence/rows.ts'

const { reconciliationDifference } = makeRows('presented')

test('a difference has each amount with the digits of its own currency', () => {
  const converted = { ...reconciliationDifference, gatewayAmountMinor: 470, gatewayCurrency: 'JPY' }
  expect(presentReconciliationDifference(converted)).toMatchObject({
    ours: { amount: '29.00', currency: 'EUR' },
    gateways: { amount: '470', currency: 'JPY' },
  })
})

test.each([
  ['with the operation that it is about', 'tr_op_1', 'tr_op_1'],
  ['without one where the books have none', undefined, null],
])('our side of a difference is told %s', (_, operationId, shown) => {
  const ours = { ...reconciliationDifference, operationId }
  expect(presentReconciliationDifference(ours)).toMatchObject({ ours: { operation_id: shown } })
})

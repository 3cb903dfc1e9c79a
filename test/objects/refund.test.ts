import { expect, test } from '@jest/globals'
import { presentRefund } from '../../src/objects/refund.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import { makeRows } from '../persistence/rows.ts'

const { refund } = makeRows('refund')

test.each<[RefundRow['status'], boolean]>([
  ['pending', false],
  ['succeeded', false],
  ['failed', true],
])('a refund that is %s has failed: %s', (status, hasFailed) => {
  expect(presentRefund({ ...refund, status })).toMatchObject({ status, has_failed: hasFailed })
})

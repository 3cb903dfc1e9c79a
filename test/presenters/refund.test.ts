import { expect, test } from '@jest/globals'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import { presentRefund } from '../../src/presenters/refund.ts'
import { makeRows } from '../persistence/rows.ts'

const { refund } = makeRows('refund')

test.each<[RefundRow['status'], boolean]>([
  ['pending', false],
  ['succeeded', false],
  ['failed', true],
])('a refund that is %s has failed: %s', (status, hasFailed) => {
  expect(presentRefund({ ...refund, status })).toMatchObject({ status, has_failed: hasFailed })
})

import { describe, expect, test } from '@jest/globals'
import { amountOption, captureByClient } from '../../domain/client-capture.ts'
import type { AuthorizeCommand } from '../../domain/command.ts'
import { authorizeCommand } from './payment-builders.ts'

const KEPT = { requireBackendCapture: true, isScheduled: false }
const TOMORROW = Date.UTC(2026, 10, 22)
const CAPTURES: [string, Partial<AuthorizeCommand>][] = [
  ['authorize_only', { capturesAtOnce: true }],
  ['auto_capture_at', { autoCaptureAt: TOMORROW }],
  ['invoice_detail_ids', { autoCaptureDetailIds: ['iv_det_1'], autoCaptureAmountMinor: 100 }],
  ['allow_fallback_to_sale', { mayFallBackToSale: true }],
]

describe('an invoice whose capture is left to the server of the merchant', () => {
  test.each(CAPTURES)('is not captured by a client through %s', (option, values) => {
    expect(captureByClient(authorizeCommand(values), KEPT)).toBe(option)
  })

  test('and is scheduled by the merchant, is captured in full, whatever a client says', () => {
    const scheduled = { ...KEPT, isScheduled: true }
    const less = authorizeCommand({ autoCaptureAt: TOMORROW, autoCaptureAmountMinor: 1 })
    expect(captureByClient(less, scheduled)).toBe('capture_amount')
    const lines = authorizeCommand({
      autoCaptureAt: TOMORROW,
      autoCaptureAmountMinor: 1,
      autoCaptureDetailIds: ['iv_det_1'],
    })
    expect(captureByClient(lines, scheduled)).toBe('invoice_detail_ids')
  })

  test('and whose scheduled instant has passed, is captured at once by the client that pays it, and in full', () => {
    const due = authorizeCommand({ autoCaptureAt: TOMORROW, capturesAtOnce: true })
    expect(captureByClient(due, { ...KEPT, isScheduled: true })).toBeNull()
    const less = { ...due, autoCaptureAmountMinor: 1 }
    expect(captureByClient(less, { ...KEPT, isScheduled: true })).toBe('capture_amount')
  })

  test('is authorized by a client, also where the merchant has scheduled its capture', () => {
    expect(captureByClient(authorizeCommand({}), KEPT)).toBeNull()
    expect(captureByClient(authorizeCommand({ autoCaptureAt: TOMORROW }), { ...KEPT, isScheduled: true })).toBeNull()
  })
})

test.each(CAPTURES)('any other invoice is captured by a client through %s', (_, values) => {
  expect(captureByClient(authorizeCommand(values), { ...KEPT, requireBackendCapture: false })).toBeNull()
})

test.each([
  [{ amountMinor: null, detailIds: null }, null],
  [{ amountMinor: 1, detailIds: null }, 'capture_amount'],
  [{ amountMinor: 100, detailIds: ['iv_det_1'] }, 'invoice_detail_ids'],
])('of %j the option that says how much is captured is %s', (selection, option) => {
  expect(amountOption(selection)).toBe(option)
})

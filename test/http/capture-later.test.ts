import { expect, test } from '@jest/globals'
import { interfaceForFile } from './interface.ts'
import { AUTHORIZED, createPlayedPayment } from './played-payment.ts'

const api = interfaceForFile()
const payment = createPlayedPayment(api)

test('more of a payment that was captured in part is not captured at once where an instant is given for it', async () => {
  await payment.begin()
  await payment.record({ ...AUTHORIZED, status: 'completed', capturedMinor: 1000 })
  const auto_capture_at = new Date(api.clock.now().getTime() + 3_600_000).toISOString()
  expect(await payment.post('capture', { auto_capture_at, capture_amount: '5.00' })).toMatchObject({
    status: 400,
    body: { error_type: 'request.validation.invalid-state' },
  })
  expect(await payment.post('capture', { auto_capture_at })).toMatchObject({ status: 200 })
  expect(api.payments.sent).toEqual([])
})

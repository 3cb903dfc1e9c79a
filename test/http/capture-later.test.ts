import { expect, test } from '@jest/globals'
import { interfaceForFile } from './interface.ts'
import { AUTHORIZED, createPlayedPayment } from './played-payment.ts'

const api = interfaceForFile()
const payment = createPlayedPayment(api)

test('more of a payment that was captured in part is not captured at once where an instant is given for it', async () => {
  await payment.begin()
  await payment.record({ ...AUTHORIZED, status: 'completed', capturedMinor: 1000 })
  const auto_capture_at = new Date(api.clock.now().getTime() + 3_600_000).toISOString()
  payment.play({ kind: 'done' })
  for (const amount of [{ capture_amount: '5.00' }, {}]) {
    api.payments.sent.length = 0
    expect((await payment.post('capture', { auto_capture_at, ...amount })).status).toBe(200)
    const autoCaptureAt = Date.parse(auto_capture_at)
    expect(api.payments.sent.map(({ command }) => command)).toMatchObject([{ kind: 'schedule-capture', autoCaptureAt }])
  }
})

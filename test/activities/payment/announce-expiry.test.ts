import { expect, test } from '@jest/globals'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { DAY_MS, lostAnswer, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

const announce = (invoiceId: string, inDays: number) =>
  payments.activities.announceExpiry({
    payment: payments.referenceOf(invoiceId),
    at: payments.now() + inDays * DAY_MS,
  })
const noticesOf = (invoiceId: string) =>
  payments.em().count(EventEntity, { invoiceId, name: 'transaction.authorization.expiring' })

test('that an authorization is about to end is announced once, however often the step is run', async () => {
  const { invoiceId } = await payments.authorized()
  const atOnce = await Promise.all([6, 6, 6].map((days) => announce(invoiceId, days)))
  const later = await announce(invoiceId, 6.5)
  const [first, ...others] = [...atOnce, later].map(({ payment }) => payment)
  expect(await noticesOf(invoiceId)).toBe(1)
  expect(first?.expiryAnnounced).toBe(true)
  expect(others).toEqual([first, first, first])
})

test('it is not announced once the authorization has ended, and asked for no more', async () => {
  const { invoiceId } = await payments.authorized()
  const { payment } = await announce(invoiceId, 7.5)
  expect(payment.expiryAnnounced).toBe(true)
  await announce(invoiceId, 6)
  expect(await noticesOf(invoiceId)).toBe(0)
})

test('it is announced also while a refund is under way', async () => {
  const { invoiceId } = await payments.authorized()
  await payments.step(invoiceId, payments.build.capture(1_000, { captureType: 'non-final' }))
  payments.gateway.answers({ refund: lostAnswer })
  await payments.step(invoiceId, payments.build.refund(100))
  await announce(invoiceId, 6)
  expect(await noticesOf(invoiceId)).toBe(1)
})

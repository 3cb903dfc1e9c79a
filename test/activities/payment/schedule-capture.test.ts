import { expect, test } from '@jest/globals'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

const scheduledAt = async (invoiceId: string) =>
  (await payments.transactionOf(invoiceId)).autoCaptureAt?.getTime() ?? null

test('a capture whose schedule is moved is due then, also for the sweep that finds a payment whose run was lost', async () => {
  const at = payments.now()
  const { build } = payments
  const invoiceId = await payments.makeInvoice()
  const dueAt = async () => (await payments.transactionOf(invoiceId)).nextDueAt?.getTime()
  const autoCaptureAt = at + 3 * DAY_MS
  await payments.step(invoiceId, build.authorize(await payments.makeSource(), { autoCaptureAt }), { at })
  expect(await dueAt()).toBe(autoCaptureAt)
  const sooner = at + DAY_MS
  expect((await payments.step(invoiceId, build.schedule(sooner))).answer).toEqual({ kind: 'done' })
  expect(await dueAt()).toBe(sooner)
  expect((await payments.step(invoiceId, build.schedule(null))).answer).toEqual({ kind: 'done' })
  // The notice that the authorization is about to end.
  expect(await dueAt()).toBe(at + 6 * DAY_MS)
})

test('the person who has moved a scheduled capture is in the audit log, once, and only where it was moved', async () => {
  const { invoiceId } = await payments.authorized()
  const autoCaptureAt = payments.now() + HOUR_MS
  const personId = 'person_1'
  const command = payments.build.schedule(autoCaptureAt, { personId, amountMinor: 500 })
  const refused = payments.build.schedule(payments.now() + 8 * DAY_MS, { personId })
  for (const asked of [command, command, refused, payments.build.schedule(autoCaptureAt + 1)])
    await payments.step(invoiceId, asked)
  const kind = 'payment.capture-scheduled'
  const acts = await payments.em().execute('select actor, facts::json from audit_entry where kind = ?', [kind])
  const at = { auto_capture_at: new Date(autoCaptureAt).toISOString(), amount_minor: 500, detail_ids: null }
  expect(acts).toEqual([
    { actor: 'person:person_1', facts: { invoice_id: invoiceId, operation_id: command.operationId, ...at } },
  ])
})

test('a command that comes too late does not move a scheduled capture', async () => {
  const { invoiceId } = await payments.authorized()
  const late = payments.build.schedule(payments.now() + HOUR_MS, { deadline: payments.now() - 1 })
  expect(await payments.step(invoiceId, late)).toMatchObject({
    answer: { kind: 'refused', code: 'request.not-started' },
    payment: { autoCaptureAt: null },
  })
  expect(await scheduledAt(invoiceId)).toBeNull()
})

test('a command that comes a second time was done the first time, and is answered as done', async () => {
  const { invoiceId } = await payments.authorized()
  const autoCaptureAt = payments.now() + HOUR_MS
  const command = payments.build.schedule(autoCaptureAt)
  expect((await payments.step(invoiceId, command)).answer).toEqual({ kind: 'done' })
  const repeated = { ...command, deadline: payments.now() - MINUTE_MS }
  expect(await payments.step(invoiceId, repeated)).toMatchObject({
    answer: { kind: 'done' },
    payment: { autoCaptureAt },
  })
  expect(await scheduledAt(invoiceId)).toBe(autoCaptureAt)
})

test('a capture of lines which are gone is made without them, and is not due for ever', async () => {
  const { invoiceId } = await payments.authorized({ autoCaptureAt: payments.now() + MINUTE_MS })
  const detailIds = ['iv_det_gone']
  const schedule = { autoCaptureAmountMinor: 1000, autoCaptureDetailIds: detailIds }
  await payments.em().nativeUpdate(TransactionEntity, { invoiceId }, schedule)
  expect(await payments.step(invoiceId, payments.build.scheduledCapture(1000, { detailIds }))).toMatchObject({
    answer: { kind: 'done' },
    payment: { status: 'completed', capturedMinor: 1000, autoCaptureAt: null },
  })
})

test('a drop that is run again after a crash captures nothing, whatever else it names', async () => {
  const { invoiceId } = await payments.authorized({ autoCaptureAt: payments.now() + HOUR_MS })
  const drop = payments.build.schedule(null, { source: await payments.makeCard() })
  for (const run of ['the first', 'the second'])
    expect({ run, ...(await payments.step(invoiceId, drop)) }).toMatchObject({
      run,
      answer: { kind: 'done' },
      payment: { status: 'authorized', autoCaptureAt: null, capturedMinor: 0, attemptsInFlight: [] },
    })
})

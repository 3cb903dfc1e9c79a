import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { chance } from '../support/chance.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { DAY_MS } from '../support/story.ts'
import { audit, endsWhereNothingIsLeft, LAG_MAX_MS, NAMES, send, testPairs } from './request-races.ts'

// Enough to see that the whole stack leaves nothing to chance: every pair in races.long.test.ts, every point of the way in
// test/activities/random.
describe.each(['together', 'apart'] as const)('two requests at once, with API and worker %s', (mode) => {
  const stack = stackForFile({ mode })

  testPairs(stack, [
    ['capture', 'void'],
    ['capture of a part', 'capture of a part'],
    ['increment', 'final capture of a part'],
  ])

  test('any request and the scheduled capture keep the same books as the gateway', async () => {
    for (const [seed, name] of NAMES.entries()) {
      const due = new Date(Date.now() + DAY_MS).toISOString()
      const { invoiceId } = await stack.payInvoice({
        authorize: { incremental: true, auto_capture_at: due, capture_amount: '20.00' },
      })
      // The payment's own time passes the instant at once, however long the authorization has taken.
      const [, answer] = await Promise.all([
        stack.skipTime(invoiceId, DAY_MS + 60_000),
        sleep(chance(seed) * LAG_MAX_MS).then(() => send(stack, invoiceId, name)),
      ])
      expect([200, 400]).toContain(answer.status)
      // Whichever was first, something was captured or everything was voided.
      await stack.waitFor(async () => {
        const { body } = await stack.get(`/invoices/${invoiceId}/transactions`)
        return ['completed', 'voided'].includes(body.transactions[0].status)
      })
      await stack.waitFor(() => endsWhereNothingIsLeft(stack, invoiceId))
    }
  })

  test('a request to a run that is just ending is neither lost nor carried out twice', async () => {
    const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
    expect((await send(stack, invoiceId, 'capture')).status).toBe(200)
    await sleep(chance(0) * LAG_MAX_MS)
    const answers = await Promise.all(NAMES.map((name) => send(stack, invoiceId, name)))
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400])
    const { transaction } = await audit(stack, invoiceId)
    expect(transaction).toMatchObject({ status: 'completed', capturedMinor: 2900 })
  })

  test('the end of an authorization and a capture never both have its money', async () => {
    const { invoiceId } = await stack.payInvoice()
    const [, answer] = await Promise.all([
      stack.skipTime(invoiceId, 7 * DAY_MS + 60_000),
      sleep(chance(0) * LAG_MAX_MS).then(() => stack.post(`/invoices/${invoiceId}/capture`, {})),
    ])
    await stack.waitFor(() => stack.isClosed(invoiceId))
    const { transaction } = await audit(stack, invoiceId)
    const { capturedMinor, voidedMinor } = transaction
    expect([200, 410]).toContain(answer.status)
    expect([capturedMinor, voidedMinor]).toEqual(answer.status === 200 ? [2900, 0] : [0, 2900])
  })
})

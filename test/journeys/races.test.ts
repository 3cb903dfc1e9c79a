import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { chance, forSeeds } from '../support/chance.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { DAY_MS } from '../support/story.ts'
import { audit, LAG_MAX_MS, SEEDS } from './races-stack.ts'

const COMMANDS = {
  capture: ['capture', {}],
  'final capture of a part': ['capture', { capture_amount: '10.00' }],
  'capture of a part': ['capture', { capture_amount: '12.00', capture_type: 'non-final' }],
  void: ['void', {}],
  'void of a part': ['void', { amount: '9.00' }],
  increment: ['increment_authorization', { amount: '5.00' }],
} as const
type Name = keyof typeof COMMANDS

const NAMES = Object.keys(COMMANDS) as Name[]
const PAIRS = NAMES.flatMap((first, at) => NAMES.slice(at).map((second): [Name, Name] => [first, second]))

describe.each(['together', 'apart'] as const)('two requests at once, with API and worker %s', (mode) => {
  const stack = stackForFile({ mode })

  const send = (invoiceId: string, name: Name) => {
    const [verb, fields] = COMMANDS[name]
    return stack.post(`/invoices/${invoiceId}/${verb}`, fields)
  }
  /** A run waits for nothing once no money is reserved. */
  const endsWhereNothingIsLeft = async (invoiceId: string) => {
    const { transaction } = await audit(stack, invoiceId)
    const { authorizedMinor, capturedMinor, voidedMinor } = transaction
    if (authorizedMinor === capturedMinor + voidedMinor) await stack.waitFor(() => stack.isClosed(invoiceId))
    return transaction
  }

  test.each(PAIRS)('%s and %s keep the same books as the gateway', async (first, second) => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
      const [early, late] = chance(seed) < 0.5 ? [first, second] : [second, first]
      const answers = await Promise.all([
        send(invoiceId, early),
        sleep(chance(seed + 1000) * LAG_MAX_MS).then(() => send(invoiceId, late)),
      ])
      for (const { status } of answers) expect([200, 400]).toContain(status)
      expect(answers.map(({ status }) => status)).toContain(200)
      await endsWhereNothingIsLeft(invoiceId)
    })
  })

  test('any request and the scheduled capture keep the same books as the gateway', async () => {
    await forSeeds({ count: NAMES.length, atOnce: SEEDS.atOnce }, async (seed) => {
      const due = new Date(Date.now() + DAY_MS).toISOString()
      const { invoiceId } = await stack.payInvoice({
        authorize: { incremental: true, auto_capture_at: due, capture_amount: '20.00' },
      })
      // The payment's own time passes the instant at once, however long the authorization has taken.
      const [, answer] = await Promise.all([
        stack.skipTime(invoiceId, DAY_MS + 60_000),
        sleep(chance(seed + 1000) * LAG_MAX_MS).then(() => send(invoiceId, NAMES[seed] ?? 'capture')),
      ])
      expect([200, 400]).toContain(answer.status)
      // Whichever was first, something was captured or everything was voided.
      await stack.waitFor(async () => {
        const { body } = await stack.get(`/invoices/${invoiceId}/transactions`)
        return ['completed', 'voided'].includes(body.transactions[0].status)
      })
      await stack.waitFor(() => endsWhereNothingIsLeft(invoiceId))
    })
  })

  test('a request to a run that is just ending is neither lost nor carried out twice', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
      expect((await send(invoiceId, 'capture')).status).toBe(200)
      await sleep(chance(seed) * LAG_MAX_MS)
      const answers = await Promise.all(NAMES.map((name) => send(invoiceId, name)))
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400])
      const { transaction } = await audit(stack, invoiceId)
      expect(transaction).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    })
  })

  test('the end of an authorization and a capture never both have its money', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await stack.payInvoice()
      const [, answer] = await Promise.all([
        stack.skipTime(invoiceId, 7 * DAY_MS + 60_000),
        sleep(chance(seed) * LAG_MAX_MS).then(() => stack.post(`/invoices/${invoiceId}/capture`, {})),
      ])
      await stack.waitFor(() => stack.isClosed(invoiceId))
      const { transaction } = await audit(stack, invoiceId)
      const { capturedMinor, voidedMinor } = transaction
      expect([200, 410]).toContain(answer.status)
      expect([capturedMinor, voidedMinor]).toEqual(answer.status === 200 ? [2900, 0] : [0, 2900])
    })
  })
})

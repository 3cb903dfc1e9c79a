import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createKeyedClient, type KeyedPost } from '../http/idempotency-client.ts'
import { chance, forSeeds } from '../support/chance.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { DAY_MS } from '../support/story.ts'
import { audit, LAG_MAX_MS, SEEDS } from './races-stack.ts'

/** A refund that is pending, then done. */
const REFUND_PENDING = '4000000000007064'

describe.each(['together', 'apart'] as const)('later in the life of a payment, with API and worker %s', (mode) => {
  let stack: Stack
  let keyed: KeyedPost

  beforeAll(async () => {
    stack = await makeStack({ mode })
    keyed = createKeyedClient(stack.baseUrl, { projectId: stack.project.id, secretKey: stack.project.secretKey })
  })
  afterAll(() => stack.stop())

  const sold = (card: object = {}) => stack.payInvoice({ card, authorize: { authorize_only: false } })
  const refund = (invoiceId: string, amount?: string) =>
    stack.post(`/invoices/${invoiceId}/refunds`, amount === undefined ? {} : { amount })
  const lag = (seed: number) => sleep(chance(seed) * LAG_MAX_MS)

  test.each([
    ['of everything', undefined, undefined, 2900],
    ['that fit', '10.00', '19.00', 2900],
    ['that do not fit', '20.00', '20.00', 2000],
  ])('two refunds %s at once give back no more than was taken', async (_, one, two, refundedMinor) => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await sold()
      const answers = await Promise.all([refund(invoiceId, one), lag(seed).then(() => refund(invoiceId, two))])
      expect(answers.map(({ status }) => status).sort()).toEqual(
        refundedMinor === 2900 && one ? [200, 200] : [200, 400],
      )
      expect((await audit(stack, invoiceId)).transaction).toMatchObject({ refundedMinor, refundingMinor: 0 })
    })
  })

  test('two refunds at once whose outcome is pending give back no more than was taken', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await sold({ number: REFUND_PENDING })
      const answers = await Promise.all([refund(invoiceId, '20.00'), lag(seed).then(() => refund(invoiceId, '20.00'))])
      expect(answers.map(({ status, body }) => body.outcome ?? status).sort()).toEqual([400, 'pending'])
      // Asked twice, the gateway knows.
      await stack.put(`/invoices/${invoiceId}/sync-with-psp`, {})
      await stack.put(`/invoices/${invoiceId}/sync-with-psp`, {})
      await stack.waitFor(
        async () =>
          (await stack.get(`/invoices/${invoiceId}/transactions`)).body.transactions[0].status === 'partially-refunded',
      )
      expect((await audit(stack, invoiceId)).transaction).toMatchObject({ refundedMinor: 2000, refundingMinor: 0 })
    })
  })

  test('the end of an authorization and a capture never both have its money', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await stack.payInvoice()
      const [, answer] = await Promise.all([
        stack.skipTime(invoiceId, 7 * DAY_MS + 60_000),
        lag(seed).then(() => stack.post(`/invoices/${invoiceId}/capture`, {})),
      ])
      await stack.waitFor(() => stack.isClosed(invoiceId))
      const { transaction } = await audit(stack, invoiceId)
      const { capturedMinor, voidedMinor } = transaction
      expect([200, 410]).toContain(answer.status)
      expect([capturedMinor, voidedMinor]).toEqual(answer.status === 200 ? [2900, 0] : [0, 2900])
    })
  })

  test.each(['at once', 'a little later'])('a request that comes again %s with its key is done once', async (when) => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
      const raise = () =>
        keyed(`/invoices/${invoiceId}/increment_authorization`, `race-${when}-${seed}`, { amount: '5.00' })
      const answers = await Promise.all([raise(), when === 'at once' ? raise() : lag(seed).then(raise)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers[0].text).toBe(answers[1].text)
      expect((await audit(stack, invoiceId)).transaction.authorizedMinor).toBe(3400)
    })
  })

  test('the same capture that comes again without a key takes the money once', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const { invoiceId } = await stack.payInvoice()
      const capture = () => stack.post(`/invoices/${invoiceId}/capture`, {})
      const answers = await Promise.all([capture(), lag(seed).then(capture)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const { transaction, requests } = await audit(stack, invoiceId)
      expect(transaction).toMatchObject({ capturedMinor: 2900, capturesCount: 1 })
      expect(requests.filter(({ type }) => type === 'capture')).toHaveLength(1)
    })
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { createKeyedClient, type KeyedPost } from '../http/idempotency-client.ts'
import { chance, forSeeds } from '../support/chance.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { DAY_MS } from '../support/story.ts'
import { audit, LAG_MAX_MS, SEEDS } from './races-stack.ts'

const DECLINED = '4000000000002180'
/** A refund that is pending, then done. */
const REFUND_PENDING = '4000000000007064'

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
  let stack: Stack
  let keyed: KeyedPost

  beforeAll(async () => {
    stack = await makeStack({ mode })
    keyed = createKeyedClient(stack.baseUrl, { projectId: stack.project.id, secretKey: stack.project.secretKey })
  })
  afterAll(() => stack.stop())

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

  test('a second card right after a declined one pays the invoice once', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const [invoice, bad, good] = await Promise.all([
        stack.createInvoice(),
        stack.createCard({ number: DECLINED }),
        stack.createCard(),
      ])
      const pay = (source: string) => stack.post(`/invoices/${invoice.id}/capture`, { source })
      expect((await pay(bad.id)).status).toBe(410)
      await sleep((chance(seed) * LAG_MAX_MS) / 2)
      expect(await pay(good.id)).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
      const { transaction } = await audit(stack, invoice.id)
      expect(transaction).toMatchObject({ attemptsCount: 2, capturedMinor: 2900 })
    })
  })

  test('two sales with two cards charge one of them', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const [invoice, one, two] = await Promise.all([stack.createInvoice(), stack.createCard(), stack.createCard()])
      const pay = (source: string, verb: string) =>
        stack.post(
          `/invoices/${invoice.id}/${verb}`,
          verb === 'authorize' ? { source, authorize_only: false } : { source },
        )
      const answers = await Promise.all([
        pay(one.id, 'capture'),
        sleep(chance(seed) * LAG_MAX_MS).then(() => pay(two.id, chance(seed + 1000) < 0.5 ? 'capture' : 'authorize')),
      ])
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 200,
          body: { outcome: 'success', transaction: { status: 'completed' } },
        })
      const { transaction, requests } = await audit(stack, invoice.id)
      expect(transaction).toMatchObject({ attemptsCount: 1, capturedMinor: 2900 })
      expect(requests).toHaveLength(2)
    })
  })

  test('a card given for two invoices pays one of them', async () => {
    await forSeeds(SEEDS, async (seed) => {
      const [one, two, card] = await Promise.all([stack.createInvoice(), stack.createInvoice(), stack.createCard()])
      const pay = (invoice: { id: string }) => stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id })
      const answers = await Promise.all([pay(one), sleep(chance(seed) * 20).then(() => pay(two))])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      const em = stack.database.orm.em.fork()
      expect(await em.count(TransactionEntity, { invoiceId: { $in: [one.id, two.id] } })).toBe(1)
    })
  })

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

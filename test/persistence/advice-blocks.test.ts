import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { reaches } from '../../domain/merchant-advice.ts'
import {
  type BlockedPayment,
  findAdvice,
  liftBlocks,
  type NewBlock,
  setBlock,
} from '../../src/persistence/queries/advice/advice-blocks.ts'
import { deleteOlder } from '../../src/persistence/queries/retention/retention.ts'
import { fixedClock } from '../support/clock.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const { now } = fixedClock()
const inDays = (days: number) => new Date(now().getTime() + days * DAY_MS)

const database = databaseForFile()
const mine = makeRows('mine')

const payment: BlockedPayment = {
  projectId: mine.project.id,
  sandbox: true,
  cardFingerprint: 'print-1',
  gatewayConfigurationId: mine.gatewayConfiguration.id,
  amountMinor: 2900,
  currency: 'EUR',
}
const block: NewBlock = {
  projectId: mine.project.id,
  sandbox: true,
  cardFingerprint: 'print-1',
  gatewayConfigurationId: mine.gatewayConfiguration.id,
  amount: { minor: 2900, currency: 'EUR' },
  code: '03',
  network: 'mastercard',
  sourceOperationId: mine.attempt.id,
  expiresAt: inDays(30),
}
const ofCard: NewBlock = { ...block, gatewayConfigurationId: null, amount: null, code: '21' }
const ofAmount: NewBlock = { ...block, gatewayConfigurationId: null, code: '26', expiresAt: inDays(2) }

beforeAll(async () => {
  await insertRows(em(), mine)
})
beforeEach(() => em().execute('delete from advice_block'))

const em = () => database.orm.em.fork()
const set = (values: Partial<NewBlock> = {}, at = now()) => setBlock(em(), { ...block, ...values }, at)
const found = async (values: Partial<BlockedPayment> = {}, at = now()) => {
  const asked = { ...payment, ...values }
  const { blocks } = await findAdvice(em(), asked, at)
  return blocks
    .filter((block) => reaches(block, asked))
    .map(({ code }) => code)
    .toSorted()
}
const rows = () =>
  em().execute<Record<string, unknown>[]>(
    `select code, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as since from advice_block order by code`,
  )

describe('a block', () => {
  test('at one gateway stops no other card, amount, currency, gateway or environment', async () => {
    await set()
    expect(await found()).toEqual(['03'])
    const { blocks } = await findAdvice(em(), payment, now())
    expect(blocks).toMatchObject([{ code: '03', expiresAt: inDays(30).getTime() }])
    expect(await found({ cardFingerprint: 'print-2' })).toEqual([])
    expect(await found({ amountMinor: 2901 })).toEqual([])
    expect(await found({ currency: 'USD' })).toEqual([])
    expect(await found({ gatewayConfigurationId: 'gway_conf_other' })).toEqual([])
    expect(await found({ sandbox: false })).toEqual([])
  })

  test('of another project or environment is not found', async () => {
    const theirs = makeRows('theirs')
    await insertRows(em(), theirs)
    await set()
    expect(await found({ projectId: theirs.project.id })).toEqual([])
    await expect(set({ projectId: theirs.project.id })).rejects.toThrow(/foreign key/)
    await expect(set({ sandbox: false })).rejects.toThrow(/foreign key/)
  })

  test('without an amount, or without a gateway, reaches all of them', async () => {
    await set(ofCard)
    await set(ofAmount)
    expect(await found()).toEqual(['21', '26'])
    expect(await found({ gatewayConfigurationId: 'gway_conf_other' })).toEqual(['21', '26'])
    expect(await found({ amountMinor: 1, currency: 'USD' })).toEqual(['21'])
    expect(await found({ cardFingerprint: 'print-2' })).toEqual([])
  })

  test('ends, to the millisecond', async () => {
    await set()
    expect(await found({}, new Date(inDays(30).getTime() - 1))).toEqual(['03'])
    expect(await found({}, inDays(30))).toEqual([])
  })

  test('is there once: again it is extended, and never shortened', async () => {
    await set()
    await set({ expiresAt: inDays(31) }, inDays(1))
    await set({ expiresAt: inDays(5) }, inDays(2))
    expect(await rows()).toMatchObject([{ code: '03' }])
    expect(await found({}, inDays(30.9))).toEqual(['03'])
    expect(await found({}, inDays(31))).toEqual([])
    await set(ofCard)
    await set({ ...ofCard, expiresAt: inDays(31) })
    expect(await rows()).toHaveLength(2)
  })

  test('keeps the advice by which it lasts, also where a later decline gives one that ends sooner', async () => {
    await set(ofAmount)
    await set({ ...ofAmount, code: '24', expiresAt: inDays(1) })
    expect(await found()).toEqual(['26'])
    await set({ ...ofAmount, code: '30', expiresAt: inDays(10) })
    expect(await found()).toEqual(['30'])
  })

  test('is one, also where many declines set it at once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => set({ expiresAt: inDays(30 + index) }, inDays(index))))
    expect(await rows()).toHaveLength(1)
    expect(await found({}, inDays(40.9))).toEqual(['03'])
  })

  test('is lifted by an approval that was sent after it, and by no older one', async () => {
    const lift = (sentAt: Date, isMerchantInitiated = false, values: Partial<BlockedPayment> = {}) =>
      liftBlocks(em(), { ...payment, ...values }, { sentAt, isMerchantInitiated })
    await set({}, inDays(1))
    await lift(inDays(0.9))
    await lift(inDays(2), false, { amountMinor: 1 })
    await lift(inDays(2), false, { gatewayConfigurationId: 'gway_conf_other' })
    await lift(inDays(2), false, { cardFingerprint: 'print-2' })
    expect(await found()).toEqual(['03'])
    await lift(inDays(1))
    expect(await found()).toEqual([])
  })

  test('on what the merchant charges is not lifted by what the customer pays', async () => {
    await set(ofCard)
    await set(ofAmount)
    await liftBlocks(em(), payment, { sentAt: inDays(1), isMerchantInitiated: false })
    expect(await found()).toEqual(['21', '26'])
    await liftBlocks(em(), payment, { sentAt: inDays(1), isMerchantInitiated: true })
    expect(await found()).toEqual([])
  })

  test('that has ended is deleted with what is over, and begins anew where it is set before that', async () => {
    await set({}, inDays(0))
    await set({ expiresAt: inDays(70) }, inDays(40))
    expect(await rows()).toEqual([{ code: '03', since: '2026-12-31' }])
    expect(await deleteOlder(em(), 'advice_block', { before: inDays(69), limit: 10 })).toBe(0)
    expect(await deleteOlder(em(), 'advice_block', { before: inDays(71), limit: 10 })).toBe(1)
    expect(await rows()).toEqual([])
  })
})

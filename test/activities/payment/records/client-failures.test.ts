import { beforeEach, describe, expect, test } from '@jest/globals'
import type { PayCommand } from '../../../../domain/command.ts'
import { IdempotencyKeyEntity } from '../../../../src/persistence/entities/idempotency-key.ts'
import { ProjectEntity, type ProjectRow } from '../../../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../../../src/persistence/entities/velocity-record.ts'
import { makePaymentActor, type PaymentActor } from '../../../support/payment-actor.ts'
import { databaseForFile } from '../../../support/payment-for-file.ts'

const TOO_MANY = { kind: 'refused', code: 'request.rate.too-many-failures' }
const OTHER_NUMBER = '4977830000000001'

const database = databaseForFile()
let actor: PaymentActor

beforeEach(async () => {
  // A project of its own for each test.
  actor = await makePaymentActor(database)
})

const em = () => database.orm.em.fork()
const limit = (limits: Partial<ProjectRow>) => em().nativeUpdate(ProjectEntity, { id: actor.projectId }, limits)
const byClient = { actor: 'client' } as const
const pay = async (invoiceId: string, source: string, values: Partial<PayCommand> = byClient) =>
  (await actor.executeCommand(invoiceId, actor.build.authorize(source, values))).answer
/** A client tries a card of that number, on an invoice of its own unless one is named. */
const tryCard = async (scenario: string, number?: string, invoiceId?: string) =>
  pay(invoiceId ?? (await actor.makeInvoice()), await actor.makeCard(number, `SANDBOX:${scenario}`))
const fail = async (times: number, number?: string, invoiceId?: string) => {
  for (let time = 0; time < times; time += 1)
    expect(await tryCard('stolen', number, invoiceId)).toMatchObject({ kind: 'declined', code: 'card.stolen' })
}
const countTries = (where: object = {}) => em().count(VelocityRecordEntity, { projectId: actor.projectId, ...where })

/** Cards of the simulator, each of which plays what its holder is called. */
const numbers = ['4242424242424242', OTHER_NUMBER, '4658580000000008', '4571730000000003', '4023600000000002']

describe('an invoice', () => {
  test('is tried in vain by clients ten times, and no more; its merchant may still charge it', async () => {
    await limit({ clientFailuresPerCard: 1_000 })
    const invoiceId = await actor.makeInvoice()
    await fail(10, undefined, invoiceId)
    expect(await tryCard('approved', undefined, invoiceId)).toMatchObject(TOO_MANY)
    expect(await countTries()).toBe(10)
    const merchants = await actor.makeCard(undefined, 'SANDBOX:approved')
    expect(await pay(invoiceId, merchants, { actor: 'merchant' })).toMatchObject({ kind: 'done' })
  })

  test('keeps nothing of a refused try: no transaction, no key', async () => {
    await limit({ clientFailuresPerCard: 1 })
    await fail(1)
    const [invoiceId, source] = [await actor.makeInvoice(), await actor.makeCard()]
    const idempotency = { id: 'c'.repeat(64), requestHash: 'd'.repeat(64), requestId: 'req_1' }
    expect(await pay(invoiceId, source, { ...byClient, idempotency })).toMatchObject(TOO_MANY)
    expect(await em().count(TransactionEntity, { invoiceId })).toBe(0)
    expect(await em().count(IdempotencyKeyEntity, { id: idempotency.id })).toBe(0)
    await limit({ clientFailuresPerCard: 2 })
    expect(await pay(invoiceId, source, { ...byClient, idempotency })).toMatchObject({ kind: 'done' })
  })
})

describe('a card', () => {
  beforeEach(() => limit({ clientFailuresPerCard: 3 }))

  test('is tried as often by requests that come at the same instant', async () => {
    const tries = Array.from({ length: 8 }, async () => ({
      invoiceId: await actor.makeInvoice(),
      source: await actor.makeCard(undefined, 'SANDBOX:stolen'),
    }))
    const answers = await Promise.all((await Promise.all(tries)).map(({ invoiceId, source }) => pay(invoiceId, source)))
    expect(answers.filter(({ kind }) => kind === 'declined')).toHaveLength(3)
    expect(answers.filter(({ kind }) => kind === 'refused')).toHaveLength(5)
  })

  test('that its merchant charges in vain is not taken for one that clients try in vain', async () => {
    for (let time = 0; time < 3; time += 1) {
      const [invoiceId, source] = [await actor.makeInvoice(), await actor.makeCard(undefined, 'SANDBOX:stolen')]
      expect(await pay(invoiceId, source, { actor: 'merchant' })).toMatchObject({ kind: 'declined' })
    }
    expect(await tryCard('approved')).toMatchObject({ kind: 'done' })
  })

  test('that pays, or whose gateway is down, has not failed', async () => {
    for (const scenario of ['approved', 'approved', 'approved', 'gateway-fails', 'gateway-fails', 'gateway-fails'])
      expect(await tryCard(scenario)).not.toMatchObject(TOO_MANY)
    expect(await countTries({ isClientFailure: true })).toBe(0)
    expect(await tryCard('approved')).toMatchObject({ kind: 'done' })
  })
})

test('a project has no more failures by requests that come at the same instant', async () => {
  await limit({ clientFailuresPerProject: 4 })
  await fail(1, numbers[0])
  await fail(1, numbers[1])
  const sources = await Promise.all([...numbers, ...numbers].map((number) => actor.makeCard(number, 'SANDBOX:stolen')))
  const invoices = await Promise.all(sources.map(() => actor.makeInvoice()))
  const answers = await Promise.all(sources.map((source, index) => pay(invoices[index] ?? '', source)))
  expect(answers.filter(({ kind }) => kind === 'declined')).toHaveLength(2)
})

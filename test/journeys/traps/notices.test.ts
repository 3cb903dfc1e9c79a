import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { GatewayNotice } from '../../../domain/gateway-notice.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { createProject } from '../../../src/persistence/queries/projects/create-project.ts'
import { receiveNotice } from '../../../src/processes/receive-notice.ts'
import { createPaymentSettler } from '../../../src/temporal/client.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { makeStack, type Stack } from '../../support/stack.ts'
import { createStory } from '../../support/story.ts'

let stack: Stack
let story: ReturnType<typeof createStory>
let gatewayConfigurationId: string

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
  const em = stack.database.orm.em.fork()
  const account = await em.findOneOrFail(GatewayConfigurationEntity, { projectId: stack.project.id })
  gatewayConfigurationId = account.id
})
afterAll(() => stack.stop())

const PAID = ['transaction.requested', 'transaction.authorized', 'transaction.captured', 'invoice.completed']

/** Tells what a gateway tells, as the address for its notices does. */
function tell(notice: Pick<GatewayNotice, 'gatewayNoticeId' | 'invoiceId' | 'what'> & Partial<GatewayNotice>) {
  const { temporal, taskQueues, clock, database } = stack
  const settler = createPaymentSettler({ temporal: { live: temporal, sandbox: temporal }, taskQueues })
  const told = { gatewayConfigurationId, reference: null, amountMinor: 2900, currency: 'EUR', reason: null, ...notice }
  return receiveNotice({ orm: database.orm, settler, clock }, told)
}

const paid = async (card: { name?: string } = {}) => (await story.pay({ ...card, authorize_only: false })).invoiceId
const disputesOf = async (invoiceId: string): Promise<{ metadata: { step: string } }[]> =>
  (await story.transactionOf(invoiceId)).operations.filter(({ type }: { type: string }) => type === 'chargeback')

describe('the same notice', () => {
  test('ten times at once is booked and told once', async () => {
    const invoiceId = await paid()
    const notice = { gatewayNoticeId: `${invoiceId}-1`, invoiceId, what: 'chargeback-created' } as const
    await Promise.all(Array.from({ length: 10 }, () => tell(notice)))
    await story.becomes(invoiceId, { status: 'chargeback-initiated' })
    await tell(notice)
    expect(await disputesOf(invoiceId)).toHaveLength(1)
    await story.expectEvents(invoiceId, [...PAID, 'transaction.chargeback.created'])
  })

  test('of a refund that has failed takes its money back once', async () => {
    const invoiceId = await paid()
    await story.post(invoiceId, 'refunds', { amount: '9.00' })
    await story.post(invoiceId, 'refunds', { amount: '10.00' })
    const { refunds, operations } = await story.transactionOf(invoiceId)
    const [{ id: refundId }] = refunds.filter(({ amount }: { amount: string }) => amount === '9.00')
    const [attempt] = operations.filter(
      ({ type, is_attempt, amount }: Record<string, unknown>) => type === 'refund' && is_attempt && amount === '9.00',
    )
    for (const gatewayNoticeId of [`${invoiceId}-1`, `${invoiceId}-1`, `${invoiceId}-2`]) {
      await tell({ gatewayNoticeId, invoiceId, what: 'refund-failed', reference: attempt.id, amountMinor: 900 })
    }
    const transaction = await story.becomes(invoiceId, { status: 'partially-refunded', refunded_amount: '10.00' })
    expect(transaction.refunds.find(({ id }: { id: string }) => id === refundId)).toMatchObject({ has_failed: true })
    await story.expectEvents(invoiceId, [
      ...PAID,
      'transaction.refunded',
      'transaction.refunded',
      'transaction.operation.refund.failed',
    ])
  })
})

describe('notices out of order', () => {
  test.each([
    ['chargeback-won', 'solved', 'transaction.chargeback.won'],
    ['chargeback-lost', 'reversed', 'transaction.chargeback.lost'],
  ] as const)('%s before the chargeback was created ends %s all the same', async (what, status, event) => {
    const invoiceId = await paid()
    await tell({ gatewayNoticeId: `${invoiceId}-2`, invoiceId, what })
    await tell({ gatewayNoticeId: `${invoiceId}-1`, invoiceId, what: 'chargeback-created' })
    await story.expectEvents(invoiceId, [...PAID, event, 'transaction.chargeback.created'])
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status })
    expect((await disputesOf(invoiceId)).map(({ metadata }) => metadata.step)).toEqual([what, 'chargeback-created'])
  })

  test('of which the first request for evidence comes last open nothing again', async () => {
    const invoiceId = await paid()
    for (const what of ['chargeback-created', 'chargeback-won', 'retrieval-request', 'fraud-notification'] as const)
      await tell({ gatewayNoticeId: `${invoiceId}-${what}`, invoiceId, what })
    expect(await story.becomes(invoiceId, { status: 'solved' })).toMatchObject({
      received_retrieval_request: true,
      received_fraud_notification: true,
    })
  })

  test('before anything was paid wait for the payment', async () => {
    const { id: invoiceId } = await stack.createInvoice()
    await tell({ gatewayNoticeId: `${invoiceId}-1`, invoiceId, what: 'fraud-notification' })
    expect(await story.transactionOf(invoiceId)).toBeUndefined()
    const { id: source } = await stack.createCard()
    expect((await story.post(invoiceId, 'capture', { source })).body.transaction).toMatchObject({ status: 'completed' })
    await tell({ gatewayNoticeId: `${invoiceId}-2`, invoiceId, what: 'chargeback-created' })
    const transaction = await story.becomes(invoiceId, { status: 'chargeback-initiated' })
    expect(transaction).toMatchObject({ received_fraud_notification: true, captured_amount: '29.00' })
  })
})

test('a notice of an account that the invoice does not belong to is nobody’s', async () => {
  const { vault, clock, database } = stack
  const { projectId } = await createProject(database.orm.em.fork(), {
    name: 'Other',
    sandbox: true,
    randomBytes: seededRandomBytes(`${database.name} other`),
    hashSecret: vault.hashSecret,
    now: clock.now(),
  })
  const foreign = await database.orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId })
  const invoiceId = await paid()
  const before = await story.transactionOf(invoiceId)
  await tell({
    gatewayNoticeId: `${invoiceId}-1`,
    invoiceId,
    what: 'chargeback-created',
    gatewayConfigurationId: foreign.id,
  })
  await tell({ gatewayNoticeId: 'nobody-1', invoiceId: 'iv_none', what: 'chargeback-created' })
  expect(await story.transactionOf(invoiceId)).toEqual(before)
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { createProject } from '../../../src/persistence/queries/projects/projects.ts'
import { createPost } from '../../../src/sweeps/simulator-notifications.ts'
import { type DisputeNotification, disputeNotification } from '../../support/gateway-notifications.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { makeStack, SIMULATOR_KEY, type Stack } from '../../support/stack.ts'
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

/** Posts a notification to the address of an account, as its gateway does. */
function post(notification: DisputeNotification, account = gatewayConfigurationId) {
  const { database, vault, baseUrl } = stack
  const send = createPost({ orm: database.orm, vault, url: baseUrl, simulatorKey: SIMULATOR_KEY })
  return send(notification, account)
}
const dispute = (
  kind: DisputeNotification['kind'],
  { id, ...values }: { id: string; invoiceId: string } & Partial<DisputeNotification>,
) => disputeNotification(kind, { gatewayNotificationId: id, amountMinor: 2900, currency: 'EUR', ...values })

const paid = async (card: { name?: string } = {}) => (await story.pay({ ...card, authorize_only: false })).invoiceId
const disputesOf = async (invoiceId: string): Promise<{ metadata: { step: string } }[]> =>
  (await story.transactionOf(invoiceId)).operations.filter(({ type }: { type: string }) => type === 'chargeback')

describe('the same notification', () => {
  test('ten times at once is applied and sent on once', async () => {
    const invoiceId = await paid()
    const notification = dispute('chargeback-created', { id: `${invoiceId}-1`, invoiceId })
    await Promise.all(Array.from({ length: 10 }, () => post(notification)))
    await story.becomes(invoiceId, { status: 'chargeback-initiated' })
    await post(notification)
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
    for (const id of [`${invoiceId}-1`, `${invoiceId}-1`, `${invoiceId}-2`]) {
      await post(dispute('refund-failed', { id, invoiceId, reference: attempt.id, amountMinor: 900 }))
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

describe('notifications out of order', () => {
  test.each([
    ['chargeback-won', 'solved', 'transaction.chargeback.won'],
    ['chargeback-lost', 'reversed', 'transaction.chargeback.lost'],
  ] as const)('%s before the chargeback was created ends %s all the same', async (kind, status, event) => {
    const invoiceId = await paid()
    await post(dispute(kind, { id: `${invoiceId}-2`, invoiceId }))
    await post(dispute('chargeback-created', { id: `${invoiceId}-1`, invoiceId }))
    await story.expectEvents(invoiceId, [...PAID, event, 'transaction.chargeback.created'])
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status })
    expect((await disputesOf(invoiceId)).map(({ metadata }) => metadata.step)).toEqual([kind, 'chargeback-created'])
  })

  test('of which the first request for evidence comes last open nothing again', async () => {
    const invoiceId = await paid()
    for (const kind of ['chargeback-created', 'chargeback-won', 'retrieval-request', 'fraud-notification'] as const)
      await post(dispute(kind, { id: `${invoiceId}-${kind}`, invoiceId }))
    await story.becomes(invoiceId, { received_retrieval_request: true, received_fraud_notification: true })
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'solved' })
  })

  test('before anything was paid wait for the payment', async () => {
    const { id: invoiceId } = await stack.createInvoice()
    await post(dispute('fraud-notification', { id: `${invoiceId}-1`, invoiceId }))
    expect(await story.transactionOf(invoiceId)).toBeUndefined()
    const { id: source } = await stack.createCard()
    expect((await story.post(invoiceId, 'capture', { source })).body.transaction).toMatchObject({ status: 'completed' })
    await post(dispute('chargeback-created', { id: `${invoiceId}-2`, invoiceId }))
    const transaction = await story.becomes(invoiceId, { status: 'chargeback-initiated' })
    expect(transaction).toMatchObject({ received_fraud_notification: true, captured_amount: '29.00' })
  })
})

test('a notification of an account that the invoice does not belong to changes nothing', async () => {
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
  await post(dispute('chargeback-created', { id: `${invoiceId}-1`, invoiceId }), foreign.id)
  await post(dispute('chargeback-created', { id: 'nobody-1', invoiceId: 'iv_none' }))
  expect(await story.transactionOf(invoiceId)).toEqual(before)
})

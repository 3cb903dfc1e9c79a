import { describe, expect, test } from '@jest/globals'
import { signResolution } from '../../domain/command-signature.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { createPaymentResyncer } from '../../src/temporal/client.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS } from '../support/story.ts'

describe('an outcome that nobody knows', () => {
  const stack = stackForFile()
  const story = createStory(stack)

  const openAttemptOf = async (invoiceId: string) => {
    const row = await stack.database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
    return row.attemptsInFlight[0]?.operationId ?? ''
  }
  const resolve = async (
    invoiceId: string,
    found: { operationId: string; outcome: 'approved' | 'declined'; gatewayOperationId: string | null },
  ) => {
    const { temporal, taskQueues, project } = stack
    const resyncer = createPaymentResyncer({ temporal: { live: temporal, sandbox: temporal }, taskQueues })
    const payment = { projectId: project.id, environment: 'sandbox' as const, invoiceId }
    const description = { ...payment, amountMinor: 2900, currency: 'EUR', orderId: null }
    const signed = signResolution(stack.vault.signCommand, payment, { ...found, reason: 'asked the gateway' })
    await resyncer.resync(description, `test-${found.operationId}`, { lookUpNow: false, resolution: signed })
  }
  const searchStatus = async (invoiceId: string) => {
    const { searchAttributes } = await stack.temporal.workflow.getHandle(`payment-${invoiceId}`).describe()
    return searchAttributes.PaymentStatus?.[0]
  }

  test('is found by support staff when no look-up has told it for days, and is resolved by them', async () => {
    const { invoiceId } = await story.pay({ number: '4000000000007023' })
    await stack.skipTime(invoiceId, 4 * DAY_MS)
    await stack.waitFor(async () => (await searchStatus(invoiceId)) === 'unresolved')
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'pending' })
    const operationId = await openAttemptOf(invoiceId)
    const [request] = await stack.gatewayRequests(invoiceId)
    const gatewayOperationId = request?.outcome.kind === 'approved' ? request.outcome.gatewayOperationId : null
    await resolve(invoiceId, { operationId, outcome: 'approved', gatewayOperationId })
    expect(await story.becomes(invoiceId, { status: 'authorized' })).toMatchObject({ outcome_unknown_since: null })
    expect(await searchStatus(invoiceId)).toBe('authorized')
    expect((await story.post(invoiceId, 'capture')).body.transaction).toMatchObject({ status: 'completed' })
  })

  test('closed as declined lets another card pay, and is given back when it turns out approved', async () => {
    const { invoiceId } = await story.pay({ name: 'SANDBOX:authorization-approved-late' })
    await resolve(invoiceId, {
      operationId: await openAttemptOf(invoiceId),
      outcome: 'declined',
      gatewayOperationId: null,
    })
    await story.becomes(invoiceId, { status: 'failed' })
    const { id: second } = await stack.createCard()
    expect((await story.post(invoiceId, 'authorize', { source: second })).body.transaction).toMatchObject({
      status: 'authorized',
    })
    // The gateway remembers its approval at the fourth look-up.
    for (let asked = 0; asked < 4; asked += 1) await stack.put(`/invoices/${invoiceId}/sync-with-psp`)
    const late = ({ metadata }: { metadata: { reason?: string } }) => metadata.reason === 'late_approval'
    // The gateway is asked for the void a moment before its answer is booked.
    const transaction = await stack.waitFor(async () => {
      const current = await story.transactionOf(invoiceId)
      return current.operations.filter(late).length >= 3 && current
    })
    expect(transaction).toMatchObject({ status: 'authorized', authorized_amount: '29.00', voided_amount: '0.00' })
    expect((await stack.gatewayRequests(invoiceId)).filter(({ type }) => type === 'void')).toHaveLength(1)
    expect(transaction.operations.filter(late)).toMatchObject([
      { type: 'authorization', is_accountable: false },
      { type: 'void', is_attempt: true },
      { type: 'void', is_attempt: false, outcome: 'succeeded', is_accountable: false },
    ])
    expect((await story.post(invoiceId, 'capture')).body.transaction).toMatchObject({ captured_amount: '29.00' })
  })

  test('of an increment is never asked for twice, also where the merchant has it looked up', async () => {
    const { invoiceId } = await story.pay({ name: 'SANDBOX:increment-never-resolved', incremental: true })
    const answer = await story.post(invoiceId, 'increment_authorization', { amount: '1.00' })
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'pending' } })
    await stack.put(`/invoices/${invoiceId}/sync-with-psp`)
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization' },
      { type: 'increment_authorization', timesAsked: 1 },
    ])
  })
})

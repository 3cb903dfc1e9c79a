import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Resolution } from '../../../domain/command.ts'
import { signResolution } from '../../../domain/command-signature.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { createPaymentResyncer } from '../../../src/temporal/client.ts'
import { makeStack, type Stack } from '../../support/stack.ts'
import { createStory, DAY_MS } from '../../support/story.ts'

const CAPTURE_NEVER_RESOLVED = 'SANDBOX:capture-never-resolved'
const INVALID_STATE = { status: 400, body: { error_type: 'request.validation.invalid-state' } }
const STILL_PROCESSING = { status: 409, body: { error_type: 'request.still-processing' } }

let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())

const typesOf = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).map(({ type }) => type)

/** Ends the open attempt of a payment as support staff do. */
async function resolve(invoiceId: string, outcome: Resolution['outcome']): Promise<void> {
  const { temporal, taskQueues, project, database } = stack
  const row = await database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
  const operationId = row.attemptsInFlight[0]?.operationId ?? ''
  const resyncer = createPaymentResyncer({ temporal: { live: temporal, sandbox: temporal }, taskQueues })
  const payment = { projectId: project.id, environment: 'sandbox', invoiceId } as const
  const description = { ...payment, amountMinor: 2900, currency: 'EUR', orderId: null }
  const found = { operationId, outcome, gatewayOperationId: null, reason: 'a test' }
  const resolution = signResolution(stack.vault.signCommand, payment, found)
  await resyncer.resync(description, `test-${operationId}`, { lookUpNow: false, resolution })
}

describe('a capture whose outcome is not known', () => {
  test('is neither voided nor refunded meanwhile, and refunded once it is found done', async () => {
    const { invoiceId } = await story.pay({ name: CAPTURE_NEVER_RESOLVED })
    expect((await story.post(invoiceId, 'capture')).body).toMatchObject({ outcome: 'pending' })
    expect(await story.post(invoiceId, 'void')).toMatchObject(INVALID_STATE)
    expect(await story.post(invoiceId, 'void', { amount: '1.00' })).toMatchObject(INVALID_STATE)
    expect(await story.post(invoiceId, 'refunds')).toMatchObject(STILL_PROCESSING)
    expect(await story.post(invoiceId, 'capture', { capture_amount: '1.00' })).toMatchObject(STILL_PROCESSING)
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'capture'])

    await resolve(invoiceId, 'approved')
    await story.becomes(invoiceId, { status: 'completed', captured_amount: '29.00' })
    expect((await story.post(invoiceId, 'refunds')).body.transaction).toMatchObject({ status: 'refunded' })
  })

  /** Pays, captures, and lets the end of the authorization pass while nobody knows what became of the capture. */
  async function payBeyondItsEnd(): Promise<string> {
    const { invoiceId } = await story.pay({ name: CAPTURE_NEVER_RESOLVED })
    await story.post(invoiceId, 'capture')
    await stack.skipTime(invoiceId, 9 * DAY_MS)
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'pending-capture', voided_amount: '0.00' })
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'capture'])
    return invoiceId
  }

  test('holds the end of its authorization back until it is known', async () => {
    const invoiceId = await payBeyondItsEnd()
    await resolve(invoiceId, 'approved')
    await story.becomes(invoiceId, { status: 'completed', captured_amount: '29.00', voided_amount: '0.00' })
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'capture'])
  })

  test('releases nothing where staff call it declined and its gateway has taken the money: staff have to look again', async () => {
    const invoiceId = await payBeyondItsEnd()
    await resolve(invoiceId, 'declined')
    const row = () => stack.database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
    await stack.waitFor(async () => (await row()).needsAttention)
    expect(await story.transactionOf(invoiceId)).toMatchObject({ captured_amount: '0.00', voided_amount: '0.00' })
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'capture', 'void'])
  })
})

describe('an approval that is learned of late', () => {
  test('is captured at once where the instant of its capture has passed meanwhile', async () => {
    // Later than a busy machine needs to authorize, and before the fourth look-up, which tells of the approval.
    const at = new Date(Date.now() + 60_000).toISOString()
    const late = await story.pay({ name: 'SANDBOX:authorization-approved-late', auto_capture_at: at })
    expect(late.answer.body).toMatchObject({ outcome: 'pending' })
    await stack.skipTime(late.invoiceId, 10 * 60_000)
    expect(await story.becomes(late.invoiceId, { status: 'completed' })).toMatchObject({ captured_amount: '29.00' })
    expect(await typesOf(late.invoiceId)).toEqual(['authorization', 'capture'])
  })
})

describe('a client that is gone before its answer', () => {
  /** Sends a request, and hangs up while the payment waits for the row of its invoice. */
  async function sendAndHangUp(invoiceId: string, body: object): Promise<void> {
    const { id, secretKey } = stack.project
    await stack.database.orm.em.fork().transactional(async (holder) => {
      await holder.execute('select id from invoice where id = ? for update', [invoiceId])
      const connection = request(new URL(`/invoices/${invoiceId}/authorize`, stack.baseUrl), {
        method: 'POST',
        auth: `test-${id}:${secretKey}`,
        headers: { 'content-type': 'application/json' },
      })
      connection.on('error', () => {})
      connection.end(JSON.stringify(body))
      await stack.waitFor(async () => (await stack.history(invoiceId)) !== undefined)
      const { promise: gone, resolve: hungUp } = Promise.withResolvers<void>()
      connection.on('close', hungUp).destroy()
      await gone
    })
  }

  test('has its payment all the same, and is told of it when it asks again', async () => {
    const [{ id: invoiceId }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard()])
    await sendAndHangUp(invoiceId, { source, authorize_only: false })
    await stack.waitFor(async () => (await story.transactionOf(invoiceId))?.status === 'completed')
    const again = await story.post(invoiceId, 'authorize', { source, authorize_only: false })
    expect(again).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { captured_amount: '29.00' } },
    })
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'capture'])
  })
})

describe('the same request twice, without a key', () => {
  test('is done once where its wish is fulfilled already', async () => {
    const { invoiceId, source } = await story.pay()
    expect((await story.post(invoiceId, 'authorize', { source })).status).toBe(200)
    for (let times = 0; times < 2; times += 1) expect((await story.post(invoiceId, 'capture')).status).toBe(200)
    expect(await typesOf(invoiceId)).toEqual(['authorization', 'capture'])
    expect((await story.post(invoiceId, 'refunds')).status).toBe(200)
    // Nothing is left to give back, and it says so.
    expect((await story.post(invoiceId, 'refunds')).status).toBe(400)

    const { invoiceId: voided } = await story.pay()
    for (let times = 0; times < 2; times += 1) expect((await story.post(voided, 'void')).status).toBe(200)
    expect(await typesOf(voided)).toEqual(['authorization', 'void'])
  })

  test.each([
    ['increment_authorization', { amount: '1.00' }, { authorized_amount: '31.00' }],
    ['capture', { capture_amount: '1.00', capture_type: 'non-final' }, { captured_amount: '2.00' }],
    ['void', { amount: '1.00' }, { voided_amount: '2.00' }],
  ])('is done twice where it is about a part: %s', async (verb, body, expected) => {
    const { invoiceId } = await story.pay({ invoice: { incremental: true } })
    for (let times = 0; times < 2; times += 1) expect((await story.post(invoiceId, verb, body)).status).toBe(200)
    expect(await story.transactionOf(invoiceId)).toMatchObject(expected)
  })

  test('is two refunds where it is about a part', async () => {
    const { invoiceId } = await story.pay({ authorize_only: false })
    for (let times = 0; times < 2; times += 1)
      expect((await story.post(invoiceId, 'refunds', { amount: '1.00' })).status).toBe(200)
    expect(await story.transactionOf(invoiceId)).toMatchObject({ refunded_amount: '2.00' })
  })
})

describe('an increment', () => {
  test('that comes beside another one is added to it, and the gateway is told the total', async () => {
    const { invoiceId } = await story.pay({ invoice: { incremental: true } })
    const answers = await Promise.all(
      ['1.00', '2.00', '4.00'].map((amount) => story.post(invoiceId, 'increment_authorization', { amount })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await story.transactionOf(invoiceId)).toMatchObject({ amount: '36.00', authorized_amount: '36.00' })
    // The simulator declines an increment whose total does not follow from its own books.
    const requests = (await stack.gatewayRequests(invoiceId)).slice(1)
    expect(requests.map(({ outcome }) => outcome.kind)).toEqual(['approved', 'approved', 'approved'])
  })
})

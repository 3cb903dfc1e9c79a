import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { findOverdue } from '../support/overdue.ts'
import { makePaymentStage } from '../support/payment-stage.ts'
import { waitFor } from '../support/wait-for.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Loses the answer to an authorization; looked up, it says that it has approved. */
const ANSWER_LOST = '4000000000007007'
/** Loses it as well, and never tells. */
const NEVER_RESOLVED = '4000000000007023'

let stage: Awaited<ReturnType<typeof makePaymentStage>>
let worker: Awaited<ReturnType<typeof stage.startWorker>>

beforeAll(async () => {
  stage = await makePaymentStage({ eager: true })
  worker = await stage.startWorker()
})
afterAll(async () => {
  await worker.stop()
  await stage.close()
})

async function authorized({ autoCaptureAt = null, number }: { autoCaptureAt?: number | null; number?: string } = {}) {
  const invoiceId = await stage.makeInvoice()
  const card = await stage.makeCard(number)
  await stage.send(invoiceId, stage.authorizeCommand(card, { autoCaptureAt }))
  return invoiceId
}

const becomes = (invoiceId: string, status: string) =>
  waitFor(async () => (await stage.books(invoiceId))?.status === status)
const askedFor = async (invoiceId: string) => (await stage.gatewayRequests(invoiceId)).map(({ type }) => type)
const isRunning = async (invoiceId: string) => (await stage.runOf(invoiceId).describe()).status.name === 'RUNNING'

/** What the top of the payment's page says. */
async function detailsOf(invoiceId: string): Promise<string> {
  const { currentDetails } = await stage
    .runOf(invoiceId)
    .query<{ currentDetails: string }>('__temporal_workflow_metadata')
  return currentDetails
}

/** Makes what is due later due now, for the sweep and for whoever reads the record. */
const makeDue = (invoiceId: string) => {
  const now = new Date()
  return stage.database.orm.em
    .fork()
    .nativeUpdate(TransactionEntity, { invoiceId }, { autoCaptureAt: now, nextDueAt: now })
}

/** Does what the sweep of payments does, without its patience. */
async function sweep(invoiceId: string): Promise<void> {
  const overdue = await findOverdue(stage.database.orm, new Date(Date.now() + MINUTE_MS))
  expect(overdue.map((payment) => payment.invoiceId)).toContain(invoiceId)
  await stage.resync(stage.describe(invoiceId))
}

/** As the button of the UI does, to the first workflow task of the run, or to the last. */
async function reset(invoiceId: string, to: 'first' | 'last'): Promise<void> {
  const run = stage.runOf(invoiceId)
  const { runId } = await run.describe()
  // A task that was started eagerly answers before the server has its end.
  const ended = await waitFor(async () => {
    const { events } = await run.fetchHistory()
    const found = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes != null)
    return found.length > 0 ? found : null
  })
  const event = to === 'first' ? ended[0] : ended.at(-1)
  await stage.temporal.workflowService.resetWorkflowExecution({
    namespace: stage.temporal.options.namespace,
    workflowExecution: { workflowId: run.workflowId, runId },
    reason: 'a mistake in the Temporal UI',
    requestId: randomUUID(),
    workflowTaskFinishEventId: event?.eventId ?? null,
  })
}

describe('a payment whose workflow is cancelled', () => {
  test('is voided while it holds reserved money, on staff’s account and for that reason', async () => {
    const invoiceId = await authorized()
    await stage.runOf(invoiceId).cancel()
    expect(await stage.runOf(invoiceId).result()).toMatchObject({
      summary: 'voided EUR 29.00 of EUR 29.00',
      status: 'voided',
    })
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'void'])
    const operations = await stage.database.orm.em
      .fork()
      .execute("select actor, reason from operation where type = 'void' and transaction_id = ?", [
        (await stage.books(invoiceId))?.id,
      ])
    expect(operations).toEqual(Array(2).fill({ actor: 'staff', reason: 'workflow_cancelled' }))
  })

  test('is not captured at its instant any more', async () => {
    const invoiceId = await authorized({ autoCaptureAt: Date.now() + HOUR_MS })
    await stage.runOf(invoiceId).cancel()
    await becomes(invoiceId, 'voided')
    expect(await stage.books(invoiceId)).toMatchObject({ capturedMinor: 0, autoCaptureAt: null, nextDueAt: null })
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'void'])
  })

  test('goes on where the outcome of its authorization is unknown, says why, and is captured later', async () => {
    const invoiceId = await authorized({ number: ANSWER_LOST })
    await stage.runOf(invoiceId).cancel()
    await waitFor(async () => (await detailsOf(invoiceId)).includes('void refused'))
    await becomes(invoiceId, 'authorized')
    expect(await isRunning(invoiceId)).toBe(true)
    expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'capture'])
  })

  test('goes on where money of it is captured, and captures the rest', async () => {
    const invoiceId = await authorized()
    await stage.send(invoiceId, stage.captureCommand(1_000, { isFinal: false }))
    await stage.runOf(invoiceId).cancel()
    await waitFor(async () => (await detailsOf(invoiceId)).includes('have the merchant refund it'))
    expect(await isRunning(invoiceId)).toBe(true)
    expect(await stage.send(invoiceId, stage.captureCommand(1_900))).toEqual({ kind: 'done' })
    expect(await stage.books(invoiceId)).toMatchObject({ capturedMinor: 2_900, voidedMinor: 0 })
  })

  test('is captured or voided, and never both, where a capture comes at the same time', async () => {
    const invoiceId = await authorized()
    const [answer] = await Promise.all([stage.send(invoiceId, stage.captureCommand()), stage.runOf(invoiceId).cancel()])
    await stage.runOf(invoiceId).result()
    const books = await stage.books(invoiceId)
    if (answer.kind === 'done') expect(books).toMatchObject({ status: 'completed', voidedMinor: 0 })
    else expect(books).toMatchObject({ status: 'voided', capturedMinor: 0 })
    expect(await askedFor(invoiceId)).toEqual(['authorization', answer.kind === 'done' ? 'capture' : 'void'])
  })
})

describe('a payment whose run is terminated', () => {
  test('and that waits to be captured is captured by the next command', async () => {
    const invoiceId = await authorized()
    await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
    expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'capture'])
  })

  test('before its scheduled capture is captured once, by the sweep', async () => {
    const invoiceId = await authorized({ autoCaptureAt: Date.now() + HOUR_MS })
    await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
    await makeDue(invoiceId)
    await sweep(invoiceId)
    await becomes(invoiceId, 'completed')
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'capture'])
  })

  test('with an unknown outcome is looked up by the sweep, is not charged again, and names the run before', async () => {
    const invoiceId = await authorized({ number: NEVER_RESOLVED })
    const { runId } = await stage.runOf(invoiceId).describe()
    await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
    await sweep(invoiceId)
    await waitFor(() => isRunning(invoiceId))
    await waitFor(async () => (await detailsOf(invoiceId)).includes(runId))
    expect(await detailsOf(invoiceId)).toContain('**Outcome unknown**')
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization', timesAsked: 1 }])
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'pending' })
  })
})

describe('a payment whose run is reset', () => {
  test.each(['first', 'last'] as const)(
    'to its %s task while it waits is not authorized again, and can be captured',
    async (to) => {
      const invoiceId = await authorized()
      await reset(invoiceId, to)
      expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
      expect(await stage.gatewayRequests(invoiceId)).toMatchObject([
        { type: 'authorization', timesAsked: 1 },
        { type: 'capture', timesAsked: 1 },
      ])
    },
  )

  test.each(['first', 'last'] as const)('to its %s task after its capture is not captured again', async (to) => {
    const invoiceId = await authorized()
    await stage.send(invoiceId, stage.captureCommand())
    await stage.runOf(invoiceId).result()
    await reset(invoiceId, to)
    expect(await stage.runOf(invoiceId).result()).toMatchObject({ status: 'completed', captured: 'EUR 29.00' })
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'capture'])
  })

  test('after its scheduled capture is not captured again', async () => {
    const invoiceId = await authorized({ autoCaptureAt: Date.now() + 200 })
    await becomes(invoiceId, 'completed')
    await stage.runOf(invoiceId).result()
    await reset(invoiceId, 'first')
    expect(await stage.runOf(invoiceId).result()).toMatchObject({ status: 'completed', captured: 'EUR 29.00' })
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'capture'])
  })

  test('with an unknown outcome is looked up, and not charged again', async () => {
    const invoiceId = await authorized({ number: ANSWER_LOST })
    await reset(invoiceId, 'first')
    await becomes(invoiceId, 'authorized')
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization', timesAsked: 1 }])
  })
})

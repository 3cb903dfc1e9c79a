import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { findRows } from '../../src/persistence/rows.ts'
import { runningForFile } from '../support/for-file.ts'
import { findOverdue } from '../support/overdue.ts'
import { paymentStageForFile } from '../support/payment-stage-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Two dozen payments from their beginning to their end, on a machine that does several other things. */
const MANY_PAYMENTS_MS = 180_000

/** Loses the answer to an authorization; looked up, it says that it has approved. */
const ANSWER_LOST = '4000000000007007'
/** Loses it as well, and never tells. */
const NEVER_RESOLVED = '4000000000007023'

const stage = paymentStageForFile({
  eager: true,
  wrapGateway: (simulator, guard) =>
    guard({
      ...simulator,
      capture: async (request, signal) =>
        isAway ? { kind: 'unknown', reason: 'lost' } : simulator.capture(request, signal),
      lookUp: async (request, signal) =>
        isAway ? { kind: 'unreachable', reason: 'away' } : simulator.lookUp(request, signal),
    }),
})
runningForFile(() => stage.startWorker())
/** Whether the gateway answers neither a capture nor a look-up. */
let isAway = false

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

/** The status by which support staff find a payment. */
const statusOf = async (invoiceId: string) =>
  (await stage.runOf(invoiceId).describe()).typedSearchAttributes.get(SEARCH_ATTRIBUTES.paymentStatus)

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

/** What the sweep of payments finds of a payment. */
const overdue = async (invoiceId: string) =>
  (await findOverdue(stage.database.orm, new Date(Date.now() + MINUTE_MS))).filter(
    (payment) => payment.invoiceId === invoiceId,
  )

/** Does what the sweep of payments does, without its patience. */
async function sweep(invoiceId: string): Promise<void> {
  expect(await overdue(invoiceId)).toHaveLength(1)
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
    await stage.send(invoiceId, stage.captureCommand(1_000, { captureType: 'non-final' }))
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

  test('twice is taken up both times, though for the same reason', async () => {
    const invoiceId = await authorized({ autoCaptureAt: Date.now() + HOUR_MS })
    await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
    await stage.resyncAndWait(invoiceId, 'overdue')
    await stage.runOf(invoiceId).terminate('the same mistake')
    await stage.database.orm.em.fork().nativeUpdate(TransactionEntity, { invoiceId }, { autoCaptureAt: new Date() })

    await stage.resyncAndWait(invoiceId, 'overdue')
    await becomes(invoiceId, 'completed')
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'capture'])
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
    const invoiceId = await authorized({ autoCaptureAt: Date.now() + HOUR_MS })
    await makeDue(invoiceId)
    await stage.resync(stage.describe(invoiceId))
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

describe('a payment of which the record knows more than its run', () => {
  test('looks an attempt up that its run never heard of', async () => {
    const invoiceId = await authorized()
    // What a crash of everything leaves: the attempt is written, and the update that asked for it is gone.
    const step = stage.step(invoiceId, stage.captureCommand())
    await beginAttempt(stage.deps, step)
    const [found] = await overdue(invoiceId)
    expect(found).toMatchObject({ invoiceId, amountMinor: 2900, currency: 'EUR' })

    await stage.resync(stage.describe(invoiceId))
    await waitFor(async () => (await stage.books(invoiceId))?.status === 'completed')
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization' },
      { type: 'capture', timesAsked: 1 },
    ])
    expect(await overdue(invoiceId)).toEqual([])
  })

  test('looks up at once all that is open, where staff ask for it', async () => {
    const invoiceId = await authorized()
    for (const amountMinor of [1_000, 500])
      await beginAttempt(
        stage.deps,
        stage.step(invoiceId, stage.captureCommand(amountMinor, { captureType: 'non-final' })),
      )
    await stage.resyncAndWait(invoiceId, 'staff ask for it', { lookUpNow: true, resolution: null })
    expect(await stage.books(invoiceId)).toMatchObject({ capturedMinor: 1_500, attemptsInFlight: [] })
  })

  test('is listed for staff once it needs their attention', async () => {
    const invoiceId = await authorized()
    await waitFor(async () => (await statusOf(invoiceId)) === 'authorized')
    await stage.database.orm.em.fork().nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: true })
    await stage.resyncAndWait(invoiceId, 'a notification that the record cannot hold')
    await waitFor(async () => (await statusOf(invoiceId)) === 'needs-attention')
  })

  test('asked again and again for the same reason writes nothing more into its history', async () => {
    const invoiceId = await authorized()
    await stage.resyncAndWait(invoiceId, 'one reason')
    const before = await readHistory(stage.temporal, `payment-${invoiceId}`)
    for (let time = 0; time < 5; time += 1) await stage.resyncAndWait(invoiceId, 'one reason')
    const after = await readHistory(stage.temporal, `payment-${invoiceId}`)
    expect(after?.events).toHaveLength(before?.events.length ?? 0)
  })

  test('looks up an attempt that its run never heard of as soon as a command comes', async () => {
    const invoiceId = await authorized()
    // A worker and its task are lost after the gateway did it, before anything of it is in the history.
    const lost = stage.step(invoiceId, stage.captureCommand())
    const gateway = stage.deps.gateways.find('simulator')
    void createSignedActivities({
      ...stage.deps,
      gateways: {
        has: () => true,
        find: () => ({
          ...gateway,
          capture: async (request, signal) => {
            await gateway.capture(request, signal)
            return new Promise<never>(() => {})
          },
        }),
      },
    }).capture(lost)
    await waitFor(async () => (await stage.gatewayRequests(invoiceId)).length === 2)
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'authorized', capturedMinor: 0 })

    expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'pending' })
    await waitFor(async () => (await stage.books(invoiceId))?.status === 'completed')
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization', timesAsked: 1 },
      { type: 'capture', timesAsked: 1, reference: lost.command.operationId },
    ])
  })
})

describe('an unknown outcome', () => {
  beforeEach(() => {
    isAway = true
  })
  afterEach(() => {
    isAway = false
  })

  /** A payment whose capture got no answer, and that was looked up so often. */
  async function captureLost(lookUps: number): Promise<string> {
    const invoiceId = await stage.makeInvoice()
    expect(await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))).toEqual({ kind: 'done' })
    expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'pending' })
    await waitFor(async () => ((await attemptOf(invoiceId))?.lookUpsMade ?? 0) >= lookUps)
    return invoiceId
  }

  const attemptOf = async (invoiceId: string) => (await stage.books(invoiceId))?.attemptsInFlight[0]

  /** The seconds of the timers that a payment's last run has set. */
  async function timersOf(invoiceId: string): Promise<number[]> {
    const history = await readHistory(stage.temporal, `payment-${invoiceId}`)
    return (history?.events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer === undefined ? [] : [Number.parseFloat((timer as { startToFireTimeout: string }).startToFireTimeout)],
    )
  }

  test('each look-up is written down with the next one, which the columns of the sweep follow', async () => {
    const invoiceId = await captureLost(1)
    const books = await stage.books(invoiceId)
    const [attempt] = books?.attemptsInFlight ?? []
    // A slow machine may have come to the next ones meanwhile.
    expect(attempt?.lookUpsMade).toBeGreaterThanOrEqual(1)
    expect(books?.nextLookUpAt?.getTime()).toBe(attempt?.nextLookUpAt)
    expect(books?.nextDueAt).toBeNull()
  })

  test('a new run goes on with the look-ups where the old one was, and knows that staff are needed', async () => {
    const invoiceId = await captureLost(1)
    const known = await attemptOf(invoiceId)
    if (known === undefined) throw new Error('Nothing is in flight.')
    const nextLookUpAt = Date.now() + DAY_MS
    await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
    await stage.database.orm.em
      .fork()
      .nativeUpdate(
        TransactionEntity,
        { invoiceId },
        { attemptsInFlight: [{ ...known, lookUpsMade: 8, nextLookUpAt, begunAt: known.begunAt - DAY_MS }] },
      )

    await stage.resyncAndWait(invoiceId, 'overdue')
    await waitFor(async () => (await statusOf(invoiceId)) === 'needs-attention')
    await waitFor(async () => (await timersOf(invoiceId)).length > 0)
    const [first = 0, ...others] = await timersOf(invoiceId)
    expect(first * 1000).toBeGreaterThan(DAY_MS / 2)
    expect(others).toEqual([])
  })
})

describe('a sale of a payment that another request has authorized meanwhile', () => {
  test('captures nothing where it was withdrawn', async () => {
    const invoiceId = await stage.makeInvoice()
    const source = await stage.makeCard()
    const sale = stage.authorizeCommand(source, { authorizeOnly: false })
    await withdrawCommand(stage.database.orm.em.fork(), {
      projectId: stage.projectId,
      sandbox: true,
      invoiceId,
      operationId: sale.operationId,
      now: new Date(),
    })
    expect(await stage.send(invoiceId, stage.authorizeCommand(source))).toEqual({ kind: 'done' })

    expect(await stage.send(invoiceId, sale)).toMatchObject({ kind: 'refused', code: 'request.not-started' })
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'authorized', capturedMinor: 0 })
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization' }])
  })

  test('captures it where it was not withdrawn', async () => {
    const invoiceId = await stage.makeInvoice()
    const source = await stage.makeCard()
    const sale = stage.authorizeCommand(source, { authorizeOnly: false })
    expect(await stage.send(invoiceId, stage.authorizeCommand(source))).toEqual({ kind: 'done' })
    expect(await stage.send(invoiceId, sale)).toEqual({ kind: 'done' })
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
  })
})

test(
  'a command is neither lost nor begun by the run of a payment that is just ending',
  async () => {
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let lag = lane; lag < 24; lag += 4) {
        const invoiceId = await authorized()
        expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
        await sleep(lag)
        const { operationId, actor, deadline, idempotency } = stage.captureCommand()
        const base = { operationId, actor, deadline, idempotency }
        const release = { ...base, kind: 'void' as const, amountMinor: null, reason: null }
        expect(await stage.send(invoiceId, release)).toMatchObject({ code: 'request.validation.invalid-state' })
        expect(await stage.gatewayRequests(invoiceId)).toHaveLength(2)
      }
    })
    await Promise.all(lanes)
  },
  MANY_PAYMENTS_MS,
)

test('a command for a payment that does not exist is refused, without a run that tries for ever', async () => {
  const unknown = 'iv_00000000000000000000000000000000'
  const answer = await stage.send(unknown, stage.captureCommand())
  expect(answer).toMatchObject({ kind: 'refused', code: 'resource.invoice.not-found' })
  await waitFor(async () => (await stage.runOf(unknown).describe()).status.name === 'FAILED')
})

test('a sale of which a part is approved captures that part and says so, also where the amount was given', async () => {
  const project = { id: stage.projectId }
  await stage.database.orm.em.fork().nativeUpdate(ProjectEntity, project, { acceptsPartialApprovals: true })
  const invoiceId = await stage.makeInvoice()
  const source = await stage.makeCard('4242424242424242', 'SANDBOX:partial-approval')
  const sale = stage.authorizeCommand(source, { authorizeOnly: false, amountMinor: 2900 })
  expect(await stage.send(invoiceId, sale)).toEqual({ kind: 'done' })
  expect(await stage.books(invoiceId)).toMatchObject({
    status: 'completed',
    authorizedMinor: 1450,
    capturedMinor: 1450,
  })
  const { id: transactionId = '' } = (await stage.books(invoiceId)) ?? {}
  const results = {
    transactionId,
    isAttempt: false,
    outcome: 'succeeded',
    type: ['authorization', 'capture'],
  } as const
  const amounts = (await findRows(stage.database.orm.em.fork(), OperationEntity, results)).map(
    ({ amountMinor }) => amountMinor,
  )
  expect(amounts).toEqual([1450, 1450])
  const requests = await stage.gatewayRequests(invoiceId)
  expect(requests).toMatchObject([{ type: 'authorization' }, { type: 'capture', reference: sale.captureOperationId }])
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makePaymentStage } from '../support/payment-stage.ts'
import { readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1_000
const DAY = 24 * 60 * 60 * SECOND

let stage: Awaited<ReturnType<typeof makePaymentStage>>
let worker: Awaited<ReturnType<typeof stage.startWorker>>

beforeAll(async () => {
  stage = await makePaymentStage({
    eager: true,
    wrapGateway: (gateway, guard) =>
      guard({
        ...gateway,
        capture: async () => ({ kind: 'unknown', reason: 'lost' }),
        lookUp: async () => ({ kind: 'unreachable', reason: 'away' }),
      }),
  })
  worker = await stage.startWorker()
})
afterAll(async () => {
  await worker.stop()
  await stage.close()
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
const statusOf = async (invoiceId: string) =>
  (await stage.runOf(invoiceId).describe()).typedSearchAttributes.get(SEARCH_ATTRIBUTES.paymentStatus)

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
  const nextLookUpAt = Date.now() + DAY
  await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
  await stage.database.orm.em
    .fork()
    .nativeUpdate(TransactionEntity, { invoiceId }, { attemptsInFlight: [{ ...known, lookUpsMade: 8, nextLookUpAt }] })

  await stage.resyncAndWait(invoiceId, 'overdue')
  await waitFor(async () => (await statusOf(invoiceId)) === 'unresolved')
  await waitFor(async () => (await timersOf(invoiceId)).length > 0)
  const [first = 0, ...others] = await timersOf(invoiceId)
  expect(first * SECOND).toBeGreaterThan(DAY / 2)
  expect(others).toEqual([])
})

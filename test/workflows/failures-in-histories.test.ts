import { expect, test } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/common'
import { findSecrets } from '../support/canary/find-secrets.ts'
import { readableHistory } from '../support/card-data.ts'
import { runningForFile } from '../support/for-file.ts'
import { paymentStageForFile } from '../support/payment-stage-for-file.ts'
import { readHistory, titlesIn } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'

const NUMBER = '5555555555554444'
const KEY = 'sk_live_51HoldfastPlanted'
const PLANTED = { numbers: [NUMBER], cvcs: [], others: [KEY] }

/** Loses the answer to an authorization; looked up, it says that it has approved. */
const ANSWER_LOST = '4000000000007007'

/** As a library of a gateway might say it, with what it was given, also in its cause and its stack. */
function tellAll(retryable: boolean): never {
  const cause = new Error(`POST /charges {"number":"${NUMBER}"} with ${KEY}`)
  const error = new TypeError(`could not send ${NUMBER} with ${KEY}`, { cause })
  if (retryable) throw error
  throw ApplicationFailure.create({ message: error.message, type: 'planted', nonRetryable: true, cause: error })
}

const stage = paymentStageForFile({
  eager: true,
  gatewaysOf: (usual) => ({
    ...usual,
    find: (name) => (fault === 'none' ? usual.find(name) : tellAll(fault === 'passing')),
  }),
})
runningForFile(() => stage.startWorker())
let fault: 'none' | 'passing' | 'final' = 'none'

test('the failures of a look-up that is tried again show no secret, neither while it runs nor afterwards', async () => {
  const invoiceId = await stage.makeInvoice()
  await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard(ANSWER_LOST)))
  fault = 'passing'
  // What the UI shows under Pending Activities.
  const shown = await waitFor(async () => {
    const { raw } = await stage.runOf(invoiceId).describe()
    const pending = JSON.stringify(raw.pendingActivities)
    return pending.includes('could not send') ? pending : null
  })
  expect(shown).toContain('stackTrace')
  expect(findSecrets(shown, PLANTED)).toEqual([])
  fault = 'none'
  await waitFor(async () => (await stage.books(invoiceId))?.status === 'authorized')
  expect(findSecrets(readableHistory(await readHistory(stage.temporal, `payment-${invoiceId}`)), PLANTED)).toEqual([])
})

test('the failure that ends a run shows no secret, in its message, its cause and its stack traces', async () => {
  const invoiceId = await stage.makeInvoice()
  fault = 'final'
  // Nobody answers the command of a run that has ended.
  stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard())).catch(() => {})
  await waitFor(async () => (await stage.runOf(invoiceId).describe()).status.name !== 'RUNNING')
  fault = 'none'
  const history = readableHistory(await readHistory(stage.temporal, `payment-${invoiceId}`))
  expect(history).toContain('could not send')
  expect(history).toContain('POST /charges')
  expect(history).toContain('stackTrace')
  expect(findSecrets(history, PLANTED)).toEqual([])
})

test('a run whose first step has failed after it had begun is not told as the run before itself', async () => {
  const invoiceId = await stage.makeInvoice()
  await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))
  await stage.runOf(invoiceId).terminate('a mistake in the Temporal UI')
  fault = 'final'
  await stage.send(invoiceId, stage.captureCommand()).catch(() => {})
  fault = 'none'
  const { runId } = await stage.runOf(invoiceId).describe()
  expect((await stage.books(invoiceId))?.workflowRunId).toBe(runId)
  const details = await waitFor(async () => {
    const { currentDetails } = await stage
      .runOf(invoiceId)
      .query<{ currentDetails: string }>('__temporal_workflow_metadata')
    return currentDetails.includes('Outcome unknown') && currentDetails
  })
  expect(details).not.toContain('the run before')
})

test('each step is titled with its amount', async () => {
  const invoiceId = await stage.makeInvoice({ incremental: true })
  await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard(), { incremental: true }))
  await stage.send(invoiceId, { ...stage.captureCommand(), kind: 'increment', amountMinor: 1_000 })
  await stage.send(invoiceId, stage.captureCommand(2_000, { captureType: 'non-final' }))
  await stage.send(invoiceId, { ...stage.captureCommand(), kind: 'void', amountMinor: 500, reason: null })
  await stage.send(invoiceId, stage.captureCommand(null, { captureType: 'final' }))
  await stage.runOf(invoiceId).result()
  const history = await readHistory(stage.temporal, `payment-${invoiceId}`)
  expect(titlesIn(history, 'MARKER_RECORDED')).toEqual([
    'authorize',
    'increment by EUR 10.00',
    'capture EUR 20.00',
    'void EUR 5.00',
    'capture all that remains',
  ])
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makePaymentStage } from '../support/payment-stage.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * A server suggests a new run after 4 MiB of history, as it does after 1,800 of the 2,000 updates that it takes in one.
 * Commands of this size get there sooner.
 */
const LONG_TEXT = 'x'.repeat(200_000)
const COMMANDS_MAX = 60

describe('a payment that is asked very often while it waits', () => {
  let stage: Awaited<ReturnType<typeof makePaymentStage>>
  let worker: Awaited<ReturnType<typeof stage.startWorker>>

  beforeAll(async () => {
    stage = await makePaymentStage({ eager: false })
    worker = await stage.startWorker()
  })
  afterAll(async () => {
    await worker.stop()
    await stage.close()
  })

  test('goes on in a new run before the old one takes no more, and can still be captured', async () => {
    const invoiceId = await stage.makeInvoice()
    const source = await stage.makeCard()
    expect(await stage.send(invoiceId, stage.authorizeCommand(source))).toEqual({ kind: 'done' })
    const runIdOf = async () => (await stage.runOf(invoiceId).describe()).runId
    const first = await runIdOf()

    const long = { initialSchemeTransactionId: LONG_TEXT }
    for (let sent = 0; sent < COMMANDS_MAX && (await runIdOf()) === first; sent += 1)
      expect(await stage.send(invoiceId, stage.authorizeCommand(source, long))).toEqual({ kind: 'unchanged' })
    expect(await runIdOf()).not.toBe(first)

    expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
    await waitFor(async () => (await stage.runOf(invoiceId).describe()).status.name === 'COMPLETED')
    expect(await stage.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization' }, { type: 'capture' }])
  })
})

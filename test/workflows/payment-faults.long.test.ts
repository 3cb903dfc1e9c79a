import { expect, test } from '@jest/globals'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { runningForFile } from '../support/for-file.ts'
import { paymentStageForFile } from '../support/payment-stage-for-file.ts'
import { waitFor } from '../support/wait-for.ts'

/** Above the time-out of a step (25 s), after which a second try begins while the first still runs. */
const TWO_TRIES_MS = 120_000

const stage = paymentStageForFile({
  eager: true,
  wrapGateway: (gateway, guard) =>
    guard({
      ...gateway,
      capture: async (request) => {
        const wait = held
        held = Promise.resolve()
        await wait
        // Deaf to the signal that ends the wait for an answer: the worst that an adapter can be.
        return gateway.capture(request, new AbortController().signal)
      },
    }),
})
runningForFile(() => stage.startWorker())
/** Holds the first capture back, before it does its work, until it resolves. */
const { promise, resolve: release } = Promise.withResolvers<void>()
let held: Promise<void> = promise

test(
  'a capture whose step is tried again while its first try still runs takes its money once',
  async () => {
    const invoiceId = await stage.makeInvoice()
    expect(await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))).toEqual({ kind: 'done' })
    const capture = stage.captureCommand()
    expect(await stage.send(invoiceId, capture)).toEqual({ kind: 'done' })
    release()
    await waitFor(async () => (await stage.runOf(invoiceId).describe()).status.name === 'COMPLETED')
    // The first try has asked the gateway after the second one booked, under the same reference.
    await waitFor(async () => (await stage.gatewayRequests(invoiceId)).some(({ timesAsked }) => timesAsked === 2))
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    const em = stage.database.orm.em.fork()
    expect(await em.count(OperationEntity, { attemptOperationId: capture.operationId })).toBe(1)
  },
  TWO_TRIES_MS,
)

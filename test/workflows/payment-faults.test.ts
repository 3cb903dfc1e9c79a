import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { makePaymentStage } from '../support/payment-stage.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { waitFor } from '../support/wait-for.ts'

/** Above the time-out of a step (25 s), after which a second try begins while the first still runs. */
const TWO_TRIES_MS = 120_000
/** Two dozen payments from their beginning to their end, on a machine that does several other things. */
const MANY_PAYMENTS_MS = 180_000

describe('a payment among faults', () => {
  let stage: Awaited<ReturnType<typeof makePaymentStage>>
  let worker: Awaited<ReturnType<typeof stage.startWorker>>
  /** Holds the next call of the gateway back, before it does its work, until it resolves. */
  let held: Promise<void> | null = null

  beforeAll(async () => {
    stage = await makePaymentStage({
      eager: true,
      wrapGateway: (gateway, guard) =>
        guard({
          ...gateway,
          capture: async (request) => {
            const wait = held
            held = null
            await wait
            // Deaf to the signal that ends the wait for an answer: the worst that an adapter can be.
            return gateway.capture(request, new AbortController().signal)
          },
        }),
    })
    worker = await stage.startWorker()
  })
  beforeEach(() => {
    held = null
  })
  afterAll(async () => {
    await worker.stop()
    await stage.close()
  })

  const authorized = async () => {
    const invoiceId = await stage.makeInvoice()
    expect(await stage.send(invoiceId, stage.authorizeCommand(await stage.makeCard()))).toEqual({ kind: 'done' })
    return invoiceId
  }

  test(
    'takes its money once where a step is tried again while its first try still runs',
    async () => {
      const invoiceId = await authorized()
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
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

  test('looks up an attempt of which its run knows nothing as soon as a command comes', async () => {
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

  test(
    'that is just ending neither loses nor begins a command',
    async () => {
      const lanes = Array.from({ length: 4 }, async (_, lane) => {
        for (let lag = lane; lag < 24; lag += 4) {
          const invoiceId = await authorized()
          expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
          await sleep(lag)
          const release = { ...stage.captureCommand(), kind: 'void' as const, amountMinor: null, reason: null }
          expect(await stage.send(invoiceId, release)).toMatchObject({ code: 'request.validation.invalid-state' })
          expect(await stage.gatewayRequests(invoiceId)).toHaveLength(2)
        }
      })
      await Promise.all(lanes)
    },
    MANY_PAYMENTS_MS,
  )

  test('that does not exist is refused without a run that tries for ever', async () => {
    const nobody = 'iv_00000000000000000000000000000000'
    const answer = await stage.send(nobody, stage.captureCommand())
    expect(answer).toMatchObject({ kind: 'refused', code: 'resource.invoice.not-found' })
    await waitFor(async () => (await stage.runOf(nobody).describe()).status.name === 'FAILED')
  })
})

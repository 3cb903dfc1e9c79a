import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Outcome } from '../../domain/operation.ts'
import type { AuthorizeRequest, Gateway } from '../../src/gateways/gateway.ts'
import { CALLS_PER_CONFIGURATION_MAX, CALLS_PER_GATEWAY_MAX } from '../../src/gateways/guard/limits.ts'
import { createTaskSlots, PAYMENT_SLOTS } from '../../src/temporal/task-slots.ts'
import { makePaymentStage } from '../support/payment-stage.ts'
import { waitFor } from '../support/wait-for.ts'

/** More than the slots that a worker has where nobody sets them, 40, and than may work at once here. */
const HANGING = 44
const WORKED_ON_MAX = 20
const REJECTED = 5

let stage: Awaited<ReturnType<typeof makePaymentStage>>
let workers: Awaited<ReturnType<typeof stage.startWorker>>
const hanging = new Set<string>()
const hung: (() => void)[] = []
/** A step whose slot was taken away after its 25 s is looked up when it comes again. */
let hasLostSlot = false
let isOver = false
const answered: Promise<unknown>[] = []

beforeAll(async () => {
  const wrapGateway = (simulator: Gateway, guard: (gateway: Gateway) => Gateway): Gateway => {
    const sick: Gateway = {
      ...simulator,
      async authorize(request, signal): Promise<Outcome> {
        const { invoiceId } = request
        if (hanging.has(invoiceId) && !isOver) await new Promise<void>((resolve) => hung.push(resolve))
        return simulator.authorize({ ...request, gatewayConfigurationId: real(request) }, signal)
      },
    }
    sick.lookUp = (request, signal) => {
      hasLostSlot = true
      return simulator.lookUp(request, signal)
    }
    const guarded = guard(sick)
    // Two accounts for the guard; the simulator knows of one.
    const accountOf = (request: AuthorizeRequest) =>
      hanging.has(request.invoiceId)
        ? {
            ...request,
            gatewayConfigurationId: `hanging ${real(request)}`,
            settings: { max_concurrent_calls: String(HANGING) },
          }
        : request
    return { ...guarded, authorize: (request, signal) => guarded.authorize(accountOf(request), signal) }
  }
  const real = ({ gatewayConfigurationId }: AuthorizeRequest) => gatewayConfigurationId.replace('hanging ', '')
  stage = await makePaymentStage({
    eager: true,
    wrapGateway,
    taskSlots: createTaskSlots({ workedOnMax: WORKED_ON_MAX }),
  })
  workers = await stage.startWorker()
})
afterAll(async () => {
  isOver = true
  for (const answer of hung) answer()
  await Promise.allSettled(answered)
  await workers.stop()
  await stage.close()
})

const authorize = (invoiceId: string, card: string) =>
  stage.send(invoiceId, stage.authorizeCommand(card, { deadline: Date.now() + 120_000 }))
const makeCards = (count: number) => Promise.all(Array.from({ length: count }, () => stage.makeCard()))

test('a gateway that hangs keeps no payment at another waiting', async () => {
  const invoiceIds = await Promise.all(Array.from({ length: HANGING }, () => stage.makeInvoice()))
  // Made before, because the first that hangs keeps its slot for 25 s only.
  const [cards, well, card = ''] = [await makeCards(HANGING), await stage.makeInvoice(), ...(await makeCards(1))]
  for (const invoiceId of invoiceIds) hanging.add(invoiceId)
  answered.push(...invoiceIds.map((invoiceId, index) => authorize(invoiceId, cards[index] ?? '')))
  await waitFor(() => hung.length >= HANGING)

  expect(await authorize(well, card)).toEqual({ kind: 'done' })
  expect(hasLostSlot).toBe(false)
  for (let call = 1; call <= REJECTED; call += 1) {
    const one = await stage.makeInvoice()
    hanging.add(one)
    expect(await authorize(one, await stage.makeCard())).toMatchObject({
      kind: 'declined',
      code: 'gateway.network-error',
    })
  }
  expect(await stage.gatewayRequests(well)).toHaveLength(1)
})

test('all that the limits let one gateway hold leaves others as many slots', () => {
  const slots = Math.min(PAYMENT_SLOTS.workflowTasks, PAYMENT_SLOTS.localActivities)
  expect(CALLS_PER_GATEWAY_MAX).toBeLessThanOrEqual(slots / 2)
  expect(CALLS_PER_CONFIGURATION_MAX).toBeLessThanOrEqual(CALLS_PER_GATEWAY_MAX / 2)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { drawDelay } from '../../src/gateways/simulator/faults.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { readFaultSettings } from '../../src/gateways/simulator/settings.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { Core } from '../../src/processes/core.ts'
import { createPaymentResyncer } from '../../src/temporal/client.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { seededRandom } from '../../test/support/chance.ts'
import { auditOrders, ORDER_AMOUNT_MINOR } from '../../test/support/order-audit.ts'
import { executeOn } from '../../test/support/payment-books.ts'
import { type Bar, figureOf, type Latencies, summarize } from '../figures.ts'
import { FLOOR_NAME } from '../floor.ts'
import { monotonicMs, mostOf, openModel } from '../load.ts'
import { LOOPS, ordersFor, rateOf, SIZE, SIZE_QUICK } from '../measure-way.ts'
import type { Part, PartResult, StagedContext } from '../part.ts'
import type { Project } from '../project.ts'
import { AUTHORIZE, openShop, type Shop } from '../shop.ts'

/** As a real gateway answers, by what its customers publish: half within 120 ms, one of a hundred after 380. */
const FAULT_RATE = 0.007
const GATEWAY = { delay_p50_ms: '120', delay_p99_ms: '380', fault_rate: String(FAULT_RATE), seed: 'bench' }

/** More callers than payments that a gateway of 150 ms needs to keep two cores busy. */
const CEILING = { concurrency: 32, durationMs: 12_000 }
const RUN_MS = 20_000
const QUICK_MS = 4_000

/** An ordinary hour: enough load to be felt, far from what makes everything wait. */
const SHARE_OF_CEILING = 0.5
const P99_BAR: Bar = { atMost: 1.3, stretch: 1 }

/** Longer than a circuit stays open, after which what is not known can be looked up. */
const RESYNC_TIMEOUT_MS = 180_000
const RESYNC_PAUSE_MS = 2_000

interface AtRate {
  /** From the planned instant to the answer, without the gateway's own delay; of those approved at once. */
  overhead: Latencies
  floor: Latencies
}

export const part: Part = {
  name: 'overhead',
  title: "Over the gateway's own delay",
  about: 'Authorizations at a simulator that answers as real gateways do: p50 120 ms, p99 380 ms, 0.7 % faults.',
  stage: 'together',
  run: measure,
}

/** What Holdfast adds to the delay of a gateway that answers as real ones do, at half of the most it can do. */
async function measure(context: StagedContext): Promise<PartResult> {
  const { stage, shutdown, quick, say } = context
  const shop = await openShop(stage, shutdown)
  say('Warming up')
  const { warmUp } = quick ? SIZE_QUICK : SIZE
  const { concurrency } = LOOPS.eight
  await stage.floor.warmUp(warmUp / 2)
  const ratePerSecondWarm = rateOf(await shop.pay(AUTHORIZE, { kind: 'all', concurrency }, warmUp))
  await shop.setGateway(GATEWAY)
  const ceiling = await findCeiling(context, shop, ratePerSecondWarm)
  say(`Ceiling with ${CEILING.concurrency} callers: ${ceiling.toFixed(1)}/s`)
  const ratePerSecond = SHARE_OF_CEILING * ceiling
  const repeats = await context.repeat((seed) => measureAt(context, shop, ratePerSecond, seed))
  const at = `at ${ratePerSecond.toFixed(0)}/s, ${SHARE_OF_CEILING} of the ceiling`
  return {
    figures: (['p50', 'p99'] as const).map((rank) =>
      figureOf(
        {
          name: `overhead, ${rank} ${at}`,
          unit: 'ms',
          besideName: FLOOR_NAME,
          bar: rank === 'p99' ? P99_BAR : undefined,
        },
        repeats.map(({ overhead, floor }) => ({ measured: overhead[rank], beside: floor[rank] })),
      ),
    ),
    audit: { ...(await auditOrders(stage.core, shop, shop.told)) },
    repeats: [{ ceiling, ratePerSecond }, ...repeats],
  }
}

/** Payments a second that are approved while as many callers as there can be wait. */
async function findCeiling(context: StagedContext, shop: Shop, ratePerSecond: number): Promise<number> {
  const loop = context.quick ? { ...CEILING, durationMs: QUICK_MS } : CEILING
  const count = ordersFor(loop, ratePerSecond)
  const { results, startedAt } = await shop.tryToPay(AUTHORIZE, { kind: 'closed', ...loop }, count)
  await settle(context, shop)
  const isInTime = ({ endedAt }: { endedAt: number }) => endedAt <= startedAt + loop.durationMs
  const approved = results.filter((result) => AUTHORIZE.toldOf(result) === AUTHORIZE.wanted && isInTime(result))
  return (approved.length / loop.durationMs) * 1000
}

/** The floor is offered the same instants, right before. */
async function measureAt(context: StagedContext, shop: Shop, ratePerSecond: number, seed: number): Promise<AtRate> {
  const { stage, quick, signal } = context
  const load = { ratePerSecond, durationMs: quick ? QUICK_MS : RUN_MS }
  const count = mostOf((ratePerSecond * load.durationMs) / 1000)
  await shop.stock(count)
  await stage.costs.rest()
  const floor = await openModel({ ...load, random: seededRandom(seed), signal }, async (plannedAt) => {
    await stage.floor.update()
    return monotonicMs() - plannedAt
  })
  await stage.costs.rest()
  const { results, invoiceIds } = await shop.tryToPay(AUTHORIZE, { kind: 'open', ...load, seed }, count)
  const failed = results.filter((result) => AUTHORIZE.toldOf(result) !== AUTHORIZE.wanted).length
  if (failed > mostOf(FAULT_RATE * results.length)) throw new Error(`${failed} of ${results.length} payments failed.`)
  const delays = await gatewayDelays(stage.core, shop)
  const approved = results.flatMap(({ tookMs }, place) => {
    const invoiceId = invoiceIds[place] as string
    const delay = delays.get(invoiceId)
    return shop.told.get(invoiceId) !== 'approved' || delay === undefined ? [] : [{ tookMs, delay }]
  })
  await settle(context, shop)
  return {
    overhead: summarize(approved.map(({ tookMs, delay }) => tookMs - delay)),
    floor: summarize(floor),
  }
}

/** Has what became of payments that nobody was told of looked up at the gateway, and compares the books. */
async function settle({ stage, signal }: StagedContext, shop: Shop): Promise<void> {
  const { core, costs } = stage
  const { projectId } = shop
  await costs.rest()
  const resyncer = createPaymentResyncer({ temporal: core.temporal.clients, taskQueues: TASK_QUEUES })
  const fields = ['invoiceId'] as const
  const unknown = () =>
    core.orm.em.fork().find(TransactionEntity, { projectId, attemptsInFlight: { $ne: [] } }, { fields })
  const givesUpAt = monotonicMs() + RESYNC_TIMEOUT_MS
  for (let open = await unknown(); open.length > 0; open = await unknown()) {
    if (monotonicMs() > givesUpAt) throw new Error(`What became of ${open.length} payments is not known.`)
    for (const { invoiceId } of open) {
      const described = { amountMinor: ORDER_AMOUNT_MINOR, currency: 'EUR', orderId: null } as const
      const payment = { projectId, environment: 'sandbox', invoiceId, ...described } as const
      await resyncer.resync(payment, `bench-${monotonicMs()}`, { lookUpNow: true, resolution: null })
    }
    await sleep(RESYNC_PAUSE_MS, undefined, { signal })
  }
  await auditOrders(core, shop, shop.told)
}

/**
 * How long the simulator held back the answer to the authorization of each invoice, in milliseconds. It is drawn from the
 * seed and the reference of the call, so it can be told afterwards, and exactly: the statement by which the simulator
 * keeps its log, the timer that fires late, and everything else that happens in this process is not part of it.
 *
 * Only of those that were asked once and answered: an answer that was lost has to be looked up, which takes what it takes.
 */
async function gatewayDelays({ orm }: Core, { gatewayConfigurationId }: Project): Promise<Map<string, number>> {
  const settings = readFaultSettings(GATEWAY)
  if (settings === null) throw new Error('The simulator does not know these settings.')
  const { requests } = await readSimulatorLog(await executeOn(orm))
  return new Map(
    requests
      .filter((one) => one.gatewayConfigurationId === gatewayConfigurationId && one.type === 'authorization')
      .filter(({ timesAsked, lookedUp }) => timesAsked === 1 && lookedUp === 0)
      .map(({ invoiceId, reference }) => [invoiceId, drawDelay(settings, reference, Math.random)]),
  )
}

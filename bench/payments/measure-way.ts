import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { Costs } from '../measure/costs.ts'
import { endOfTasks } from '../measure/end-of-tasks.ts'
import { rateOfLastHalf } from '../measure/statistics.ts'
import type { PartContext } from '../parts/part.ts'
import type { Stage } from '../stage/stage.ts'
import { type Audit, auditPayments } from './audit.ts'
import { type BesideFloor, besideFloor, type Loop } from './beside-floor.ts'
import { openShop, type Run, type Shop, type Way } from './shop.ts'

/** What is compiled and cached by the first ones is no part of the others. */
const WARM_UP = { orders: 300, concurrency: 8 }
const WARM_UP_QUICK = { orders: 40, concurrency: 8 }

/** So much faster than while it is warming up may it be, without orders running out. */
export const HEADROOM = 4

/** One after the other, as many as make a mean with a digit after the point. */
const COUNTED = 100
const COUNTED_QUICK = 20
/** Histories are alike; reading one takes a request. */
const HISTORIES = 20

/** The answers of the last ones may come in any order, so more than there are callers. */
const LAST = 16

export type StagedContext = PartContext & { stage: Stage }

/** A shop that asks, and how fast it was when it was warm. */
export interface WarmShop {
  shop: Shop
  ratePerSecond: number
}

/** Opens a shop, and has it and the floor run until what they need is compiled. */
export async function warmUp({ stage, shutdown, quick, say, signal }: StagedContext, way: Way): Promise<WarmShop> {
  say('Warming up')
  const { orders, concurrency } = quick ? WARM_UP_QUICK : WARM_UP
  const shop = await openShop(stage, shutdown)
  for (let index = 0; index < orders / 2; index += 1) {
    signal.throwIfAborted()
    await stage.floor.update()
  }
  const { results } = await shop.pay(way, { kind: 'all', concurrency }, orders)
  return { shop, ratePerSecond: rateOfLastHalf(results.map(({ endedAt }) => endedAt)) }
}

/** Measures a way of paying in a closed loop beside the floor, and compares the books. */
export async function measureWay(
  { stage, signal }: StagedContext,
  { shop, ratePerSecond }: WarmShop,
  way: Way,
  loop: Loop,
): Promise<BesideFloor<Run> & { audit: Audit }> {
  const count = loop.concurrency + Math.ceil((HEADROOM * ratePerSecond * loop.durationMs) / 1000)
  await shop.stock(count)
  const { core, costs } = stage
  const measured = await besideFloor(
    stage,
    loop,
    signal,
    (load) => shop.pay(way, { kind: 'closed', ...load }, count),
    async ({ endedAt, orders }) => {
      const last = orders.slice(-LAST).map(({ invoiceId }) => paymentWorkflowId(invoiceId))
      return Math.max(endedAt, await endOfTasks(core.temporal.clients.sandbox, last))
    },
  )
  await costs.rest()
  return { ...measured, audit: await auditPayments(core, shop, shop.told) }
}

/** Counts what a way of paying takes of PostgreSQL and Temporal, one order after the other. */
export async function countWay(
  { stage, quick }: StagedContext,
  { shop }: WarmShop,
  way: Way,
): Promise<Pick<Costs, 'counts' | 'statements'>> {
  const count = quick ? COUNTED_QUICK : COUNTED
  await shop.stock(count)
  await stage.costs.rest()
  let run: Run | undefined
  const database = await stage.costs.database(async () => {
    run = await shop.pay(way, { kind: 'all', concurrency: 1 }, count)
    return count
  })
  const some = (run?.orders ?? []).slice(0, HISTORIES).map(({ invoiceId }) => paymentWorkflowId(invoiceId))
  const temporal = await stage.costs.histories(some, some.length)
  return { ...database, counts: { ...database.counts, ...temporal } }
}

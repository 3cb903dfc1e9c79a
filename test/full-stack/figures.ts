import { startClient } from '../../bench/client.ts'
import { summarize } from '../../bench/figures.ts'
import { AUTHORIZE, makeOrders } from '../../bench/shop.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { OrderState } from '../support/order-audit.ts'
import type { Merchant } from './merchant.ts'

/** What is compiled and cached by the first ones is no part of the others. */
const WARM_UP = 200
const ONE_BY_ONE = 150
const BY_EIGHT = 500
const CALLERS = 8

/** How fast authorizations are, from request to answer. */
export interface Figures {
  /** With one caller. */
  p50Ms: number
  p99Ms: number
  /** With eight callers. */
  p50OfEightMs: number
  ratePerSecond: number
}

/** Authorizes orders with one caller, then with eight, and tells what customers were told. */
export async function measureAuthorizations(
  baseUrl: string,
  { authorization }: Merchant,
  shutdown: Shutdown,
): Promise<{ figures: Figures; told: Map<string, OrderState> }> {
  const client = await startClient({ baseUrls: [baseUrl], authorization }, shutdown)
  const told = new Map<string, OrderState>()
  const authorize = async (count: number, concurrency: number) => {
    const orders = await makeOrders(client, count)
    const outcome = await client.run({
      load: { kind: 'all', concurrency },
      operations: orders.map(AUTHORIZE.requestsOf),
    })
    for (const result of outcome.results) told.set(String(orders[result.index]?.invoiceId), AUTHORIZE.toldOf(result))
    const { p50, p99 } = summarize(outcome.results.map(({ tookMs }) => tookMs))
    return { p50, p99, ratePerSecond: (1000 * count) / (outcome.endedAt - outcome.startedAt) }
  }
  await authorize(WARM_UP, CALLERS)
  const one = await authorize(ONE_BY_ONE, 1)
  const eight = await authorize(BY_EIGHT, CALLERS)
  const refused = [...told.values()].filter((word) => word !== AUTHORIZE.wanted).length
  if (refused > 0) throw new Error(`${refused} authorizations were not approved.`)
  return {
    figures: { p50Ms: one.p50, p99Ms: one.p99, p50OfEightMs: eight.p50, ratePerSecond: eight.ratePerSecond },
    told,
  }
}

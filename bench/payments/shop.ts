import type { Shutdown } from '../../src/shutdown.ts'
import { type Client, startClient } from '../client/client.ts'
import type { Load, Operation, Outcome, Result } from '../client/messages.ts'
import type { Stage } from '../stage/stage.ts'
import type { Told } from './audit.ts'
import { makeOrders, type Order } from './orders.ts'
import { makeProject, type Project } from './project.ts'

/** One way to have an order paid. */
export interface Way {
  requestsOf(order: Order): Operation
  /** What the customer was told, by the answers to those requests. */
  toldOf(result: Pick<Result, 'statuses' | 'kept'>): Told
  /** What customers are told where nothing goes wrong. */
  wanted: Told
}

/** How a run went: the orders it has paid, in the order of the results. */
export interface Run extends Outcome {
  orders: Order[]
}

/** A merchant whose server asks from a process of its own. */
export interface Shop extends Project {
  client: Client
  /** Whatever its customers were told, by invoice. */
  told: Map<string, Told>
  /** Makes orders ahead, where there are not so many yet. */
  stock(count: number): Promise<void>
  /**
   * Has orders of the stock paid.
   *
   * @throws Error where one ended otherwise than it was to: what fails at once is no throughput.
   */
  pay(way: Way, load: Load, count: number): Promise<Run>
  /** The same at a gateway that fails now and then. */
  tryToPay(way: Way, load: Load, count: number): Promise<Run>
}

export async function openShop(
  { core, baseUrls }: Pick<Stage, 'core' | 'baseUrls'>,
  shutdown: Shutdown,
): Promise<Shop> {
  const project = await makeProject(core, 'Shop')
  const client = await startClient({ baseUrls, authorization: project.authorization }, shutdown)
  const told = new Map<string, Told>()
  const ready: Order[] = []

  async function stock(count: number): Promise<void> {
    const missing = count - ready.length
    if (missing <= 0) return
    ready.push(...(await makeOrders(client, missing)))
  }

  async function tryToPay(way: Way, load: Load, count: number): Promise<Run> {
    await stock(count)
    const offered = ready.splice(0, count)
    const outcome = await client.run({ load, operations: offered.map(way.requestsOf) })
    const orders = outcome.results.map(({ index }) => offered[index] as Order)
    for (const [place, result] of outcome.results.entries())
      told.set((orders[place] as Order).invoiceId, way.toldOf(result))
    // Nobody was told anything of what was left over, so it may be ordered next time.
    ready.push(...offered.slice(outcome.results.length))
    return { ...outcome, orders }
  }

  return {
    ...project,
    client,
    told,
    stock,
    tryToPay,
    async pay(way, load, count) {
      const run = await tryToPay(way, load, count)
      const failed = run.results.find((result) => way.toldOf(result) !== way.wanted)
      if (failed !== undefined) throw new Error(`A payment was to be ${way.wanted}, and answered ${failed.statuses}.`)
      return run
    },
  }
}

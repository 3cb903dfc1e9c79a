import { FLOOR_WORKFLOW } from '../floor/floor.ts'
import { monotonicMs } from '../measure/clock.ts'
import { countClosed } from '../measure/closed-workflows.ts'
import { closedLoop } from '../measure/load.ts'
import type { Bench } from './bench.ts'
import type { Merchant } from './merchants.ts'

/** What can be done in a second, of deliveries and of empty workflow starts. */
export interface Ceiling {
  deliveries: number
  floor: number
}

/** Measures both, one right after the other. */
export async function measureCeiling(bench: Bench, merchant: Merchant): Promise<Ceiling> {
  const floor = await rate(bench, FLOOR_WORKFLOW, () => bench.floor.start())
  const deliveries = await rate(bench, 'webhookWorkflow', () => bench.deliveries.deliver(merchant))
  return { deliveries, floor }
}

/** How many operations a second are done, each of which ends with a workflow of that type. */
export async function rate(
  { service, options, signal }: Pick<Bench, 'service' | 'options' | 'signal'>,
  workflowType: string,
  operate: () => Promise<number>,
): Promise<number> {
  const closed = await countClosed(service.temporal.clients.sandbox, workflowType)
  const load = { concurrency: options.concurrency, durationMs: options.ceilingSeconds * 1000, signal }
  const startedAt = monotonicMs()
  const measured = await closedLoop(load, operate)
  await closed.waitFor(measured.length, signal)
  return measured.length / ((monotonicMs() - startedAt) / 1000)
}

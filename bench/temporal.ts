import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { monotonicMs } from './load.ts'

/** Longer than anything of a payment takes that is answered already. */
const TASK_TIMEOUT_MS = 10_000
const POLL_MS = 50

/**
 * When the last workflow task of these workflows was completed, by the common clock. An answer may be earlier: what is
 * left of the work then is part of what can be done in a second.
 */
export async function endOfTasks(client: Client, workflowIds: readonly string[]): Promise<number> {
  // The server's clock is that of the machine, as its wall shows it.
  const offset = monotonicMs() - Date.now()
  const ends = await Promise.all(workflowIds.map((workflowId) => lastTaskEnd(client, workflowId)))
  return Math.max(...ends) + offset
}

async function lastTaskEnd(client: Client, workflowId: string): Promise<number> {
  const givesUpAt = monotonicMs() + TASK_TIMEOUT_MS
  for (;;) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
    const all = events ?? []
    const begunAt = all.findLastIndex((event) => event.workflowTaskScheduledEventAttributes)
    const endedAt = all.findLastIndex((event) => event.workflowTaskCompletedEventAttributes)
    const time = all[endedAt]?.eventTime
    if (endedAt > begunAt && time) return Number(time.seconds ?? 0) * 1000 + (time.nanos ?? 0) / 1e6
    if (monotonicMs() > givesUpAt) throw new Error(`A workflow task of ${workflowId} does not end.`)
    await sleep(POLL_MS)
  }
}

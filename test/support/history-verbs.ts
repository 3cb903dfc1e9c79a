import type { Client } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'

// biome-ignore lint/suspicious/noExplicitAny: a history as the server exports it, whose types say that everything may be absent.
type Event = any

/**
 * What all runs of a workflow have done, in order: the names of its activities, as support staff read them in its history.
 * The list of runs is written a moment after them, so a run that has just begun may be missing.
 */
export async function verbsOf(client: Client, workflowId: string): Promise<string[]> {
  const runs: { runId: string; startTime: Date }[] = []
  for await (const run of client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) runs.push(run)
  runs.sort((one, other) => one.startTime.getTime() - other.startTime.getTime())
  const histories = await Promise.all(
    runs.map(({ runId }) => client.workflow.getHandle(workflowId, runId).fetchHistory()),
  )
  return histories.flatMap((history) => {
    const { events } = JSON.parse(String(historyToJSON(history))) as { events: Event[] }
    return events.flatMap(verbOf)
  })
}

function verbOf(event: Event): string[] {
  const scheduled = event.activityTaskScheduledEventAttributes
  if (scheduled !== undefined) return [scheduled.activityType.name]
  const marker = event.markerRecordedEventAttributes
  if (marker?.markerName !== 'core_local_activity') return []
  const [facts] = marker.details.data.payloads
  return [JSON.parse(Buffer.from(facts.data, 'base64').toString()).activity_type]
}

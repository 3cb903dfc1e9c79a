import type { DataConverter } from '@temporalio/common'
import { Worker, type WorkflowBundleOption } from '@temporalio/worker'
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js'
import type { HistoryJson } from './temporal.ts'

/** The end of one replay; without an error the workflow has made the same decisions again. */
export interface Replayed {
  workflowId: string
  error: Error | undefined
}

/**
 * Replays histories against workflow code, one after the other, in this thread.
 *
 * A replay has every promise of the thread call hooks, and the SDK never takes them away again: whatever ran in the
 * same process afterwards, also other test files, would pay for the hooks of every replay before it.
 */
export async function replayHistories(
  workflowBundle: WorkflowBundleOption,
  histories: { workflowId: string; history: HistoryJson }[],
  dataConverter?: DataConverter,
): Promise<Replayed[]> {
  const replayed: Replayed[] = []
  try {
    for await (const { workflowId, error } of Worker.runReplayHistories(
      { workflowBundle, ...(dataConverter && { dataConverter }) },
      histories,
    )) {
      replayed.push({ workflowId, error })
    }
  } finally {
    globalHandlers.uninstall()
  }
  return replayed
}

import { createPaymentActivities } from '../../activities/index.ts'
import { createWebhookActivities } from '../../activities/webhooks.ts'
import { type WorkflowThread, workflowThread } from '../../src/temporal/workflow-worker.ts'
import { server } from './servers.ts'

const activityNames = new Set(
  [createPaymentActivities({} as never), createWebhookActivities({} as never)].flatMap((some) => Object.keys(some)),
)

const thread = workflowThread({ lasts: true })

/** All files of a process run their workflows in one thread: a thread for each of their workers would cost 0.3 s of CPU. */
const lastingThread: WorkflowThread = (bundle, options) => thread(bundle, { ...options, activityNames })

/** The workflows of this tree, and where they run, as workers take them. */
export async function testWorkflows() {
  return { workflowBundle: await server('workflowBundle'), workflowThread: lastingThread }
}

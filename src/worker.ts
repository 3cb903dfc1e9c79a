/** `npm run worker`: carries out payments and delivers webhooks against given servers. Any number may run. */
import { openApart } from './processes/apart.ts'
import { startHealthPart } from './processes/health.ts'
import { runService } from './processes/run-service.ts'
import { startWorkerPart } from './processes/worker-part.ts'
import type { Shutdown } from './shutdown.ts'
import { readBuildId } from './temporal/build-id.ts'
import { createPendingAnswers } from './temporal/pending-answers.ts'
import { bundleWorkflows } from './temporal/workflow-bundle.ts'

await runService({
  name: 'worker',
  about:
    'Carries out payments and delivers webhooks against given servers, until it is stopped. docs/settings.md names its settings.',
  start,
})

async function start(shutdown: Shutdown): Promise<void> {
  const { config, core, encryptsPayloads, allowPrivateWebhookTargets } = await openApart('worker', shutdown)
  const { host, workerHealthPort: port } = config
  let isAtWork = false
  // First: a worker whose port is taken must not have its version become the current one before it ends.
  if (port !== undefined) await startHealthPart(core, { host, port, isAtWork: () => isAtWork, shutdown })
  await startWorkerPart(core, {
    workflowBundle: await bundleWorkflows({ encodesFailures: encryptsPayloads, traces: config.tracesTo !== undefined }),
    publicUrl: () => config.publicUrl ?? null,
    // Nobody waits in this process: the answers travel as the results of updates.
    pendingAnswers: createPendingAnswers(),
    allowPrivateWebhookTargets,
    retention: config.retention,
    keepsCallStacks: config.keepsCallStacks,
    version: { buildId: await readBuildId(), rollout: config.workerRollout },
    shutdown,
  })
  isAtWork = true
  core.logger.info('ready')
}

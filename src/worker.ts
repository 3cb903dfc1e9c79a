/** `npm run worker`: carries out payments and delivers webhooks against given servers. Any number may run. */
import { openApart } from './processes/apart.ts'
import { startHealthPart } from './processes/health.ts'
import { runProcess } from './processes/run-process.ts'
import { startWorkerPart } from './processes/worker-part.ts'
import { readBuildId } from './temporal/build-id.ts'
import { createPendingAnswers } from './temporal/pending-answers.ts'
import { bundleWorkflows } from './temporal/workflow-bundle.ts'

await runProcess(async (shutdown) => {
  const { config, core, encryptsPayloads } = await openApart('worker', shutdown)
  await startWorkerPart(core, {
    workflowBundle: await bundleWorkflows({ encodesFailures: encryptsPayloads, traces: config.tracesTo !== undefined }),
    publicUrl: () => config.publicUrl ?? null,
    // Nobody waits in this process: the answers travel as the results of updates.
    pendingAnswers: createPendingAnswers(),
    allowPrivateWebhookTargets: config.dangerouslyAllowPrivateWebhookTargets ?? false,
    retention: config.retention,
    keepsCallStacks: config.keepsCallStacks,
    version: { buildId: await readBuildId(), rollout: config.workerRollout },
    shutdown,
  })
  const { host, workerHealthPort: port } = config
  if (port !== undefined) await startHealthPart(core, { host, port, shutdown })
  core.logger.info('ready')
})

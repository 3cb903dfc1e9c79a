import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import { startApiPart } from '../../src/processes/api-part.ts'
import type { Core } from '../../src/processes/core.ts'
import { startWorkerPart, type WorkerPartOptions } from '../../src/processes/worker-part.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts'
import { openStageCore } from './core.ts'
import { type StageServersOptions, startStageServers } from './servers.ts'

/** A whole Holdfast in this process, as `npm start` has it. */
export interface Service extends Core {
  baseUrl: string
}

export interface ServiceOptions extends Pick<WorkerPartOptions, 'wrapGateway'>, StageServersOptions {
  /** For warnings and errors: what happens while something is measured must not spoil the terminal. */
  logFile: string
}

/**
 * Starts PostgreSQL, Temporal, API and workers with the settings of `npm start`, on free ports and in a folder of their
 * own, which goes with the process.
 */
export async function startService(
  shutdown: Shutdown,
  { log, logFile, countsStatements = false, full = false, ...wrapping }: ServiceOptions,
): Promise<Service> {
  const servers = await startStageServers(shutdown, { log, countsStatements, full })
  const { config } = servers
  const core = await openStageCore(servers, logFile, shutdown)
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const shared = { pendingAnswers, allowPrivateWebhookTargets: true, shutdown }
  const workflowBundle = await bundleWorkflows({ encodesFailures: config.payloadEncryption ?? false })
  await startWorkerPart(core, {
    workflowBundle,
    publicUrl: () => null,
    retention: config.retention,
    keepsCallStacks: config.keepsCallStacks,
    ...wrapping,
    ...shared,
  })
  const baseUrl = await startApiPart(core, { config, eager: true, ...shared })
  return { ...core, baseUrl }
}

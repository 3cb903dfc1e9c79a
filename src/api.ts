/** `npm run api`: the REST interface against given servers. Any number may run; the workers are processes apart. */

import { openApart } from './processes/apart.ts'
import { startApiPart } from './processes/api-part.ts'
import { runProcess } from './processes/run-process.ts'
import { createPendingAnswers } from './temporal/pending-answers.ts'

await runProcess(async (shutdown) => {
  const { config, core } = await openApart('api', shutdown)
  const baseUrl = await startApiPart(core, {
    config,
    eager: false,
    // Nobody answers in this process: the answers travel as the results of updates.
    pendingAnswers: createPendingAnswers(),
    allowPrivateWebhookTargets: config.dangerouslyAllowPrivateWebhookTargets ?? false,
    shutdown,
  })
  core.logger.info({ base_url: baseUrl }, 'ready')
})

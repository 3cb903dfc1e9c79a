/** `npm run api`: the REST interface against given servers. Any number may run; the workers are processes apart. */

import { openApart } from './processes/apart.ts'
import { startApiPart } from './processes/api-part.ts'
import { runService } from './processes/run-service.ts'
import type { Shutdown } from './shutdown.ts'
import { createPendingAnswers } from './temporal/pending-answers.ts'

await runService({
  name: 'api',
  about: 'Serves the REST interface against given servers, until it is stopped. docs/settings.md names its settings.',
  start,
})

async function start(shutdown: Shutdown): Promise<void> {
  const { config, core, allowPrivateWebhookTargets } = await openApart('api', shutdown)
  const baseUrl = await startApiPart(core, {
    config,
    eager: false,
    // Nobody answers in this process: the answers travel as the results of updates.
    pendingAnswers: createPendingAnswers(),
    allowPrivateWebhookTargets,
    shutdown,
  })
  core.logger.info({ base_url: baseUrl }, 'ready')
}

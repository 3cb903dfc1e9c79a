import { ENVIRONMENTS } from '../../domain/environment.ts'
import { systemClock } from '../../src/clock.ts'
import { StartupError } from '../../src/startup-error.ts'
import { listUrl, supportQuestions } from '../../src/temporal/support-questions.ts'
import { defineCommand } from './command.ts'
import { readAdminConfig } from './configuration.ts'

export const supportLinksCommand = defineCommand({
  name: 'support links',
  usage: '[--json]',
  summary: 'Prints links into the Temporal UI: unknown outcomes, what ends within a day, failing webhooks, defects.',
  details:
    '--json gives one object per line, with the query of each link. docs/support.md says what to do about what they show.',
  operands: { min: 0, max: 0 },
  options: { json: { type: 'boolean' } },
  async run(_, { say, values }) {
    const { temporalUiUrl, temporalAccess } = readAdminConfig({ servers: [], keys: false })
    if (temporalUiUrl === undefined)
      throw new StartupError(
        'No Temporal UI is known here. Set TEMPORAL_UI_URL to its address, such as https://temporal.example.',
      )
    const questions = supportQuestions(systemClock.now())
    for (const environment of ENVIRONMENTS) {
      const namespace = temporalAccess.namespaces[environment]
      if (!values.json) say(`\n${environment}`)
      for (const { name, question, query } of questions) {
        const url = listUrl(temporalUiUrl, namespace, query)
        say(
          values.json
            ? JSON.stringify({ environment, namespace, name, question, query, url })
            : `  ${question}\n  ${url}`,
        )
      }
    }
  },
})

import { ENVIRONMENTS } from '../../domain/environment.ts'
import { systemClock } from '../clock.ts'
import { StartupError } from '../startup-error.ts'
import { listUrl, supportQuestions } from '../temporal/support-questions.ts'
import { defineCommand } from './command.ts'
import { readAdminConfig } from './configuration.ts'

export const supportLinksCommand = defineCommand<{ json?: boolean }>({
  name: 'support links',
  summary:
    'Prints links into the Temporal UI: what needs attention, what ends within a day, failing webhooks, defects.',
  details: 'docs/support.md says what to do about what they show.',
  options: [['--json', 'one object per line, with the query of each link']],
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

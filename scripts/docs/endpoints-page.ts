import { routesOf } from '../../src/http/app.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { accessesOf } from '../../src/http/route-access.ts'
import type { Endpoint, Outcome, Section } from './endpoints/outcome.ts'
import { SECTIONS } from './endpoints/sections.ts'
import { ANYWHERE } from './endpoints/service.ts'
import { table } from './markdown.ts'

const INTRODUCTION = `# What every endpoint answers

One row for each endpoint and outcome. A success is 200 and changes exactly what it says; a refusal changes nothing, unless it is a decline (410), which is recorded. What the codes mean and what to do about them is in [errors](errors.md).`

const ACCESS =
  'What a secret key must be permitted, and what a page may call with the id of the project alone; how, is told by [authentication](authentication.md).'

/** Every endpoint with whom it lets in, as the router has it. */
function whoMayAsk(): string {
  // The routes are only looked at, so that nothing behind them is needed.
  const rows = accessesOf(routesOf({} as AppDeps)).map(({ method, path, access }) => [
    `\`${method} ${addressOf(path)}\``,
    access === null ? 'no key' : `\`${access.permission}\``,
    access?.isOpenToClients === true ? 'yes' : '',
  ])
  return table(['endpoint', 'key', 'clients'], rows)
}

const addressOf = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')

/** Every endpoint and everything that it can answer. */
export function endpointsPage(): string {
  const anywhere = table(
    ['when', 'answer'],
    ANYWHERE.map((outcome) => [outcome.when, answerOf(outcome)]),
  )
  const sections = SECTIONS.map(sectionOf)
  return `${[INTRODUCTION, '## Who may ask', ACCESS, whoMayAsk(), '## Anywhere', anywhere, ...sections].join('\n\n')}\n`
}

function sectionOf({ title, endpoints }: Section): string {
  const rows = endpoints.flatMap((endpoint) => endpoint.outcomes.map((outcome) => rowOf(endpoint, outcome)))
  return `## ${title}\n\n${table(['endpoint', 'when', 'answer'], rows)}`
}

function rowOf({ method, path }: Endpoint, outcome: Outcome): string[] {
  return [`\`${method} ${addressOf(path)}\``, outcome.when, answerOf(outcome)]
}

function answerOf({ status, errorType, outcome }: Outcome): string {
  const word = errorType ?? outcome
  return word === null ? String(status) : `${status} \`${word}\``
}

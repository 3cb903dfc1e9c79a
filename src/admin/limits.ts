import { LIMIT_MAX, PROJECT_LIMITS, type ProjectLimitName } from '../../domain/rate-limits.ts'
import type { ProjectRow } from '../persistence/entities/project.ts'
import { findProject, type Limits, limitsOf, setLimits } from '../persistence/queries/projects/projects.ts'
import { UsageError } from '../processes/command-line.ts'
import { defineCommand } from './command.ts'
import { inDatabase, orAbsent, projectIdOf } from './database.ts'
import { formatFacts } from './table.ts'

const NAMES = Object.keys(PROJECT_LIMITS) as ProjectLimitName[]

export const showLimitsCommand = defineCommand({
  name: 'limits show',
  operands: '<PROJECT_ID>',
  summary: 'Shows the limits of a project, in requests a minute.',
  run: ([operand = ''], { say }) =>
    inDatabase(async (em) => {
      const projectId = projectIdOf(operand)
      say(formatFacts(limitFacts(orAbsent(await findProject(em, projectId), 'project', projectId))))
    }),
})

export const setLimitsCommand = defineCommand({
  name: 'limits set',
  operands: '<PROJECT_ID> <LIMIT=REQUESTS_A_MINUTE...>',
  summary: 'Changes limits of a project; they hold from the next request on, in every process.',
  details:
    'Limits: primary (live), secondary (live, GET /events and GET /events/{id}), sandbox (everything there), client_address ' +
    '(calls without a secret, from one address), client_invoice (the same, about one invoice). Each is from 1 to ' +
    `${LIMIT_MAX} requests a minute. A limit that is not named stays.`,
  async run([operand = '', ...assignments], { say, actor }) {
    const limits = readLimits(assignments)
    const projectId = projectIdOf(operand)
    const before = orAbsent(await inDatabase((em) => setLimits(em, { projectId, limits, actor })), 'project', projectId)
    const told = NAMES.map((name) => {
      const { [name]: limit = before[name] } = limits
      return [name, limit === before[name] ? `${limit}` : `${limit} (was ${before[name]})`]
    })
    say(formatFacts(Object.fromEntries(told)))
  },
})

/** The limits of a project by their names. */
export function limitFacts(project: ProjectRow): Record<string, string> {
  return Object.fromEntries(Object.entries(limitsOf(project)).map(([name, limit]) => [name, String(limit)]))
}

function readLimits(assignments: readonly string[]): Partial<Limits> {
  const limits: Partial<Limits> = {}
  for (const assignment of assignments) {
    const [, word, digits = ''] = /^(\w+)=(\d{1,9})$/.exec(assignment) ?? []
    const name = NAMES.find((known) => known === word)
    if (name === undefined)
      throw new UsageError(`"${assignment}" is not a limit with its number; there are ${NAMES.join(', ')}.`)
    const limit = Number(digits)
    if (limit < 1 || limit > LIMIT_MAX)
      throw new UsageError(`${name} is from 1 to ${LIMIT_MAX} requests a minute, not ${limit}.`)
    if (limits[name] !== undefined) throw new UsageError(`${name} is named twice.`)
    limits[name] = limit
  }
  return limits
}

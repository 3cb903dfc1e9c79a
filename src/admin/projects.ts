import { randomBytes } from 'node:crypto'
import { CLIENT_FAILURE_LIMIT_MAX, type ClientFailureLimits } from '../../domain/client-failures.ts'
import { isCurrency } from '../../domain/money.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { NETWORK_LIMIT_MAX, type NetworkLimits } from '../../domain/network-limits.ts'
import { systemClock } from '../clock.ts'
import type { ProjectRow } from '../persistence/entities/project.ts'
import { listApiKeys } from '../persistence/queries/projects/api-keys.ts'
import { listGatewayConfigurations } from '../persistence/queries/projects/gateway-configurations.ts'
import {
  createProject,
  findProject,
  listProjects,
  type OptionValue,
  type ProjectOption,
  setProjectOption,
} from '../persistence/queries/projects/projects.ts'
import { UsageError } from '../processes/command-line.ts'
import { defineCommand } from './command.ts'
import { inDatabase, inDatabaseWithItsKeys, orAbsent, projectIdOf } from './database.ts'
import { gatewayTable } from './gateways.ts'
import { keyTable } from './keys.ts'
import { limitFacts } from './limits.ts'
import { isPrintable } from './printable.ts'
import { formatFacts, formatInstant, formatTable } from './table.ts'

export const createProjectCommand = defineCommand({
  name: 'projects create',
  operands: '<NAME>',
  summary: 'Makes a project with a secret key of its sandbox. The key is shown once and cannot be read again.',
  details: 'Its live environment needs a key of its own: api-keys create PROJECT_ID live.',
  async run([name = ''], { say, actor }) {
    if (name.trim() === '') throw new UsageError('A project needs a name.')
    if (!isPrintable(name)) throw new UsageError('The name of a project has no control characters.')
    const { projectId, secretKey } = await inDatabaseWithItsKeys((em, { hashSecret }) => {
      const making = { randomBytes, hashSecret, now: systemClock.now() }
      return createProject(em, { ...making, name: name.trim(), sandbox: true, actor })
    })
    say(`project id  test-${projectId}\nsecret key  ${secretKey}`)
    say(
      `\nThe secret key is shown this once. One for live payments: npm run admin -- api-keys create ${projectId} live`,
    )
  },
})

export const listProjectsCommand = defineCommand({
  name: 'projects list',
  summary: 'Lists all projects, the oldest first.',
  run: (_, { say }) =>
    inDatabase(async (em) => {
      const projects = await listProjects(em)
      if (projects.length === 0) return say('There are no projects.')
      const rows = projects.map(({ id, name, createdAt, suspendedAt }) => [
        id,
        name,
        formatInstant(createdAt),
        suspendedAt == null ? '-' : formatInstant(suspendedAt),
      ])
      say(formatTable(['PROJECT', 'NAME', 'CREATED', 'SUSPENDED SINCE'], rows))
    }),
})

export const showProjectCommand = defineCommand({
  name: 'projects show',
  operands: '<PROJECT_ID>',
  summary: 'Shows a project with its options, limits, keys (without their secrets) and gateway configurations.',
  run: ([operand = ''], { say }) =>
    inDatabase(async (em) => {
      const id = projectIdOf(operand)
      const project = orAbsent(await findProject(em, id), 'project', id)
      const { name, createdAt, suspendedAt } = project
      say(
        formatFacts({
          project: id,
          name,
          created: formatInstant(createdAt),
          'suspended since': formatInstant(suspendedAt),
        }),
      )
      say(`\nOptions\n${formatFacts(optionFacts(project))}`)
      say(`\nLimits, in requests a minute\n${formatFacts(limitFacts(project))}`)
      say(`\nKeys\n${keyTable(await listApiKeys(em, id))}`)
      say(`\nGateway configurations\n${gatewayTable(await listGatewayConfigurations(em, { projectId: id }))}`)
    }),
})

interface OptionForm {
  option: ProjectOption
  /** What a value may be, as a person reads it. */
  accepts: string
  /** Undefined for a value that it cannot have. */
  read(value: string): OptionValue | undefined
}

const yesOrNo = (option: ProjectOption): OptionForm => ({
  option,
  accepts: 'true|false',
  read: (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
})

const limitOf = (option: keyof NetworkLimits | keyof ClientFailureLimits, most = NETWORK_LIMIT_MAX): OptionForm => ({
  option,
  accepts: `1…${most}`,
  read: (value) => (/^[1-9]\d{0,6}$/.test(value) && Number(value) <= most ? Number(value) : undefined),
})

const ANY_PAGE = 'any'
/** All of them stand in a header of the card form. */
const PAGE_ORIGINS_MAX = 50

/** Origins between commas, each once; none for `any`. */
function readOrigins(value: string): string[] | undefined {
  if (value === ANY_PAGE) return []
  const texts = value.split(',')
  const origins = texts.map(originOf).filter((origin) => origin !== null)
  return origins.length < texts.length || origins.length > PAGE_ORIGINS_MAX ? undefined : [...new Set(origins)]
}

/** Null for what is not written as browsers write an origin. A policy would read a star as any host. */
function originOf(text: string): string | null {
  const origin = URL.parse(text)?.origin
  return origin === text.replace(/\/$/, '') && /^https?:[^*]+$/.test(origin) ? origin : null
}

const OPTIONS: Readonly<Record<string, OptionForm>> = {
  accepts_partial_approvals: yesOrNo('acceptsPartialApprovals'),
  allows_client_captures: yesOrNo('allowsClientCaptures'),
  allows_client_overrides: yesOrNo('allowsClientOverrides'),
  allows_client_amounts: yesOrNo('allowsClientAmounts'),
  requires_second_factor: yesOrNo('requiresSecondFactor'),
  page_origins: { option: 'pageOrigins', accepts: 'any|https://shop.example,…', read: readOrigins },
  blocks_stopped_payments: yesOrNo('blocksStoppedPayments'),
  enforces_retry_after: yesOrNo('enforcesRetryAfter'),
  enforces_network_limits: yesOrNo('enforcesNetworkLimits'),
  visa_reattempts: limitOf('visaReattempts'),
  mastercard_declines_per_day: limitOf('mastercardDeclinesPerDay'),
  mastercard_declines_per_amount: limitOf('mastercardDeclinesPerAmount'),
  client_failures_per_invoice: limitOf('clientFailuresPerInvoice', CLIENT_FAILURE_LIMIT_MAX),
  client_failures_per_card: limitOf('clientFailuresPerCard', CLIENT_FAILURE_LIMIT_MAX),
  client_failures_per_project: limitOf('clientFailuresPerProject', CLIENT_FAILURE_LIMIT_MAX),
  default_currency: {
    option: 'defaultCurrency',
    accepts: 'a currency such as EUR',
    read: (value) => (isCurrency(value.toUpperCase()) ? value.toUpperCase() : undefined),
  },
}

const OPTION_NAMES = Object.keys(OPTIONS)

const OPTION_LINES = Object.entries(OPTIONS)
  .map(([name, { accepts }]) => `${name}=${accepts}`)
  .join(', ')

export const setProjectCommand = defineCommand({
  name: 'projects set',
  operands: '<PROJECT_ID> <OPTION=VALUE>',
  summary: 'Changes an option of a project; it holds from the next payment or page on.',
  details: `Options: ${OPTION_LINES}.`,
  async run([operand = '', assignment = ''], { say, actor }) {
    const [name = '', text = ''] = assignment.split('=', 2)
    const form = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
    const value = form?.read(text)
    if (form === undefined) throw new UsageError(unknownOption(name))
    if (value === undefined) throw new UsageError(`${name} cannot be "${text}"; it takes ${form.accepts}.`)
    const projectId = projectIdOf(operand)
    await inDatabase(async (em) => {
      const isThere = await setProjectOption(em, { projectId, option: form.option, value, actor })
      orAbsent(isThere ? projectId : null, 'project', projectId)
    })
    say(`${projectId}: ${name} is ${printed(value)}`)
  },
})

function unknownOption(name: string): string {
  const near = nearestName(name, OPTION_NAMES)
  const hint = near === undefined ? `There are ${OPTION_NAMES.join(', ')}.` : `Did you mean ${near}?`
  return `There is no option "${name}". ${hint}`
}

function optionFacts(project: ProjectRow): Record<string, string> {
  return Object.fromEntries(Object.entries(OPTIONS).map(([name, { option }]) => [name, printed(project[option])]))
}

function printed(value: OptionValue): string {
  return Array.isArray(value) && value.length === 0 ? ANY_PAGE : String(value)
}

import { environmentOf } from '../../domain/environment.ts'
import { systemClock } from '../clock.ts'
import {
  type GatewayConfigurationInUse,
  listGatewayConfigurations,
  setDraining,
} from '../persistence/queries/projects/gateway-configurations.ts'
import { findProject } from '../persistence/queries/projects/projects.ts'
import { defineCommand } from './command.ts'
import { inDatabase, orAbsent, projectIdOf } from './database.ts'
import { formatFacts, formatInstant, formatTable } from './table.ts'

const CONFIGURATION = 'gateway configuration'

export const listGatewaysCommand = defineCommand({
  name: 'gateways list',
  operands: '<PROJECT_ID>',
  summary: 'Lists the gateway configurations of a project, with how many payments are open at each.',
  details: 'A payment is open while money of it is reserved, or the outcome of a call is not known.',
  run: ([operand = ''], { say }) =>
    inDatabase(async (em) => {
      const projectId = projectIdOf(operand)
      orAbsent(await findProject(em, projectId), 'project', projectId)
      say(gatewayTable(await listGatewayConfigurations(em, { projectId })))
    }),
})

export const showGatewayCommand = defineCommand({
  name: 'gateways show',
  operands: '<GATEWAY_CONFIGURATION_ID>',
  summary: 'Shows a gateway configuration with its settings, and which credentials it has since when.',
  details: 'Credentials are set by requests alone, and nothing shows their values.',
  run: ([id = ''], { say }) =>
    inDatabase(async (em) => {
      const [found = null] = await listGatewayConfigurations(em, { id })
      const configuration = orAbsent(found, CONFIGURATION, id)
      const { credentialsSetAt, settings } = configuration
      const setAt = Object.entries(credentialsSetAt).map(([name, at]) => [name, formatInstant(new Date(at))])
      say(formatFacts(factsOf(configuration)))
      say(setAt.length === 0 ? '\nNo credentials' : `\n${formatTable(['CREDENTIAL', 'SET'], setAt)}`)
      say(Object.keys(settings).length === 0 ? '\nNo settings' : `\nSettings\n${formatFacts(settings)}`)
    }),
})

export const drainGatewayCommand = defineCommand({
  name: 'gateways drain',
  operands: '<GATEWAY_CONFIGURATION_ID>',
  summary: 'Stops new authorizations to the account; captures, increments, voids and refunds continue.',
  details: 'Tells how many payments are still open there; asked again it tells how many are left.',
  async run([id = ''], { say, actor }) {
    const { drained, openPayments } = await inDatabase(async (em) => ({
      drained: orAbsent(await setDraining(em, { id, drainingSince: systemClock.now(), actor }), CONFIGURATION, id),
      openPayments: (await listGatewayConfigurations(em, { id }))[0]?.openPayments ?? 0,
    }))
    const { drainingSince } = drained
    say(
      drainingSince == null
        ? `${id} takes no new authorizations.`
        : `${id} has been draining since ${formatInstant(drainingSince)}.`,
    )
    say(sentenceOf(openPayments))
  },
})

export const resumeGatewayCommand = defineCommand({
  name: 'gateways resume',
  operands: '<GATEWAY_CONFIGURATION_ID>',
  summary: 'Allows authorizations to the account again.',
  async run([id = ''], { say, actor }) {
    const configuration = await inDatabase((em) => setDraining(em, { id, drainingSince: null, actor }))
    const { drainingSince, enabled } = orAbsent(configuration, CONFIGURATION, id)
    say(drainingSince == null ? `${id} was not draining.` : `${id} takes authorizations again.`)
    if (!enabled) say('It is disabled all the same.')
  },
})

const HEADINGS = [
  'GATEWAY CONFIGURATION',
  'ENVIRONMENT',
  'GATEWAY',
  'NAME',
  'ENABLED',
  'DRAINING SINCE',
  'OPEN PAYMENTS',
]

/** Gateway configurations as a person reads them. */
export function gatewayTable(configurations: readonly GatewayConfigurationInUse[]): string {
  if (configurations.length === 0) return 'There are no gateway configurations.'
  const rows = configurations.map((configuration) => [
    configuration.id,
    environmentOf(configuration.sandbox),
    configuration.gatewayName,
    configuration.name,
    stateOf(configuration),
    formatInstant(configuration.drainingSince),
    String(configuration.openPayments),
  ])
  return formatTable(HEADINGS, rows)
}

function stateOf({ enabled, deletedAt }: GatewayConfigurationInUse): string {
  if (deletedAt != null) return 'deleted'
  return enabled ? 'yes' : 'no'
}

/** What is set up there, of credentials their names alone. */
function factsOf(configuration: GatewayConfigurationInUse): Record<string, string> {
  const { processingRegion, defaultCurrency, merchantAccountCountryCode, drainingSince, deletedAt } = configuration
  return {
    'gateway configuration': configuration.id,
    project: configuration.projectId,
    environment: environmentOf(configuration.sandbox),
    gateway: configuration.gatewayName,
    name: configuration.name,
    enabled: stateOf(configuration),
    'draining since': formatInstant(drainingSince),
    deleted: formatInstant(deletedAt),
    'default currency': defaultCurrency ?? '-',
    'processing region': processingRegion ?? '-',
    country: merchantAccountCountryCode ?? '-',
    'open payments': String(configuration.openPayments),
  }
}

function sentenceOf(openPayments: number): string {
  if (openPayments === 0) return 'No payment is open there.'
  return openPayments === 1 ? 'One payment is still open there.' : `${openPayments} payments are still open there.`
}

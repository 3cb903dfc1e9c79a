import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { InstalledGateway } from '../../gateways/account.ts'
import { GATEWAYS, installedGateway } from '../../gateways/installed.ts'
import { recordCallersAct } from '../../http/acts.ts'
import { ApiError, invalidState } from '../../http/api-error.ts'
import { type ApiContext, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { bodyOf, type Fields } from '../../http/middleware/body.ts'
import { presentGatewayConfiguration } from '../../objects/gateway-configuration.ts'
import { isTrue } from '../../objects/taken.ts'
import type { GatewayCircuitRow } from '../../persistence/entities/gateway-circuit.ts'
import {
  GatewayConfigurationEntity,
  type GatewayConfigurationRow,
} from '../../persistence/entities/gateway-configuration.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { countAlone, lockKept } from '../../persistence/queries/kept-rows.ts'
import { findCircuits } from '../../persistence/queries/projects/circuits.ts'
import type { Change } from '../change.ts'
import {
  accountProblems,
  type ChangedAccount,
  changeAccount,
  EMPTY_ACCOUNT,
  refuseWhileOpen,
} from './account-changes.ts'
import { addedCapabilities, changeCapabilities } from './capability-changes.ts'
import {
  type ConfigurationInput,
  readConfigurationChanges,
  readNewConfiguration,
} from './gateway-configuration-input.ts'

/** Every authorization without rules reads all of them; a merchant has a handful. */
const CONFIGURATIONS_MAX = 50

/** Creates an account at the gateway in the address. */
export async function createGatewayConfiguration({ deps, ctx, em }: Change) {
  const gateway = gatewayIn(ctx)
  const owner = { ...scopeOf(ctx), id: makeIdentifier('gatewayConfiguration', deps.randomBytes) }
  const account = { ...owner, ...EMPTY_ACCOUNT }
  const given = readNewConfiguration(bodyOf(ctx), (fields) => [
    ...accountProblems(deps, gateway, account, fields),
    ...addedCapabilities(gateway.capabilities, fields),
  ])
  if ((await countAlone(em, GatewayConfigurationEntity, scopeOf(ctx))) >= CONFIGURATIONS_MAX)
    throw invalidState(
      `A project has ${CONFIGURATIONS_MAX} gateway configurations at most in an environment; delete one first.`,
    )
  const now = deps.clock.now()
  const { enabled = true, credentials, settings, capabilities, ...columns } = given
  const row: GatewayConfigurationRow = {
    ...NOTHING_GIVEN,
    ...columns,
    ...owner,
    gatewayName: gateway.name,
    enabled,
    enabledAt: enabled ? now : null,
    capabilities: changeCapabilities({}, capabilities ?? {}),
    ...changeAccount(deps, gateway, account, given).columns,
    createdAt: now,
    updatedAt: now,
  }
  await em.insert(GatewayConfigurationEntity, row)
  await recordCallersAct(ctx, em, 'gateway-configuration.created', {
    ...configurationFacts(row),
    credentials: Object.keys(row.credentialsSetAt),
    settings: Object.keys(row.settings),
  })
  return answerWith(row, gateway, await findCircuits(em, scopeOf(ctx), [row.id], now))
}

/** Credentials, settings and capabilities are changed name by name, all other fields as a whole. */
export async function updateGatewayConfiguration({ deps, ctx, em }: Change) {
  const row = await lockConfigurationIn(ctx, em)
  const gateway = installedGateway(row.gatewayName) ?? null
  const given = readConfigurationChanges(bodyOf(ctx), (fields) => {
    if (gateway === null) return []
    const ofAccount = isJudgedAnew(row, fields) ? accountProblems(deps, gateway, row, fields) : []
    return [...ofAccount, ...addedCapabilities(gateway.capabilities, fields)]
  })
  const { enabled, credentials = {}, settings = {}, capabilities, ...columns } = given
  const now = deps.clock.now()
  const account = isJudgedAnew(row, given) ? accountAfter(deps, row, given) : null
  if (account !== null && (account.changes.settings.length > 0 || account.changes.keys.length > 0))
    await refuseWhileOpen(em, row.id, account.changes)
  em.assign(row, {
    ...columns,
    ...(capabilities === undefined ? {} : { capabilities: changeCapabilities(row.capabilities, capabilities) }),
    ...account?.columns,
    ...(enabled === undefined || enabled === row.enabled ? {} : { enabled, enabledAt: enabled ? now : null }),
    updatedAt: now,
  })
  const facts = { changed: Object.keys(given), credentials: Object.keys(credentials), settings: Object.keys(settings) }
  await recordCallersAct(ctx, em, 'gateway-configuration.changed', { ...configurationFacts(row), ...facts })
  return answerWith(row, gateway, await findCircuits(em, scopeOf(ctx), [row.id], now))
}

/**
 * Deletes for new payments, for good. Existing ones go on: the row stays for the record, and its credentials for captures,
 * refunds and look-ups until `eraseCredentials` erases them.
 */
export async function deleteGatewayConfiguration({ deps, ctx, em }: Change) {
  const row = await lockConfigurationIn(ctx, em)
  const now = deps.clock.now()
  em.assign(row, { enabled: false, enabledAt: null, deletedAt: now, updatedAt: now })
  await recordCallersAct(ctx, em, 'gateway-configuration.deleted', configurationFacts(row))
  return {}
}

const NOTHING_GIVEN = {
  drainingSince: null,
  defaultPreferredScheme: null,
  defaultCurrency: null,
  processingRegion: null,
  merchantAccountCountryCode: null,
  authorizationValidity: [],
  metadata: {},
  deletedAt: null,
}

function answerWith(
  row: GatewayConfigurationRow,
  gateway: InstalledGateway | null,
  circuits: readonly GatewayCircuitRow[],
) {
  return { success: true, gateway_configuration: presentGatewayConfiguration(row, gateway, circuits) }
}

/** Enabling requires a usable account; disabling is always possible. */
function isJudgedAnew(row: GatewayConfigurationRow, { enabled, credentials, settings }: Fields): boolean {
  return credentials !== undefined || settings !== undefined || (isTrue(enabled) && !row.enabled)
}

function accountAfter(deps: AppDeps, row: GatewayConfigurationRow, given: ConfigurationInput): ChangedAccount {
  const gateway = installedGateway(row.gatewayName)
  if (gateway === undefined) {
    const { gatewayName } = row
    throw invalidState(
      `The gateway ${gatewayName} is not installed any more, so that its account can only be disabled.`,
    )
  }
  return changeAccount(deps, gateway, row, given)
}

function gatewayIn(ctx: ApiContext): InstalledGateway {
  const gateway = installedGateway(ctx.params.name ?? '')
  if (gateway !== undefined) return gateway
  const message = `There is no such gateway. Installed are ${GATEWAYS.map(({ name }) => name).join(', ')}.`
  throw new ApiError('resource.gateway.not-found', message)
}

function lockConfigurationIn(ctx: ApiContext, em: EntityManager): Promise<GatewayConfigurationRow> {
  return foundIn(ctx, 'gatewayConfiguration', (scope, id) => lockKept(em, GatewayConfigurationEntity, scope, id))
}

/** The facts of a gateway configuration for the audit log; the database adds the change of the row. */
function configurationFacts({ id, gatewayName, enabled }: GatewayConfigurationRow) {
  return { gateway_configuration_id: id, gateway_name: gatewayName, enabled }
}

import { type Capabilities, restrictCapabilities } from '../../domain/capabilities.ts'
import type { GatewayCircuitRow } from '../persistence/entities/gateway-circuit.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { presentTimestamp } from './values.ts'

/** What is said of a configuration and only its gateway knows. */
interface Gateway {
  capabilities: Capabilities
  /** The settings that pages of customers may know. */
  publicSettings: readonly string[]
}

/**
 * A merchant's account at one gateway as it stands inside a transaction, without what opens it and how it is set up.
 */
export function presentGatewayAccount(row: GatewayConfigurationRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    gateway_name: row.gatewayName,
    name: row.name,
    enabled: row.enabled,
    enabled_at: presentTimestamp(row.enabledAt),
    draining_since: presentTimestamp(row.drainingSince),
    default_currency: row.defaultCurrency ?? null,
    processing_region: row.processingRegion ?? null,
    merchant_account_country_code: row.merchantAccountCountryCode ?? null,
    default_preferred_scheme: row.defaultPreferredScheme ?? null,
    public_keys: {},
    metadata: row.metadata,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}

/**
 * The same with everything that the merchant has set up. Of credentials it tells their names and when each was set; no
 * answer tells a value, nor a part of one.
 *
 * @param gateway null where no adapter of its name is installed any more
 * @param circuits those of this account that are not closed
 */
export function presentGatewayConfiguration(
  row: GatewayConfigurationRow,
  gateway: Gateway | null,
  circuits: readonly GatewayCircuitRow[],
) {
  const setAt = Object.entries(row.credentialsSetAt)
  const published = Object.entries(row.settings).filter(([name]) => gateway?.publicSettings.includes(name))
  return {
    ...presentGatewayAccount(row),
    public_keys: Object.fromEntries(published),
    credentials: Object.fromEntries(setAt.map(([name, at]) => [name, { set_at: at }])),
    settings: row.settings,
    capabilities: gateway === null ? null : presentCapabilities(gateway.capabilities, row.capabilities),
    authorization_validity: row.authorizationValidity.map(({ scheme, initiation, seconds }) => {
      return { scheme: scheme ?? null, initiation: initiation ?? null, seconds }
    }),
    circuit: presentCircuit(circuits),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

/** What can be done there: what the gateway can, and this account is not kept from. */
function presentCapabilities(gateway: Capabilities, account: Partial<Capabilities>) {
  const left = restrictCapabilities(gateway, account)
  return {
    authorize: left.authorize,
    partial_capture: left.partialCapture,
    multiple_captures: left.multipleCaptures,
    partial_void: left.partialVoid,
    incremental_authorization: left.incrementalAuthorization,
    refund: left.refund,
    partial_refund: left.partialRefund,
    native_3ds: left.nativeThreeDs,
    currencies: left.currencies,
    schemes: left.schemes,
  }
}

/**
 * Whether an account at a gateway is sent payments at present: `open` where a process sends none there because too many
 * failed, `half_open` where one is just trying whether the gateway is back, else `closed`. Of several processes the worst.
 *
 * @param circuits those of this account that are not closed, as `findCircuits` finds them
 */
export function presentCircuit(circuits: readonly GatewayCircuitRow[]) {
  const worst = circuits.find(({ state }) => state === 'open') ?? circuits[0]
  if (worst === undefined) return { state: 'closed', reason: null, changed_at: null, processes: 0 }
  return {
    state: worst.state === 'open' ? 'open' : 'half_open',
    reason: worst.reason,
    changed_at: presentTimestamp(worst.changedAt),
    processes: circuits.length,
  }
}

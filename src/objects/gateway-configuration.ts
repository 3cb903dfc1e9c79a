import { z } from 'zod'
import { type Capabilities, restrictCapabilities } from '../../domain/capabilities.ts'
import type { GatewayCircuitRow } from '../persistence/entities/gateway-circuit.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { object, type Shown } from './object.ts'
import {
  count,
  country,
  currency,
  flag,
  id,
  instant,
  list,
  metadata,
  OWNER,
  orNull,
  text,
  WRITTEN,
  word,
} from './shown.ts'
import { presentTimestamp } from './values.ts'

const ACCOUNT = {
  id: id('gatewayConfiguration', 'The gateway configuration.'),
  ...OWNER,
  gateway_name: text('The gateway, such as `stripe`.'),
  name: text('Your own name of the account.'),
  enabled: flag('Whether new payments may go there. What is there goes on in any case.'),
  enabled_at: orNull(instant('Since when it is enabled.')),
  draining_since: orNull(instant('Since when the account is draining: the operator sends no new payments there.')),
  default_currency: orNull(currency('The currency of the account, for you and for routing.')),
  processing_region: orNull(text('Where the account is processed, such as `EEA`.')),
  merchant_account_country_code: orNull(country('The country of the account.')),
  default_preferred_scheme: orNull(text('The scheme of co-badged cards where nothing else names one.')),
  public_keys: z
    .record(z.string(), z.string())
    .describe('What pages may know of the settings, such as Stripe’s publishable key.'),
  metadata: metadata('Your own keys and values.'),
}

/** As it stands inside the transaction of an event. */
export const gatewayAccount = object(
  'GatewayAccount',
  'A gateway configuration as events show it: without what opens it and how it is set up.',
  { ...ACCOUNT, ...WRITTEN },
)

const credential = object('CredentialState', 'A credential, of which only this is ever told.', {
  set_at: instant('When the credential was last set.'),
})

const capabilities = object('Capabilities', 'What can be done with payments there.', {
  authorize: flag('Reserve money without taking it. Where it is false, there are sales only.'),
  partial_capture: flag('Capture a part of what is reserved.'),
  multiple_captures: flag('Capture in several parts.'),
  partial_void: flag('Release a part of what is reserved.'),
  incremental_authorization: flag('Raise what is reserved.'),
  refund: flag('Give captured money back.'),
  partial_refund: flag('Give a part of it back.'),
  native_3ds: flag('Authenticate customers in apps with 3-D Secure, without a page.'),
  currencies: orNull(list(currency('A currency.'), 'The only currencies it takes; null for all.')),
  schemes: orNull(list(text('A card scheme.'), 'The only card schemes it takes; null for all.')),
})

const validity = object('AuthorizationValidity', 'How long certain authorizations hold there.', {
  scheme: orNull(text('Of this scheme only; null for all.')),
  initiation: orNull(word(['customer', 'merchant'], 'Of payments that one of them initiates only; null for both.')),
  seconds: count('So many seconds from the request.'),
})

const circuit = object('Circuit', 'Whether payments are sent there at present.', {
  state: word(
    ['closed', 'open', 'half_open'],
    '`closed`: payments are sent; `open`: none, because too many failed; `half_open`: one tries whether the gateway is back.',
  ),
  reason: orNull(text('Why it is not closed.')),
  changed_at: orNull(instant('Since when.')),
  processes: count('In how many processes of the service it is not closed.'),
})

export const gatewayConfiguration = object(
  'GatewayConfiguration',
  'Your account at a gateway.',
  {
    ...ACCOUNT,
    credentials: z
      .record(z.string(), credential)
      .describe('The credentials by their names. No answer tells a value, nor a part of one.'),
    settings: z.record(z.string(), z.string()).describe('How the adapter of the gateway is set up.'),
    capabilities: orNull(
      capabilities.describe('What can be done there; null where the gateway is not installed any more.'),
    ),
    authorization_validity: list(
      validity,
      'How long authorizations hold where that is less than 7 days; the shortest that fits holds.',
    ),
    circuit,
    ...WRITTEN,
    updated_at: instant('When the object was last changed.'),
  },
  { clients: ['id', 'gateway_name', 'name', 'enabled'] },
)

/** What is said of a configuration and only its gateway knows. */
interface Gateway {
  capabilities: Capabilities
  /** The settings that pages of customers may know. */
  publicSettings: readonly string[]
}

/**
 * A merchant's account at one gateway as it stands inside a transaction, without what opens it and how it is set up.
 */
export function presentGatewayAccount(row: GatewayConfigurationRow): Shown<typeof gatewayAccount> {
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

import { z } from 'zod'
import { AUTHORIZATION_VALIDITY_MS } from '../../domain/authorization-validity.ts'
import { type Capabilities, restrictCapabilities } from '../../domain/capabilities.ts'
import { isCurrency } from '../../domain/money.ts'
import type { GatewayCircuitRow } from '../persistence/entities/gateway-circuit.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { isCardScheme, preferredScheme } from './card-scheme.ts'
import { shownColumns } from './columns.ts'
import { countryCode } from './contacts.ts'
import { both, METADATA, shownToClients, takenFields, takenGroup } from './fields.ts'
import { object, type Shown } from './object.ts'
import {
  CHANGED,
  count,
  country,
  currency,
  flag,
  id,
  instant,
  list,
  OWNER,
  orNull,
  text,
  WRITTEN,
  word,
} from './shown.ts'
import { expecting, group, optionalFlag, optionalText, requiredName, type Scalars, withoutEffect } from './taken.ts'
import { presentTimestamp } from './values.ts'

/** Gateways' regions have a few letters, such as `EEA`. */
const REGION_LENGTH_MAX = 32

/** More values than all gateways take. */
const VALUES_MAX = 30

/** More than all schemes and initiations. */
const VALIDITY_RULES_MAX = 50

/** A shorter validity allows no capture, so it is a mistake. */
const VALIDITY_SECONDS_MIN = 60
const VALIDITY_SECONDS_MAX = AUTHORIZATION_VALIDITY_MS / 1000

const defaultCurrency = optionalText(3, {
  holds: (code: string) => isCurrency(code.toUpperCase()),
  message: 'must be an ISO 4217 code',
  invalid: 'request.validation.invalid-currency',
}).transform((code) => code?.toUpperCase() ?? null)

/** Texts by name; null removes one. */
const values = z
  .record(z.string(), z.string(expecting('a text')).nullable(), expecting('an object of texts'))
  .refine((given) => Object.keys(given).length <= VALUES_MAX, `must have ${VALUES_MAX} entries at most`)
  .optional()

/** A list that restricts; an empty one would forbid all, for which there is `enabled`. */
const restriction = (what: string, holds: (item: string) => boolean, written: (item: string) => string) =>
  z
    .array(z.string(expecting('a text')), expecting(`a list of ${what}, or null for all`))
    .min(1, `must name one at least; to take no payments, set enabled to false`)
    .transform((items) => [...new Set(items.map(written))])
    .refine((items) => items.every(holds), `must be a list of ${what}`)
    .nullable()
    .optional()

const ACCOUNT = {
  // Client libraries send back the fields that they have read.
  ...shownToClients({ id: both(id('gatewayConfiguration', 'The gateway configuration.'), withoutEffect) }),
  ...OWNER,
  ...shownToClients({
    gateway_name: text('The gateway, such as `stripe`.'),
    name: both(text('Your own name of the account.'), requiredName),
    enabled: both(flag('Whether new payments may go there. What is there goes on in any case.'), optionalFlag),
  }),
  enabled_at: orNull(instant('Since when it is enabled.')),
  draining_since: orNull(instant('Since when the account is draining: the operator sends no new payments there.')),
  default_currency: both(orNull(currency('The currency of the account, for you and for routing.')), defaultCurrency),
  processing_region: both(
    orNull(text('Where the account is processed, such as `EEA`.')),
    optionalText(REGION_LENGTH_MAX),
  ),
  merchant_account_country_code: both(orNull(country('The country of the account.')), countryCode),
  default_preferred_scheme: both(
    orNull(text('The scheme of co-badged cards where nothing else names one.')),
    preferredScheme,
  ),
  public_keys: z
    .record(z.string(), z.string())
    .describe('What pages may know of the settings, such as Stripe’s publishable key.'),
  metadata: METADATA,
}

/** As it stands inside the transaction of an event. */
export const gatewayAccount = object(
  'GatewayAccount',
  'A gateway configuration as events show it: without what opens it and how it is set up.',
  { ...ACCOUNT, ...WRITTEN },
)

const gateway = object('Gateway', 'A gateway that is installed here.', {
  name: text('The gateway, such as `stripe`.'),
  display_name: text('Its name for people.'),
  can_refund: flag('Whether money is given back there.'),
})

const credential = object('CredentialState', 'A credential, of which only this is ever told.', {
  set_at: instant('When the credential was last set.'),
})

/** An ability that is restored by null. */
const ability = (description: string) => both(flag(description), (scalars) => scalars.flag.nullable().optional())

const CAPABILITIES = {
  authorize: ability('Reserve money without taking it. Where it is false, there are sales only.'),
  partial_capture: ability('Capture a part of what is reserved.'),
  multiple_captures: ability('Capture in several parts.'),
  partial_void: ability('Release a part of what is reserved.'),
  incremental_authorization: ability('Raise what is reserved.'),
  refund: ability('Give captured money back.'),
  partial_refund: ability('Give a part of it back.'),
  native_3ds: ability('Authenticate customers in apps with 3-D Secure, without a page.'),
  currencies: both(
    orNull(list(currency('A currency.'), 'The only currencies it takes; null for all.')),
    restriction('ISO 4217 codes', isCurrency, (code) => code.toUpperCase()),
  ),
  schemes: both(
    orNull(list(text('A card scheme.'), 'The only card schemes it takes; null for all.')),
    restriction('card schemes', isCardScheme, (scheme) => scheme.toLowerCase()),
  ),
}

const capabilities = object('Capabilities', 'What can be done with payments there.', CAPABILITIES)

const VALIDITY = {
  scheme: both(orNull(text('Of this scheme only; null for all.')), preferredScheme),
  initiation: both(
    orNull(word(['customer', 'merchant'], 'Of payments that one of them initiates only; null for both.')),
    z.enum(['customer', 'merchant'], expecting('customer or merchant')).optional(),
  ),
  seconds: both(count('So many seconds from the request.'), ({ digits }) =>
    digits
      .transform(Number)
      .refine(
        (seconds) => seconds >= VALIDITY_SECONDS_MIN && seconds <= VALIDITY_SECONDS_MAX,
        `must be from ${VALIDITY_SECONDS_MIN} to ${VALIDITY_SECONDS_MAX}`,
      )
      .meta({ minimum: VALIDITY_SECONDS_MIN, maximum: VALIDITY_SECONDS_MAX }),
  ),
}

const validity = object('AuthorizationValidity', 'How long certain authorizations hold there.', VALIDITY)

const validityInput = (scalars: Scalars) =>
  z
    .array(group(takenFields(VALIDITY, scalars)), expecting('a list of rules'))
    .max(VALIDITY_RULES_MAX, `must have ${VALIDITY_RULES_MAX} rules at most`)
    .optional()

const circuit = object('Circuit', 'Whether payments are sent there at present.', {
  state: word(
    ['closed', 'open', 'half_open'],
    '`closed`: payments are sent; `open`: none, because too many failed; `half_open`: one tries whether the gateway is back.',
  ),
  reason: orNull(text('Why it is not closed.')),
  changed_at: orNull(instant('Since when.')),
  processes: count('In how many processes of the service it is not closed.'),
})

const FIELDS = {
  ...ACCOUNT,
  gateway: orNull(gateway.describe('The gateway. It is always shown; null where it is not installed any more.')),
  credentials: both(
    z
      .record(z.string(), credential)
      .describe('The credentials by their names. No answer tells a value, nor a part of one.'),
    values,
  ),
  settings: both(z.record(z.string(), z.string()).describe('How the adapter of the gateway is set up.'), values),
  capabilities: both(
    orNull(capabilities.describe('What can be done there; null where the gateway is not installed any more.')),
    takenGroup(CAPABILITIES),
  ),
  authorization_validity: both(
    list(validity, 'How long authorizations hold where that is less than 7 days; the shortest that fits holds.'),
    validityInput,
  ),
  circuit,
  ...CHANGED,
}

export const gatewayConfiguration = object('GatewayConfiguration', 'Your account at a gateway.', FIELDS)

/** The fields that a request may give. */
export const gatewayConfigurationInput = (scalars: Scalars) => takenFields(FIELDS, scalars)

/** What is said of a configuration and only its gateway knows. */
interface Gateway {
  name: string
  displayName: string
  capabilities: Capabilities
  /** The settings that pages of customers may know. */
  publicSettings: readonly string[]
}

/**
 * A merchant's account at one gateway as it stands inside a transaction, without what opens it and how it is set up.
 */
export function presentGatewayAccount(row: GatewayConfigurationRow): Shown<typeof gatewayAccount> {
  return { ...shownColumns(gatewayAccount.shape, row), public_keys: {} }
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
    gateway: gateway === null ? null : presentGateway(gateway),
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

function presentGateway({ name, displayName, capabilities }: Gateway) {
  return { name, display_name: displayName, can_refund: capabilities.refund }
}

/** What can be done there: what the gateway can, and this account is not kept from. */
function presentCapabilities(gateway: Capabilities, account: Partial<Capabilities>) {
  const left = restrictCapabilities(gateway, account)
  return { ...shownColumns(CAPABILITIES, left), native_3ds: left.nativeThreeDs }
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

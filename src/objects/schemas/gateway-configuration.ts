import { z } from 'zod'
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
} from './fields.ts'
import { object } from './objects.ts'

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

export const gatewayConfiguration = object('GatewayConfiguration', 'Your account at a gateway.', {
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
})

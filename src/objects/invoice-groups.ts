import { z } from 'zod'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import { shownColumns } from './columns.ts'
import { ADDRESS, emailAddress, ipAddress, PHONE, personName, phone, phoneText } from './contacts.ts'
import { both, personal, shownToClients, takenGroup, wordOrNull } from './fields.ts'
import { instant as instantText } from './instants.ts'
import * as WORDS from './invoice-words.ts'
import { object, objectField, objectOrNull } from './object.ts'
import { amount, flag, instant, orNull, text, word } from './shown.ts'
import * as taken from './taken.ts'
import { presentAmount } from './values.ts'

/** The groups of an invoice's fields. Source of the lengths: ProcessOut's reference, fields of an invoice. */

export const DEVICE = {
  ...shownToClients({
    channel: both(
      word(
        WORDS.DEVICE_CHANNELS,
        'Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.',
      ),
      taken.optionalWord(WORDS.DEVICE_CHANNELS, 'request.validation.invalid-device-channel'),
    ),
  }),
  ...personal({
    id: both(orNull(text('Your own id of the device.')), taken.optionalText(100)),
    ip_address: both(orNull(text('The address of the device.')), ipAddress),
    threeds_sdk: wordOrNull(WORDS.DEVICE_CHANNELS, 'The library for 3-D Secure that the app has.'),
    platform: wordOrNull(WORDS.DEVICE_PLATFORMS, 'The system of the device.'),
  }),
}

export const RISK = {
  score: both(orNull(text('Your score of the payment.')), taken.optionalText(12)),
  is_legit: both(orNull(flag('Whether you hold the payment for honest.')), taken.optionalFlag),
  skip_gateway_rules: both(
    orNull(flag('Whether the gateway is to leave out its own rules against fraud.')),
    taken.optionalFlag,
  ),
}

export const SHIPPING = {
  ...ADDRESS,
  amount: both(orNull(amount('What shipping costs.')), taken.amountText.optional()),
  method: wordOrNull(
    WORDS.SHIPPING_METHODS,
    'How the order reaches the customer.',
    'request.validation.invalid-shipping-method',
  ),
  provider: both(orNull(text('Who carries the order.')), taken.personalText(32)),
  delay: wordOrNull(WORDS.SHIPPING_DELAYS, 'How fast the order is sent.', 'request.validation.invalid-shipping-delay'),
  phone_number: both(orNull(text('The phone number of the recipient in one piece.')), phoneText),
  phone: phone('The phone number of the recipient.'),
  email: both(orNull(text('The email address of the recipient.')), emailAddress),
  first_name: both(orNull(text('The first name of the recipient.')), personName),
  last_name: both(orNull(text('The last name of the recipient.')), personName),
  expects_shipping_at: both(orNull(instant('When the order is expected to be sent.')), instantText.optional()),
  relay_store_name: both(
    orNull(text('The store at which the order waits.')),
    taken.personalText(100, { invalid: 'request.validation.invalid-relay-store-name' }),
  ),
}

const TAX = {
  amount: both(orNull(amount('The tax.')), taken.amountText.optional()),
  rate: both(
    orNull(text('The rate in percent, such as `20` or `5.5`.')),
    taken.optionalText(8, {
      // Up to four decimals.
      matches: /^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/,
      message: 'must be a percentage from 0 to 100 as a text, such as "5.5"',
      invalid: 'request.validation.invalid-tax-rate',
    }),
  ),
}

const BYPASS = {
  incremental_authorization: both(
    flag('Authorize without later increments where the gateway has none.'),
    taken.optionalFlag,
  ),
  split_payments: both(z.literal(false).describe('Always false: payments are not split.'), taken.unsupported),
}

const fraudTool = (name: string) =>
  both(
    orNull(z.unknown().describe(`The data that ${name} takes, as you sent it.`)),
    taken.opaque(z.unknown()).optional(),
  )

export const FRAUD_TOOLS = {
  forter: fraudTool('Forter'),
  ravelin: fraudTool('Ravelin'),
  signifyd: fraudTool('Signifyd'),
  riskified: fraudTool('Riskified'),
}

const externalFraudTools = object(
  'ExternalFraudTools',
  'Data for tools against fraud, each as it was sent.',
  FRAUD_TOOLS,
)

export const GROUPS = {
  ...shownToClients({ device: objectField('Device', 'The device with which the customer pays.', DEVICE) }),
  risk: objectOrNull('Risk', 'Your own assessment of the payment.', RISK),
  ...personal({
    shipping: objectOrNull('Shipping', 'Where and how the order is sent.', SHIPPING),
    billing: objectOrNull('BillingAddress', 'The address of the bill.', ADDRESS),
  }),
  tax: objectOrNull('Tax', 'The tax within the amount.', TAX),
  ...personal({
    external_fraud_tools: both(orNull(externalFraudTools.describe('Data for tools against fraud.')), (scalars) =>
      taken.coded(takenGroup(FRAUD_TOOLS)(scalars), { invalid: 'request.validation.invalid-external-fraud-tools' }),
    ),
  }),
}

export const bypass = objectField(
  'UnsupportedFeatureBypass',
  'What may be left out where the gateway cannot do it.',
  BYPASS,
)

/** The groups of an invoice, their amounts in its currency. */
export function presentGroups(row: InvoiceRow) {
  const { currency, device, risk, shipping, billing, tax, externalFraudTools = null } = row
  return {
    device: {
      channel: row.deviceChannel,
      id: device?.id ?? null,
      ip_address: device?.ipAddress ?? null,
      threeds_sdk: device?.threedsSdk ?? null,
      platform: device?.platform ?? null,
    },
    risk: risk ? shownColumns(RISK, risk) : null,
    shipping: shipping
      ? {
          ...shownColumns(SHIPPING, shipping),
          amount: presentAmount(shipping.amountMinor, currency),
          phone: shipping.phone && shownColumns(PHONE, shipping.phone),
        }
      : null,
    billing: billing ? shownColumns(ADDRESS, billing) : null,
    tax: tax ? { ...shownColumns(TAX, tax), amount: presentAmount(tax.amountMinor, currency) } : null,
    external_fraud_tools: externalFraudTools,
  }
}

import { z } from 'zod'
import { AUTHORIZATION_VALIDITY_MS, type ValidityRule } from '../../../domain/authorization-validity.ts'
import { isCurrency } from '../../../domain/money.ts'
import { isCardScheme, preferredScheme } from '../../http/input/card-scheme.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { defineInput, givenFields, readInput } from '../../http/input/input.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { countryCode } from '../../objects/contacts.ts'
import {
  expecting,
  group,
  metadata,
  optionalText,
  requiredName,
  type Scalars,
  withoutEffect,
} from '../../objects/taken.ts'

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

const capabilitiesOf = ({ flag }: Scalars) => {
  const ability = flag.nullable().optional()
  return group({
    authorize: ability,
    partial_capture: ability,
    multiple_captures: ability,
    partial_void: ability,
    incremental_authorization: ability,
    refund: ability,
    partial_refund: ability,
    native_3ds: ability,
    currencies: restriction('ISO 4217 codes', isCurrency, (code) => code.toUpperCase()),
    schemes: restriction('card schemes', isCardScheme, (scheme) => scheme.toLowerCase()),
  }).optional()
}

const validityOf = ({ digits }: Scalars) =>
  z
    .array(
      group({
        scheme: preferredScheme,
        initiation: z.enum(['customer', 'merchant'], expecting('customer or merchant')).optional(),
        seconds: digits.transform(Number).refine((seconds) => {
          return seconds >= VALIDITY_SECONDS_MIN && seconds <= VALIDITY_SECONDS_MAX
        }, `must be from ${VALIDITY_SECONDS_MIN} to ${VALIDITY_SECONDS_MAX}`),
      }),
      expecting('a list of rules'),
    )
    .max(VALIDITY_RULES_MAX, `must have ${VALIDITY_RULES_MAX} rules at most`)
    .optional()

const configurationFields = (scalars: Scalars) => ({
  // Client libraries send back the fields that they have read.
  id: withoutEffect,
  name: requiredName,
  enabled: scalars.flag.optional(),
  default_currency: defaultCurrency,
  processing_region: optionalText(REGION_LENGTH_MAX),
  merchant_account_country_code: countryCode,
  default_preferred_scheme: preferredScheme,
  metadata,
  credentials: values,
  settings: values,
  capabilities: capabilitiesOf(scalars),
  authorization_validity: validityOf(scalars),
})

export const NEW_CONFIGURATION = defineInput(configurationFields)

export const CONFIGURATION_CHANGES = defineInput((scalars) => ({
  ...configurationFields(scalars),
  name: requiredName.optional(),
}))

type Read = z.output<typeof CONFIGURATION_CHANGES.json>

/** The given fields of a gateway configuration. */
export type ConfigurationInput = ReturnType<typeof configurationColumns>

/** A new configuration needs a name; the other fields have defaults. */
export function readNewConfiguration(body: ParsedBody): ConfigurationInput & { name: string } {
  const input = readInput(NEW_CONFIGURATION, body)
  return { ...configurationColumns(givenFields(input, body)), name: input.name }
}

/** The changed fields. */
export function readConfigurationChanges(body: ParsedBody): ConfigurationInput {
  return configurationColumns(givenFields(readInput(CONFIGURATION_CHANGES, body), body))
}

function configurationColumns({ id: _, authorization_validity: validity, ...given }: Partial<Read>) {
  const rules = validity?.map(
    ({ scheme, initiation, seconds }): ValidityRule => ({
      ...(scheme !== null && { scheme }),
      ...(initiation !== undefined && { initiation }),
      seconds,
    }),
  )
  return { ...columnsOf(given), ...(rules && { authorizationValidity: rules }) }
}

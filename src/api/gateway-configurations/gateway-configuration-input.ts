import type { z } from 'zod'
import type { ValidityRule } from '../../../domain/authorization-validity.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { type Check, defineInput, givenFields, readInput } from '../../http/input/input.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { gatewayConfigurationInput } from '../../objects/gateway-configuration.ts'

export const NEW_CONFIGURATION = defineInput(gatewayConfigurationInput)

export const CONFIGURATION_CHANGES = defineInput((scalars) => {
  const fields = gatewayConfigurationInput(scalars)
  return { ...fields, name: fields.name.optional() }
})

type Read = z.output<typeof CONFIGURATION_CHANGES.json>

/** The given fields of a gateway configuration. */
export type ConfigurationInput = ReturnType<typeof configurationColumns>

/**
 * A new configuration needs a name; the other fields have defaults.
 *
 * @param check what its gateway does not take
 */
export function readNewConfiguration(body: ParsedBody, check: Check): ConfigurationInput & { name: string } {
  const input = readInput(NEW_CONFIGURATION, body, check)
  return { ...configurationColumns(givenFields(input, body)), name: input.name }
}

/** The changed fields. */
export function readConfigurationChanges(body: ParsedBody, check: Check): ConfigurationInput {
  return configurationColumns(givenFields(readInput(CONFIGURATION_CHANGES, body, check), body))
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

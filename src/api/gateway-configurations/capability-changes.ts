import type { Capabilities } from '../../../domain/capabilities.ts'
import { isFields } from '../../http/bodies/fields.ts'
import { type Problem, problem } from '../../http/input/input.ts'
import type { Fields } from '../../http/middleware/body.ts'
import { isTrue } from '../../objects/taken.ts'
import type { ConfigurationInput } from './gateway-configuration-input.ts'

type Given = NonNullable<ConfigurationInput['capabilities']>

/** The capabilities by their API names, with our own names. */
const ABILITIES = {
  authorize: 'authorize',
  partial_capture: 'partialCapture',
  multiple_captures: 'multipleCaptures',
  partial_void: 'partialVoid',
  incremental_authorization: 'incrementalAuthorization',
  refund: 'refund',
  partial_refund: 'partialRefund',
  native_3ds: 'nativeThreeDs',
} as const satisfies Partial<Record<keyof Given, keyof Capabilities>>

type Ability = keyof typeof ABILITIES

/**
 * Restricts an account's capabilities further than its gateway's: false removes one, true and null leave it to the gateway;
 * a list allows only its items, and null allows all.
 */
export function changeCapabilities(known: Partial<Capabilities>, given: Given): Partial<Capabilities> {
  const changed: Record<string, unknown> = { ...known }
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(ABILITIES, name) ? ABILITIES[name as Ability] : name
    if (value === undefined) continue
    if (value === true || value === null) delete changed[property]
    else changed[property] = value
  }
  return changed as Partial<Capabilities>
}

/** The capabilities that a request would add to those of the gateway. */
export function addedCapabilities(gateway: Capabilities, { capabilities: given }: Fields): Problem[] {
  return isFields(given) ? [...addedAbilities(gateway, given), ...addedItems(gateway, given)] : []
}

function addedAbilities(gateway: Capabilities, given: Fields): Problem[] {
  return (Object.keys(ABILITIES) as Ability[])
    .filter((name) => isTrue(given[name]) && !gateway[ABILITIES[name]])
    .map((name) => problem(`capabilities.${name}`, 'cannot be added: the gateway does not do this'))
}

function addedItems(gateway: Capabilities, given: Fields): Problem[] {
  return (['currencies', 'schemes'] as const).flatMap((name) => {
    const taken = gateway[name]?.map((item) => item.toLowerCase())
    const items = given[name]
    if (taken === undefined || !Array.isArray(items)) return []
    const added = items.find((item) => typeof item === 'string' && !taken.includes(item.toLowerCase()))
    return added === undefined
      ? []
      : [problem(`capabilities.${name}`, `cannot have ${added}: the gateway does not take it`)]
  })
}

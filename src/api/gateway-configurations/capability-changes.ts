import type { Capabilities } from '../../../domain/capabilities.ts'
import { invalidInput, type Problem } from '../../http/input/input.ts'
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
 *
 * @param gateway null without an installed adapter of its name
 * @throws ApiError where the request would add a capability that the gateway lacks.
 */
export function changeCapabilities(
  gateway: Capabilities | null,
  known: Partial<Capabilities>,
  given: Given,
): Partial<Capabilities> {
  const problems = gateway === null ? [] : [...addedAbilities(gateway, given), ...addedItems(gateway, given)]
  if (problems.length > 0) throw invalidInput(problems)
  const changed: Record<string, unknown> = { ...known }
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(ABILITIES, name) ? ABILITIES[name as Ability] : name
    if (value === undefined) continue
    if (value === true || value === null) delete changed[property]
    else changed[property] = value
  }
  return changed as Partial<Capabilities>
}

function addedAbilities(gateway: Capabilities, given: Given): Problem[] {
  return (Object.keys(ABILITIES) as Ability[])
    .filter((name) => given[name] === true && !gateway[ABILITIES[name]])
    .map((name) => problem(name, 'cannot be added: the gateway does not do this'))
}

function addedItems(gateway: Capabilities, given: Given): Problem[] {
  return (['currencies', 'schemes'] as const).flatMap((name) => {
    const taken = gateway[name]
    const added = taken === null ? undefined : given[name]?.find((item) => !taken.includes(item))
    return added === undefined ? [] : [problem(name, `cannot have ${added}: the gateway does not take it`)]
  })
}

function problem(name: string, message: string): Problem {
  return { name: `capabilities.${name}`, message, code: 'request.validation.error' }
}

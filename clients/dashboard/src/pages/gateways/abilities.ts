import type { Capabilities } from '../../../../node/src/generated/schemas.ts'
import { t } from '../../words/words.ts'

const ABILITIES = [
  'authorize',
  'partial_capture',
  'multiple_captures',
  'partial_void',
  'incremental_authorization',
  'refund',
  'partial_refund',
  'native_3ds',
] as const satisfies readonly (keyof Capabilities)[]

/** What can be done at an account. Of a gateway that is not installed any more nothing is known. */
export function abilitiesOf(capabilities: Capabilities | null): { words: string; can: boolean }[] {
  if (capabilities === null) return []
  return ABILITIES.map((name) => ({ words: t(`gateways.ability.${name}`), can: capabilities[name] }))
}

import type { Capabilities } from '../../../../node/src/generated/schemas.ts'

const ABILITIES = [
  ['authorize', 'Authorize first'],
  ['partial_capture', 'Capture a part'],
  ['multiple_captures', 'Capture several times'],
  ['partial_void', 'Void a part'],
  ['incremental_authorization', 'Raise an authorization'],
  ['refund', 'Refund'],
  ['partial_refund', 'Refund a part'],
  ['native_3ds', '3-D Secure of its own'],
] as const satisfies readonly (readonly [keyof Capabilities, string])[]

/** What can be done at an account. Of a gateway that is not installed any more nothing is known. */
export function abilitiesOf(capabilities: Capabilities | null): { words: string; can: boolean }[] {
  if (capabilities === null) return []
  return ABILITIES.map(([name, words]) => ({ words, can: capabilities[name] }))
}

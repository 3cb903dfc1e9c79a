import type { CardChecks } from '../../domain/operation.ts'

/** What issuer and gateway found about security code and address; null where nobody has looked yet. */
export function presentCardChecks(checks: CardChecks | null | undefined) {
  if (checks == null) return null
  return { cvc_check: checks.cvcCheck, avs_check: checks.avsCheck }
}

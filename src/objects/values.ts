import { formatAmount } from '../../domain/money.ts'
import type { CardChecks } from '../../domain/operation.ts'

/** Prints an amount of a row, or null where there is none. */
export function presentAmount(amountMinor: number | null | undefined, currency: string): string | null {
  return amountMinor == null ? null : formatAmount(amountMinor, currency)
}

/** RFC 3339 in UTC with milliseconds, such as `2026-11-21T01:17:10.000Z`; null where there is no instant. */
export function presentTimestamp(instant: Date): string
export function presentTimestamp(instant: Date | null | undefined): string | null
export function presentTimestamp(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null
}

/** What issuer and gateway found about security code and address; null where nobody has looked yet. */
export function presentCardChecks(checks: CardChecks | null | undefined) {
  return checks == null ? null : { cvc_check: checks.cvcCheck, avs_check: checks.avsCheck }
}

/** The same under the names that older clients read. */
export function presentSingleChecks(checks: CardChecks | null | undefined) {
  return { cvc_check: checks?.cvcCheck ?? null, avs_check: checks?.avsCheck ?? null }
}

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

type Address = {
  [name in 'address1' | 'address2' | 'city' | 'state' | 'zip' | 'countryCode']?: string | null | undefined
}

/** The address of a person, or of the holder of a card. */
export function presentAddress(row: Address) {
  return {
    address1: row.address1 ?? null,
    address2: row.address2 ?? null,
    city: row.city ?? null,
    state: row.state ?? null,
    zip: row.zip ?? null,
    country_code: row.countryCode ?? null,
  }
}

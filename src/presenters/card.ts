import type { CardRow } from '../persistence/entities/card.ts'
import { presentCardChecks } from './card-checks.ts'
import { presentTimestamp } from './timestamp.ts'

/** A card as merchants see it: neither the number nor the security code is part of any answer. */
export function presentCard(row: CardRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    scheme: row.scheme,
    co_scheme: row.coScheme ?? null,
    preferred_scheme: row.preferredScheme ?? null,
    type: row.type ?? null,
    bank_name: null,
    brand: null,
    category: null,
    iin: row.iin,
    last_4_digits: row.last4Digits,
    fingerprint: row.fingerprint,
    exp_month: row.expMonth,
    exp_year: row.expYear,
    name: row.name ?? null,
    address1: null,
    address2: null,
    city: null,
    state: null,
    zip: null,
    country_code: row.countryCode ?? null,
    billing_country_code: null,
    checks: presentCardChecks(row.checks),
    cvc_check: row.checks?.cvcCheck ?? null,
    avs_check: row.checks?.avsCheck ?? null,
    used: row.usedByInvoiceId != null,
    metadata: row.metadata,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

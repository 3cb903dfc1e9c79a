import type { CardRow } from '../persistence/entities/card.ts'
import { presentAddress, presentCardChecks, presentTimestamp } from './values.ts'

/**
 * A card as merchants see it: neither the number nor the security code is part of any answer.
 *
 * @param now tells whether the card expires soon; without it nothing is told of that.
 */
export function presentCard(row: CardRow, now: Date | null = null) {
  return {
    id: row.id,
    project_id: row.projectId,
    scheme: row.scheme,
    co_scheme: row.coScheme ?? null,
    preferred_scheme: row.preferredScheme ?? null,
    type: row.type ?? null,
    bank_name: row.bankName ?? null,
    brand: row.brand ?? null,
    category: row.category ?? null,
    iin: row.iin,
    last_4_digits: row.last4Digits,
    fingerprint: row.fingerprint,
    exp_month: row.expMonth,
    exp_year: row.expYear,
    expires_soon: now === null ? null : expiresSoon(row, now),
    name: row.name ?? null,
    ...presentAddress(row),
    billing_country_code: row.billingCountryCode ?? null,
    checks: presentCardChecks(row.checks),
    cvc_check: row.checks?.cvcCheck ?? null,
    avs_check: row.checks?.avsCheck ?? null,
    cvc_tokenized: row.cvcTokenized,
    token_type: row.tokenType ?? null,
    tokenization_method: row.tokenizationMethod ?? null,
    token_id: row.usedByTokenId ?? null,
    token: null,
    used: row.usedByInvoiceId != null || row.usedByTokenId != null,
    has_been_authorized: row.hasBeenAuthorized,
    update_type: row.updateType ?? null,
    update_reason_code: row.updateReasonCode ?? null,
    ip_address: row.ipAddress ?? null,
    user_agent: row.userAgent ?? null,
    header_accept: row.headerAccept ?? null,
    header_referer: row.headerReferer ?? null,
    app_color_depth: row.appColorDepth ?? null,
    app_java_enabled: row.appJavaEnabled ?? null,
    app_language: row.appLanguage ?? null,
    app_screen_height: row.appScreenHeight ?? null,
    app_screen_width: row.appScreenWidth ?? null,
    app_timezone_offset: row.appTimezoneOffset ?? null,
    metadata: row.metadata,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

/** In this month or the next: cards are valid through the last day of their month. Of an expired card it is true as well. */
function expiresSoon({ expYear, expMonth }: CardRow, now: Date): boolean {
  const monthsLeft = (expYear - now.getUTCFullYear()) * 12 + expMonth - (now.getUTCMonth() + 1)
  return monthsLeft <= 1
}

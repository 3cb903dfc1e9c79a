import type { ErrorCode } from '../../../domain/errors.ts'
import { visaCategoryOf } from '../../../domain/merchant-advice.ts'

type Data = Readonly<Record<string, unknown>>

/** Mastercard's advice code where the answer has one, or Visa's category by the raw response of the issuer. */
export function merchantAdviceCodeOf(data: Data, brand: string | null): string | null {
  const advised = typeof data.merchantAdviceCode === 'string' ? /^\d{2}/.exec(data.merchantAdviceCode)?.[0] : undefined
  const raw = rawCodeOf(data)
  return advised ?? (brand === 'visa' && raw !== null ? visaCategoryOf(raw) : null)
}

/** The issuer's two characters at the beginning of `refusalReasonRaw`, such as `05 : Do not honor`. */
function rawCodeOf({ refusalReasonRaw: raw }: Data): string | null {
  return typeof raw === 'string' ? (/^([0-9A-Z]{2})\s*:/.exec(raw)?.[1] ?? null) : null
}

/** What Adyen sums up as refused, blocked, restricted or not generic, more exactly. Source: ISO 8583, field 39. */
const RAW_CODES: Readonly<Record<string, ErrorCode>> = {
  '03': 'card.invalid-merchant',
  '04': 'card.keep-card',
  '05': 'card.do-not-honor',
  '07': 'card.keep-card',
  '12': 'card.invalid-transaction',
  '13': 'card.invalid-amount',
  '14': 'card.invalid-account',
  '15': 'card.issuer-not-found',
  '41': 'card.lost',
  '43': 'card.stolen',
  '46': 'card.invalid-account',
  '51': 'card.no-money',
  '54': 'card.expired',
  '57': 'card.not-authorized',
  '59': 'card.possible-fraud',
  '61': 'card.exceeded-withdrawal-limit',
  '62': 'card.restricted',
  '63': 'card.security-violation',
  '65': 'card.exceeded-activity-limits',
  '78': 'card.not-activated',
  '91': 'card.issuer-down',
  '93': 'card.law-violation',
  R0: 'card.revoked',
  R1: 'card.revoked',
  R3: 'card.revoked-all',
}
const GENERAL_REFUSALS: ReadonlySet<string> = new Set(['2', '5', '25', '27'])

/** The issuer's own reason where Adyen's is a general one and the account has raw responses switched on. */
export function exactCodeOf(data: Data, refusalReasonCode: string): ErrorCode | null {
  const raw = GENERAL_REFUSALS.has(refusalReasonCode) ? rawCodeOf(data) : null
  return raw === null ? null : (RAW_CODES[raw] ?? null)
}

import type { ErrorCode } from '../../../domain/errors.ts'

type Data = Readonly<Record<string, unknown>>

/** What a scheme says about trying again. */
interface Advice {
  merchantAdviceCode?: string
  recommendationCode?: string
}

/** By Mastercard's merchant advice code. Source: Adyen, "Mastercard Merchant Advice Codes" among its raw responses. */
const RECOMMENDATIONS: Readonly<Record<string, string>> = {
  '01': 'update-payment-details',
  '02': 'retry-later',
  '03': 'do-not-retry',
  '04': 'retry-with-different-details',
  '21': 'do-not-retry',
  '22': 'do-not-retry',
  '24': 'retry-after',
  '25': 'retry-after',
  '26': 'retry-after',
  '27': 'retry-after',
  '28': 'retry-after',
  '29': 'retry-after',
  '30': 'retry-after',
  '42': 'do-not-retry',
}

/** Visa's decline categories by response code; every other code is of the fourth. Source: Visa Core Rules, table 7-2. */
const VISA_CATEGORIES: readonly (readonly [category: string, codes: readonly string[]])[] = [
  ['1', ['04', '07', '12', '14', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3']],
  ['2', '03 19 39 51 52 53 59 61 62 65 75 78 83 86 91 93 96 5C 9G N3 N4 Z5'.split(' ')],
  ['3', ['54', '55', '82', '6P', 'N7']],
]
const VISA_RECOMMENDATIONS: Readonly<Record<string, string>> = {
  '1': 'do-not-retry',
  '2': 'retry-later',
  '3': 'update-payment-details',
}

/** Mastercard's advice where the answer has it, or Visa's category by the raw response of the issuer. */
export function adviceOf(data: Data, brand: string | null): Advice {
  const advised = typeof data.merchantAdviceCode === 'string' ? /^\d{2}/.exec(data.merchantAdviceCode)?.[0] : undefined
  if (advised !== undefined) return withRecommendation(advised, RECOMMENDATIONS[advised])
  const raw = rawCodeOf(data)
  if (brand !== 'visa' || raw === null) return {}
  const category = VISA_CATEGORIES.find(([, codes]) => codes.includes(raw))?.[0] ?? '4'
  return withRecommendation(category, VISA_RECOMMENDATIONS[category])
}

function withRecommendation(merchantAdviceCode: string, recommendationCode: string | undefined): Advice {
  return { merchantAdviceCode, ...(recommendationCode !== undefined && { recommendationCode }) }
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

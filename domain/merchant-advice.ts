import type { Decline, Outcome } from './operation.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** How long a card that must not be tried again is blocked. Source: Mastercard charges for each try within 30 days. */
export const BLOCK_MS = 30 * DAY_MS

/** Recommendation codes for declines, each with its text in `recommendation_reason`. */
const RECOMMENDATIONS = {
  'update-payment-details': 'Ask the customer for the new details of the card, or for another card.',
  'retry-later': 'Try again later, unchanged; after some days the chance is best.',
  'retry-after': 'Try again when retry_after has passed, and not before.',
  'retry-with-different-details':
    'Try again with the number of the card in place of a network token, or with another card.',
  'do-not-retry': 'Do not try again with this card.',
  'single-use-card': 'The card cannot be charged again later; ask for another one for further payments.',
} as const
export type RecommendationCode = keyof typeof RECOMMENDATIONS

/** Which later payments a block stops. */
export interface BlockPolicy {
  periodMs: number
  /**
   * `gateway`: the same card, amount and currency at the same gateway configuration; others may be tried. `amount`: the same
   * card, amount and currency at any gateway. `card`: every payment with the card.
   */
  reach: BlockReach
  /** True if the block does not apply to payments that the customer initiates. */
  onlyMerchantInitiated: boolean
  /** The project's option that enables the block; null if it always applies. */
  option: BlockOption | null
}
const REACHES = ['gateway', 'amount', 'card'] as const
export type BlockReach = (typeof REACHES)[number]
export type BlockOption = 'blocksStoppedPayments' | 'enforcesRetryAfter'

/** A scheme's advice with a decline about trying again. */
export interface Advice {
  /** The scheme's own text. */
  reason: string
  /** Null if the advice does not concern another try. */
  recommendation: RecommendationCode | null
  /** How long to wait before the next try. */
  retryAfterMs?: number
  block?: BlockPolicy
}

const retryAfter = (reason: string, waitMs: number): Advice => ({
  reason,
  recommendation: 'retry-after',
  retryAfterMs: waitMs,
  block: { periodMs: waitMs, reach: 'amount', onlyMerchantInitiated: true, option: 'enforcesRetryAfter' },
})

/**
 * By `Decline.merchantAdviceCode`: two digits are a merchant advice code of Mastercard, one digit is a decline category of
 * Visa. The schemes add new codes; an unknown code is shown unchanged and has no effect.
 *
 * Sources: for Mastercard the tables that Braintree, Cybersource, Rapyd, TabaPay and Solidgate publish, and Mastercard's
 * Authorization Optimizer for 24 to 30, which come with response code 51 of recurring payments; for Visa its Core Rules,
 * table 7-2, as Nexi's "Managing authorization reattempts" repeats it. The block for 03 comes from ProcessOut's reference;
 * those for 21 and 24 to 30 are ours.
 */
const ADVICE = {
  '01': { reason: 'New account information available', recommendation: 'update-payment-details' },
  '02': { reason: 'Cannot approve at this time, try again later', recommendation: 'retry-later' },
  '03': {
    reason: 'Do not try again',
    recommendation: 'do-not-retry',
    block: { periodMs: BLOCK_MS, reach: 'gateway', onlyMerchantInitiated: false, option: null },
  },
  '04': { reason: 'Token requirements not fulfilled', recommendation: 'retry-with-different-details' },
  '05': { reason: 'Negotiated value not approved', recommendation: null },
  '21': {
    reason: 'Payment cancellation: stop the recurring payments',
    recommendation: 'do-not-retry',
    block: { periodMs: BLOCK_MS, reach: 'card', onlyMerchantInitiated: true, option: 'blocksStoppedPayments' },
  },
  '22': { reason: 'Merchant does not qualify for the product code', recommendation: 'do-not-retry' },
  '24': retryAfter('Retry after 1 hour', HOUR_MS),
  '25': retryAfter('Retry after 24 hours', DAY_MS),
  '26': retryAfter('Retry after 2 days', 2 * DAY_MS),
  '27': retryAfter('Retry after 4 days', 4 * DAY_MS),
  '28': retryAfter('Retry after 6 days', 6 * DAY_MS),
  '29': retryAfter('Retry after 8 days', 8 * DAY_MS),
  '30': retryAfter('Retry after 10 days', 10 * DAY_MS),
  '40': { reason: 'Consumer non-reloadable prepaid card', recommendation: 'single-use-card' },
  '41': { reason: 'Consumer single-use virtual card number', recommendation: 'single-use-card' },
  '42': { reason: 'Sanctions score exceeds the applicable threshold', recommendation: 'do-not-retry' },
  '43': { reason: 'Consumer multi-use virtual card number', recommendation: 'single-use-card' },
  '1': { reason: 'Issuer will never approve', recommendation: 'do-not-retry' },
  '2': { reason: 'Issuer cannot approve at this time', recommendation: 'retry-later' },
  '3': { reason: 'Issuer cannot approve with these details', recommendation: 'update-payment-details' },
  '4': { reason: 'Generic response', recommendation: null },
} as const satisfies Record<string, Advice>

export const ADVICE_CODES: readonly string[] = Object.keys(ADVICE)

/** Visa's category for payments that the issuer will never approve. */
export const NEVER_APPROVED = '1' satisfies keyof typeof ADVICE

/** Visa's decline categories by its response codes. Source: Visa Core Rules, table 7-2. */
const VISA_CATEGORIES: readonly (readonly [category: keyof typeof ADVICE, codes: readonly string[]])[] = [
  ['1', '04 07 12 14 15 41 43 46 57 R0 R1 R3'.split(' ')],
  ['2', '03 19 39 51 52 53 59 61 62 65 75 78 83 86 91 93 96 5C 9G N3 N4 Z5'.split(' ')],
  ['3', '54 55 82 6P N7'.split(' ')],
]

/** Visa's category of a response code, 1 to 4. It replaces an advice code, which Visa does not send. */
export function visaCategoryOf(responseCode: string): string {
  return VISA_CATEGORIES.find(([, codes]) => codes.includes(responseCode))?.[0] ?? '4'
}

/** The meaning of an advice code; null without a code and for unknown codes. */
export function adviceOf(merchantAdviceCode: string | null | undefined): Advice | null {
  return merchantAdviceCode != null && Object.hasOwn(ADVICE, merchantAdviceCode)
    ? ADVICE[merchantAdviceCode as keyof typeof ADVICE]
    : null
}

const DO_NOT_RETRY = 'do-not-retry' satisfies RecommendationCode

/**
 * The recommendation for a decline. The gateway's own recommendation takes precedence, since the gateway sees the issuer's
 * whole answer. But advice not to retry always wins, because the scheme charges for the retry in any case.
 */
export function recommendationOf({ recommendationCode, merchantAdviceCode }: Decline): string | null {
  const advised = adviceOf(merchantAdviceCode)?.recommendation ?? null
  return advised === DO_NOT_RETRY ? advised : (recommendationCode ?? advised)
}

/** The text of a recommendation; null for a gateway's own recommendation that we do not know. */
export function recommendationReason(code: string | null | undefined): string | null {
  return code != null && Object.hasOwn(RECOMMENDATIONS, code) ? RECOMMENDATIONS[code as RecommendationCode] : null
}

/**
 * Adds to a decline the recommendation of its advice, and the instant of the next allowed try if the scheme names a waiting
 * time. Other outcomes do not change.
 *
 * @param now wall clock in epoch ms, because the advice concerns other payments with workflow times of their own
 */
export function withAdvice(outcome: Outcome, now: number): Outcome {
  if (outcome.kind !== 'declined') return outcome
  const recommendationCode = recommendationOf(outcome)
  const waitMs = adviceOf(outcome.merchantAdviceCode)?.retryAfterMs
  const retryAfter = outcome.retryAfter ?? (waitMs === undefined ? null : now + waitMs)
  return {
    ...outcome,
    ...(recommendationCode !== null && { recommendationCode }),
    ...(retryAfter !== null && { retryAfter }),
  }
}

/** The block that a decline sets; null if it sets none, or if the call was not sent. */
export function blockOf({ isNotSent, merchantAdviceCode }: Decline): BlockPolicy | null {
  return isNotSent === true ? null : (adviceOf(merchantAdviceCode)?.block ?? null)
}

export interface FoundBlock {
  code: string
  /** Epoch ms. */
  expiresAt: number
}

/** The target of a card's block; null means all gateways, or all amounts. */
export interface BlockTarget {
  gatewayConfigurationId: string | null
  amountMinor: number | null
  currency: string | null
}

/** Whether a block covers a payment's gateway and its amount. */
export function reaches(block: BlockTarget, payment: BlockTarget): boolean {
  const isThere =
    block.gatewayConfigurationId === null || block.gatewayConfigurationId === payment.gatewayConfigurationId
  const isOverIt =
    block.amountMinor === null || (block.amountMinor === payment.amountMinor && block.currency === payment.currency)
  return isThere && isOverIt
}

/** Whether a block applies to a payment by its initiation: some apply to merchant-initiated payments only. */
export function concerns({ code }: Pick<FoundBlock, 'code'>, isMerchantInitiated: boolean): boolean {
  return isMerchantInitiated || adviceOf(code)?.block?.onlyMerchantInitiated !== true
}

/**
 * The decline of a payment for which these blocks were found; null if none applies. Of several blocks the one with the
 * widest reach counts, since it excludes other gateways as well.
 */
export function refusedByBlocks(
  blocks: readonly FoundBlock[],
  { isMerchantInitiated, options }: { isMerchantInitiated: boolean; options: Readonly<Record<BlockOption, boolean>> },
): Decline | null {
  const holding = blocks.filter((block) => {
    const { option = null } = adviceOf(block.code)?.block ?? {}
    return concerns(block, isMerchantInitiated) && (option === null || options[option])
  })
  const reachOf = ({ code }: FoundBlock) => REACHES.indexOf(adviceOf(code)?.block?.reach ?? 'gateway')
  const [block] = holding.toSorted((one, other) => reachOf(other) - reachOf(one) || other.expiresAt - one.expiresAt)
  return block === undefined ? null : blockedBy(block.code, block.expiresAt)
}

/** The error code of a payment that a block forbids. */
export const BLOCKED_CODE = 'request.transaction-blocked'

/**
 * The decline of a payment that earlier advice forbids. Nothing is sent.
 *
 * @param until epoch ms at which the block ends; null if it never does
 */
export function blockedBy(merchantAdviceCode: string, until: number | null): Decline {
  return {
    code: BLOCKED_CODE,
    gatewayCode: `BLOCKED_BY_ADVICE_${merchantAdviceCode}`,
    merchantAdviceCode,
    ...(until !== null && { retryAfter: until }),
    isNotSent: true,
  }
}

/** True if the block covers only this gateway, so that another one may be tried. */
export function isBlockedHereOnly({ code, isNotSent, merchantAdviceCode }: Decline): boolean {
  return code === BLOCKED_CODE && isNotSent === true && adviceOf(merchantAdviceCode)?.block?.reach === 'gateway'
}

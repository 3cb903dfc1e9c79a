/** What `dynamic_3ds_params` may say. Source: the invoice fields of the same names. */
export const SCA_EXEMPTION_REASONS = ['low-value', 'trusted-beneficiary', 'transaction-risk-analysis'] as const

export const CHALLENGE_INDICATORS = [
  'no-preference',
  'no-challenge-requested',
  'challenge-requested',
  'challenge-requested-mandate',
  'no-challenge-requested-tra-performed',
  'no-challenge-requested-data-share-only',
  'no-challenge-requested-sca-performed',
  'no-challenge-requested-whitelist-exemption',
  'challenge-requested-whitelist-prompt',
  'cb-scoring',
] as const

import { UNEXPLAINED_MS } from '../../../../domain/attention.ts'

/**
 * Whether a person must look at a transaction, by its columns alone: `needsAttention` of `domain/attention.ts`. A payment whose test clock is
 * ahead has waited for longer. The index `transaction_attention_list` has all of them.
 */
export const NEEDS_ATTENTION = `(needs_attention
  or outcome_unknown_since <= now() + (clock_offset_ms - ${UNEXPLAINED_MS}) * interval '1 ms')`

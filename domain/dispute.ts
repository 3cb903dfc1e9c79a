/**
 * A dispute about captured money: what a gateway tells of it, step by step. Steps may come in any order, so each of them
 * implies those before it.
 */
export const DISPUTE_STEPS = [
  'retrieval-request',
  'fraud-notification',
  'chargeback-created',
  'chargeback-won',
  'chargeback-lost',
] as const

export type DisputeStep = (typeof DISPUTE_STEPS)[number]

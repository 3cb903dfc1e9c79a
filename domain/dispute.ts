/** The steps of a dispute that gateways report. They may arrive in any order, so each implies the steps before it. */
export const DISPUTE_STEPS = [
  'retrieval-request',
  'fraud-notification',
  'chargeback-created',
  'chargeback-won',
  'chargeback-lost',
] as const

export type DisputeStep = (typeof DISPUTE_STEPS)[number]

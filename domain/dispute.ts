/** The steps of a dispute that gateways report. They may arrive in any order, so each implies the steps before it. */
export const DISPUTE_STEPS = [
  'retrieval-request',
  'fraud-notification',
  'chargeback-created',
  'chargeback-won',
  'chargeback-lost',
] as const

export type DisputeStep = (typeof DISPUTE_STEPS)[number]

/** The steps that move money; the others are inquiries. */
export type ChargebackStep = Extract<DisputeStep, `chargeback-${string}`>

/** A dispute about captured money, told apart from the others of its payment by the gateway's id. */
export interface Dispute {
  /** Null if the gateway names none: all such steps are one dispute. */
  id: string | null
  status: 'open' | 'won' | 'lost'
  amountMinor: number
}

const STATUS: Readonly<Record<ChargebackStep, Dispute['status']>> = {
  'chargeback-created': 'open',
  'chargeback-won': 'won',
  'chargeback-lost': 'lost',
}

/**
 * The disputes of a payment after a step of one. A step that comes after the end of its dispute changes nothing, except that
 * a dispute that was won can still be lost, by a second chargeback. Null if the gateway contradicts itself: a lost dispute
 * is won.
 */
export function withStep(
  disputes: readonly Dispute[],
  { id, step, amountMinor }: { id: string | null; step: ChargebackStep; amountMinor: number },
): Dispute[] | null {
  const known = disputes.find((dispute) => dispute.id === id)
  const status = STATUS[step]
  if (known === undefined) return [...disputes, { id, status, amountMinor }]
  if (known.status === 'lost' && status === 'won') return null
  const isOver = known.status !== 'open' && status !== 'lost'
  return isOver ? [...disputes] : disputes.map((one) => (one === known ? { id, status, amountMinor } : one))
}

/** The amount of open and lost disputes, in minor units: money that is held back, or gone. */
export function disputedMinor({ disputes = [] }: { disputes?: readonly Dispute[] | undefined }): number {
  return disputes.reduce((sum, { status, amountMinor }) => (status === 'won' ? sum : sum + amountMinor), 0)
}

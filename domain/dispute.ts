/** The steps of a dispute that gateways report. They may arrive in any order, so each implies the steps before it. */
export const DISPUTE_STEPS = [
  'retrieval-request',
  'fraud-notification',
  'inquiry-closed',
  'dispute-answered',
  'chargeback-created',
  'chargeback-won',
  'chargeback-lost',
] as const

export type DisputeStep = (typeof DISPUTE_STEPS)[number]

/** The steps that move money; the others are inquiries. */
export type ChargebackStep = Extract<DisputeStep, `chargeback-${string}`>

/**
 * How a dispute stands. With a `notice` the issuer tells of fraud, with an `inquiry` it asks for evidence, which is `closed`
 * where it asks no longer; none of these moves money. A chargeback is `open`, `won` or `lost`.
 */
export const DISPUTE_STATUSES = ['notice', 'inquiry', 'closed', 'open', 'won', 'lost'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** What a gateway tells of a dispute beside its step. */
export interface DisputeFacts {
  /** The gateway's id of the dispute. Null if it names none: all such steps are one dispute. */
  id: string | null
  amountMinor: number
  /** The reason in the gateway's words. */
  reason?: string | null
  /** Until when the gateway takes evidence, in epoch ms. */
  evidenceDueAt?: number | null
  /** When the service heard of it first, in epoch ms. */
  reportedAt?: number | null
}

/** A dispute about captured money, told apart from the others of its payment by the gateway's id. */
export interface Dispute extends DisputeFacts {
  status: DisputeStatus
  /** Of an inquiry or an open chargeback: evidence was handed in at the gateway, and the issuer decides. */
  isAnswered?: boolean
}

const STATUS: Readonly<Record<Exclude<DisputeStep, 'dispute-answered'>, DisputeStatus>> = {
  'fraud-notification': 'notice',
  'retrieval-request': 'inquiry',
  'inquiry-closed': 'closed',
  'chargeback-created': 'open',
  'chargeback-won': 'won',
  'chargeback-lost': 'lost',
}

/** A step that comes after a later one changes nothing, nor does a second end of a dispute that was won or closed. */
const RANK: Readonly<Record<DisputeStatus, number>> = { notice: 0, inquiry: 1, closed: 2, open: 3, won: 4, lost: 4 }

/**
 * The disputes of a payment after a step of one. A dispute that was won can still be lost, by a second chargeback. Null if
 * the gateway contradicts itself: a lost dispute is won.
 */
export function withStep(
  disputes: readonly Dispute[],
  { step, ...told }: DisputeFacts & { step: DisputeStep },
): Dispute[] | null {
  const known = disputes.find(({ id }) => id === told.id)
  if (step === 'dispute-answered')
    return disputes.map((one) => (one === known && isAnswerable(one) ? { ...one, isAnswered: true } : one))
  const status = STATUS[step]
  if (known === undefined) return [...disputes, { ...told, status }]
  if (known.status === 'lost' && status === 'won') return null
  const isOver = known.status === status && (status === 'won' || status === 'closed')
  if (isOver || RANK[known.status] > RANK[status]) return [...disputes]
  const reported: Dispute = { ...told, status, reportedAt: known.reportedAt ?? told.reportedAt ?? null }
  // Each kind has a time of its own in which it is answered; the reason stays what it was.
  reported.reason = told.reason ?? known.reason ?? null
  if (known.status === status) {
    reported.evidenceDueAt = told.evidenceDueAt ?? known.evidenceDueAt ?? null
    if (known.isAnswered === true) reported.isAnswered = true
  }
  return disputes.map((one) => (one === known ? reported : one))
}

/** The status of a dispute about which money is held back, gone, or was given back; undefined for none. */
export function chargebackStatus(disputes: readonly Dispute[], id: string | null): 'open' | 'won' | 'lost' | undefined {
  const status = disputes.find((one) => one.id === id)?.status
  return status === 'open' || status === 'won' || status === 'lost' ? status : undefined
}

interface Disputed {
  disputes?: readonly Dispute[] | undefined
}

/** The amount of open and lost disputes, in minor units: money that is held back, or gone. */
export function disputedMinor({ disputes = [] }: Disputed): number {
  const taken = disputes.filter(({ status }) => status === 'open' || status === 'lost')
  return taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

const isAnswerable = ({ status, isAnswered = false }: Dispute): boolean =>
  !isAnswered && (status === 'open' || status === 'inquiry')

/**
 * The disputes that wait for evidence: open chargebacks, and inquiries about money that was not given back. The one that must
 * be answered first comes first, those without a time last.
 */
export function answerableDisputes({
  disputes = [],
  capturedMinor,
  refundedMinor,
}: Disputed & { capturedMinor: number; refundedMinor: number }): Dispute[] {
  const dueAt = ({ evidenceDueAt }: Dispute) => evidenceDueAt ?? Number.POSITIVE_INFINITY
  return disputes
    .filter((one) => isAnswerable(one) && (one.status === 'open' || refundedMinor < capturedMinor))
    .toSorted((one, other) => dueAt(one) - dueAt(other) || 0)
}

/** When a payment was disputed last, in epoch ms; null if it never was. */
export function lastDisputedAt({ disputes = [] }: Disputed): number | null {
  const instants = disputes.flatMap(({ reportedAt }) => reportedAt ?? [])
  return instants.length === 0 ? null : Math.max(...instants)
}

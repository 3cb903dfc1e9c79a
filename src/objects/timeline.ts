import type { DisputeStep } from '../../domain/dispute.ts'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'
import { formatAmount } from '../../domain/money.ts'
import type { Actor, OperationOutcome } from '../../domain/operation.ts'
import { attemptOfCustomer } from '../../domain/payment.ts'
import type { OperationRow } from '../persistence/entities/operation.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentTimestamp } from './values.ts'

/** An event of the payment, with how its webhooks stand. */
interface FiredEvent {
  id: string
  name: string
  firedAt: Date
  delivered: number
  pending: number
  failed: number
}

interface Happened {
  transaction: TransactionRow | null
  operations: readonly OperationRow[]
  events: readonly FiredEvent[]
  /** By the ids of people, and of gateway configurations. */
  names: ReadonlyMap<string, string>
}

type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

/** What a payment went through and what it waits for, in words that staff and merchants read. */
export function presentTimeline(happened: Happened) {
  const past = [
    ...happened.operations.flatMap((row) => operationEntry(row, happened)),
    ...happened.events.map(eventEntry),
  ]
  // Those of one instant stay in their order: first what happened, then the event that tells of it.
  return [
    ...past.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at))),
    ...expectedEntries(happened),
  ]
}

type Entry = ReturnType<typeof entry>

/** The parts that only some entries have. */
interface Parts {
  detail?: string | null
  tone?: Tone
  actor?: string | null
  operationId?: string
  event?: FiredEvent
}

function entry(
  kind: 'operation' | 'event' | 'notification' | 'expected',
  at: Date,
  title: string,
  { detail = null, tone = 'neutral', actor = null, operationId, event }: Parts,
) {
  return {
    at: presentTimestamp(at) as string,
    title,
    detail,
    tone,
    kind,
    actor,
    operation_id: operationId ?? null,
    event_id: event?.id ?? null,
    webhooks: event === undefined ? null : { delivered: event.delivered, pending: event.pending, failed: event.failed },
  }
}

/** A call that has no result yet is an entry; of one that has, its result is. */
function operationEntry(row: OperationRow, { operations, names }: Happened): Entry[] {
  const { createdAt, type } = row
  if (type === 'three_d_s_check') {
    // Its result is that of the authorization.
    if (!row.isAttempt) return []
    return [entry('operation', createdAt, 'The customer answered the bank', partsOf(row, row, names))]
  }
  if (row.isAttempt) {
    if (operations.some((one) => isResultOf(one, row))) return []
    const title = `${VERBS[type].doing} ${amountOf(row)}`
    return [entry('operation', createdAt, title, { ...partsOf(row, row, names), tone: 'waiting' })]
  }
  const attempt = attemptOf(row, operations) ?? row
  const kind = row.actor === 'gateway_webhook' ? 'notification' : 'operation'
  return [entry(kind, createdAt, titleOf(row, type), { ...partsOf(row, attempt, names), tone: toneOf(row) })]
}

/** The attempt that a result ends. What came with a result is written right behind it and names no attempt itself. */
function attemptOf(row: OperationRow, operations: readonly OperationRow[]): OperationRow | undefined {
  const named = operations.find((one) => isResultOf(row, one))
  if (named !== undefined || (row.reason !== 'final_capture' && !row.isSale)) return named
  const before = operations[operations.indexOf(row) - 1]
  return before && operations.find((one) => isResultOf(before, one))
}

function isResultOf(result: OperationRow, attempt: OperationRow): boolean {
  return !result.isAttempt && [result.attemptOperationId, result.correctedAttemptId].includes(attempt.id)
}

function partsOf(row: OperationRow, attempt: OperationRow, names: ReadonlyMap<string, string>): Parts {
  const person = attempt.personId == null ? undefined : names.get(attempt.personId)
  const gateway = row.gatewayConfigurationId == null ? undefined : names.get(row.gatewayConfigurationId)
  const sentences = [
    ...(gateway === undefined ? [] : [`Gateway: ${gateway}.`]),
    ...(row.hasFailed ? [failureOf(row)] : []),
    ...(row.outcome === 'unknown' ? ['The gateway gave no answer. It is asked what became of the call.'] : []),
    ...(row.reason == null ? [] : [REASONS[row.reason]]),
  ]
  return {
    detail: sentences.length === 0 ? null : sentences.join(' '),
    actor: person === undefined ? ACTORS[row.actor] : `${person} (dashboard)`,
    operationId: attempt.id,
  }
}

function failureOf({ errorCode, errorMessage }: OperationRow): string {
  if (errorCode == null) return errorMessage ?? 'The gateway gave no reason.'
  return isErrorCode(errorCode) ? `${ERRORS[errorCode].message} (${errorCode})` : `${errorMessage ?? ''} (${errorCode})`
}

function amountOf({ amountMinor, currency }: Pick<OperationRow, 'amountMinor' | 'currency'>): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`
}

interface Verb {
  done: string
  doing: string
  /** "… of 20.00 EUR failed" */
  noun: string
}

const VERBS: Readonly<Record<Exclude<OperationRow['type'], 'three_d_s_check'>, Verb>> = {
  request: { done: 'Payment requested:', doing: 'Requesting', noun: 'Request' },
  authorization: { done: 'Authorized', doing: 'Authorizing', noun: 'Authorization' },
  increment_authorization: {
    done: 'Raised the authorization by',
    doing: 'Raising the authorization by',
    noun: 'Increment',
  },
  capture: { done: 'Captured', doing: 'Capturing', noun: 'Capture' },
  void: { done: 'Voided', doing: 'Voiding', noun: 'Void' },
  refund: { done: 'Refunded', doing: 'Refunding', noun: 'Refund' },
  chargeback: { done: 'Dispute about', doing: 'Dispute about', noun: 'Dispute' },
}

const DISPUTES: Readonly<Record<DisputeStep, { title: string; tone: Tone }>> = {
  'retrieval-request': { title: 'The bank asks for documents about', tone: 'bad' },
  'fraud-notification': { title: 'Reported as fraud:', tone: 'bad' },
  'chargeback-created': { title: 'Chargeback of', tone: 'bad' },
  'chargeback-won': { title: 'Chargeback won:', tone: 'good' },
  'chargeback-lost': { title: 'Chargeback lost:', tone: 'bad' },
}

function titleOf(row: OperationRow, type: keyof typeof VERBS): string {
  if (row.disputeStep != null) return `${DISPUTES[row.disputeStep].title} ${amountOf(row)}`
  const { done, noun } = VERBS[type]
  const titles: Record<OperationOutcome, string> = {
    succeeded: `${done} ${amountOf(row)}`,
    failed: `${noun} of ${amountOf(row)} ${type === 'authorization' ? 'declined' : 'failed'}`,
    pending: `${noun} of ${amountOf(row)} is pending`,
    unknown: `${noun} of ${amountOf(row)}: no answer`,
  }
  return titles[row.outcome ?? 'succeeded']
}

function toneOf({ outcome, disputeStep, type }: OperationRow): Tone {
  if (disputeStep != null) return DISPUTES[disputeStep].tone
  if (outcome === 'failed') return 'bad'
  if (outcome === 'pending' || outcome === 'unknown') return 'waiting'
  return ['authorization', 'increment_authorization', 'capture'].includes(type) ? 'good' : 'neutral'
}

const ACTORS: Readonly<Record<Actor, string>> = {
  merchant: "The merchant's server",
  client: 'The customer',
  scheduler: 'The schedule of the payment',
  reconciler: 'A look-up at the gateway',
  gateway_webhook: 'A notification of the gateway',
  staff: 'Support staff',
}

const REASONS: Readonly<Record<NonNullable<OperationRow['reason']>, string>> = {
  authorization_expired: 'The authorization had come to its end.',
  workflow_cancelled: 'Support staff have cancelled its workflow in Temporal.',
  final_capture: 'A final capture releases the rest.',
  late_approval: 'The approval came after the payment had gone on without it.',
  partial_approval: 'The gateway had approved a part only.',
  failed_later: 'It had succeeded before.',
}

function eventEntry(event: FiredEvent): Entry {
  const sent = event.delivered + event.pending + event.failed
  const tone: Tone = event.failed > 0 ? 'bad' : event.pending > 0 ? 'waiting' : 'neutral'
  const detail = sent === 0 ? 'No webhook: no endpoint takes it.' : null
  return entry('event', event.firedAt, `Event ${event.name}`, { detail, tone, event })
}

/** What the clock does next, the nearest first. */
function expectedEntries({ transaction }: Happened): Entry[] {
  if (transaction === null) return []
  const { currency, authorizationExpiresAt, nextLookUpAt } = transaction
  const { authorizedMinor, capturedMinor, voidedMinor, capturingMinor } = transaction
  const reservedMinor = authorizedMinor - capturedMinor - voidedMinor - capturingMinor
  const captureAt = transaction.autoCaptureRetryAt ?? transaction.autoCaptureAt
  const captureMinor = transaction.autoCaptureAmountMinor ?? reservedMinor
  const expected: [at: Date | null | undefined, title: string][] =
    reservedMinor <= 0
      ? []
      : [
          [captureAt, `Scheduled capture of ${amountOf({ amountMinor: captureMinor, currency })}`],
          [
            authorizationExpiresAt,
            `End of the authorization: ${amountOf({ amountMinor: reservedMinor, currency })} is voided`,
          ],
        ]
  const lookUp =
    attemptOfCustomer(transaction) === null
      ? 'The gateway is asked what became of the open call'
      : 'End of the time in which the customer can confirm the payment with the bank'
  return [...expected, [nextLookUpAt, lookUp] as const]
    .flatMap(([at, title]) => (at == null ? [] : [entry('expected', at, title, { tone: 'waiting' })]))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
}

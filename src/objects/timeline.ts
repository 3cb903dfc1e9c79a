import type { DisputeStep } from '../../domain/dispute.ts'
import { formatAmount } from '../../domain/money.ts'
import { attemptOfCustomer } from '../../domain/payment.ts'
import type { CardRow } from '../persistence/entities/card.ts'
import type { OperationRow } from '../persistence/entities/operation.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentTimestamp } from './values.ts'

/** An event of the payment, with how its webhooks stand. */
interface FiredEvent {
  id: string
  name: string
  firedAt: Date
  delivered: number
  /** Not tried yet. */
  pending: number
  /** To be tried again, after so many tries since they were sent last. */
  retrying: number
  failedTries: number
  failed: number
}

interface Happened {
  transaction: TransactionRow | null
  operations: readonly OperationRow[]
  events: readonly FiredEvent[]
  /** By the ids of people, and of gateway configurations. */
  names: ReadonlyMap<string, string>
  /** Those that it was tried with, by their ids. */
  cards: ReadonlyMap<string, Pick<CardRow, 'scheme' | 'last4Digits' | 'name'>>
}

/** What stands beside the steps. */
type Beside = Pick<Happened, 'names' | 'cards'>

type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

/** What is said about a payment: the code of a sentence, which the pages have in words, and the values in it. */
interface Said {
  code: string
  values: Record<string, string>
}

const said = (code: string, values: Record<string, string> = {}): Said => ({ code, values })

/** What a payment went through and what it waits for, as codes of sentences. */
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
  details?: Said[]
  tone?: Tone
  actor?: Said | null
  operationId?: string
  event?: FiredEvent
}

function entry(
  kind: 'operation' | 'event' | 'notification' | 'expected',
  at: Date,
  title: Said,
  { details = [], tone = 'neutral', actor = null, operationId, event }: Parts,
) {
  return {
    at: presentTimestamp(at) as string,
    title,
    details,
    tone,
    kind,
    actor,
    operation_id: operationId ?? null,
    event_id: event?.id ?? null,
    webhooks: event === undefined ? null : webhooksOf(event),
  }
}

function webhooksOf({ delivered, pending, retrying, failedTries, failed }: FiredEvent) {
  return { delivered, pending, retrying, failed_tries: failedTries, failed }
}

/** A call that has no result yet is an entry; of one that has, its result is. */
function operationEntry(row: OperationRow, { operations, ...beside }: Happened): Entry[] {
  const { createdAt, type } = row
  if (type === 'three_d_s_check') {
    // Its result is that of the authorization.
    if (!row.isAttempt) return []
    return [entry('operation', createdAt, said('three_d_s_check'), partsOf(row, row, beside))]
  }
  if (row.isAttempt) {
    if (operations.some((one) => isResultOf(one, row))) return []
    const title = said(`${type}.doing`, amountOf(row))
    return [entry('operation', createdAt, title, { ...partsOf(row, row, beside), tone: 'waiting' })]
  }
  const attempt = attemptOf(row, operations) ?? row
  const kind = row.actor === 'gateway_webhook' ? 'notification' : 'operation'
  return [entry(kind, createdAt, titleOf(row), { ...partsOf(row, attempt, beside), tone: toneOf(row) })]
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

function partsOf(row: OperationRow, attempt: OperationRow, { names, cards }: Beside): Parts {
  const person = attempt.personId == null ? undefined : names.get(attempt.personId)
  const gateway = row.gatewayConfigurationId == null ? undefined : names.get(row.gatewayConfigurationId)
  const card = row.type === 'authorization' && row.cardId != null ? cards.get(row.cardId) : undefined
  return {
    details: [
      ...(card === undefined ? [] : [cardOf(card)]),
      ...(gateway === undefined ? [] : [said('gateway', { name: gateway })]),
      ...(row.hasFailed ? [failureOf(row)] : []),
      ...(row.outcome === 'unknown' ? [said('noAnswer')] : []),
      ...(row.reason == null ? [] : [said(row.reason)]),
    ],
    actor: person === undefined ? said(row.actor) : said('person', { name: person }),
    operationId: attempt.id,
  }
}

function cardOf({ scheme, last4Digits, name }: Pick<CardRow, 'scheme' | 'last4Digits' | 'name'>): Said {
  const card = { scheme, last_4_digits: last4Digits }
  return name == null ? said('card', card) : said('cardOfHolder', { ...card, name })
}

function failureOf({ errorCode, errorMessage }: OperationRow): Said {
  if (errorCode != null) return said('error', { error_code: errorCode, message: errorMessage ?? '' })
  return errorMessage == null ? said('noReason') : said('message', { message: errorMessage })
}

function amountOf({ amountMinor, currency }: Pick<OperationRow, 'amountMinor' | 'currency'>): Record<string, string> {
  return { amount: formatAmount(amountMinor, currency), currency }
}

const DISPUTE_TONES: Readonly<Record<DisputeStep, Tone>> = {
  'retrieval-request': 'bad',
  'fraud-notification': 'bad',
  'inquiry-closed': 'good',
  'dispute-answered': 'waiting',
  'chargeback-created': 'bad',
  'chargeback-won': 'good',
  'chargeback-lost': 'bad',
}

function titleOf(row: OperationRow): Said {
  return said(row.disputeStep ?? `${row.type}.${row.outcome ?? 'succeeded'}`, amountOf(row))
}

function toneOf({ outcome, disputeStep, type }: OperationRow): Tone {
  if (disputeStep != null) return DISPUTE_TONES[disputeStep]
  if (outcome === 'failed') return 'bad'
  if (outcome === 'pending' || outcome === 'unknown') return 'waiting'
  return ['authorization', 'increment_authorization', 'capture'].includes(type) ? 'good' : 'neutral'
}

function eventEntry(event: FiredEvent): Entry {
  const open = event.pending + event.retrying
  const sent = event.delivered + open + event.failed
  const tone: Tone = event.failed > 0 ? 'bad' : open > 0 ? 'waiting' : 'neutral'
  const details = sent === 0 ? [said('noWebhook')] : []
  return entry('event', event.firedAt, said('event', { name: event.name }), { details, tone, event })
}

/** What the clock does next, the nearest first. */
function expectedEntries({ transaction }: Happened): Entry[] {
  if (transaction === null) return []
  const { currency, authorizationExpiresAt, nextLookUpAt } = transaction
  const { authorizedMinor, capturedMinor, voidedMinor, capturingMinor } = transaction
  const reservedMinor = authorizedMinor - capturedMinor - voidedMinor - capturingMinor
  const captureAt = transaction.autoCaptureRetryAt ?? transaction.autoCaptureAt
  const captureMinor = transaction.autoCaptureAmountMinor ?? reservedMinor
  const expected: [at: Date | null | undefined, title: Said][] =
    reservedMinor <= 0
      ? []
      : [
          [captureAt, said('scheduledCapture', amountOf({ amountMinor: captureMinor, currency }))],
          [authorizationExpiresAt, said('authorizationEnd', amountOf({ amountMinor: reservedMinor, currency }))],
        ]
  const lookUp = said(attemptOfCustomer(transaction) === null ? 'lookUp' : 'customerEnd')
  return [...expected, [nextLookUpAt, lookUp] as const]
    .flatMap(([at, title]) => (at == null ? [] : [entry('expected', at, title, { tone: 'waiting' })]))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
}

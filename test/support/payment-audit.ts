import { nextLookUp } from '../../domain/look-up.ts'
import { type GatewayOperationType, isGatewayOperation } from '../../domain/operation.ts'
import { nextDue } from '../../domain/payment.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import type { LoggedRequest } from '../../src/gateways/simulator/read-log.ts'
import { presentTransaction } from '../../src/objects/transaction.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentBooks } from './payment-books.ts'

/** An attempt with what became of it: in our books, and at the gateway. */
interface Story {
  attempt: OperationRow
  /** The row that ended it; null while it is in flight. */
  result: OperationRow | null
  /** The row of an approval that came after staff had closed the case. */
  late: OperationRow | null
  /** Null where the gateway never heard of it. */
  request: LoggedRequest | null
  isInFlight: boolean
}

/**
 * Holds the books of a payment against themselves and against the simulator's own, whatever happened to it.
 *
 * @returns what does not agree, in words; nothing where all is well.
 */
export function auditPayment(books: PaymentBooks): string[] {
  const stories = storiesOf(books)
  return [
    ...auditAmounts(books),
    ...auditStatus(books),
    ...auditAttempts(books, stories),
    ...stories.flatMap((story) => auditStory(books, story)),
    ...auditTotals(books, stories),
    ...auditEvents(books),
    ...auditTold(books),
    ...auditCurrencies(books),
    ...auditDisputes(books),
    ...auditRefunds(books),
    ...auditLines(books),
    ...auditDueColumns(books),
  ]
}

/** What lists and the sweep of payments go by is what the rules say of the row beside it, whoever wrote it last. */
function auditDueColumns({ transaction, listed }: PaymentBooks): string[] {
  const payment = paymentOf({ expiresAt: null } as InvoiceRow, transaction)
  const time = (date: Date | null | undefined) => date?.getTime() ?? null
  const { nextDueAt, nextLookUpAt } = transaction
  const dueTimes = [nextDueAt, nextLookUpAt].flatMap((date) => (date == null ? [] : [date.getTime()]))
  return [
    ...unequal('transaction, as listed', listed?.transactionId, transaction.id),
    ...unequal('status, as listed', listed?.status, transaction.status),
    ...unequal('due, as listed', listed?.dueAt ?? null, dueTimes.length === 0 ? null : Math.min(...dueTimes)),
    ...unequal('due, as written and by the rules', time(nextDueAt), nextDue(payment)?.at ?? null),
    ...unequal('looked up, as written and by the rules', time(nextLookUpAt), nextLookUp(payment)?.at ?? null),
  ]
}

function storiesOf({ transaction, operations, requests }: PaymentBooks): Story[] {
  const inFlight = new Set(transaction.attemptsInFlight.map(({ operationId }) => operationId))
  return operations
    .filter(({ isAttempt, type }) => isAttempt && isGatewayOperation(type))
    .map((attempt) => ({
      attempt,
      result: operations.find((row) => row.attemptOperationId === attempt.id && isFinal(row)) ?? null,
      late:
        operations.find(
          ({ correctedAttemptId, reason }) => correctedAttemptId === attempt.id && reason !== 'failed_later',
        ) ?? null,
      request: requests.find(({ reference }) => reference === attempt.id) ?? null,
      isInFlight: inFlight.has(attempt.id),
    }))
}

function isFinal({ outcome }: OperationRow): boolean {
  return outcome === 'succeeded' || outcome === 'failed'
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

const unequal = (what: string, ours: unknown, theirs: unknown): string[] =>
  ours === theirs ? [] : [`${what}: ${String(ours)} is not ${String(theirs)}`]

const unless = (holds: boolean, complaint: string): string[] => (holds ? [] : [complaint])

/** Every amount is the sum of the rows that count, and what is under way is reserved. */
function auditAmounts({ transaction, operations }: PaymentBooks): string[] {
  const counted = (type: string) =>
    sum(
      operations
        .filter((row) => row.isAccountable && row.type === type)
        .map((row) => (row.reason === 'failed_later' ? -row.amountMinor : row.amountMinor)),
    )
  const held = (type: GatewayOperationType) =>
    sum(
      transaction.attemptsInFlight
        .filter((one) => one.type === type && !one.isAbandoned)
        .map(({ amountMinor }) => amountMinor),
    )
  const { authorizedMinor, capturedMinor, voidedMinor, refundedMinor, capturingMinor, refundingMinor } = transaction
  return [
    ...unequal(
      'authorized and its rows',
      authorizedMinor,
      counted('authorization') + counted('increment_authorization'),
    ),
    ...unequal('captured and its rows', capturedMinor, counted('capture')),
    ...unequal('voided and its rows', voidedMinor, counted('void')),
    ...unequal('refunded and its rows', refundedMinor, counted('refund')),
    ...unequal('capturing and what is under way', capturingMinor, held('capture')),
    ...unequal('refunding and what is under way', refundingMinor, held('refund')),
    ...unless(captured(transaction) <= authorizedMinor, 'more is captured and voided than was authorized'),
    ...unless(refundedMinor + refundingMinor <= capturedMinor, 'more is refunded than was captured'),
    ...unless(
      Math.min(authorizedMinor, capturedMinor, voidedMinor, refundedMinor, capturingMinor, refundingMinor) >= 0,
      'an amount is negative',
    ),
  ]
}

const captured = ({ capturedMinor, voidedMinor, capturingMinor }: PaymentBooks['transaction']) =>
  capturedMinor + voidedMinor + capturingMinor

/** The merchant has voided the payment before its authorization had an outcome. */
const isGivenUp = ({ gatewayCode }: OperationRow) => gatewayCode === 'GIVEN_UP'

/** What a merchant concludes from a status must hold of the amounts. A dispute hides what was refunded. */
function auditStatus({ transaction, operations }: PaymentBooks): string[] {
  const { status, authorizedMinor, capturedMinor, voidedMinor, refundedMinor, attemptsInFlight } = transaction
  const isOpen = (type: GatewayOperationType) =>
    attemptsInFlight.some((one) => one.type === type && !one.isAbandoned && one.reverses === null)
  const truths: Partial<Record<typeof status, boolean>> = {
    waiting: isOpen('authorization') && authorizedMinor === 0,
    pending: isOpen('authorization') && authorizedMinor === 0,
    failed: authorizedMinor === 0 && !isOpen('authorization'),
    authorized: authorizedMinor > voidedMinor && capturedMinor === 0,
    'pending-capture': isOpen('capture') && capturedMinor === 0,
    voided: authorizedMinor === voidedMinor && (authorizedMinor > 0 || operations.some(isGivenUp)),
    completed: capturedMinor > 0 && refundedMinor === 0,
    'partially-refunded': 0 < refundedMinor && refundedMinor < capturedMinor,
    refunded: refundedMinor === capturedMinor && capturedMinor > 0,
  }
  return unless(truths[status] ?? capturedMinor > 0, `${status} does not fit the amounts`)
}

/** Every call had an attempt that was written before it, and each attempt has one end, or is under way. */
function auditAttempts({ transaction, operations, requests }: PaymentBooks, stories: readonly Story[]): string[] {
  const attempts = new Set(stories.map(({ attempt }) => attempt.id))
  const ends = operations.filter((row) => row.attemptOperationId != null && isFinal(row))
  return [
    ...requests.flatMap(({ reference }) =>
      unless(attempts.has(reference), `${reference} was asked for without an attempt`),
    ),
    ...unequal('ends and ended attempts', ends.length, new Set(ends.map((row) => row.attemptOperationId)).size),
    ...transaction.attemptsInFlight.flatMap(({ operationId }) =>
      unless(attempts.has(operationId), `${operationId} is in flight and was never written`),
    ),
  ]
}

/** Staff, or the merchant with a void, have closed the attempt without an answer of the gateway. */
const isClosedUnanswered = (result: OperationRow | null) =>
  result !== null && (result.actor === 'staff' || isGivenUp(result))

/** What our books say of one attempt is what the gateway did, or it is still being found out. */
function auditStory(books: PaymentBooks, { attempt, result, request, isInFlight }: Story): string[] {
  const fault = (complaint: string) => `${attempt.type} ${attempt.id}: ${complaint}`
  const isClosed = isClosedUnanswered(result)
  if (result === null) return unless(isInFlight, fault('has no end and is not in flight'))
  if (isInFlight && !isClosed) return [fault('has its end and is in flight')]
  // At the end of an authorization staff know that its money is free, whatever the gateway said of the void, if it was asked.
  const isFree = result.actor === 'staff' && attempt.reason === 'authorization_expired'
  if (request === null)
    return unless(result.outcome === 'failed' || isFree, fault('is approved, and the gateway never heard of it'))
  if (request.amountMinor !== attempt.amountMinor || request.type !== attempt.type)
    return [fault('is not what the gateway was asked for')]
  if (request.currency !== attempt.currency) return [fault('is not in the currency that the gateway was asked for')]
  const { kind } = request.outcome
  const failedLater = books.refunds.some((refund) => refund.operationId === attempt.id && refund.status === 'failed')
  if (result.outcome === 'succeeded') {
    return unless(kind === 'approved' || failedLater || isFree, fault(`is recorded as approved and was ${kind}`))
  }
  if (kind !== 'approved') return []
  return unless(isClosed || result.gatewayCode === 'PARTIAL_APPROVAL', fault('is recorded as failed and was approved'))
}

/** The gateway's totals are ours, but for what nobody has told us yet, or has told us too late. */
function auditTotals({ transaction, authorizations, requests }: PaymentBooks, stories: readonly Story[]): string[] {
  const { authorizedMinor, capturedMinor, voidedMinor, refundedMinor, gatewayAuthorizationId, orphans } = transaction
  const unbooked = stories.filter(
    ({ attempt, request, result, late }) =>
      attempt.gatewayAuthorizationId == null &&
      request?.outcome.kind === 'approved' &&
      result?.outcome !== 'succeeded' &&
      late?.isAccountable !== true,
  )
  const missing = (type: GatewayOperationType) =>
    sum(unbooked.filter(({ attempt }) => attempt.type === type).map(({ attempt }) => attempt.amountMinor))
  const findings: string[] = []
  for (const held of authorizations) {
    if (held.gatewayAuthorizationId === gatewayAuthorizationId) {
      const isFreeAnyway = ({ attempt, result, request }: Story) =>
        attempt.reason === 'authorization_expired' &&
        result?.isAccountable === true &&
        request?.outcome.kind !== 'approved'
      const expired = sum(stories.filter(isFreeAnyway).map(({ attempt }) => attempt.amountMinor))
      findings.push(
        ...unequal(
          'authorized here and there',
          authorizedMinor,
          held.authorizedMinor - missing('increment_authorization'),
        ),
        ...unequal('captured here and there', capturedMinor, held.capturedMinor - missing('capture')),
        ...unequal('refunded here and there', refundedMinor, held.refundedMinor - missing('refund')),
      )
      // What a final capture or a lost void has released is known with it; the end of the authorization frees the rest,
      // which the gateway may have released before.
      const isVoidedAlike = voidedMinor - expired <= held.voidedMinor && held.voidedMinor <= voidedMinor
      if (unbooked.length === 0)
        findings.push(...unless(isVoidedAlike, `voided here and there: ${voidedMinor} is not ${held.voidedMinor}`))
      continue
    }
    const asked = requests.find(
      (one) => one.type === 'authorization' && one.gatewayAuthorizationId === held.gatewayAuthorizationId,
    )
    const story = stories.find(({ attempt }) => attempt.id === asked?.reference)
    const isSeen =
      held.voidedMinor === held.authorizedMinor ||
      (held.capturedMinor > 0 && held.refundedMinor === held.capturedMinor) ||
      story?.isInFlight === true ||
      isClosedUnanswered(story?.result ?? null) ||
      transaction.needsAttention ||
      orphans.some(({ operationId }) => operationId === asked?.reference)
    findings.push(...unless(isSeen, `${held.gatewayAuthorizationId} is held, and nobody will give it back`))
  }
  const isHeld = authorizations.some((held) => held.gatewayAuthorizationId === gatewayAuthorizationId)
  return [...findings, ...unless(isHeld || authorizedMinor === 0, 'money is authorized that no gateway holds')]
}

/** Events are numbered without a gap, and each fact is told once. */
function auditEvents({ transaction, operations, events }: PaymentBooks): string[] {
  const fired = (name: EventName) => events.filter((event) => event.name === name).length
  const count = (fits: (row: OperationRow) => boolean) => operations.filter((row) => !row.isAttempt && fits(row)).length
  const booked = (type: OperationRow['type']) =>
    count((row) => row.type === type && row.isAccountable && row.outcome === 'succeeded')
  // A void at the end of the authorization frees the money also where it is declined, and that is all there is to tell. Of a
  // capture that is made under another reference the last attempt tells. One that is given up before any attempt is told, too.
  const failed = (type: OperationRow['type']) =>
    count(
      (row) =>
        row.type === type &&
        (row.attemptOperationId != null || row.isNotSent === true) &&
        row.outcome === 'failed' &&
        !row.isAccountable &&
        row.gatewayCode !== 'MADE_ANEW' &&
        !isGivenUp(row),
    )
  const failedLater = (type: OperationRow['type']) => count((row) => row.type === type && row.reason === 'failed_later')
  // Of a sale that came too late, or was for too little: its money is given back beside the amounts of the payment.
  const returned = new Set(operations.filter(isReturn).map(({ id }) => id))
  const sequence = events.map((event) => event.sequence)
  return [
    ...unequal('the events and their count', transaction.eventCount, events.length),
    ...unequal('the sequence of events', sequence.join(), events.map((_, index) => index + 1).join()),
    ...unequal('transaction.requested', fired('transaction.requested'), 1),
    ...unequal('transaction.authorized', fired('transaction.authorized'), booked('authorization')),
    ...unequal('transaction.failed', fired('transaction.failed'), failed('authorization')),
    ...unequal(
      'transaction.authorization.incremented',
      fired('transaction.authorization.incremented'),
      booked('increment_authorization'),
    ),
    ...unequal('transaction.captured', fired('transaction.captured'), booked('capture')),
    ...unequal(
      'transaction.operation.capture.failed',
      fired('transaction.operation.capture.failed'),
      failed('capture') + failedLater('capture'),
    ),
    // Once more for each time that nothing was left of what had been captured.
    ...unless(
      failedLater('capture') > 0 || fired('invoice.completed') === (transaction.capturedMinor > 0 ? 1 : 0),
      'invoice.completed is not told once',
    ),
    ...unequal('transaction.voided', fired('transaction.voided'), transaction.status === 'voided' ? 1 : 0),
    ...unequal('transaction.operation.void.failed', fired('transaction.operation.void.failed'), failed('void')),
    ...unequal(
      'transaction.refunded',
      fired('transaction.refunded'),
      booked('refund') +
        count(
          (row) => returned.has(row.attemptOperationId ?? row.correctedAttemptId ?? '') && row.outcome === 'succeeded',
        ),
    ),
    ...unequal(
      'transaction.operation.refund.failed',
      fired('transaction.operation.refund.failed'),
      failed('refund') + failedLater('refund'),
    ),
  ]
}

/** The refund of an unwanted sale. */
const isReturn = ({ isAttempt, type, gatewayAuthorizationId }: OperationRow) =>
  isAttempt && type === 'refund' && gatewayAuthorizationId != null

/** The amounts that a merchant adds up from its events, and which of them tell that an amount has changed. */
const TOLD_BY = {
  authorized_amount: ['transaction.authorized', 'transaction.authorization.incremented'],
  captured_amount: ['transaction.authorized', 'transaction.captured', 'transaction.operation.capture.failed'],
  refunded_amount: ['transaction.refunded', 'transaction.operation.refund.failed'],
} as const satisfies Record<string, readonly EventName[]>

/** No amount changes without an event that tells it, and what was told last is what the record says. */
function auditTold({ transaction, events }: PaymentBooks): string[] {
  const record = { name: null, data: { transaction: presentTransaction(transaction) } }
  return Object.entries(TOLD_BY).flatMap(([amount, names]) => {
    let before = 0
    return [...events, record].flatMap(({ name, data }) => {
      const now = Number((data.transaction as Record<string, unknown>)[amount])
      const isTold = now === before || names.some((known) => known === name)
      const finding = `${amount} went from ${before} to ${now} with ${name ?? 'nothing to tell it'}`
      before = now
      return unless(isTold, finding)
    })
  })
}

/** What becomes of an attempt is in its currency, whatever the invoice is in by then. */
function auditCurrencies({ operations }: PaymentBooks): string[] {
  return operations.flatMap((row) => {
    const attempt = operations.find(({ id }) => id === (row.attemptOperationId ?? row.correctedAttemptId))
    return unequal(`${row.type} ${row.id} and its attempt`, row.currency, attempt?.currency ?? row.currency)
  })
}

/** The status of a payment follows from all its disputes, and none of them is forgotten. */
function auditDisputes({ transaction: { status, disputes } }: PaymentBooks): string[] {
  const isThere = (wanted: string) => disputes.some((dispute) => dispute.status === wanted)
  const expected = isThere('open')
    ? 'chargeback-initiated'
    : isThere('lost')
      ? 'reversed'
      : isThere('won')
        ? 'solved'
        : null
  const isDisputed = ['chargeback-initiated', 'reversed', 'solved'].includes(status)
  return unless(expected === null ? !isDisputed : status === expected, `${status} does not fit the disputes`)
}

function auditRefunds({ transaction, operations, refunds }: PaymentBooks): string[] {
  const inStatus = (status: string) => sum(refunds.filter((one) => one.status === status).map((one) => one.amountMinor))
  const attempts = operations.filter((row) => row.isAttempt && row.type === 'refund' && !isReturn(row))
  return [
    ...unequal('refunds that succeeded', inStatus('succeeded'), transaction.refundedMinor),
    ...unequal('refunds that are pending', inStatus('pending'), transaction.refundingMinor),
    ...unequal('refunds and their attempts', refunds.length, attempts.length),
  ]
}

/** A line is taken by an attempt that is under way or has succeeded, and its money is within what was taken in all. */
function auditLines({ transaction, operations, lines }: PaymentBooks): string[] {
  const findings: string[] = []
  for (const line of lines) {
    for (const [taker, doneMinor, step] of [
      [line.captureOperationId, line.capturedMinor, 'captured'],
      [line.refundOperationId, line.refundedMinor, 'refunded'],
    ] as const) {
      const isOfTaker = (row: OperationRow) =>
        taker != null && (row.attemptOperationId === taker || row.correctedAttemptId === taker)
      const isDone = operations.some((row) => isOfTaker(row) && row.outcome === 'succeeded')
      const isInFlight = transaction.attemptsInFlight.some(({ operationId }) => operationId === taker)
      findings.push(
        ...unequal(`${step} of line ${line.position}`, doneMinor, isDone ? line.amountMinor * line.quantity : 0),
        ...unless(taker == null || isDone || isInFlight, `line ${line.position} is taken by what has failed`),
      )
    }
  }
  // What came too late to be booked was done to its lines all the same, and is left to staff.
  if (transaction.needsAttention) return findings
  return [
    ...findings,
    ...unless(sum(lines.map((one) => one.capturedMinor)) <= transaction.capturedMinor, 'lines exceed what is captured'),
    ...unless(sum(lines.map((one) => one.refundedMinor)) <= transaction.refundedMinor, 'lines exceed what is refunded'),
  ]
}

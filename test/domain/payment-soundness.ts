import { expect } from '@jest/globals'
import {
  capturesInFlight,
  capturingMinor,
  nextDue,
  type Payment,
  refundableMinor,
  refundingMinor,
  remainingMinor,
} from '../../domain/payment.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import type { Books } from './payment-books.ts'

interface Lived {
  payment: Payment
  books: Books
  fired: readonly EventName[]
  hadDispute: boolean
}

const DISPUTE_STATUSES: readonly TransactionStatus[] = [
  'retrieval-request',
  'fraud-notification',
  'chargeback-initiated',
  'solved',
  'reversed',
]

/** What has to hold of a payment at any time, whatever happened to it. */
export function expectSoundness({ payment, books, fired, hadDispute }: Lived): void {
  expect({
    authorized: payment.authorizedMinor,
    captured: payment.capturedMinor,
    voided: payment.voidedMinor,
    refunded: payment.refundedMinor,
    capturing: capturingMinor(payment),
    remaining: remainingMinor(payment),
    refundable: refundableMinor(payment),
    captures: payment.capturesCount,
  }).toEqual({
    authorized: books.authorized,
    captured: books.captured,
    voided: books.voided,
    refunded: books.refunded,
    capturing: books.capturing,
    remaining: books.remaining,
    refundable: books.refundable,
    captures: books.counted.captures,
  })
  expectInvariants(payment)
  expectAttemptsInStep(payment, books)
  expectStatus(payment, hadDispute)
  expectEvents(fired, books)
  // As long as money is reserved and nothing is under way, somebody ends it.
  const isQuiet = books.held('authorization', 'increment_authorization', 'void', 'capture').length === 0
  if (books.remaining > 0 && isQuiet) expect(nextDue(payment)).not.toBeNull()
}

/** The constraints of the table, in the same words. */
function expectInvariants(payment: Payment): void {
  const { authorizedMinor, capturedMinor, voidedMinor, refundedMinor, incrementedMinor, amountMinor } = payment
  const capturing = capturingMinor(payment)
  const refunding = refundingMinor(payment)
  const all = [authorizedMinor, capturedMinor, voidedMinor, refundedMinor, incrementedMinor, amountMinor]
  for (const amount of [...all, capturing, refunding]) {
    expect(Number.isSafeInteger(amount)).toBe(true)
    expect(amount).toBeGreaterThanOrEqual(0)
  }
  expect(capturedMinor + voidedMinor + capturing).toBeLessThanOrEqual(authorizedMinor)
  expect(refundedMinor + refunding).toBeLessThanOrEqual(capturedMinor)
  if (payment.status === 'voided') expect(capturedMinor).toBe(0)
}

/** A step is in flight from its beginning until it ends, and at most once. */
function expectAttemptsInStep(payment: Payment, books: Books): void {
  const ids = payment.attemptsInFlight.map(({ operationId }) => operationId)
  expect(ids.toSorted()).toEqual([...books.underWay.keys()].toSorted())
  expect(new Set(payment.orphans.map(({ operationId }) => operationId)).size).toBe(payment.orphans.length)
}

function expectStatus(payment: Payment, hadDispute: boolean): void {
  const status = statusBy(payment)
  if (payment.capturedMinor > 0 && hadDispute) expect([...status, ...DISPUTE_STATUSES]).toContain(payment.status)
  else expect(status).toContain(payment.status)
}

/** The statuses that agree with the amounts. */
function statusBy(payment: Payment): (TransactionStatus | null)[] {
  const { capturedMinor, refundedMinor, authorizedMinor, voidedMinor, authorizationExpiresAt } = payment
  const isAuthorizing = payment.attemptsInFlight.some(
    ({ type, isAbandoned }) => type === 'authorization' && !isAbandoned,
  )
  if (isAuthorizing) return ['waiting', 'pending']
  if (capturedMinor > 0) {
    if (refundedMinor === 0) return ['completed']
    return [refundedMinor === capturedMinor ? 'refunded' : 'partially-refunded']
  }
  if (authorizationExpiresAt === null) return [null, 'failed']
  // A verification reserves nothing: whether it was voided, its amounts do not tell.
  if (authorizedMinor === 0) return ['authorized', 'voided']
  if (authorizedMinor === voidedMinor) return ['voided']
  return capturesInFlight(payment).length > 0 ? ['authorized', 'pending-capture'] : ['authorized']
}

function expectEvents(fired: readonly EventName[], books: Books): void {
  const count = (name: EventName) => fired.filter((one) => one === name).length
  expect(count('transaction.captured')).toBe(books.counted.captures)
  expect(count('transaction.refunded')).toBe(books.counted.refunds)
  expect(count('transaction.authorization.incremented')).toBe(books.counted.increments)
  expect(count('invoice.completed')).toBe(books.counted.captures > 0 ? 1 : 0)
  expect(count('transaction.requested')).toBeLessThanOrEqual(1)
  expect(count('transaction.voided')).toBeLessThanOrEqual(1)
}

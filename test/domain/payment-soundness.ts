import assert from 'node:assert/strict'
import {
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
  const sums: [string, inPayment: number, inBooks: number][] = [
    ['authorized', payment.authorizedMinor, books.authorized],
    ['captured', payment.capturedMinor, books.captured],
    ['voided', payment.voidedMinor, books.voided],
    ['refunded', payment.refundedMinor, books.refunded],
    ['capturing', capturingMinor(payment), books.capturing],
    ['remaining', remainingMinor(payment), books.remaining],
    ['refundable', refundableMinor(payment), books.refundable],
    ['captures', payment.capturesCount, books.counted.captures],
    ['increments tried', payment.incrementAttempts, books.counted.incrementAttempts],
  ]
  for (const [name, inPayment, inBooks] of sums) assert.equal(inPayment, inBooks, `${name}: ${inPayment} ≠ ${inBooks}`)
  expectInvariants(payment)
  expectAttemptsInStep(payment, books)
  expectStatus(payment, books, hadDispute)
  expectEvents(fired, books)
  // As long as money is reserved and nothing is under way, somebody ends it.
  const isQuiet = books.held('authorization', 'increment_authorization', 'void', 'capture').length === 0
  if (books.remaining > 0 && isQuiet) assert.notEqual(nextDue(payment), null, 'money is forgotten')
}

/** The constraints of the table, in the same words. */
function expectInvariants(payment: Payment): void {
  const { authorizedMinor, capturedMinor, voidedMinor, refundedMinor, incrementedMinor, amountMinor } = payment
  const capturing = capturingMinor(payment)
  const refunding = refundingMinor(payment)
  const all = [authorizedMinor, capturedMinor, voidedMinor, refundedMinor, incrementedMinor, amountMinor]
  for (const amount of [...all, capturing, refunding]) {
    assert.ok(Number.isSafeInteger(amount) && amount >= 0)
  }
  assert.ok(capturedMinor + voidedMinor + capturing <= authorizedMinor, 'more than is authorized')
  assert.ok(refundedMinor + refunding <= capturedMinor, 'more than is captured')
  if (payment.status === 'voided') assert.equal(capturedMinor, 0)
}

/** A step is in flight from its beginning until it ends, and at most once. */
function expectAttemptsInStep(payment: Payment, books: Books): void {
  const ids = payment.attemptsInFlight.map(({ operationId }) => operationId)
  assert.deepEqual(ids.toSorted(), [...books.underWay.keys()].toSorted())
  assert.equal(new Set(payment.orphans.map(({ operationId }) => operationId)).size, payment.orphans.length)
}

function expectStatus(payment: Payment, books: Books, hadDispute: boolean): void {
  const status = statusBy(payment, books)
  const possible = payment.capturedMinor > 0 && hadDispute ? [...status, ...DISPUTE_STATUSES] : status
  assert.ok(possible.includes(payment.status), `is ${payment.status}, not ${possible.join(' or ')}`)
}

/** The statuses that agree with the amounts, and with what is under way. */
function statusBy({ authorizationExpiresAt }: Payment, books: Books): (TransactionStatus | null)[] {
  const [authorization] = books.held('authorization')
  if (authorization !== undefined) return [authorization.isOpen ? 'pending' : 'waiting']
  if (books.isGivenUp) return ['voided']
  if (books.captured > 0) {
    if (books.refunded === 0) return ['completed']
    return [books.refunded === books.captured ? 'refunded' : 'partially-refunded']
  }
  if (authorizationExpiresAt === null) return [null, 'failed']
  // A verification reserves nothing: whether it was voided, its amounts do not tell.
  if (books.authorized === 0) return ['authorized', 'voided']
  if (books.authorized === books.voided) return ['voided']
  const captures = books.held('capture')
  if (captures.some(({ isOpen }) => isOpen)) return ['pending-capture']
  return captures.length > 0 ? ['authorized', 'pending-capture'] : ['authorized']
}

function expectEvents(fired: readonly EventName[], books: Books): void {
  const count = (name: EventName) => fired.filter((one) => one === name).length
  assert.equal(count('transaction.captured'), books.counted.captures)
  assert.equal(count('transaction.refunded'), books.counted.refunds)
  assert.equal(count('transaction.authorization.incremented'), books.counted.increments)
  assert.equal(count('invoice.completed'), books.counted.captures > 0 ? 1 : 0)
  assert.ok(count('transaction.requested') <= 1)
  assert.ok(count('transaction.voided') <= 1)
}

import type { Examples } from '../../http/endpoint.ts'
import { presentClockAdvance } from '../../objects/test-clock.ts'
import { answerOf, awaitingCustomer, ofInvoice, refundRow, TRANSACTIONS } from '../examples/payment.ts'

export const done = (transaction: keyof typeof TRANSACTIONS) =>
  answerOf({ answer: { kind: 'done' }, transaction: TRANSACTIONS[transaction] })

export const declined = answerOf({
  answer: { kind: 'declined', code: 'card.no-money' },
  transaction: TRANSACTIONS.declined,
})

const waiting = (handlesActions: boolean) =>
  answerOf({ answer: { kind: 'pending' }, transaction: awaitingCustomer, handlesActions })

export const PLACED: Readonly<Record<number, Examples>> = {
  200: { authorized: done('authorized'), captured: done('captured'), 'waiting for the customer': waiting(true) },
  410: { declined, 'waiting for the customer on a page': waiting(false) },
}

export const DECLINED_STEP = {
  declined: answerOf({ answer: { kind: 'declined', code: 'card.no-money' }, transaction: TRANSACTIONS.authorized }),
}

export const REFUNDED: Readonly<Record<number, Examples>> = {
  200: { refunded: answerOf({ answer: { kind: 'done' }, transaction: TRANSACTIONS.refunded, refund: refundRow }) },
  410: {
    declined: answerOf({
      answer: { kind: 'declined', code: 'gateway.declined' },
      transaction: TRANSACTIONS.captured,
      refund: { ...refundRow, status: 'failed', errorCode: 'gateway.declined' },
    }),
  },
}

/** An instant that a payment is moved to, in epoch ms. */
const CLOCK_TARGET = Date.UTC(2026, 10, 24, 12)

export const ADVANCED = presentClockAdvance(
  TRANSACTIONS.captured,
  { target: CLOCK_TARGET },
  { time: CLOCK_TARGET, isComplete: true },
)

export const SYNCHRONIZED = answerOf({
  answer: { kind: 'done' },
  transaction: TRANSACTIONS.captured,
  invoice: ofInvoice,
})

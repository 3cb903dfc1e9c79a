import type { EventName } from '../../domain/webhook-event.ts'

/** Something that happens, and every event that it fires, in the order of their sequence. */
export interface EventStory {
  when: string
  fires: readonly EventName[]
}

const AUTHORIZED = ['transaction.requested', 'transaction.authorized'] as const
const PAID = [...AUTHORIZED, 'transaction.captured', 'invoice.completed'] as const

/** From the first request of a payment to its end, or from the beginning of another object. */
export const EVENT_STORIES = [
  { when: 'an authorization is approved', fires: AUTHORIZED },
  { when: 'an authorization is declined', fires: ['transaction.requested', 'transaction.failed'] },
  {
    when: 'another card is approved after a decline',
    fires: ['transaction.requested', 'transaction.failed', 'transaction.authorized'],
  },
  {
    when: 'an authorization is not known at first, and approved',
    fires: ['transaction.requested', 'transaction.pending', 'invoice.pending', 'transaction.authorized'],
  },
  {
    when: 'an authorization is not known at first, and declined',
    fires: ['transaction.requested', 'transaction.pending', 'invoice.pending', 'transaction.failed'],
  },
  {
    when: 'an authorization is raised',
    fires: [...AUTHORIZED, 'transaction.authorization.incremented'],
  },
  { when: 'raising an authorization is declined', fires: AUTHORIZED },
  { when: 'authorization and capture are asked for in one', fires: PAID },
  { when: 'an authorization is captured', fires: PAID },
  { when: 'a scheduled capture is made', fires: PAID },
  { when: 'an authorization is captured in two parts', fires: [...PAID, 'transaction.captured'] },
  {
    when: 'a capture is confirmed later',
    fires: [
      ...AUTHORIZED,
      'transaction.operation.capture.pending',
      'invoice.pending',
      'transaction.captured',
      'invoice.completed',
    ],
  },
  {
    when: 'a capture fails later',
    fires: [
      ...AUTHORIZED,
      'transaction.operation.capture.pending',
      'invoice.pending',
      'transaction.operation.capture.failed',
    ],
  },
  { when: 'a capture is declined', fires: [...AUTHORIZED, 'transaction.operation.capture.failed'] },
  { when: 'an authorization is voided', fires: [...AUTHORIZED, 'transaction.voided'] },
  { when: 'a part of an authorization is voided', fires: AUTHORIZED },
  {
    when: 'a void is confirmed later',
    fires: [...AUTHORIZED, 'transaction.operation.void.pending', 'transaction.voided'],
  },
  { when: 'a void is declined', fires: [...AUTHORIZED, 'transaction.operation.void.failed'] },
  {
    when: 'an authorization ends without a capture',
    fires: [...AUTHORIZED, 'transaction.authorization.expiring', 'transaction.voided'],
  },
  { when: 'a payment is refunded', fires: [...PAID, 'transaction.refunded'] },
  { when: 'a payment is refunded in two parts', fires: [...PAID, 'transaction.refunded', 'transaction.refunded'] },
  {
    when: 'a refund is confirmed later',
    fires: [...PAID, 'transaction.operation.refund.pending', 'transaction.refunded'],
  },
  {
    when: 'a refund fails later',
    fires: [...PAID, 'transaction.operation.refund.pending', 'transaction.operation.refund.failed'],
  },
  { when: 'a refund is declined', fires: [...PAID, 'transaction.operation.refund.failed'] },
  {
    when: 'a refund fails after it had succeeded',
    fires: [...PAID, 'transaction.refunded', 'transaction.operation.refund.failed'],
  },
  { when: 'the issuer asks for evidence', fires: [...PAID, 'transaction.chargeback.retrieval-request'] },
  {
    when: 'the issuer asks for evidence, and then no longer',
    fires: [...PAID, 'transaction.chargeback.retrieval-request', 'transaction.chargeback.inquiry-closed'],
  },
  { when: 'the issuer tells of fraud', fires: [...PAID, 'transaction.chargeback.fraud-notification'] },
  { when: 'a chargeback is created', fires: [...PAID, 'transaction.chargeback.created'] },
  {
    when: 'a chargeback is answered at the gateway',
    fires: [...PAID, 'transaction.chargeback.created', 'transaction.chargeback.answered'],
  },
  {
    when: 'a chargeback is won',
    fires: [...PAID, 'transaction.chargeback.created', 'transaction.chargeback.won'],
  },
  {
    when: 'a chargeback is lost',
    fires: [...PAID, 'transaction.chargeback.created', 'transaction.chargeback.lost'],
  },
  { when: 'an invoice ends that nobody has tried to pay', fires: ['invoice.expired'] },
  {
    when: 'an invoice ends whose payment was declined',
    fires: ['transaction.requested', 'transaction.failed', 'invoice.expired'],
  },
  {
    when: 'a customer is created, changed and deleted',
    fires: ['customer.created', 'customer.updated', 'customer.deleted'],
  },
  {
    when: 'a source is stored for a customer, changed and deleted',
    fires: ['customer.token.created', 'customer.token.updated', 'customer.token.deleted'],
  },
  {
    when: 'a customer with a stored source is deleted',
    fires: ['customer.token.created', 'customer.token.deleted', 'customer.deleted'],
  },
  {
    when: 'a source is stored and verified',
    fires: ['customer.token.created', 'transaction.requested', 'customer.token.updated', 'transaction.authorized'],
  },
  {
    when: 'a source is stored and its verification declined',
    fires: ['customer.token.created', 'transaction.requested', 'customer.token.updated', 'transaction.failed'],
  },
  {
    when: 'a source is stored with its first payment',
    fires: ['transaction.requested', 'customer.token.created', 'transaction.authorized'],
  },
  { when: 'a stored card is changed', fires: ['customer.token.created', 'card.updated'] },
  { when: 'a stored card expires this month or the next', fires: ['customer.token.created', 'card.expires_soon'] },
] as const satisfies readonly EventStory[]

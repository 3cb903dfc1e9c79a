import { randomUUID } from 'node:crypto'
import type { Entry } from '../engine/ledger.ts'
import type { Circumstances, Outside, Step, Visit, WayBack } from '../engine/model.ts'
import { type Answer, type Fields, openIssuer, refused } from './issuer.ts'

export const MERCHANT_ACCOUNT = 'HoldfastTest'

export type { Answer, Fields }

interface Amount {
  value: number
  currency: string
}

interface Authorization {
  pspReference: string
  merchantReference: string
  invoiceId: string
  authorized: number
  currency: string
  captured: number
  refunded: number
  isOpen: boolean
  isPreAuthorization: boolean
  /** The one that is open. */
  dispute: { pspReference: string; amount: Amount } | null
}

/** A notification: an item that is signed. */
export type Item = Fields

/** Says what became of something, unasked. */
type Tell = (step: Step, eventCode: string, success: boolean, item: Fields & { amount: Amount }) => void

interface Books {
  authorizations: Map<string, Authorization>
  issuer: ReturnType<typeof openIssuer>
  enter(kind: Entry['kind'], reference: string | null, about: Authorization, amountMinor: number): void
  tell: Tell
  makeReference(): string
}

/**
 * What a holder's name makes of a payment, like on Adyen's own test host: reason code and reason. Source: Adyen, "Test
 * result codes and refusal reasons".
 */
const REFUSALS: Readonly<Record<string, readonly [result: string, code: string, reason: string]>> = {
  DECLINED: ['Refused', '2', 'Refused'],
  ERROR: ['Error', '4', 'Acquirer Error'],
  CARD_EXPIRED: ['Refused', '6', 'Expired Card'],
  NOT_ENOUGH_BALANCE: ['Refused', '12', 'Not enough balance'],
  CANCELLED: ['Cancelled', '15', 'Cancelled'],
}

/** The books of one merchant account. A step on a payment is decided at once, answered with `received`, and told of. */
export function openBooks({ enter, tell }: Outside<Item>, sign: (item: Fields) => Item) {
  const authorizations = new Map<string, Authorization>()
  // Of this stand-in, so that references of one that was started anew are others.
  const mark = randomUUID().replaceAll('-', '').slice(0, 8).toUpperCase()
  let count = 0
  const issuer = openIssuer()
  const books: Books = {
    authorizations,
    issuer,
    enter: (kind, reference, { pspReference, invoiceId, currency }, amountMinor) =>
      enter({ kind, reference, invoice_id: invoiceId, payment: pspReference, amount_minor: amountMinor, currency }),
    tell(step, eventCode, success, item) {
      const eventDate = new Date().toISOString()
      const told = { eventCode, success: String(success), eventDate, merchantAccountCode: MERCHANT_ACCOUNT, ...item }
      tell(step, sign(told))
    },
    makeReference: () => `${mark}${String(++count).padStart(8, '0')}`,
  }
  return {
    decide: (path: string, body: Fields, circumstances: Circumstances) => decide(books, path, body, circumstances),
    /** The customer takes an action on the issuer's page; answers with what the browser brings back. */
    visit: issuer.visit,
    visitOf: (reference: string, visit: Visit): WayBack | null => issuer.visitOf(reference, visit),
    completionOf: issuer.completionOf,
    authorizations: (invoiceId: string) => [...authorizations.values()].filter((one) => one.invoiceId === invoiceId),
    openDispute(pspReference: string, value: number) {
      const authorization = authorizations.get(pspReference)
      if (authorization === undefined) return
      const { currency } = authorization
      authorization.dispute = { pspReference: books.makeReference(), amount: { value, currency } }
      books.enter('dispute', null, authorization, value)
      tellOfDispute(books, authorization, authorization.dispute, 'CHARGEBACK')
    },
    /** False where none is open. All events of a dispute have its reference. */
    endDispute(pspReference: string, isWon: boolean): boolean {
      const authorization = authorizations.get(pspReference)
      const dispute = authorization?.dispute ?? null
      if (authorization === undefined || dispute === null) return false
      authorization.dispute = null
      books.enter(isWon ? 'dispute-won' : 'dispute-lost', null, authorization, dispute.amount.value)
      tellOfDispute(books, authorization, dispute, isWon ? 'CHARGEBACK_REVERSED' : 'SECOND_CHARGEBACK')
      return true
    },
  }
}

function tellOfDispute(
  books: Books,
  { pspReference: originalReference, merchantReference }: Authorization,
  { pspReference, amount }: NonNullable<Authorization['dispute']>,
  eventCode: string,
): void {
  const reason = 'Fraudulent Processing of Transactions'
  books.tell('dispute', eventCode, true, { pspReference, originalReference, merchantReference, amount, reason })
}

/** @param authenticated what is reported of an authentication that the customer has passed; null before it */
function pay(books: Books, body: Fields, authenticated: Fields | null, { approves }: Circumstances): Answer {
  const amount = body.amount as Amount
  const { number, holderName } = body.paymentMethod as Record<string, string>
  const data = body.additionalData as Record<string, string>
  const pspReference = books.makeReference()
  const merchantReference = String(body.reference)
  const known = { pspReference, merchantReference, amount }
  if (number?.length !== 16) return validation('101', 'Invalid card number')
  const refusal = REFUSALS[holderName ?? '']
  if (refusal !== undefined) {
    const [resultCode, refusalReasonCode, refusalReason] = refusal
    books.tell('authorize', 'AUTHORISATION', false, { ...known, reason: refusalReason })
    return [200, { ...known, resultCode, refusalReasonCode, refusalReason, paymentMethod: { brand: 'visa' } }]
  }
  const question = authenticated === null ? books.issuer.ask(body) : null
  if (question !== null) return question
  const value = approves(holderName === 'PARTIAL' ? Math.floor(amount.value / 2) : amount.value)
  const granted = { ...amount, value }
  const authorization: Authorization = {
    pspReference,
    merchantReference,
    invoiceId: String(body.merchantOrderReference),
    authorized: granted.value,
    currency: amount.currency,
    captured: 0,
    refunded: 0,
    isOpen: true,
    isPreAuthorization: data.authorisationType === 'PreAuth',
    dispute: null,
  }
  books.authorizations.set(pspReference, authorization)
  books.enter('authorization', merchantReference, authorization, value)
  const processed = { networkTxReference: '123456789012345', authCode: '058747', cvcResult: '1 Matches' }
  const additionalData = { ...processed, ...authenticated }
  books.tell('authorize', 'AUTHORISATION', true, { ...known, amount: granted, additionalData })
  if (holderName === 'PENDING') return [200, { pspReference, merchantReference, resultCode: 'Pending' }]
  return [200, { ...known, amount: granted, resultCode: 'Authorised', additionalData }]
}

/** What the browser has brought back ends the authentication, or leads to the next action. */
function payAfterwards(books: Books, body: Fields, circumstances: Circumstances): Answer {
  const next = books.issuer.goOn(body)
  if (Array.isArray(next)) return next
  const { payment, hasPassed, additionalData } = next
  if (hasPassed) return pay(books, payment, additionalData, circumstances)
  const [status, fields] = refused(payment, '11', '3D Not Authenticated')
  return [status, { ...fields, additionalData }]
}

function modify(books: Books, authorization: Authorization, step: string, body: Fields): Answer {
  const asked = body.amount as Amount | undefined
  const amount = asked ?? { value: authorization.authorized, currency: authorization.currency }
  if (amount.currency !== authorization.currency) return validation('138', 'Unsupported currency specified')
  const pspReference = books.makeReference()
  const decision = STEPS[step]
  if (decision === undefined) return [404, { status: 404, errorCode: '000', message: 'Not Found' }]
  const { step: about, kind, event } = decision
  const verdict = decision.decide(authorization, amount.value)
  // The reference of some steps carries their amount behind a hyphen.
  const [ours = null] = String(body.reference).split('-')
  if ('done' in verdict) books.enter(kind, ours, authorization, verdict.done)
  books.tell(about, event, 'done' in verdict, {
    pspReference,
    originalReference: authorization.pspReference,
    merchantReference: String(body.reference),
    amount,
    ...('problem' in verdict && { reason: verdict.problem }),
  })
  const { reference, merchantAccount } = body
  const paymentPspReference = authorization.pspReference
  return [201, { status: 'received', pspReference, paymentPspReference, reference, merchantAccount, amount }]
}

function decide(books: Books, path: string, body: Fields, circumstances: Circumstances): Answer {
  if (path.endsWith('/payments/details')) return payAfterwards(books, body, circumstances)
  if (body.merchantAccount !== MERCHANT_ACCOUNT)
    return [403, { status: 403, errorCode: '901', message: 'Invalid Merchant Account', errorType: 'security' }]
  const [, , root, pspReference, step] = path.split('/')
  if (root === 'paymentMethods') return [200, { paymentMethods: [{ type: 'scheme', brands: ['visa', 'mc'] }] }]
  if (root !== 'payments') return [404, { status: 404, errorCode: '000', message: 'Not Found' }]
  if (pspReference === undefined) return pay(books, body, null, circumstances)
  const authorization = books.authorizations.get(pspReference)
  if (authorization === undefined) return validation('167', 'Original pspReference required for this operation')
  return modify(books, authorization, step ?? '', body)
}

/** The amount that it was done over, or why it was not done. */
type Verdict = { done: number } | { problem: string }

interface Decision {
  step: Step
  kind: Entry['kind']
  event: string
  decide(authorization: Authorization, value: number): Verdict
}

/** By the last part of the path. */
const STEPS: Readonly<Record<string, Decision>> = {
  captures: {
    ...{ step: 'capture', kind: 'capture', event: 'CAPTURE' },
    decide(authorization, value) {
      if (!authorization.isOpen || value > authorization.authorized)
        return { problem: 'Insufficient balance on payment' }
      Object.assign(authorization, { captured: value, isOpen: false })
      return { done: value }
    },
  },
  cancels: {
    ...{ step: 'void', kind: 'void', event: 'CANCELLATION' },
    decide(authorization) {
      if (!authorization.isOpen) return { problem: 'Transaction already captured or cancelled' }
      authorization.isOpen = false
      return { done: authorization.authorized }
    },
  },
  refunds: {
    ...{ step: 'refund', kind: 'refund', event: 'REFUND' },
    decide(authorization, value) {
      if (authorization.refunded + value > authorization.captured) return { problem: 'Insufficient balance on payment' }
      authorization.refunded += value
      return { done: value }
    },
  },
  amountUpdates: {
    ...{ step: 'increment', kind: 'increment', event: 'AUTHORISATION_ADJUSTMENT' },
    decide(authorization, value) {
      if (!authorization.isOpen || !authorization.isPreAuthorization) return { problem: 'Adjustment not possible' }
      const added = value - authorization.authorized
      authorization.authorized = value
      return { done: added }
    },
  },
}

function validation(errorCode: string, message: string): Answer {
  return [422, { status: 422, errorCode, message, errorType: 'validation', pspReference: randomUUID() }]
}

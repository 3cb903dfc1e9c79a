import { randomUUID } from 'node:crypto'
import { type Answer, type Fields, openIssuer, refused } from './stand-in-issuer.ts'

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
}

/** Says what became of something, unasked. */
export type Tell = (eventCode: string, success: boolean, item: Fields & { amount: Amount }) => void

interface Books {
  authorizations: Map<string, Authorization>
  issuer: ReturnType<typeof openIssuer>
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
export function openBooks(tell: Tell) {
  const authorizations = new Map<string, Authorization>()
  let count = 0
  const issuer = openIssuer()
  const books: Books = {
    authorizations,
    issuer,
    tell,
    makeReference: () => `STANDIN${String(++count).padStart(9, '0')}`,
  }
  return {
    decide: (path: string, body: Fields) => decide(books, path, body),
    visit: issuer.visit,
    completionOf: issuer.completionOf,
    authorizations: (invoiceId: string) => [...authorizations.values()].filter((one) => one.invoiceId === invoiceId),
  }
}

/** @param authenticated what is reported of an authentication that the customer has passed; null before it */
function pay(books: Books, body: Fields, authenticated: Fields | null): Answer {
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
    books.tell('AUTHORISATION', false, { ...known, reason: refusalReason })
    return [200, { ...known, resultCode, refusalReasonCode, refusalReason, paymentMethod: { brand: 'visa' } }]
  }
  const question = authenticated === null ? books.issuer.ask(body) : null
  if (question !== null) return question
  const granted = holderName === 'PARTIAL' ? { ...amount, value: Math.floor(amount.value / 2) } : amount
  books.authorizations.set(pspReference, {
    pspReference,
    merchantReference,
    invoiceId: String(body.merchantOrderReference),
    authorized: granted.value,
    currency: amount.currency,
    captured: 0,
    refunded: 0,
    isOpen: true,
    isPreAuthorization: data.authorisationType === 'PreAuth',
  })
  const processed = { networkTxReference: '123456789012345', authCode: '058747', cvcResult: '1 Matches' }
  const additionalData = { ...processed, ...authenticated }
  books.tell('AUTHORISATION', true, { ...known, amount: granted, additionalData })
  if (holderName === 'PENDING') return [200, { pspReference, merchantReference, resultCode: 'Pending' }]
  return [200, { ...known, amount: granted, resultCode: 'Authorised', additionalData }]
}

/** What the browser has brought back ends the authentication, or leads to the next action. */
function payAfterwards(books: Books, body: Fields): Answer {
  const next = books.issuer.goOn(body)
  if (Array.isArray(next)) return next
  const { payment, hasPassed, additionalData } = next
  if (hasPassed) return pay(books, payment, additionalData)
  const [status, fields] = refused(payment, '11', '3D Not Authenticated')
  return [status, { ...fields, additionalData }]
}

function modify(books: Books, authorization: Authorization, step: string, body: Fields): Answer {
  const asked = body.amount as Amount | undefined
  const amount = asked ?? { value: authorization.authorized, currency: authorization.currency }
  if (amount.currency !== authorization.currency) return validation('138', 'Unsupported currency specified')
  const pspReference = books.makeReference()
  const verdict = STEPS[step]?.(authorization, amount.value)
  if (verdict === undefined) return [404, { status: 404, errorCode: '000', message: 'Not Found' }]
  books.tell(verdict.event, verdict.problem === null, {
    pspReference,
    originalReference: authorization.pspReference,
    merchantReference: String(body.reference),
    amount,
    ...(verdict.problem !== null && { reason: verdict.problem }),
  })
  const { reference, merchantAccount } = body
  const paymentPspReference = authorization.pspReference
  return [201, { status: 'received', pspReference, paymentPspReference, reference, merchantAccount, amount }]
}

function decide(books: Books, path: string, body: Fields): Answer {
  if (path.endsWith('/payments/details')) return payAfterwards(books, body)
  if (body.merchantAccount !== MERCHANT_ACCOUNT)
    return [403, { status: 403, errorCode: '901', message: 'Invalid Merchant Account', errorType: 'security' }]
  const [, , root, pspReference, step] = path.split('/')
  if (root === 'paymentMethods') return [200, { paymentMethods: [{ type: 'scheme', brands: ['visa', 'mc'] }] }]
  if (root !== 'payments') return [404, { status: 404, errorCode: '000', message: 'Not Found' }]
  if (pspReference === undefined) return pay(books, body, null)
  const authorization = books.authorizations.get(pspReference)
  if (authorization === undefined) return validation('167', 'Original pspReference required for this operation')
  return modify(books, authorization, step ?? '', body)
}

interface Verdict {
  event: string
  /** Why it was not done; null where it was. */
  problem: string | null
}

const STEPS: Readonly<Record<string, (authorization: Authorization, value: number) => Verdict>> = {
  captures(authorization, value) {
    const isPossible = authorization.isOpen && value <= authorization.authorized
    if (isPossible) Object.assign(authorization, { captured: value, isOpen: false })
    return { event: 'CAPTURE', problem: isPossible ? null : 'Insufficient balance on payment' }
  },
  cancels(authorization) {
    const isPossible = authorization.isOpen
    if (isPossible) authorization.isOpen = false
    return { event: 'CANCELLATION', problem: isPossible ? null : 'Transaction already captured or cancelled' }
  },
  refunds(authorization, value) {
    const isPossible = authorization.refunded + value <= authorization.captured
    if (isPossible) authorization.refunded += value
    return { event: 'REFUND', problem: isPossible ? null : 'Insufficient balance on payment' }
  },
  amountUpdates(authorization, value) {
    const isPossible = authorization.isOpen && authorization.isPreAuthorization
    if (isPossible) authorization.authorized = value
    return { event: 'AUTHORISATION_ADJUSTMENT', problem: isPossible ? null : 'Adjustment not possible' }
  },
}

function validation(errorCode: string, message: string): Answer {
  return [422, { status: 422, errorCode, message, errorType: 'validation', pspReference: randomUUID() }]
}

import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import { issueAction } from '../../../domain/customer-action.ts'
import { ERRORS } from '../../../domain/errors.ts'
import { EXAMPLE_REQUEST_ID, EXAMPLE_SERVICE, exampleId } from '../../http/openapi/example-id.ts'
import { withLinks } from '../../objects/error-body.ts'
import { presentInvoice } from '../../objects/invoice.ts'
import { presentDispute } from '../../objects/operation.ts'
import { type AnsweredPayment, presentPaymentAnswer } from '../../objects/payment-answer.ts'
import { presentRefund } from '../../objects/refund.ts'
import { presentTransaction } from '../../objects/transaction.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import type { OperationRow } from '../../persistence/entities/operation.ts'
import type { RefundRow } from '../../persistence/entities/refund.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { cardRow, customerRow, tokenRow } from './payer.ts'
import { at, exampleRow, OWNER } from './rows.ts'

/** One order and its payment, from the invoice to a refund. */

const CREATED = at(-5)
const AUTHORIZED = at(1)
const CAPTURED = at(60)
/** As Stripe names disputes. */
const DISPUTE_ID = 'du_1SW2jKHoldfast'

const TOTAL_MINOR = 12_990
const DAY_MINUTES = 60 * 24

export const invoiceRow = exampleRow<InvoiceRow>({
  ...OWNER,
  id: exampleId('invoice'),
  customerId: customerRow.id,
  name: 'Order 000042',
  orderId: '000042',
  amountMinor: TOTAL_MINOR,
  currency: 'EUR',
  hasDetails: true,
  verification: false,
  statementDescriptor: 'SHOP EXAMPLE',
  webhookUrl: 'https://shop.example/webhooks/orders',
  returnUrl: 'https://shop.example/orders/000042/paid',
  cancelUrl: 'https://shop.example/cart',
  deviceChannel: 'web',
  incremental: true,
  bypassIncrementalAuthorization: true,
  awaitsExpiry: true,
  expiresAt: at(DAY_MINUTES),
  requireBackendCapture: false,
  metadata: { cart: 'cart-77' },
  gatewayData: {},
  createdAt: CREATED,
  updatedAt: CREATED,
})

const line = (position: number, name: string, amountMinor: number) =>
  exampleRow<InvoiceDetailRow>({
    ...OWNER,
    id: exampleId('invoiceDetail', name),
    invoiceId: invoiceRow.id,
    position,
    name,
    amountMinor,
    quantity: 1,
    capturedMinor: 0,
    refundedMinor: 0,
    metadata: {},
    category: 'clothing',
    condition: 'new',
    createdAt: CREATED,
  })

export const lineRows = [line(1, 'Running shoes', 11_990), line(2, 'Socks', 1_000)]

/** Just asked for: the gateway has not answered yet. */
const requested = exampleRow<TransactionRow>({
  ...OWNER,
  id: exampleId('transaction'),
  invoiceId: invoiceRow.id,
  customerId: customerRow.id,
  tokenId: tokenRow.id,
  cardId: cardRow.id,
  gatewayConfigurationId: exampleId('gatewayConfiguration'),
  gatewayName: 'simulator',
  name: invoiceRow.name,
  currency: 'EUR',
  status: 'waiting',
  amountMinor: TOTAL_MINOR,
  authorizedMinor: 0,
  capturedMinor: 0,
  voidedMinor: 0,
  refundedMinor: 0,
  capturingMinor: 0,
  refundingMinor: 0,
  incrementedMinor: 0,
  incremental: true,
  incrementAttempts: 0,
  clockOffsetMs: 0,
  attemptsCount: 1,
  capturesCount: 0,
  attemptsInFlight: [],
  orphans: [],
  disputes: [],
  disputedMinor: 0,
  disputesOpen: 0,
  routingTags: ['rule-1-route', 'cards'],
  ruleSetId: exampleId('ruleSet'),
  ruleSetVersion: 1,
  needsAttention: false,
  capabilities: ALL_CAPABILITIES,
  authorizationValidityMs: 7 * DAY_MINUTES * 60_000,
  expired: false,
  autoCaptureIsFinal: true,
  autoCaptureFailures: 0,
  expiryAnnounced: false,
  receivedFraudNotification: false,
  receivedRetrievalRequest: false,
  eventCount: 1,
  metadata: invoiceRow.metadata,
  createdAt: at(0),
  updatedAt: at(0),
})

const authorized: TransactionRow = {
  ...requested,
  status: 'authorized',
  authorizedMinor: TOTAL_MINOR,
  authorizedAt: AUTHORIZED,
  authorizationExpiresAt: at(1 + 7 * DAY_MINUTES),
  schemeId: '486325194826371',
  schemeUsed: 'visa',
  cardChecks: { cvcCheck: 'passed', avsCheck: 'unchecked' },
  authentication: {
    version: '2.2.0',
    status: 'authenticated',
    aresTransStatus: 'C',
    cresTransStatus: 'Y',
    eci: '05',
    dsTransId: '0b6f9cde-6f3f-4b4e-9b0a-2d9f3c1c7a55',
    serverTransId: '5f5b9a5e-3d0c-4a43-8f07-3c5a5be2f6d1',
    fingerprintCompleted: true,
    wasChallenged: true,
    hasLiabilityShift: true,
  },
  eventCount: 2,
}

const captured: TransactionRow = {
  ...authorized,
  status: 'completed',
  capturedMinor: TOTAL_MINOR,
  capturesCount: 1,
  capturedAt: CAPTURED,
}

/** The payment at each point of the story. */
export const TRANSACTIONS = {
  authorized,
  captured,
  incremented: {
    ...authorized,
    amountMinor: TOTAL_MINOR + 500,
    authorizedMinor: TOTAL_MINOR + 500,
    incrementedMinor: 500,
    incrementAttempts: 1,
  },
  voided: { ...authorized, status: 'voided', voidedMinor: TOTAL_MINOR, voidedAt: CAPTURED },
  refunded: { ...captured, status: 'partially-refunded', refundedMinor: 1_000, refundedAt: at(DAY_MINUTES) },
  declined: {
    ...requested,
    status: 'failed',
    errorCode: 'card.no-money',
    errorMessage: ERRORS['card.no-money'].message,
    merchantAdviceCode: '2',
    recommendationCode: 'retry-later',
  },
  disputed: {
    ...captured,
    status: 'chargeback-initiated',
    chargedbackAt: at(30 * DAY_MINUTES),
    disputedAt: at(30 * DAY_MINUTES),
    evidenceDueAt: at(37 * DAY_MINUTES),
    disputes: [{ id: DISPUTE_ID, status: 'open', amountMinor: TOTAL_MINOR }],
  },
} satisfies Record<string, TransactionRow>

const attemptId = exampleId('operation', 'attempt')
export const action = issueAction(
  {
    type: 'redirect',
    page: { url: 'https://bank.example/challenge', fields: null },
    continuation: 'authentication-1',
  },
  {
    id: exampleId('customerAction'),
    attemptId,
    invoiceId: invoiceRow.id,
    channel: 'web',
    previous: null,
    publicUrl: 'https://pay.shop.example',
    at: at(0).getTime(),
  },
)

/** The issuer wants the customer to authenticate. */
export const awaitingCustomer: TransactionRow = {
  ...requested,
  customerAction: action,
  attemptsInFlight: [
    {
      operationId: attemptId,
      type: 'authorization',
      amountMinor: TOTAL_MINOR,
      isFinal: false,
      isSale: false,
      begunAt: at(0).getTime(),
      isAbandoned: false,
      reverses: null,
      lookUpsMade: 0,
      nextLookUpAt: action.expiresAt,
      awaitsCustomerUntil: action.expiresAt,
    },
  ],
}

const operation = (name: string, change: Partial<OperationRow>) =>
  exampleRow<OperationRow>({
    ...OWNER,
    id: exampleId('operation', name),
    transactionId: requested.id,
    type: 'authorization',
    isAttempt: false,
    hasFailed: false,
    isAccountable: true,
    amountMinor: TOTAL_MINOR,
    currency: 'EUR',
    cardId: cardRow.id,
    tokenId: tokenRow.id,
    gatewayConfigurationId: requested.gatewayConfigurationId ?? null,
    isNotSent: false,
    isSale: false,
    overridesAdvice: false,
    actor: 'merchant',
    createdAt: AUTHORIZED,
    ...change,
  })

/** The steps up to the authorization. */
export const operationRows = [
  operation('attempt', { isAttempt: true, createdAt: at(0) }),
  operation('result', {
    attemptOperationId: attemptId,
    outcome: 'succeeded',
    gatewayOperationId: 'sim_8f2c1a',
    schemeId: '486325194826371',
    schemeUsed: 'visa',
    authorizationCode: '831000',
    cardChecks: { cvcCheck: 'passed', avsCheck: 'unchecked' },
  }),
]

const disputeRow = operation('dispute', {
  type: 'chargeback',
  disputeStep: 'chargeback-created',
  chargebackReason: '10.4',
  disputeId: DISPUTE_ID,
  evidenceDueAt: at(37 * DAY_MINUTES),
  actor: 'gateway_webhook',
  createdAt: at(30 * DAY_MINUTES),
})

export const refundRow = exampleRow<RefundRow>({
  ...OWNER,
  id: exampleId('refund'),
  transactionId: requested.id,
  operationId: exampleId('operation', 'refund'),
  amountMinor: 1_000,
  currency: 'EUR',
  reason: 'customer_request',
  information: 'The socks did not fit',
  metadata: {},
  detailIds: lineRows.slice(1).map(({ id }) => id),
  status: 'succeeded',
  createdAt: at(DAY_MINUTES),
  updatedAt: at(DAY_MINUTES),
})

/** The invoice as it is with its payment at a point of the story. */
export function invoiceWith(transaction: TransactionRow | null) {
  return presentInvoice(invoiceRow, transaction, { details: lineRows, now: at(2) })
}

/** What the interface answers to a step of the payment. */
export function answerOf(answered: Omit<AnsweredPayment, 'requestId'>): object {
  const { body } = presentPaymentAnswer({ ...answered, requestId: EXAMPLE_REQUEST_ID })
  return 'error_type' in body ? withLinks(body, EXAMPLE_SERVICE) : body
}

export const ofInvoice = { row: invoiceRow, details: lineRows, now: at(61) }

export const transaction = presentTransaction(TRANSACTIONS.captured)
export const refund = presentRefund(refundRow)
export const invoice = invoiceWith(null)
export const dispute = presentDispute(disputeRow)

import { ERRORS, type ErrorCode } from '../../../../domain/errors.ts'
import { EXPORT_TABLES, type ExportName } from '../../../persistence/queries/exports/export-tables.ts'
import type { ListName } from '../../../persistence/queries/lists/list-definitions.ts'
import { errorBody } from '../../../presenters/error-body.ts'
import { presentDispute } from '../../../presenters/operation.ts'
import { presentAction } from '../../../presenters/payment-answer.ts'
import { presentRefund } from '../../../presenters/refund.ts'
import { presentClockAdvance } from '../../../presenters/test-clock.ts'
import { presentTransaction } from '../../../presenters/transaction.ts'
import { csvHeader } from '../../exports/csv.ts'
import { listBody } from '../../lists/list.ts'
import { LIST_ROUTES } from '../../lists/list-routes.ts'
import { API_VERSION, describeErrors } from '../../routes/service.ts'
import { handedIn, reconciliation, reconciliationDifference, resolvedDifference } from './books.ts'
import { exampleEvent } from './events.ts'
import { card, cardInformation, customer, newCard, token } from './payer.ts'
import {
  action,
  answerOf,
  awaitingCustomer,
  disputeRow,
  invoiceWith,
  ofInvoice,
  REQUEST,
  refundRow,
  TRANSACTIONS,
} from './payment.ts'
import {
  apiRequest,
  explanation,
  gatewayConfiguration,
  listedApiRequest,
  listedRuleSet,
  newWebhook,
  ruleSet,
  webhook,
  webhookEndpoint,
  webhookEndpointWithSecret,
} from './settings.ts'

/** Several answers of one status, by a word that says what each shows. */
export type Examples = Readonly<Record<string, unknown>>

const ok = (shown: object): object => ({ success: true, ...shown })
const done = (transaction: keyof typeof TRANSACTIONS) =>
  answerOf({ answer: { kind: 'done' }, transaction: TRANSACTIONS[transaction] })

const transaction = presentTransaction(TRANSACTIONS.captured)
const refund = presentRefund(refundRow)
const invoice = invoiceWith(null)

const waiting = (handlesActions: boolean) =>
  answerOf({ answer: { kind: 'pending' }, transaction: awaitingCustomer, handlesActions })
const declined = answerOf({ answer: { kind: 'declined', code: 'card.no-money' }, transaction: TRANSACTIONS.declined })

const PLACED: Readonly<Record<number, Examples>> = {
  200: { authorized: done('authorized'), captured: done('captured'), 'waiting for the customer': waiting(true) },
  410: { declined, 'waiting for the customer on a page': waiting(false) },
}
const DECLINED_STEP = {
  declined: answerOf({ answer: { kind: 'declined', code: 'card.no-money' }, transaction: TRANSACTIONS.authorized }),
}
const REFUNDED: Readonly<Record<number, Examples>> = {
  200: { refunded: answerOf({ answer: { kind: 'done' }, transaction: TRANSACTIONS.refunded, refund: refundRow }) },
  410: {
    declined: answerOf({
      answer: { kind: 'declined', code: 'gateway.declined' },
      transaction: TRANSACTIONS.captured,
      refund: { ...refundRow, status: 'failed', errorCode: 'gateway.declined' },
    }),
  },
}

const STORED: Readonly<Record<number, Examples>> = {
  200: {
    stored: ok({ token }),
    'waiting for the customer': ok({
      token: { ...token, invoice_id: invoice.id, verification_status: 'pending' },
      customer_action: presentAction(action, { handlesActions: true }),
    }),
  },
}

const one = (shown: object): Readonly<Record<number, Examples>> => ({ 200: { example: ok(shown) } })

const LISTED: Readonly<Record<ListName, Record<string, unknown>>> = {
  invoices: invoice,
  transactions: transaction,
  refunds: refund,
  disputes: presentDispute(disputeRow),
  customers: customer,
  tokens: token,
  cards: card,
  gateway_configurations: gatewayConfiguration,
  reconciliations: reconciliation,
  reconciliation_differences: reconciliationDifference,
  api_requests: listedApiRequest,
  webhooks: webhook,
  rule_sets: listedRuleSet,
  webhook_endpoints: webhookEndpoint,
}

function pageOf(plural: string, object: Record<string, unknown>, single?: string) {
  const page = { rows: [object], hasMore: false, totalCount: 1, isTotalCapped: false }
  const body = listBody(plural, { limit: 10, order: 'desc', cursor: null }, page, [object])
  return { 200: { example: { ...body, ...(single === undefined ? {} : { [single]: object }) } } }
}

/** The head of a file; what follows is in the form of the lists. */
const csvOf = (name: ExportName) => ({ 200: { example: csvHeader(EXPORT_TABLES[name]) } })

/** An instant that a payment is moved to, in epoch ms. */
const CLOCK_TARGET = Date.UTC(2026, 10, 24, 12)

/** Whole answers of every operation, by its place in the router and by status. */
export const ANSWER_EXAMPLES: Readonly<Record<string, Readonly<Record<number, Examples>>>> = {
  'POST /invoices': one({ invoice }),
  'GET /invoices/:id': one({ invoice: invoiceWith(TRANSACTIONS.captured) }),
  'PUT /invoices/:id': one({ invoice }),
  'DELETE /invoices/:id': one({}),
  'GET /invoices/:id/customers': one({ customer }),
  'POST /invoices/:id/customers': one({ customer }),
  'POST /invoices/:id/authorize': PLACED,
  'POST /invoices/:id/capture': { 200: { captured: done('captured') }, 410: { declined } },
  'POST /invoices/:id/three-d-s': PLACED,
  'POST /invoices/:id/increment_authorization': { 200: { raised: done('incremented') }, 410: DECLINED_STEP },
  'POST /invoices/:id/void': { 200: { released: done('voided') }, 410: DECLINED_STEP },
  'POST /invoices/:id/refunds': REFUNDED,
  'POST /transactions/:id/refunds': REFUNDED,
  'PUT /invoices/:id/sync-with-psp': {
    200: {
      example: answerOf({ answer: { kind: 'done' }, transaction: TRANSACTIONS.captured, invoice: ofInvoice }),
    },
  },
  'POST /invoices/:id/clock/advance': {
    200: {
      example: presentClockAdvance(
        TRANSACTIONS.captured,
        { target: CLOCK_TARGET },
        { time: CLOCK_TARGET, isComplete: true },
      ),
    },
  },
  'GET /transactions/:id': one({ transaction }),
  'GET /transactions/:id/refunds/:refund_id': one({ refund }),
  'POST /cards': one({ card: newCard }),
  'GET /cards/:id': one({ card }),
  'PUT /cards/:id': one({ card: newCard }),
  'DELETE /cards/:id': one({}),
  'GET /iins/:iin': one({ card_information: cardInformation }),
  'POST /customers': one({ customer }),
  'GET /customers/:id': one({ customer }),
  'PUT /customers/:id': one({ customer }),
  'DELETE /customers/:id': one({}),
  'POST /customers/:id/tokens': STORED,
  'GET /customers/:id/tokens/:token_id': one({ token }),
  'PUT /customers/:id/tokens/:token_id': STORED,
  'DELETE /customers/:id/tokens/:token_id': one({}),
  'GET /events': pageOf('events', exampleEvent('customer.created')),
  'GET /events/:id': {
    200: {
      payment: ok({ event: exampleEvent('transaction.captured') }),
      refund: ok({ event: exampleEvent('transaction.refunded') }),
      customer: ok({ event: exampleEvent('customer.created') }),
      'payment source': ok({ event: exampleEvent('customer.token.created') }),
      card: ok({ event: exampleEvent('card.updated') }),
      'stored card': ok({ event: exampleEvent('card.expires_soon') }),
      reconciliation: ok({ event: exampleEvent('reconciliation.differences-found') }),
      'webhook endpoint': ok({ event: exampleEvent('webhook-endpoint.disabled') }),
    },
  },
  'POST /events/:id/resend': one({ webhooks: [newWebhook] }),
  'POST /webhook-endpoints': one({ webhook_endpoint: webhookEndpointWithSecret }),
  'GET /webhook-endpoints/:id': one({ webhook_endpoint: webhookEndpoint }),
  'PUT /webhook-endpoints/:id': one({ webhook_endpoint: webhookEndpoint }),
  'DELETE /webhook-endpoints/:id': one({}),
  'POST /webhook-endpoints/:id/rotate-secret': one({ webhook_endpoint: webhookEndpointWithSecret }),
  'POST /webhook-endpoints/:id/test': one({ event: exampleEvent('webhook-endpoint.test') }),
  'POST /webhook-endpoints/:id/recover': one({ count: 3, has_more: false }),
  'POST /gateways/:name/notifications/:configuration_id': { 200: { example: '[accepted]' } },
  'GET /gateway-configurations/:id': one({ gateway_configuration: gatewayConfiguration }),
  'POST /gateways/:name/gateway-configurations': one({ gateway_configuration: gatewayConfiguration }),
  'PUT /gateway-configurations/:id': one({ gateway_configuration: gatewayConfiguration }),
  'DELETE /gateway-configurations/:id': one({}),
  'GET /routing-rules': one({ rule_set: ruleSet }),
  'POST /routing-rules': one({ rule_set: ruleSet }),
  'DELETE /routing-rules': one({ rule_set: null }),
  'POST /routing-rules/explain': one({ explanation }),
  'GET /rule-sets/:id': one({ rule_set: ruleSet }),
  'POST /rule-sets/:id/activate': one({ rule_set: ruleSet }),
  'GET /exports/transactions.csv': csvOf('transactions'),
  'GET /exports/operations.csv': csvOf('operations'),
  'GET /exports/refunds.csv': csvOf('refunds'),
  'POST /gateway-configurations/:id/settlement-files': one({ reconciliation: handedIn }),
  'GET /reconciliations/:id': one({ reconciliation }),
  'GET /reconciliation-differences/:id': one({ reconciliation_difference: reconciliationDifference }),
  'POST /reconciliation-differences/:id/resolve': one({ reconciliation_difference: resolvedDifference }),
  'GET /api-requests/:id': one({ api_request: apiRequest }),
  'GET /': one({
    name: 'holdfast',
    current_version: API_VERSION,
    latest_version: API_VERSION,
    versions: [API_VERSION],
  }),
  'GET /error-codes': one({ error_codes: describeErrors() }),
  'GET /health/live': one({}),
  'GET /health/ready': {
    ...one({ database: true, temporal: true }),
    503: { example: { success: false, database: true, temporal: false } },
  },
  ...Object.fromEntries(
    LIST_ROUTES.map(({ path, list, single }) => [`GET ${path}`, pageOf(list, LISTED[list], single)]),
  ),
}

/** The answer with a code, where nothing more exact can be said. */
export function errorExample(code: ErrorCode): object {
  const { message } = ERRORS[code]
  const invalidFields = code.startsWith('request.validation.') ? [{ name: fieldOf(code), message }] : undefined
  return errorBody({ errorType: code, message, ...REQUEST, invalidFields })
}

/** `request.validation.invalid-amount` is most often about the field `amount`. */
function fieldOf(code: string): string {
  return (
    code
      .split('.')
      .at(-1)
      ?.replace(/^(invalid|missing)-/, '')
      .replaceAll('-', '_') ?? ''
  )
}

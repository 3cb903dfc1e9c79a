// Made by `npm run node-client`.

import type { Answered } from '../last-response.ts'
import type { List } from '../list.ts'
import type { Expanding, ListParams, RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import type {
  ApiRequest,
  AssignedCustomer,
  Card,
  CardChanges,
  CardInformation,
  CardInput,
  CheckReadinessAnswer,
  ClockAdvance,
  ClockAdvanceInput,
  CreateTokenAnswer,
  Customer,
  CustomerChanges,
  CustomerInput,
  DeactivateRoutingRulesAnswer,
  Dispute,
  Done,
  Event,
  ExplanationInput,
  GatewayConfiguration,
  GatewayConfigurationChanges,
  GatewayConfigurationInput,
  IncrementInput,
  Invoice,
  InvoiceChanges,
  InvoiceInput,
  ListErrorCodesAnswer,
  ListVersionsAnswer,
  ListedApiRequest,
  ListedRuleSet,
  PaymentAnswer,
  PaymentOptions,
  Project,
  Reconciliation,
  ReconciliationDifference,
  RecoverWebhookEndpointAnswer,
  RecoveryInput,
  Refund,
  RefundAnswer,
  RefundInput,
  ResendEventAnswer,
  ResendInput,
  ResolutionInput,
  RetrieveRoutingRulesAnswer,
  RotationInput,
  RoutingExplanation,
  RuleSet,
  RuleSetInput,
  SettlementFileInput,
  Synchronization,
  Token,
  TokenInput,
  Transaction,
  UpdateTokenAnswer,
  VoidInput,
  Webhook,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointInput,
  WebhookEndpointWithSecret,
} from './schemas.ts'

export class Invoices {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Create an invoice.
   *
   * An invoice is what a customer is asked to pay. The answer has the client secret in a header: hand it to the page on which the customer pays.
   *
   * Needs the permission `payments`.
   */
  create(params: InvoiceInput & Expanding, options?: RequestOptions): Promise<Answered<Invoice>> {
    return this.#transport.call('POST /invoices', [], params, options, 'invoice')
  }

  /**
   * List invoices.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Invoice> {
    return this.#transport.list('GET /invoices', [], params, options, 'invoices')
  }

  /**
   * Retrieve an invoice.
   *
   * A key with the permission `payments` is told the client secret in a header. A client is told what is to be paid, and nothing of the books.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Invoice>> {
    return this.#transport.call('GET /invoices/{id}', [id], params, options, 'invoice')
  }

  /**
   * Change an invoice.
   *
   * Changes what is given. A field that is absent or null stays, an empty text, object or list takes the value away, and `details`, `device` and the other groups are replaced as a whole. Another `currency` needs every amount anew. It works as long as nothing was paid and nothing is under way; `metadata` alone can be changed at any time.
   *
   * Needs the permission `payments`.
   */
  update(id: string, params?: InvoiceChanges & Expanding, options?: RequestOptions): Promise<Answered<Invoice>> {
    return this.#transport.call('PUT /invoices/{id}', [id], params, options, 'invoice')
  }

  /**
   * Delete an invoice.
   *
   * Removes an invoice with its lines, as long as no payment of it was begun.
   *
   * Needs the permission `payments`.
   */
  delete(id: string, options?: RequestOptions): Promise<Answered<Done>> {
    return this.#transport.call('DELETE /invoices/{id}', [id], undefined, options)
  }

  /**
   * Authorize an invoice.
   *
   * Reserves the money; with `authorize_only` false it takes it at once, with `auto_capture_at` then. What is authorized already is returned as it is, and nothing is charged. An outcome that the gateway leaves open is `"outcome": "pending"`; the transaction and its events tell it later.
   *
   * Needs the permission `payments`.
   */
  authorize(id: string, params?: PaymentOptions & Expanding, options?: RequestOptions): Promise<Answered<PaymentAnswer>> {
    return this.#transport.call('POST /invoices/{id}/authorize', [id], params, options)
  }

  /**
   * Capture an invoice.
   *
   * Takes the reserved money, all of it or a part. Where nothing is authorized it authorizes first; then it needs a `source`. With `auto_capture_at` the scheduled capture is moved; where `auto_capture_at` is the only null of the body, it is dropped, and nothing is captured.
   *
   * Needs the permission `payments`.
   */
  capture(id: string, params?: PaymentOptions & Expanding, options?: RequestOptions): Promise<Answered<PaymentAnswer>> {
    return this.#transport.call('POST /invoices/{id}/capture', [id], params, options)
  }

  /**
   * Authenticate the customer of an invoice.
   *
   * Authenticates before the payment. A gateway authenticates together with its authorization, so this is one without a capture; the call of `authorize` or `capture` that follows finds it. Where the customer has to act, the answer is 200 with the action.
   *
   * Needs the permission `payments`.
   */
  authenticate(id: string, params?: PaymentOptions & Expanding, options?: RequestOptions): Promise<Answered<PaymentAnswer>> {
    return this.#transport.call('POST /invoices/{id}/three-d-s', [id], params, options)
  }

  /**
   * Raise an authorization.
   *
   * Raises what is reserved by an amount. The payment must have been authorized with `incremental` and not be captured; ten times at most. A decline leaves the authorization as it was. A client may do it only where the project allows that.
   *
   * Needs the permission `payments`.
   */
  incrementAuthorization(id: string, params: IncrementInput & Expanding, options?: RequestOptions): Promise<Answered<PaymentAnswer>> {
    return this.#transport.call('POST /invoices/{id}/increment_authorization', [id], params, options)
  }

  /**
   * Release an authorization.
   *
   * Releases what is reserved, all of it or a part. An authorization whose outcome is not known can be voided as a whole: what turns out approved later is given back. What is voided already is returned as it is, and refused where another amount is asked for.
   *
   * Needs the permission `payments`.
   */
  void(id: string, params?: VoidInput & Expanding, options?: RequestOptions): Promise<Answered<PaymentAnswer>> {
    return this.#transport.call('POST /invoices/{id}/void', [id], params, options)
  }

  /**
   * Refund an invoice.
   *
   * Gives captured money back, all of it or a part. Several refunds may be under way at once; together they never give back more than was captured. A refund that had succeeded may still fail.
   *
   * Needs the permission `refunds`.
   */
  refund(id: string, params?: RefundInput & Expanding, options?: RequestOptions): Promise<Answered<RefundAnswer>> {
    return this.#transport.call('POST /invoices/{id}/refunds', [id], params, options)
  }

  /**
   * List refunds of an invoice.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  listRefunds(id: string, params?: ListParams & Expanding, options?: RequestOptions): List<Refund> {
    return this.#transport.list('GET /invoices/{id}/refunds', [id], params, options, 'refunds')
  }

  /**
   * Ask the gateway now.
   *
   * Asks the gateway what became of every step whose outcome is not known. Takes no fields.
   *
   * Needs the permission `payments`.
   */
  synchronize(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Synchronization>> {
    return this.#transport.call('PUT /invoices/{id}/sync-with-psp', [id], params, options)
  }

  /**
   * Advance the test clock of a sandbox payment.
   *
   * Moves one sandbox payment and its webhooks through time, on the real workflow: by `seconds`, or to the instant `to`; one of them. Waits until all that was due has happened, for 20 s at most.
   *
   * Needs the permission `payments`.
   */
  advanceClock(id: string, params?: ClockAdvanceInput & Expanding, options?: RequestOptions): Promise<Answered<ClockAdvance>> {
    return this.#transport.call('POST /invoices/{id}/clock/advance', [id], params, options)
  }

  /**
   * List transactions of an invoice.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  listTransactions(id: string, params?: ListParams & Expanding, options?: RequestOptions): List<Transaction> {
    return this.#transport.list('GET /invoices/{id}/transactions', [id], params, options, 'transactions')
  }

  /**
   * Retrieve the customer of an invoice.
   *
   * Needs the permission `read`.
   */
  retrieveCustomer(id: string, options?: RequestOptions): Promise<Answered<Customer>> {
    return this.#transport.call('GET /invoices/{id}/customers', [id], undefined, options, 'customer')
  }

  /**
   * Give an invoice its customer.
   *
   * An existing customer by `customer_id`, or a new one with these fields, as long as nothing was paid.
   *
   * Needs the permission `payments`.
   */
  assignCustomer(id: string, params?: AssignedCustomer & Expanding, options?: RequestOptions): Promise<Answered<Customer>> {
    return this.#transport.call('POST /invoices/{id}/customers', [id], params, options, 'customer')
  }
}

export class Transactions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Refund a transaction.
   *
   * The same as `POST /invoices/{id}/refunds`, by the transaction.
   *
   * Needs the permission `refunds`.
   */
  refund(id: string, params?: RefundInput & Expanding, options?: RequestOptions): Promise<Answered<RefundAnswer>> {
    return this.#transport.call('POST /transactions/{id}/refunds', [id], params, options)
  }

  /**
   * List refunds of a transaction.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  listRefunds(id: string, params?: ListParams & Expanding, options?: RequestOptions): List<Refund> {
    return this.#transport.list('GET /transactions/{id}/refunds', [id], params, options, 'refunds')
  }

  /**
   * List transactions.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Transaction> {
    return this.#transport.list('GET /transactions', [], params, options, 'transactions')
  }

  /**
   * Retrieve a transaction.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Transaction>> {
    return this.#transport.call('GET /transactions/{id}', [id], params, options, 'transaction')
  }

  /**
   * Retrieve a refund.
   *
   * Needs the permission `read`.
   */
  retrieveRefund(transactionId: string, refundId: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Refund>> {
    return this.#transport.call('GET /transactions/{id}/refunds/{refund_id}', [transactionId, refundId], params, options, 'refund')
  }
}

export class CustomersTokens {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List tokens of a customer.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  list(id: string, params?: ListParams & Expanding, options?: RequestOptions): List<Token> {
    return this.#transport.list('GET /customers/{id}/tokens', [id], params, options, 'tokens')
  }

  /**
   * Store a payment source.
   *
   * Stores a card for a customer. Without a `source` the token waits for one. With `verify` the issuer is asked about the card, without a charge; the token and its event tell the result soon after. Where the bank wants the customer, the answer has `customer_action`.
   *
   * Needs the permission `payments`.
   */
  create(id: string, params?: TokenInput & Expanding, options?: RequestOptions): Promise<Answered<CreateTokenAnswer>> {
    return this.#transport.call('POST /customers/{id}/tokens', [id], params, options)
  }

  /**
   * Retrieve a token.
   *
   * Needs the permission `read`.
   */
  retrieve(customerId: string, tokenId: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Token>> {
    return this.#transport.call('GET /customers/{id}/tokens/{token_id}', [customerId, tokenId], params, options, 'token')
  }

  /**
   * Change a token.
   *
   * Changes what is given; a `source` only where the token has none. A client may complete a token that waits for its source, and with the client secret of an invoice of the customer a token that has one. The answer to `customer_action` as a `source` goes on with the verification, and changes nothing else.
   *
   * Needs the permission `payments`.
   */
  update(customerId: string, tokenId: string, params?: TokenInput & Expanding, options?: RequestOptions): Promise<Answered<UpdateTokenAnswer>> {
    return this.#transport.call('PUT /customers/{id}/tokens/{token_id}', [customerId, tokenId], params, options)
  }

  /**
   * Delete a token.
   *
   * For good, with the number of its card. A client needs the client secret of an invoice of the customer.
   *
   * Needs the permission `payments`.
   */
  delete(customerId: string, tokenId: string, options?: RequestOptions): Promise<Answered<Done>> {
    return this.#transport.call('DELETE /customers/{id}/tokens/{token_id}', [customerId, tokenId], undefined, options)
  }
}

export class Customers {
  readonly #transport: Transport
  readonly tokens: CustomersTokens

  constructor(transport: Transport) {
    this.#transport = transport
    this.tokens = new CustomersTokens(transport)
  }

  /**
   * List transactions of a customer.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  listTransactions(id: string, params?: ListParams & Expanding, options?: RequestOptions): List<Transaction> {
    return this.#transport.list('GET /customers/{id}/transactions', [id], params, options, 'transactions')
  }

  /**
   * List customers.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Customer> {
    return this.#transport.list('GET /customers', [], params, options, 'customers')
  }

  /**
   * Create a customer.
   *
   * Every field may be left out.
   *
   * Needs the permission `payments`.
   */
  create(params?: CustomerInput & Expanding, options?: RequestOptions): Promise<Answered<Customer>> {
    return this.#transport.call('POST /customers', [], params, options, 'customer')
  }

  /**
   * Retrieve a customer.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Customer>> {
    return this.#transport.call('GET /customers/{id}', [id], params, options, 'customer')
  }

  /**
   * Change a customer.
   *
   * Changes what is given. A field that is absent or null stays, an empty text clears it.
   *
   * Needs the permission `payments`.
   */
  update(id: string, params?: CustomerChanges & Expanding, options?: RequestOptions): Promise<Answered<Customer>> {
    return this.#transport.call('PUT /customers/{id}', [id], params, options, 'customer')
  }

  /**
   * Delete a customer.
   *
   * For good: all that is personal is erased, with tokens and card numbers, in invoices and in events as well. Invoices and transactions stay.
   *
   * Needs the permission `payments`.
   */
  delete(id: string, options?: RequestOptions): Promise<Answered<Done>> {
    return this.#transport.call('DELETE /customers/{id}', [id], undefined, options)
  }
}

export class Refunds {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List refunds.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Refund> {
    return this.#transport.list('GET /refunds', [], params, options, 'refunds')
  }
}

export class Disputes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List disputes.
   *
   * The newest first, unless `order` says otherwise. What gateways have reported of chargebacks, retrieval requests and fraud.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Dispute> {
    return this.#transport.list('GET /disputes', [], params, options, 'disputes')
  }
}

export class Cards {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Create a card.
   *
   * Takes a card as it was entered. Its number and security code go to the vault and are in no answer. The sandbox takes its documented test cards only, unless the project has an account at a gateway other than the simulator.
   *
   * Needs the permission `payments`.
   */
  create(params: CardInput & Expanding, options?: RequestOptions): Promise<Answered<Card>> {
    return this.#transport.call('POST /cards', [], params, options, 'card')
  }

  /**
   * List cards.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Card> {
    return this.#transport.list('GET /cards', [], params, options, 'cards')
  }

  /**
   * Retrieve a card.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Card>> {
    return this.#transport.call('GET /cards/{id}', [id], params, options, 'card')
  }

  /**
   * Change a card.
   *
   * Changes what is given. A client may change `cvc2` and `preferred_scheme`, as long as the card was not saved to a customer.
   *
   * Needs the permission `payments`.
   */
  update(id: string, params?: CardChanges & Expanding, options?: RequestOptions): Promise<Answered<Card>> {
    return this.#transport.call('PUT /cards/{id}', [id], params, options, 'card')
  }

  /**
   * Delete a card.
   *
   * For good: number, security code and all that tells of the holder are erased, with the token that the card became. Transactions keep naming it.
   *
   * Needs the permission `payments`.
   */
  delete(id: string, options?: RequestOptions): Promise<Answered<Done>> {
    return this.#transport.call('DELETE /cards/{id}', [id], undefined, options)
  }
}

export class Iins {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Look up the first digits of a card.
   *
   * Needs the permission `read`.
   */
  retrieve(iin: string, options?: RequestOptions): Promise<Answered<CardInformation>> {
    return this.#transport.call('GET /iins/{iin}', [iin], undefined, options, 'card_information')
  }
}

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List events.
   *
   * In the order in which they were committed. An event is shown only once no earlier one can appear before it, so that a reader that keeps the last id misses none. Counts towards the limit `secondary`.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Event> {
    return this.#transport.list('GET /events', [], params, options, 'events')
  }

  /**
   * List deliveries of an event.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  listWebhooks(id: string, params?: ListParams & Expanding, options?: RequestOptions): List<Webhook> {
    return this.#transport.list('GET /events/{id}/webhooks', [id], params, options, 'webhooks')
  }

  /**
   * List deliveries that have not arrived.
   *
   * The newest first, unless `order` says otherwise. To any address, an endpoint or one that an invoice or token names: those given up, and those that are tried again. One on its way for the first time is none of them.
   *
   * Needs the permission `read`.
   */
  listUndeliveredWebhooks(params?: ListParams & Expanding, options?: RequestOptions): List<Webhook> {
    return this.#transport.list('GET /webhooks/undelivered', [], params, options, 'webhooks')
  }

  /**
   * Retrieve an event.
   *
   * The way to the data of a webhook, and the proof that it came from here. Counts towards the limit `secondary`.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Event>> {
    return this.#transport.call('GET /events/{id}', [id], params, options, 'event')
  }

  /**
   * Send an event again.
   *
   * On a new schedule: to one endpoint, or to all that are enabled and take it and to the address of its invoice or token.
   *
   * Needs the permission `webhooks`.
   */
  resend(id: string, params?: ResendInput, options?: RequestOptions): Promise<Answered<ResendEventAnswer>> {
    return this.#transport.call('POST /events/{id}/resend', [id], params, options)
  }
}

export class WebhookEndpoints {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List deliveries of a webhook endpoint.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  listWebhooks(id: string, params?: ListParams & Expanding, options?: RequestOptions): List<Webhook> {
    return this.#transport.list('GET /webhook-endpoints/{id}/webhooks', [id], params, options, 'webhooks')
  }

  /**
   * Create a webhook endpoint.
   *
   * The answer has the secret that webhooks are signed with: it is told once. A project has 16 endpoints at most in each environment.
   *
   * Needs the permission `webhooks`.
   */
  create(params: WebhookEndpointInput, options?: RequestOptions): Promise<Answered<WebhookEndpointWithSecret>> {
    return this.#transport.call('POST /webhook-endpoints', [], params, options, 'webhook_endpoint')
  }

  /**
   * List webhook endpoints.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams, options?: RequestOptions): List<WebhookEndpoint> {
    return this.#transport.list('GET /webhook-endpoints', [], params, options, 'webhook_endpoints')
  }

  /**
   * Retrieve a webhook endpoint.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, options?: RequestOptions): Promise<Answered<WebhookEndpoint>> {
    return this.#transport.call('GET /webhook-endpoints/{id}', [id], undefined, options, 'webhook_endpoint')
  }

  /**
   * Change a webhook endpoint.
   *
   * Changes what is given; `["*"]` takes a whitelist back. Another `url`, and switching on again, forget what has failed before.
   *
   * Needs the permission `webhooks`.
   */
  update(id: string, params?: WebhookEndpointChanges, options?: RequestOptions): Promise<Answered<WebhookEndpoint>> {
    return this.#transport.call('PUT /webhook-endpoints/{id}', [id], params, options, 'webhook_endpoint')
  }

  /**
   * Delete a webhook endpoint.
   *
   * For good; what waits for it is abandoned.
   *
   * Needs the permission `webhooks`.
   */
  delete(id: string, options?: RequestOptions): Promise<Answered<Done>> {
    return this.#transport.call('DELETE /webhook-endpoints/{id}', [id], undefined, options)
  }

  /**
   * Rotate the secret of a webhook endpoint.
   *
   * The previous secret also signs for `previous_expires_in` seconds, a day by default, or until the next rotation. Where there is a key pair, it is replaced as well.
   *
   * Needs the permission `webhooks`.
   */
  rotateSecret(id: string, params?: RotationInput, options?: RequestOptions): Promise<Answered<WebhookEndpointWithSecret>> {
    return this.#transport.call('POST /webhook-endpoints/{id}/rotate-secret', [id], params, options, 'webhook_endpoint')
  }

  /**
   * Try out a webhook endpoint.
   *
   * Sends the event `webhook-endpoint.test` to this endpoint only. Takes no fields.
   *
   * Needs the permission `webhooks`.
   */
  test(id: string, options?: RequestOptions): Promise<Answered<Event>> {
    return this.#transport.call('POST /webhook-endpoints/{id}/test', [id], undefined, options, 'event')
  }

  /**
   * Send a webhook endpoint what it has missed.
   *
   * Sends again what the endpoint takes of a time span and has not accepted: failed, waiting for a retry, or never meant for it. 10,000 events a call, the oldest first.
   *
   * Needs the permission `webhooks`.
   */
  recover(id: string, params: RecoveryInput, options?: RequestOptions): Promise<Answered<RecoverWebhookEndpointAnswer>> {
    return this.#transport.call('POST /webhook-endpoints/{id}/recover', [id], params, options)
  }
}

export class GatewayConfigurations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List gateway configurations.
   *
   * The newest first, unless `order` says otherwise. A client sees four fields of those that are enabled.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams, options?: RequestOptions): List<GatewayConfiguration> {
    return this.#transport.list('GET /gateway-configurations', [], params, options, 'gateway_configurations')
  }

  /**
   * List gateway configurations of a gateway.
   *
   * The newest first, unless `order` says otherwise.
   *
   * Needs the permission `read`.
   */
  listOfGateway(name: string, params?: ListParams, options?: RequestOptions): List<GatewayConfiguration> {
    return this.#transport.list('GET /gateways/{name}/gateway-configurations', [name], params, options, 'gateway_configurations')
  }

  /**
   * Create a gateway configuration.
   *
   * An account of yours at this gateway. A project has 50 at most in each environment. Every field that is wrong is among `invalid_fields`.
   *
   * At `simulator`:
   *
   * - `credentials.notification_key`: To sign notifications yourself in a test. The simulator’s own need none.
   * - `settings.delay_ms`: Every answer takes this long.
   * - `settings.delay_p50_ms`: Half of the answers take longer, as at a real gateway. Needs the next field.
   * - `settings.delay_p99_ms`: One answer in a hundred takes longer.
   * - `settings.hang_ms`: Every call waits this long before the simulator takes it up.
   * - `settings.fault_rate`: The share of calls that go wrong, from 0 to 1.
   * - `settings.faults`: What goes wrong with them: some of lost, garbled, failed, refused; all where it is empty.
   * - `settings.settled_notifications`: The end of a pending step is reported by a notification, and not only found by looking it up. One of `true`, `false`.
   * - `settings.duplicate_notifications`: Every notification is sent twice at once. One of `true`, `false`.
   * - `settings.reverse_notifications`: Notifications of one step are sent the last one first. One of `true`, `false`.
   * - `settings.late_notifications_ms`: Notifications are sent this much later.
   * - `settings.seed`: The same references have the same faults and delays each time.
   * - `settings.account`: Another account at the simulator, which sees nothing of the others.
   *
   * At `stripe`:
   *
   * - `credentials.secret_key`, required: In Stripe under Developers, API keys. A restricted key (rk_…) needs the right to write PaymentIntents, payment methods and refunds.
   * - `credentials.webhook_secret`: Stripe shows it with the webhook endpoint. Add the account first: its page here has the address for that.
   * - `settings.publishable_key`: For pages of yours that use Stripe’s own script; payments here do without.
   * - `settings.account`: Only for platforms: payments are made for this account in place of the key’s own.
   * - `settings.multicapture`: Stripe lets some accounts capture an authorization only once. Say so here, and take the ability away as well. One of `never`.
   * - `settings.mit_exemption`: Only where Stripe has switched it on for the account: it may then name the scheme’s id of an authorization made at another gateway. One of `enabled`.
   *
   * At `adyen`:
   *
   * - `credentials.apiKey`, required: In the Customer Area under Developers, API credentials: of a credential with the role for Checkout.
   * - `credentials.hmacKey`: The Customer Area generates it for the webhook. Adyen reports captures and refunds only by signed webhooks.
   * - `credentials.previousHmacKey`: While you change the key: Adyen signs with the old one until the new one has reached all its servers.
   * - `settings.merchantAccount`, required: Its name as the Customer Area shows it at the top, not that of the company account.
   * - `settings.environment`, required: Test: no real money moves. Live: real money moves. One of `test`, `live`.
   * - `settings.liveEndpointUrlPrefix`, required live: In the live Customer Area under Developers, API URLs: the company’s own part of the host names.
   * - `settings.returnUrl`, required: A page of your shop. Adyen wants one on every payment; customers here come back to the service itself.
   * - `settings.clientKey`: For pages of yours that use Adyen’s own script; payments here do without.
   * - `settings.recurringProcessingModel`: What Adyen tells the schemes of payments that you initiate. One of `UnscheduledCardOnFile`, `Subscription`, `CardOnFile`.
   * - `settings.cardData`: Sent as they are, for which the API credential needs the role API PCI Payments; or, at the test hosts, marked as test cards. One of `raw`, `test-encrypted`.
   * - `settings.allowPartialApproval`: Whether the issuer may approve a part of the amount. One of `true`, `false`.
   *
   * Needs the permission `configuration`.
   */
  create(name: string, params: GatewayConfigurationInput, options?: RequestOptions): Promise<Answered<GatewayConfiguration>> {
    return this.#transport.call('POST /gateways/{name}/gateway-configurations', [name], params, options, 'gateway_configuration')
  }

  /**
   * Retrieve a gateway configuration.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, options?: RequestOptions): Promise<Answered<GatewayConfiguration>> {
    return this.#transport.call('GET /gateway-configurations/{id}', [id], undefined, options, 'gateway_configuration')
  }

  /**
   * Change a gateway configuration.
   *
   * Of `credentials`, `settings` and `capabilities` each name is changed by itself, and null takes it away; other fields are replaced as a whole. An account stays the same account while something is open there.
   *
   * Needs the permission `configuration`.
   */
  update(id: string, params?: GatewayConfigurationChanges, options?: RequestOptions): Promise<Answered<GatewayConfiguration>> {
    return this.#transport.call('PUT /gateway-configurations/{id}', [id], params, options, 'gateway_configuration')
  }

  /**
   * Delete a gateway configuration.
   *
   * For good: it takes nothing new. Captures, voids and refunds of what is there go on.
   *
   * Needs the permission `configuration`.
   */
  delete(id: string, options?: RequestOptions): Promise<Answered<Done>> {
    return this.#transport.call('DELETE /gateway-configurations/{id}', [id], undefined, options)
  }

  /**
   * Hand in a report of a gateway.
   *
   * For gateways that are not asked for a list: Adyen, whose *Settlement details report* is taken as it is downloaded, 1 MiB and 10,000 lines at most. A larger one is handed in in parts, each with the line of headers. Its lines are stored, and compared within a minute. The same report again is the same reconciliation.
   *
   * Needs the permission `configuration`.
   */
  handInSettlementFile(id: string, params: SettlementFileInput & Expanding, options?: RequestOptions): Promise<Answered<Reconciliation>> {
    return this.#transport.call('POST /gateway-configurations/{id}/settlement-files', [id], params, options, 'reconciliation')
  }
}

export class Reconciliations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List reconciliations.
   *
   * The newest first, unless `order` says otherwise. One for each gateway configuration and day, and one for each file that was handed in.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<Reconciliation> {
    return this.#transport.list('GET /reconciliations', [], params, options, 'reconciliations')
  }

  /**
   * Retrieve a reconciliation.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<Reconciliation>> {
    return this.#transport.call('GET /reconciliations/{id}', [id], params, options, 'reconciliation')
  }
}

export class ReconciliationDifferences {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List differences of reconciliations.
   *
   * The newest first, unless `order` says otherwise. `filter=status:open` lists what is left to be followed up.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams & Expanding, options?: RequestOptions): List<ReconciliationDifference> {
    return this.#transport.list('GET /reconciliation-differences', [], params, options, 'reconciliation_differences')
  }

  /**
   * Retrieve a difference.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, params?: Expanding, options?: RequestOptions): Promise<Answered<ReconciliationDifference>> {
    return this.#transport.call('GET /reconciliation-differences/{id}', [id], params, options, 'reconciliation_difference')
  }

  /**
   * Resolve a difference.
   *
   * Says that nothing is left to be done about it, and why; who has said so is in the audit log. It moves no money and changes no payment. It is not found again.
   *
   * Needs the permission `configuration`.
   */
  resolve(id: string, params: ResolutionInput & Expanding, options?: RequestOptions): Promise<Answered<ReconciliationDifference>> {
    return this.#transport.call('POST /reconciliation-differences/{id}/resolve', [id], params, options, 'reconciliation_difference')
  }
}

export class RuleSets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List versions of the routing rules.
   *
   * The newest first, unless `order` says otherwise. They are listed without their rules.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams, options?: RequestOptions): List<ListedRuleSet> {
    return this.#transport.list('GET /rule-sets', [], params, options, 'rule_sets')
  }

  /**
   * Retrieve a version of the routing rules.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, options?: RequestOptions): Promise<Answered<RuleSet>> {
    return this.#transport.call('GET /rule-sets/{id}', [id], undefined, options, 'rule_set')
  }

  /**
   * Activate a version of the routing rules.
   *
   * It decides from the next payment on. Takes no fields.
   *
   * Needs the permission `configuration`.
   */
  activate(id: string, options?: RequestOptions): Promise<Answered<RuleSet>> {
    return this.#transport.call('POST /rule-sets/{id}/activate', [id], undefined, options, 'rule_set')
  }
}

export class RoutingRules {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Retrieve the routing rules.
   *
   * Needs the permission `read`.
   */
  retrieve(options?: RequestOptions): Promise<Answered<RetrieveRoutingRulesAnswer>> {
    return this.#transport.call('GET /routing-rules', [], undefined, options)
  }

  /**
   * Write the routing rules.
   *
   * Makes the next version, which decides from the next payment on unless `activate` is false.
   *
   * Needs the permission `configuration`.
   */
  create(params: RuleSetInput, options?: RequestOptions): Promise<Answered<RuleSet>> {
    return this.#transport.call('POST /routing-rules', [], params, options, 'rule_set')
  }

  /**
   * Deactivate the routing rules.
   *
   * No version decides any more; all of them stay, and each can be activated again.
   *
   * Needs the permission `configuration`.
   */
  deactivate(options?: RequestOptions): Promise<Answered<DeactivateRoutingRulesAnswer>> {
    return this.#transport.call('DELETE /routing-rules', [], undefined, options)
  }

  /**
   * Explain what becomes of a payment.
   *
   * Of an invoice or a hypothetical payment; by the active rules, or by those of the request. Changes nothing.
   *
   * Needs the permission `read`.
   */
  explain(params?: ExplanationInput, options?: RequestOptions): Promise<Answered<RoutingExplanation>> {
    return this.#transport.call('POST /routing-rules/explain', [], params, options, 'explanation')
  }
}

export class ApiRequests {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List requests of the log.
   *
   * The newest first, unless `order` says otherwise. They are kept for 30 days, and are listed without their bodies.
   *
   * Needs the permission `read`.
   */
  list(params?: ListParams, options?: RequestOptions): List<ListedApiRequest> {
    return this.#transport.list('GET /api-requests', [], params, options, 'api_requests')
  }

  /**
   * Retrieve a logged request.
   *
   * By its own id or by the `X-Request-Id` of its answer: of several with the same, the latest. It can be read within seconds of its answer, and for 30 days.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, options?: RequestOptions): Promise<Answered<ApiRequest>> {
    return this.#transport.call('GET /api-requests/{id}', [id], undefined, options, 'api_request')
  }
}

export class Projects {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Retrieve your project.
   *
   * By the id that is the user of your key, `proj_…` or `test-proj_…`. Other projects are unknown.
   *
   * Needs the permission `read`.
   */
  retrieve(id: string, options?: RequestOptions): Promise<Answered<Project>> {
    return this.#transport.call('GET /projects/{id}', [id], undefined, options, 'project')
  }
}

export class Service {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List the versions of the interface.
   *
   * Needs no key.
   */
  versions(options?: RequestOptions): Promise<Answered<ListVersionsAnswer>> {
    return this.#transport.call('GET /', [], undefined, options)
  }

  /**
   * List the error codes.
   *
   * Needs no key.
   */
  errorCodes(options?: RequestOptions): Promise<Answered<ListErrorCodesAnswer>> {
    return this.#transport.call('GET /error-codes', [], undefined, options)
  }

  /**
   * Whether the process answers.
   *
   * Needs no key.
   */
  checkLiveness(options?: RequestOptions): Promise<Answered<Done>> {
    return this.#transport.call('GET /health/live', [], undefined, options)
  }

  /**
   * Whether the service can work.
   *
   * Needs no key. A process that is about to end answers 503 while it still serves.
   */
  checkReadiness(options?: RequestOptions): Promise<Answered<CheckReadinessAnswer>> {
    return this.#transport.call('GET /health/ready', [], undefined, options)
  }
}

export class Resources {
  readonly invoices: Invoices
  readonly transactions: Transactions
  readonly customers: Customers
  readonly refunds: Refunds
  readonly disputes: Disputes
  readonly cards: Cards
  readonly iins: Iins
  readonly events: Events
  readonly webhookEndpoints: WebhookEndpoints
  readonly gatewayConfigurations: GatewayConfigurations
  readonly reconciliations: Reconciliations
  readonly reconciliationDifferences: ReconciliationDifferences
  readonly ruleSets: RuleSets
  readonly routingRules: RoutingRules
  readonly apiRequests: ApiRequests
  readonly projects: Projects
  readonly service: Service

  constructor(transport: Transport) {
    this.invoices = new Invoices(transport)
    this.transactions = new Transactions(transport)
    this.customers = new Customers(transport)
    this.refunds = new Refunds(transport)
    this.disputes = new Disputes(transport)
    this.cards = new Cards(transport)
    this.iins = new Iins(transport)
    this.events = new Events(transport)
    this.webhookEndpoints = new WebhookEndpoints(transport)
    this.gatewayConfigurations = new GatewayConfigurations(transport)
    this.reconciliations = new Reconciliations(transport)
    this.reconciliationDifferences = new ReconciliationDifferences(transport)
    this.ruleSets = new RuleSets(transport)
    this.routingRules = new RoutingRules(transport)
    this.apiRequests = new ApiRequests(transport)
    this.projects = new Projects(transport)
    this.service = new Service(transport)
  }
}

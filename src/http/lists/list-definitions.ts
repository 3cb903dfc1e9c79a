import { BOOKED_TYPES, DIFFERENCE_KINDS } from '../../../domain/books.ts'
import { REFUND_REASONS } from '../../../domain/command.ts'
import { DISPUTE_STEPS } from '../../../domain/dispute.ts'
import { INVOICE_STATUSES } from '../../../domain/invoice-status.ts'
import { TRANSACTION_STATUSES } from '../../../domain/transaction.ts'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { ApiRequestEntity } from '../../persistence/entities/api-request.ts'
import { CardEntity } from '../../persistence/entities/card.ts'
import { CustomerEntity } from '../../persistence/entities/customer.ts'
import { CustomerTokenEntity, TOKEN_TYPES, VERIFICATION_STATUSES } from '../../persistence/entities/customer-token.ts'
import { DELIVERY_STATUSES, DeliveryEntity } from '../../persistence/entities/delivery.ts'
import { GatewayConfigurationEntity } from '../../persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../persistence/entities/invoice.ts'
import { OperationEntity } from '../../persistence/entities/operation.ts'
import {
  RECONCILIATION_SOURCES,
  RECONCILIATION_STATUSES,
  ReconciliationEntity,
} from '../../persistence/entities/reconciliation.ts'
import {
  DIFFERENCE_STATUSES,
  ReconciliationDifferenceEntity,
} from '../../persistence/entities/reconciliation-difference.ts'
import { REFUND_STATUSES, RefundEntity } from '../../persistence/entities/refund.ts'
import { RuleSetEntity } from '../../persistence/entities/rule-set.ts'
import { TransactionEntity } from '../../persistence/entities/transaction.ts'
import { WebhookEndpointEntity } from '../../persistence/entities/webhook-endpoint.ts'
import {
  hasEmail,
  hasInvoiceStatus,
  hasOrder,
  hasText,
  isOfOrder,
  isOfTransaction,
  triedStatuses,
} from '../../persistence/queries/lists/derived-filters.ts'
import type { FilterField } from '../../persistence/queries/lists/list-conditions.ts'
import type { ListDefinition } from '../../persistence/queries/lists/list-rows.ts'

const keyword = (column: string): FilterField => ({ column, kind: 'keyword' })
const text = (column: string): FilterField => ({ column, kind: 'text' })
const word = (column: string, words: readonly string[]): FilterField => ({
  column,
  kind: 'word',
  words,
})
const boolean = (column: string): FilterField => ({ column, kind: 'boolean' })
const amount = (column: string): FilterField => ({ column, kind: 'amount' })
const instant = (column: string): FilterField => ({ column, kind: 'instant' })

const CREATED = { created_at: instant('created_at') }
const METADATA: FilterField = { column: 'metadata', kind: 'metadata' }
const CURRENCY: FilterField = { column: 'currency', kind: 'currency' }

/** The lists by their API names, with their tables and filters. */
export const LISTS = {
  invoices: {
    entity: InvoiceEntity,
    filters: {
      status: { column: hasInvoiceStatus, kind: 'word', words: INVOICE_STATUSES, statuses: triedStatuses },
      name: text('name'),
      order_id: { column: hasOrder, kind: 'keyword' },
      reference_id: keyword('reference_id'),
      customer_id: keyword('customer_id'),
      token_id: keyword('token_id'),
      currency: CURRENCY,
      amount: amount('amount_minor'),
      incremental: boolean('incremental'),
      verification: boolean('verification'),
      merchant_initiator_type: keyword('merchant_initiator_type'),
      payment_intent: keyword('payment_intent'),
      metadata: METADATA,
      ...CREATED,
      expires_at: instant('expires_at'),
    },
  },
  transactions: {
    entity: TransactionEntity,
    filters: {
      status: { ...word('status', TRANSACTION_STATUSES), statuses: (status) => [status] },
      invoice_id: keyword('invoice_id'),
      order_id: { column: isOfOrder, kind: 'keyword' },
      customer_id: keyword('customer_id'),
      token_id: keyword('token_id'),
      card_id: keyword('card_id'),
      gateway_configuration_id: keyword('gateway_configuration_id'),
      gateway_name: keyword('gateway_name'),
      name: text('name'),
      currency: CURRENCY,
      amount: amount('amount_minor'),
      authorized_amount: amount('authorized_minor'),
      captured_amount: amount('captured_minor'),
      refunded_amount: amount('refunded_minor'),
      incremental: boolean('incremental'),
      error_code: keyword('error_code'),
      scheme_id: keyword('scheme_id'),
      metadata: METADATA,
      ...CREATED,
      authorized_at: instant('authorized_at'),
      captured_at: instant('captured_at'),
      authorization_expires_at: instant('authorization_expires_at'),
    },
  },
  cards: {
    entity: CardEntity,
    omits: ['number_ciphertext'],
    filters: {
      scheme: keyword('scheme'),
      co_scheme: keyword('co_scheme'),
      type: keyword('type'),
      country_code: keyword('country_code'),
      iin: keyword('iin'),
      last_4_digits: keyword('last4_digits'),
      fingerprint: keyword('fingerprint'),
      name: text('name'),
      ...CREATED,
    },
  },
  customers: {
    entity: CustomerEntity,
    filters: {
      email: { column: hasEmail, kind: 'email' },
      first_name: text('first_name'),
      last_name: text('last_name'),
      reference_id: keyword('reference_id'),
      country_code: keyword('country_code'),
      currency: CURRENCY,
      is_business: boolean('is_business'),
      ...CREATED,
      registered_at: instant('registered_at'),
    },
  },
  tokens: {
    entity: CustomerTokenEntity,
    filters: {
      type: word('type', TOKEN_TYPES),
      verification_status: word('verification_status', VERIFICATION_STATUSES),
      is_chargeable: boolean('is_chargeable'),
      card_id: keyword('card_id'),
      ...CREATED,
    },
  },
  refunds: {
    entity: RefundEntity,
    filters: {
      transaction_id: keyword('transaction_id'),
      status: word('status', REFUND_STATUSES),
      reason: word('reason', REFUND_REASONS),
      currency: CURRENCY,
      amount: amount('amount_minor'),
      error_code: keyword('error_code'),
      metadata: METADATA,
      ...CREATED,
    },
  },
  disputes: {
    entity: OperationEntity,
    filters: {
      transaction_id: keyword('transaction_id'),
      step: word('dispute_step', DISPUTE_STEPS),
      chargeback_reason: keyword('chargeback_reason'),
      currency: CURRENCY,
      amount: amount('amount_minor'),
      gateway_configuration_id: keyword('gateway_configuration_id'),
      ...CREATED,
    },
  },
  gateway_configurations: {
    entity: GatewayConfigurationEntity,
    omits: ['credentials_ciphertext'],
    filters: {
      gateway_name: keyword('gateway_name'),
      name: text('name'),
      enabled: boolean('enabled'),
      ...CREATED,
    },
  },
  reconciliations: {
    entity: ReconciliationEntity,
    omits: ['file_hash', 'list_cursor'],
    filters: {
      status: word('status', RECONCILIATION_STATUSES),
      source: word('source', RECONCILIATION_SOURCES),
      gateway_configuration_id: keyword('gateway_configuration_id'),
      ...CREATED,
    },
  },
  reconciliation_differences: {
    entity: ReconciliationDifferenceEntity,
    filters: {
      status: word('status', DIFFERENCE_STATUSES),
      kind: word('kind', DIFFERENCE_KINDS),
      type: word('type', BOOKED_TYPES),
      reconciliation_id: keyword('reconciliation_id'),
      gateway_configuration_id: keyword('gateway_configuration_id'),
      transaction_id: keyword('transaction_id'),
      gateway_reference: keyword('gateway_reference'),
      ...CREATED,
    },
  },
  api_requests: {
    entity: ApiRequestEntity,
    omits: ['request_body', 'response_body'],
    filters: {
      request_id: { column: hasText('request_id'), kind: 'keyword' },
      method: word('method', ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
      path: { column: hasText('path'), kind: 'keyword' },
      status: { column: 'status', kind: 'integer' },
      error_type: keyword('error_type'),
      has_idempotency_key: boolean('has_idempotency_key'),
      ...CREATED,
    },
  },
  rule_sets: {
    entity: RuleSetEntity,
    omits: ['text', 'rules'],
    filters: {
      version: { column: 'version', kind: 'integer' },
      created_by: keyword('created_by'),
      ...CREATED,
    },
  },
  webhooks: {
    entity: DeliveryEntity,
    filters: {
      status: word('status', DELIVERY_STATUSES),
      request_url: keyword('target_url'),
      ...CREATED,
    },
  },
  webhook_endpoints: {
    entity: WebhookEndpointEntity,
    filters: {
      url: keyword('url'),
      enabled: boolean('enabled'),
      ...CREATED,
    },
  },
} as const satisfies Record<string, ListDefinition>

export type ListName = keyof typeof LISTS

/** The filters of the list of events. That list has an order of its own, so it is no `ListDefinition`. */
export const EVENT_FILTERS = {
  name: word('name', Object.keys(EVENT_NAMES)),
  invoice_id: keyword('invoice_id'),
  transaction_id: { column: isOfTransaction, kind: 'keyword' },
  fired_at: instant('fired_at'),
} as const satisfies ListDefinition['filters']

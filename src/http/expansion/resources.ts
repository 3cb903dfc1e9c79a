import { presentListedApiRequest } from '../../objects/api-request.ts'
import { presentCard } from '../../objects/card.ts'
import { presentCustomer } from '../../objects/customer.ts'
import { presentEvent } from '../../objects/event.ts'
import { presentDispute, presentOperation } from '../../objects/operation.ts'
import { presentReconciliation, presentReconciliationDifference } from '../../objects/reconciliation.ts'
import { presentRefund } from '../../objects/refund.ts'
import { presentTransaction } from '../../objects/transaction.ts'
import { presentWebhookAttempt } from '../../objects/webhook-delivery.ts'
import { ApiRequestEntity, type ApiRequestRow } from '../../persistence/entities/api-request.ts'
import { CardEntity, type CardRow } from '../../persistence/entities/card.ts'
import { CustomerEntity, type CustomerRow } from '../../persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../persistence/entities/customer-token.ts'
import { DeliveryEntity } from '../../persistence/entities/delivery.ts'
import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../persistence/entities/delivery-attempt.ts'
import { EventEntity, type EventRow } from '../../persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../persistence/entities/invoice.ts'
import { OperationEntity, type OperationRow } from '../../persistence/entities/operation.ts'
import { ReconciliationEntity, type ReconciliationRow } from '../../persistence/entities/reconciliation.ts'
import {
  ReconciliationDifferenceEntity,
  type ReconciliationDifferenceRow,
} from '../../persistence/entities/reconciliation-difference.ts'
import { RefundEntity, type RefundRow } from '../../persistence/entities/refund.ts'
import { RuleSetEntity } from '../../persistence/entities/rule-set.ts'
import { TransactionEntity, type TransactionRow } from '../../persistence/entities/transaction.ts'
import { WebhookEndpointEntity } from '../../persistence/entities/webhook-endpoint.ts'
import type { AddressedKind } from '../input/identifier.ts'
import {
  BESIDE_DELIVERY,
  BESIDE_INVOICE,
  presentDeliveries,
  presentEndpoints,
  presentGatewayConfigurations,
  presentInvoices,
  presentRuleSets,
  presentTokens,
} from './present-many.ts'
import { belongsTo, hasMany, hasOne, type Resource } from './resource.ts'

/** All kinds of objects that can be listed or shown inside another. */
export const RESOURCES = {
  invoice: {
    entity: InvoiceEntity,
    kind: 'invoice',
    beside: BESIDE_INVOICE,
    present: presentInvoices,
    relations: {
      transaction: hasOne('transaction', 'invoiceId'),
      customer: belongsTo('customer', 'customerId'),
      token: belongsTo('token', 'tokenId'),
    },
  },
  transaction: {
    entity: TransactionEntity,
    kind: 'transaction',
    present: (_, rows: readonly TransactionRow[]) => rows.map((row) => presentTransaction(row)),
    relations: {
      invoice: belongsTo('invoice', 'invoiceId'),
      customer: belongsTo('customer', 'customerId'),
      token: belongsTo('token', 'tokenId'),
      card: belongsTo('card', 'cardId'),
      gateway_configuration: belongsTo('gateway_configuration', 'gatewayConfigurationId'),
      operations: hasMany('operation', 'transactionId'),
      refunds: hasMany('refund', 'transactionId'),
    },
  },
  operation: {
    entity: OperationEntity,
    kind: 'operation',
    order: ['position'],
    present: (_, rows: readonly OperationRow[]) => rows.map(presentOperation),
    relations: {},
  },
  dispute: {
    entity: OperationEntity,
    kind: 'operation',
    order: ['position'],
    present: (_, rows: readonly OperationRow[]) => rows.map(presentDispute),
    relations: { transaction: belongsTo('transaction', 'transactionId') },
  },
  card: {
    entity: CardEntity,
    kind: 'card',
    present: ({ now }, rows: readonly CardRow[]) => rows.map((row) => presentCard(row, now)),
    relations: { token: belongsTo('token', 'usedByTokenId') },
  },
  customer: {
    entity: CustomerEntity,
    kind: 'customer',
    present: (_, rows: readonly CustomerRow[]) => rows.map((row) => presentCustomer(row)),
    relations: {
      default_token: belongsTo('token', 'defaultTokenId'),
      tokens: hasMany('token', 'customerId'),
      transactions: hasMany('transaction', 'customerId'),
    },
  },
  token: {
    entity: CustomerTokenEntity,
    kind: 'token',
    present: presentTokens,
    relations: {
      customer: belongsTo('customer', 'customerId'),
      card: belongsTo('card', 'cardId'),
      gateway_configuration: belongsTo('gateway_configuration', 'gatewayConfigurationId'),
      invoice: belongsTo('invoice', 'invoiceId'),
    },
  },
  refund: {
    entity: RefundEntity,
    kind: 'refund',
    present: (_, rows: readonly RefundRow[]) => rows.map(presentRefund),
    relations: { transaction: belongsTo('transaction', 'transactionId') },
  },
  reconciliation: {
    entity: ReconciliationEntity,
    kind: 'reconciliation',
    present: (_, rows: readonly ReconciliationRow[]) => rows.map(presentReconciliation),
    relations: { gateway_configuration: belongsTo('gateway_configuration', 'gatewayConfigurationId') },
  },
  reconciliation_difference: {
    entity: ReconciliationDifferenceEntity,
    kind: 'reconciliationDifference',
    present: (_, rows: readonly ReconciliationDifferenceRow[]) => rows.map(presentReconciliationDifference),
    relations: {
      reconciliation: belongsTo('reconciliation', 'reconciliationId'),
      gateway_configuration: belongsTo('gateway_configuration', 'gatewayConfigurationId'),
      transaction: belongsTo('transaction', 'transactionId'),
    },
  },
  gateway_configuration: {
    entity: GatewayConfigurationEntity,
    kind: 'gatewayConfiguration',
    present: presentGatewayConfigurations,
    alwaysShown: ['gateway'],
    relations: {},
  },
  event: {
    entity: EventEntity,
    kind: 'event',
    order: ['firedAt', 'id'],
    present: (_, rows: readonly EventRow[]) => rows.map(presentEvent),
    relations: { webhooks: hasMany('webhook', 'eventId') },
  },
  api_request: {
    entity: ApiRequestEntity,
    kind: 'apiRequest',
    present: (_, rows: readonly ApiRequestRow[]) => rows.map(presentListedApiRequest),
    relations: {},
  },
  rule_set: {
    entity: RuleSetEntity,
    kind: 'ruleSet',
    order: ['version'],
    present: presentRuleSets,
    relations: {},
  },
  webhook: {
    entity: DeliveryEntity,
    kind: 'delivery',
    beside: BESIDE_DELIVERY,
    present: presentDeliveries,
    relations: {
      event: belongsTo('event', 'eventId'),
      attempts: hasMany('webhook_attempt', 'deliveryId'),
    },
  },
  webhook_attempt: {
    entity: DeliveryAttemptEntity,
    kind: 'deliveryAttempt',
    order: ['run', 'attempt'],
    present: (_, rows: readonly DeliveryAttemptRow[]) => rows.map(presentWebhookAttempt),
    relations: {},
  },
  webhook_endpoint: {
    entity: WebhookEndpointEntity,
    kind: 'webhookEndpoint',
    present: presentEndpoints,
    relations: {},
  },
} as const satisfies Record<string, Resource>

export type ResourceName = keyof typeof RESOURCES

/** Those that an address can name by id. */
export type AddressedName = {
  [Name in ResourceName]: (typeof RESOURCES)[Name]['kind'] extends AddressedKind ? Name : never
}[ResourceName]

/** A resource; the types check the targets of its relations. */
export function resourceOf(name: ResourceName): Resource<ResourceName> {
  return RESOURCES[name]
}

import { presentListedApiRequest } from '../../objects/api-request.ts'
import { presentCard } from '../../objects/card.ts'
import { presentCustomer } from '../../objects/customer.ts'
import { presentEvent } from '../../objects/event.ts'
import { presentDispute, presentOperation } from '../../objects/operation.ts'
import { presentReconciliation, presentReconciliationDifference } from '../../objects/reconciliation.ts'
import { presentRefund } from '../../objects/refund.ts'
import { presentTransaction } from '../../objects/transaction.ts'
import { presentWebhookAttempt } from '../../objects/webhook-delivery.ts'
import { ApiRequestEntity } from '../../persistence/entities/api-request.ts'
import { CardEntity } from '../../persistence/entities/card.ts'
import { CustomerEntity } from '../../persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../persistence/entities/customer-token.ts'
import { DeliveryEntity } from '../../persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../persistence/entities/invoice.ts'
import { OperationEntity } from '../../persistence/entities/operation.ts'
import { ReconciliationEntity } from '../../persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../persistence/entities/reconciliation-difference.ts'
import { RefundEntity } from '../../persistence/entities/refund.ts'
import { RuleSetEntity } from '../../persistence/entities/rule-set.ts'
import { TransactionEntity } from '../../persistence/entities/transaction.ts'
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
import { belongsTo, each, hasMany, hasOne, type Resource } from './resource.ts'

/** All kinds of objects that can be listed or shown inside another. */
export const RESOURCES = {
  invoice: {
    entity: InvoiceEntity,
    kind: 'invoice',
    beside: BESIDE_INVOICE,
    present: presentInvoices,
    relations: {
      transaction: hasOne('transaction', 'invoiceId'),
      customer: belongsTo('customer'),
      token: belongsTo('token'),
    },
  },
  transaction: {
    entity: TransactionEntity,
    kind: 'transaction',
    present: each(presentTransaction),
    relations: {
      invoice: belongsTo('invoice'),
      customer: belongsTo('customer'),
      token: belongsTo('token'),
      card: belongsTo('card'),
      gateway_configuration: belongsTo('gateway_configuration'),
      operations: hasMany('operation', 'transactionId'),
      refunds: hasMany('refund', 'transactionId'),
    },
  },
  operation: {
    entity: OperationEntity,
    kind: 'operation',
    order: ['position'],
    present: each(presentOperation),
    relations: {},
  },
  dispute: {
    entity: OperationEntity,
    kind: 'operation',
    order: ['position'],
    present: each(presentDispute),
    relations: { transaction: belongsTo('transaction') },
  },
  card: {
    entity: CardEntity,
    kind: 'card',
    present: each(presentCard),
    relations: { token: belongsTo('token', 'usedByTokenId') },
  },
  customer: {
    entity: CustomerEntity,
    kind: 'customer',
    present: each(presentCustomer),
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
      customer: belongsTo('customer'),
      card: belongsTo('card'),
      gateway_configuration: belongsTo('gateway_configuration'),
      invoice: belongsTo('invoice'),
    },
  },
  refund: {
    entity: RefundEntity,
    kind: 'refund',
    present: each(presentRefund),
    relations: { transaction: belongsTo('transaction') },
  },
  reconciliation: {
    entity: ReconciliationEntity,
    kind: 'reconciliation',
    present: each(presentReconciliation),
    relations: { gateway_configuration: belongsTo('gateway_configuration') },
  },
  reconciliation_difference: {
    entity: ReconciliationDifferenceEntity,
    kind: 'reconciliationDifference',
    present: each(presentReconciliationDifference),
    relations: {
      reconciliation: belongsTo('reconciliation'),
      gateway_configuration: belongsTo('gateway_configuration'),
      transaction: belongsTo('transaction'),
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
    present: each(presentEvent),
    relations: { webhooks: hasMany('webhook', 'eventId') },
  },
  api_request: { entity: ApiRequestEntity, kind: 'apiRequest', present: each(presentListedApiRequest), relations: {} },
  rule_set: { entity: RuleSetEntity, kind: 'ruleSet', order: ['version'], present: presentRuleSets, relations: {} },
  webhook: {
    entity: DeliveryEntity,
    kind: 'delivery',
    beside: BESIDE_DELIVERY,
    present: presentDeliveries,
    relations: {
      event: belongsTo('event'),
      attempts: hasMany('webhook_attempt', 'deliveryId'),
    },
  },
  webhook_attempt: {
    entity: DeliveryAttemptEntity,
    kind: 'deliveryAttempt',
    order: ['run', 'attempt'],
    present: each(presentWebhookAttempt),
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

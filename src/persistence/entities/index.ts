import { ActiveRuleSetEntity } from './active-rule-set.ts'
import { ApiKeyEntity } from './api-key.ts'
import { ApiRequestEntity } from './api-request.ts'
import { CardEntity } from './card.ts'
import { CardSecurityCodeEntity } from './card-security-code.ts'
import { CommandNoteEntity } from './command-note.ts'
import { CustomerEntity } from './customer.ts'
import { CustomerTokenEntity } from './customer-token.ts'
import { DeliveryEntity } from './delivery.ts'
import { DeliveryAttemptEntity } from './delivery-attempt.ts'
import { EventEntity } from './event.ts'
import { ExternalAuthenticationEntity } from './external-authentication.ts'
import { GatewayCircuitEntity } from './gateway-circuit.ts'
import { GatewayConfigurationEntity } from './gateway-configuration.ts'
import { GatewayNotificationEntity } from './gateway-notification.ts'
import { IdempotencyKeyEntity } from './idempotency-key.ts'
import { InvoiceEntity } from './invoice.ts'
import { InvoiceDetailEntity } from './invoice-detail.ts'
import { NotificationRefusalEntity } from './notification-refusal.ts'
import { OperationEntity } from './operation.ts'
import { PersonEntity } from './person.ts'
import { ProjectEntity } from './project.ts'
import { ProjectMemberEntity } from './project-member.ts'
import { ReconciliationEntity } from './reconciliation.ts'
import { ReconciliationDifferenceEntity } from './reconciliation-difference.ts'
import { RefundEntity } from './refund.ts'
import { RuleSetEntity } from './rule-set.ts'
import { TransactionEntity } from './transaction.ts'
import { VelocityRecordEntity } from './velocity-record.ts'
import { WebhookEndpointEntity } from './webhook-endpoint.ts'
import { WebhookSecretEntity } from './webhook-secret.ts'
import { WithdrawnCommandEntity } from './withdrawn-command.ts'

/** All tables, listed by hand: discovery by file name would hide the extent of the schema. */
export const ENTITIES = [
  ProjectEntity,
  PersonEntity,
  ProjectMemberEntity,
  ApiKeyEntity,
  ApiRequestEntity,
  CardEntity,
  CardSecurityCodeEntity,
  CustomerEntity,
  CustomerTokenEntity,
  GatewayConfigurationEntity,
  ExternalAuthenticationEntity,
  GatewayCircuitEntity,
  RuleSetEntity,
  ActiveRuleSetEntity,
  InvoiceEntity,
  InvoiceDetailEntity,
  TransactionEntity,
  OperationEntity,
  VelocityRecordEntity,
  RefundEntity,
  GatewayNotificationEntity,
  NotificationRefusalEntity,
  ReconciliationEntity,
  ReconciliationDifferenceEntity,
  CommandNoteEntity,
  EventEntity,
  WebhookEndpointEntity,
  WebhookSecretEntity,
  DeliveryEntity,
  DeliveryAttemptEntity,
  WithdrawnCommandEntity,
  IdempotencyKeyEntity,
]

import { ActiveRuleSetEntity } from '../../src/persistence/entities/active-rule-set.ts'
import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { CommandNoteEntity } from '../../src/persistence/entities/command-note.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { ExternalAuthenticationEntity } from '../../src/persistence/entities/external-authentication.ts'
import { GatewayCircuitEntity } from '../../src/persistence/entities/gateway-circuit.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { PersonEntity } from '../../src/persistence/entities/person.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { ProjectMemberEntity } from '../../src/persistence/entities/project-member.ts'
import { ReconciliationEntity } from '../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../src/persistence/entities/reconciliation-difference.ts'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { RuleSetEntity } from '../../src/persistence/entities/rule-set.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { WebhookEndpointEntity } from '../../src/persistence/entities/webhook-endpoint.ts'
import { WebhookSecretEntity } from '../../src/persistence/entities/webhook-secret.ts'
import { WithdrawnCommandEntity } from '../../src/persistence/entities/withdrawn-command.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import type { Rows } from './rows.ts'

/** Each row with its table. Rows that refer to each other are checked at the commit. */
export const TABLES = [
  ['project', ProjectEntity],
  ['apiKey', ApiKeyEntity],
  ['person', PersonEntity],
  ['projectMember', ProjectMemberEntity],
  ['apiRequest', ApiRequestEntity],
  ['gatewayConfiguration', GatewayConfigurationEntity],
  ['gatewayCircuit', GatewayCircuitEntity],
  ['deletedGatewayConfiguration', GatewayConfigurationEntity],
  ['ruleSet', RuleSetEntity],
  ['activeRuleSet', ActiveRuleSetEntity],
  ['invoice', InvoiceEntity],
  ['invoiceDetail', InvoiceDetailEntity],
  ['card', CardEntity],
  ['deletedCard', CardEntity],
  ['customer', CustomerEntity],
  ['deletedCustomer', CustomerEntity],
  ['token', CustomerTokenEntity],
  ['securityCode', CardSecurityCodeEntity],
  ['transaction', TransactionEntity],
  ['attempt', OperationEntity],
  ['velocityRecord', VelocityRecordEntity],
  ['result', OperationEntity],
  ['refund', RefundEntity],
  ['reconciliation', ReconciliationEntity],
  ['waitingReconciliation', ReconciliationEntity],
  ['reconciliationDifference', ReconciliationDifferenceEntity],
  ['commandNote', CommandNoteEntity],
  ['externalAuthentication', ExternalAuthenticationEntity],
  ['event', EventEntity],
  ['webhookEndpoint', WebhookEndpointEntity],
  ['webhookSecret', WebhookSecretEntity],
  ['delivery', DeliveryEntity],
  ['deliveryAttempt', DeliveryAttemptEntity],
  ['withdrawnCommand', WithdrawnCommandEntity],
  ['idempotencyKey', IdempotencyKeyEntity],
] as const

export async function insertRows(em: EntityManager, rows: Rows): Promise<void> {
  await em.transactional(async (inner) => {
    for (const [name, entity] of TABLES) await inner.insert(entity as never, rows[name] as never)
    await inner.insert(GatewayNotificationEntity, rows.gatewayNotification)
  })
}

import { ApiKeyEntity } from './api-key.ts'
import { CardEntity } from './card.ts'
import { CardSecurityCodeEntity } from './card-security-code.ts'
import { DeliveryEntity } from './delivery.ts'
import { DeliveryAttemptEntity } from './delivery-attempt.ts'
import { EventEntity } from './event.ts'
import { GatewayConfigurationEntity } from './gateway-configuration.ts'
import { InvoiceEntity } from './invoice.ts'
import { OperationEntity } from './operation.ts'
import { ProjectEntity } from './project.ts'
import { TransactionEntity } from './transaction.ts'
import { WithdrawnCommandEntity } from './withdrawn-command.ts'

/** Every table, listed by hand: discovery by file name would hide what belongs to the schema. */
export const ENTITIES = [
  ProjectEntity,
  ApiKeyEntity,
  CardEntity,
  CardSecurityCodeEntity,
  GatewayConfigurationEntity,
  InvoiceEntity,
  TransactionEntity,
  OperationEntity,
  EventEntity,
  DeliveryEntity,
  DeliveryAttemptEntity,
  WithdrawnCommandEntity,
]

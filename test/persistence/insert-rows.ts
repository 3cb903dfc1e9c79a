import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { WithdrawnCommandEntity } from '../../src/persistence/entities/withdrawn-command.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import type { Rows } from './rows.ts'

/** Each row with its table, in an order that the foreign keys allow. */
export const TABLES = [
  ['project', ProjectEntity],
  ['apiKey', ApiKeyEntity],
  ['gatewayConfiguration', GatewayConfigurationEntity],
  ['invoice', InvoiceEntity],
  ['card', CardEntity],
  ['securityCode', CardSecurityCodeEntity],
  ['transaction', TransactionEntity],
  ['attempt', OperationEntity],
  ['result', OperationEntity],
  ['event', EventEntity],
  ['delivery', DeliveryEntity],
  ['deliveryAttempt', DeliveryAttemptEntity],
  ['withdrawnCommand', WithdrawnCommandEntity],
] as const

export async function insertRows(em: EntityManager, rows: Rows): Promise<void> {
  for (const [name, entity] of TABLES) await em.insert(entity as never, rows[name] as never)
}

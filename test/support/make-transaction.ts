import type { TransactionStatus } from '../../domain/transaction.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { TRANSACTION_DEFAULTS } from './row-defaults.ts'

/** Gives an invoice a transaction in this status, as a payment would that moved no money. */
export async function makeTransaction(
  em: EntityManager,
  invoiceId: string,
  status: TransactionStatus,
): Promise<string> {
  const { projectId, sandbox, name, currency, amountMinor, createdAt } = await em.findOneOrFail(
    InvoiceEntity,
    invoiceId,
  )
  const [, own = ''] = invoiceId.split('_')
  const owner = { projectId, sandbox, name, createdAt }
  em.create(GatewayConfigurationEntity, {
    ...owner,
    id: `gway_conf_${own}`,
    gatewayName: 'simulator',
    enabled: true,
  })
  em.create(TransactionEntity, {
    ...TRANSACTION_DEFAULTS,
    ...owner,
    id: `tr_${own}`,
    invoiceId,
    gatewayConfigurationId: `gway_conf_${own}`,
    currency,
    status,
    amountMinor,
    updatedAt: createdAt,
  })
  await em.flush()
  return `tr_${own}`
}

import {
  GatewayConfigurationEntity,
  type GatewayConfigurationRow,
} from '../../../src/persistence/entities/gateway-configuration.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { findRow, type Reader } from '../../../src/persistence/rows.ts'

/** The merchant's account that an attempt goes to. Another try of the payment may have gone, or may go, to another one. */
export async function configurationOf(
  reader: Reader,
  { gatewayConfigurationId: ofOperation, projectId, sandbox }: OperationRow,
  { gatewayConfigurationId: ofTransaction }: Pick<TransactionRow, 'gatewayConfigurationId'>,
  atHand: readonly GatewayConfigurationRow[] = [],
): Promise<GatewayConfigurationRow> {
  const id = ofOperation ?? ofTransaction
  if (id == null) throw new Error('An attempt goes to a gateway configuration.')
  const configuration =
    atHand.find((one) => one.id === id) ??
    (await findRow(reader, GatewayConfigurationEntity, { id, projectId, sandbox }))
  if (configuration === null) throw new Error(`${id} is no gateway configuration of the project.`)
  return configuration
}

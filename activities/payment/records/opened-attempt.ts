import {
  GatewayConfigurationEntity,
  type GatewayConfigurationRow,
} from '../../../src/persistence/entities/gateway-configuration.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { findCardOf } from '../../../src/persistence/queries/customers/cards.ts'
import type { OpenedPayment } from '../../../src/persistence/queries/payments/open-payment.ts'
import { findRow } from '../../../src/persistence/rows.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { Attempt } from '../attempt.ts'

/** An attempt of an opened payment with everything that its call needs; null if the payment has no such attempt. */
export async function openedAttempt(
  unit: Unit,
  { invoice, transaction, operations, gatewayConfigurations }: OpenedPayment,
  operationId: string,
): Promise<Attempt | null> {
  const operation = operations.find(({ id, isAttempt }) => isAttempt && id === operationId)
  if (transaction === null || operation === undefined) return null
  const configuration = await configurationOf(unit, operation, transaction, gatewayConfigurations)
  return { invoice, transaction, operation, card: await findCardOf(unit, operation), configuration, source: null }
}

/** The gateway configuration of an attempt. Other tries of the payment may use other configurations. */
export async function configurationOf(
  unit: Unit,
  { gatewayConfigurationId: ofOperation, projectId, sandbox }: OperationRow,
  { gatewayConfigurationId: ofTransaction }: Pick<TransactionRow, 'gatewayConfigurationId'>,
  atHand: readonly GatewayConfigurationRow[] = [],
): Promise<GatewayConfigurationRow> {
  const id = ofOperation ?? ofTransaction
  if (id == null) throw new Error('The attempt has no gateway configuration.')
  const configuration =
    atHand.find((one) => one.id === id) ?? (await findRow(unit, GatewayConfigurationEntity, { id, projectId, sandbox }))
  if (configuration === null) throw new Error(`${id} is no gateway configuration of the project.`)
  return configuration
}

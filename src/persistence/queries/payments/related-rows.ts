import type { EntityName } from '@mikro-orm/postgresql'
import { CustomerEntity, type CustomerRow } from '../../entities/customer.ts'
import { CustomerTokenEntity, type CustomerTokenRow } from '../../entities/customer-token.ts'
import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../entities/invoice.ts'
import type { InvoiceDetailRow } from '../../entities/invoice-detail.ts'
import type { OperationRow } from '../../entities/operation.ts'
import { RefundEntity, type RefundRow } from '../../entities/refund.ts'
import type { TransactionRow } from '../../entities/transaction.ts'
import { findRows, type JsonRow, plainRows, type Reader } from '../../rows.ts'
import { findInvoiceDetails } from '../invoices/invoice-details.ts'

/** The rows that an event shows of a payment, besides those that the change has loaded. */
export interface RelatedRows {
  /** The lines of the invoice in their order. */
  details: InvoiceDetailRow[]
  gatewayConfiguration: GatewayConfigurationRow | null
  /** Null also where it was deleted, as in every answer. */
  customer: CustomerRow | null
  token: CustomerTokenRow | null
  /** The oldest first. */
  refunds: RefundRow[]
}

interface KnownRows {
  invoice: InvoiceRow
  transaction: TransactionRow
  operations: readonly OperationRow[]
  /** Configurations that were read already; that of the transaction may be among them. */
  gatewayConfigurations?: readonly GatewayConfigurationRow[]
  /** The refund that the change is about; it may be unwritten. */
  refund?: RefundRow | null
}

/**
 * The rows that belong to a payment, with the unwritten changes of the caller's unit of work. Every authorization and
 * capture runs it, so it needs one statement without lines and refunds, and none where the configuration is loaded and
 * there is no customer.
 */
export async function findRelatedRows(reader: Reader, known: KnownRows): Promise<RelatedRows> {
  const { invoice, transaction } = known
  const details = invoice.hasDetails ? await findInvoiceDetails(reader, transaction, invoice.id) : []
  return {
    details,
    refunds: await findRefunds(reader, known),
    ...(await findOwners(reader, transaction, known.gatewayConfigurations ?? [])),
  }
}

async function findRefunds(reader: Reader, { transaction, operations, refund }: KnownRows): Promise<RefundRow[]> {
  if (!operations.some(({ refundId }) => refundId != null)) return []
  const written = await findRows(reader, RefundEntity, { transactionId: transaction.id }, 'createdAt')
  return refund == null || written.includes(refund) ? written : [...written, refund]
}

type Owners = Pick<RelatedRows, 'gatewayConfiguration' | 'customer' | 'token'>

/**
 * The gateway configuration, customer and token of a transaction. The customer is locked against deletion: a deletion would
 * miss the rows that this transaction has not committed yet.
 */
async function findOwners(
  reader: Reader,
  transaction: TransactionRow,
  atHand: readonly GatewayConfigurationRow[],
): Promise<Owners> {
  const { projectId, sandbox, customerId = null, tokenId = null } = transaction
  const gatewayConfigurationId = transaction.gatewayConfigurationId ?? null
  const gatewayConfiguration = atHand.find(({ id }) => id === gatewayConfigurationId) ?? null
  const known = tokenId === null ? null : reader.known?.(CustomerTokenEntity, { id: tokenId })
  const hasGateway = gatewayConfiguration !== null || gatewayConfigurationId === null
  if (hasGateway && customerId === null && known !== undefined)
    return { gatewayConfiguration, customer: null, token: known }
  const one = (id: string | null) => [projectId, sandbox, id]
  const [found] = await reader.execute<Found[]>(OWNERS, [
    ...one(gatewayConfigurationId),
    ...one(customerId),
    ...one(tokenId),
  ])
  const rowOf = <Row extends object>(entity: EntityName<Row>, json: JsonRow | null | undefined) =>
    json == null ? null : plainRows(reader, entity)(json)
  return {
    gatewayConfiguration: gatewayConfiguration ?? rowOf(GatewayConfigurationEntity, found?.gateway_configuration),
    customer: rowOf(CustomerEntity, found?.customer),
    token: known ?? rowOf(CustomerTokenEntity, found?.customer_token),
  }
}

const OWNERS = `
  select
    (select to_jsonb(gateway_configuration) - 'credentials_ciphertext' from gateway_configuration
      where project_id = ? and sandbox = ? and id = ?) as gateway_configuration,
    (select to_jsonb(customer) from customer
      where project_id = ? and sandbox = ? and id = ? and deleted_at is null for key share) as customer,
    (select to_jsonb(customer_token) from customer_token
      where project_id = ? and sandbox = ? and id = ? and deleted_at is null) as customer_token`

/** Rows by their columns. */
type Found = Record<'gateway_configuration' | 'customer' | 'customer_token', JsonRow | null>

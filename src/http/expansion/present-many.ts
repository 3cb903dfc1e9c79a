import { installedGateway } from '../../gateways/installed.ts'
import { presentGatewayConfiguration } from '../../objects/gateway-configuration.ts'
import { presentInvoice } from '../../objects/invoice.ts'
import { presentListedRuleSet } from '../../objects/rule-set.ts'
import { presentToken } from '../../objects/token.ts'
import { presentWebhookDelivery } from '../../objects/webhook-delivery.ts'
import { presentWebhookEndpoint } from '../../objects/webhook-endpoint.ts'
import { CustomerEntity, type CustomerRow } from '../../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { DeliveryRow } from '../../persistence/entities/delivery.ts'
import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../persistence/entities/delivery-attempt.ts'
import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import { InvoiceDetailEntity, type InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import type { RuleSetRow } from '../../persistence/entities/rule-set.ts'
import { TransactionEntity, type TransactionRow } from '../../persistence/entities/transaction.ts'
import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import { findDetailsOfInvoices } from '../../persistence/queries/invoices/invoice-details.ts'
import type { ListEntity } from '../../persistence/queries/lists/list-entity.ts'
import { findRelated } from '../../persistence/queries/lists/list-related.ts'
import { findCircuits } from '../../persistence/queries/projects/circuits.ts'
import { findActivation } from '../../persistence/queries/routing/rule-sets.ts'
import { findPublicKeys } from '../../persistence/queries/webhooks/webhook-secrets.ts'
import { type JsonRow, plainRows } from '../../persistence/rows.ts'
import type { Presented, Reader } from './resource.ts'

/** The id and status of an invoice's transaction, and its lines, as `presentInvoices` reads them with the row. */
export const BESIDE_INVOICE = `json_build_object(
  'transaction', (select json_build_object('id', paid.id, 'status', paid.status) from transaction paid
    where paid.project_id = found.project_id and paid.sandbox = found.sandbox and paid.invoice_id = found.id),
  'details', case when found.has_details then
    (select json_agg(row_to_json(line) order by line.position) from invoice_detail line
      where line.project_id = found.project_id and line.sandbox = found.sandbox and line.invoice_id = found.id) end)`

interface BesideInvoice {
  transaction: Pick<TransactionRow, 'id' | 'status'> | null
  details: JsonRow[] | null
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** The rows of an entity that have at most one row for each value of the property. */
async function findOneEach<Row>({ em, scope }: Reader, entity: ListEntity, property: string, values: string[]) {
  const request = { entity, property, values, order: ['id'], limit: values.length }
  return (await findRelated(em, scope, request)) as Row[]
}

/** Invoices, with their lines and the id and status of their transactions. */
export async function presentInvoices(reader: Reader, rows: readonly InvoiceRow[]): Promise<Presented[]> {
  const alone = rows.filter((row) => !reader.beside.has(row))
  const presented = new Map((await presentAlone(reader, alone)).map((invoice) => [invoice.id, invoice]))
  return rows.map((row) => presented.get(row.id) ?? presentFound(reader, row))
}

/** All data was read with the row. */
function presentFound(reader: Reader, row: InvoiceRow): Presented {
  const { now, beside } = reader
  const { transaction, details } = beside.get(row) as BesideInvoice
  const lines = details === null ? [] : details.map(plainRows(reader.em, InvoiceDetailEntity))
  return presentInvoice(row, transaction, { details: lines as InvoiceDetailRow[], now })
}

async function presentAlone(reader: Reader, rows: readonly InvoiceRow[]): Promise<Presented[]> {
  if (rows.length === 0) return []
  const { em, scope, now } = reader
  const transactions = await findOneEach<TransactionRow>(reader, TransactionEntity, 'invoiceId', idsOf(rows))
  const byInvoice = new Map(transactions.map((transaction) => [transaction.invoiceId, transaction]))
  const details = await findDetailsOfInvoices(em, scope, idsOf(rows))
  return rows.map((row) =>
    presentInvoice(row, byInvoice.get(row.id) ?? null, { details: details.get(row.id) ?? [], now }),
  )
}

/** Gateway configurations, with the state of their circuits. */
export async function presentGatewayConfigurations(
  { em, scope, now }: Reader,
  rows: readonly GatewayConfigurationRow[],
): Promise<Presented[]> {
  const found = await findCircuits(em, scope, idsOf(rows), now)
  const circuits = Map.groupBy(found, ({ gatewayConfigurationId }) => gatewayConfigurationId)
  return rows.map((row) =>
    presentGatewayConfiguration(row, installedGateway(row.gatewayName) ?? null, circuits.get(row.id) ?? []),
  )
}

/** Tokens; each shows whether it is its customer's default. */
export async function presentTokens(reader: Reader, rows: readonly CustomerTokenRow[]): Promise<Presented[]> {
  const ids = [...new Set(rows.map(({ customerId }) => customerId))]
  const customers = await findOneEach<CustomerRow>(reader, CustomerEntity, 'id', ids)
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  return rows.map((row) => presentToken(row, byId.get(row.customerId) ?? { defaultTokenId: null }))
}

/** The last attempt of a delivery in its present run, null before that; and whether the deletion of its endpoint has ended it. */
export const BESIDE_DELIVERY = `json_build_object(
  'attempt', (select row_to_json(made) from delivery_attempt made
               where made.delivery_id = found.id and made.run = found.run order by made.attempt desc limit 1),
  'endedByDeletion', found.status = 'failed' and exists (
    select from webhook_endpoint endpoint where endpoint.id = found.endpoint_id and endpoint.deleted_at <= found.ended_at))`

/** Deliveries, with what every list of deliveries reads beside its rows. */
export function presentDeliveries({ em, beside }: Reader, rows: readonly DeliveryRow[]): Presented[] {
  const attemptOf = plainRows(em, DeliveryAttemptEntity)
  return rows.map((row) => {
    const { attempt, endedByDeletion } = beside.get(row) as { attempt: JsonRow | null; endedByDeletion: boolean }
    return presentWebhookDelivery(row, attempt && (attemptOf(attempt) as DeliveryAttemptRow), endedByDeletion)
  })
}

/** Webhook endpoints, with the public keys of their signatures. */
export async function presentEndpoints(
  { em, scope }: Reader,
  rows: readonly WebhookEndpointRow[],
): Promise<Presented[]> {
  const publicKeys = await findPublicKeys(em, scope, idsOf(rows))
  return rows.map((row) => presentWebhookEndpoint(row, publicKeys.get(row.id) ?? null))
}

/** Versions of the routing rules, without the rules; each shows whether it is active. */
export async function presentRuleSets({ em, scope }: Reader, rows: readonly RuleSetRow[]): Promise<Presented[]> {
  const active = await findActivation(em, scope)
  return rows.map((row) => presentListedRuleSet(row, row.id === active?.ruleSetId ? active.activatedAt : null))
}

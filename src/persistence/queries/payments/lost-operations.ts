import type { TransactionStatus } from '../../../../domain/transaction.ts'
import { InvoiceEntity } from '../../entities/invoice.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A payment as the record has it, beside what its gateway lists. */
export interface RecordedPayment extends Scope {
  invoiceId: string
  /** Null where the invoice was never paid. */
  status: TransactionStatus | null
  currency: string
  /** What is neither captured nor voided, in minor units. */
  reservedMinor: number
  gatewayAuthorizationId: string | null
  /** A void is under way, whose outcome its look-ups will tell. */
  isVoiding: boolean
}

/** The payments of these invoices, of whatever project, by the ids of the invoices. */
export async function findRecordedPayments(
  em: EntityManager,
  invoiceIds: readonly string[],
): Promise<Map<string, RecordedPayment>> {
  const rows = await em.execute<RecordedPayment[]>(
    `select invoice.id as "invoiceId", invoice.project_id as "projectId", invoice.sandbox, transaction.status,
            coalesce(transaction.currency, invoice.currency) as currency,
            coalesce(authorized_minor - captured_minor - voided_minor, 0)::float8 as "reservedMinor",
            gateway_authorization_id as "gatewayAuthorizationId",
            coalesce(attempts_in_flight @> '[{"type": "void"}]', false) as "isVoiding"
       from invoice left join transaction on transaction.invoice_id = invoice.id
      where invoice.id in (select jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify(invoiceIds)],
  )
  return new Map(rows.map((row) => [row.invoiceId, row]))
}

/** The name shown in the merchant's list of invoices. */
const NAME = 'Recovered payment'

/** Writes an invoice that the record has lost, with what the gateway knows of it, unless somebody has done so meanwhile. */
export async function insertRecoveredInvoice(
  em: EntityManager,
  invoice: Scope & { id: string; amountMinor: number; currency: string; incremental: boolean; createdAt: Date },
): Promise<void> {
  const row = {
    ...invoice,
    name: NAME,
    deviceChannel: 'web',
    bypassIncrementalAuthorization: false,
    metadata: {},
    gatewayData: {},
    updatedAt: invoice.createdAt,
  }
  await em.upsert(InvoiceEntity, row, { onConflictFields: ['id'], onConflictAction: 'ignore' })
}

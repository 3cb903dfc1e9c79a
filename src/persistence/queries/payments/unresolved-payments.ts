import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import { NEEDS_ATTENTION } from './attention.ts'
import type { StartablePayment } from './startable-payment.ts'

/** A payment that staff must look at; one row for each attempt with an unknown outcome. */
export interface UnresolvedPayment extends StartablePayment {
  status: string
  /**
   * The gateway that staff must ask: that of the attempt, which may differ from the payment's. Null where there is none.
   */
  gatewayName: string | null
  gatewayConfigurationId: string | null
  needsAttention: boolean
  /** Null where the payment needs attention for another reason than an attempt. */
  operationId: string | null
  operationType: string | null
  attemptMinor: number | null
  since: Date | null
}

/**
 * The payments that need attention, the oldest first, or the one of an invoice, whatever it needs. Attempts that staff have
 * closed are left out.
 */
export async function findUnresolvedPayments(
  em: EntityManager,
  { invoiceId }: { invoiceId?: string } = {},
): Promise<UnresolvedPayment[]> {
  const rows = await em.execute<UnresolvedPayment[]>(
    `select transaction.project_id as "projectId", transaction.sandbox, transaction.invoice_id as "invoiceId",
            invoice.amount_minor::float8 as "amountMinor", transaction.currency, invoice.order_id as "orderId", transaction.status,
            configuration.gateway_name as "gatewayName", configuration.id as "gatewayConfigurationId",
            transaction.needs_attention as "needsAttention",
            attempt ->> 'operationId' as "operationId", attempt ->> 'type' as "operationType",
            (attempt ->> 'amountMinor')::float8 as "attemptMinor", (attempt ->> 'begunAt')::float8 as since
       from transaction
       join invoice on invoice.id = transaction.invoice_id
       left join jsonb_array_elements(transaction.attempts_in_flight) attempt on not (attempt -> 'isAbandoned')::boolean
       left join operation on operation.id = attempt ->> 'operationId'
       left join gateway_configuration configuration
         on configuration.id = coalesce(operation.gateway_configuration_id, transaction.gateway_configuration_id)
      where ${invoiceId === undefined ? NEEDS_ATTENTION : 'transaction.invoice_id = ?'}
      order by (attempt ->> 'begunAt')::bigint`,
    invoiceId === undefined ? [] : [invoiceId],
  )
  return withInstants(rows, 'since')
}

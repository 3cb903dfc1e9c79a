import type { GatewayNotice } from '../../../../domain/gateway-notice.ts'
import type { EntityManager } from '../../orm.ts'

/** The payment that a notice is about, with what its workflow is started with. */
export interface NoticedPayment {
  projectId: string
  sandbox: boolean
  invoiceId: string
  amountMinor: number
  currency: string
  orderId: string | null
}

/**
 * Keeps what a gateway tells unasked, once however often it is told.
 *
 * @returns the payment to tell of it; null where the gateway's account has no such invoice.
 */
export async function storeNotice(
  em: EntityManager,
  notice: GatewayNotice,
  receivedAt: Date,
): Promise<NoticedPayment | null> {
  const rows = await em.execute<(Omit<NoticedPayment, 'amountMinor'> & { amountMinor: string })[]>(
    `with noticed as (
       select invoice.project_id, invoice.sandbox, invoice.id, invoice.amount_minor, invoice.currency, invoice.order_id
         from gateway_configuration configuration
         join invoice on invoice.project_id = configuration.project_id and invoice.sandbox = configuration.sandbox
        where configuration.id = ? and invoice.id = ?
     ), stored as (
       insert into gateway_notice
         (project_id, sandbox, gateway_configuration_id, gateway_notice_id, invoice_id, what, reference, amount_minor,
          currency, reason, received_at)
       select project_id, sandbox, ?, ?, id, ?, ?, ?, ?, ?, ? from noticed
       on conflict (gateway_configuration_id, gateway_notice_id) do nothing
     )
     select project_id as "projectId", sandbox, id as "invoiceId", amount_minor as "amountMinor", currency,
            order_id as "orderId" from noticed`,
    [
      notice.gatewayConfigurationId,
      notice.invoiceId,
      notice.gatewayConfigurationId,
      notice.gatewayNoticeId,
      notice.what,
      notice.reference,
      notice.amountMinor,
      notice.currency,
      notice.reason,
      receivedAt,
    ],
  )
  const [row] = rows
  return row === undefined ? null : { ...row, amountMinor: Number(row.amountMinor) }
}

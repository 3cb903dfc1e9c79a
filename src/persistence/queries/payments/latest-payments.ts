import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A payment, and what people know it by. */
export interface LatestPayment {
  invoiceId: string
  createdAt: Date
  name: string
  orderId: string | null
  /** Of a customer that was not deleted; without a name its email address. */
  customer: string | null
}

/** The latest payments of a project and environment, the newest first. */
export async function findLatestPayments(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  limit: number,
): Promise<LatestPayment[]> {
  const rows = await em.execute<(Omit<LatestPayment, 'createdAt'> & { createdAt: number })[]>(
    `select page.invoice_id as "invoiceId", extract(epoch from page.created_at)::float8 * 1000 as "createdAt", page.name,
            invoice.order_id as "orderId",
            coalesce(nullif(concat_ws(' ', customer.first_name, customer.last_name), ''), customer.email) as customer
       from (select * from transaction where project_id = ? and sandbox = ?
              order by created_at desc, id desc limit ?) page
       join invoice on invoice.id = page.invoice_id
       left join customer on customer.id = page.customer_id and customer.deleted_at is null
      order by page.created_at desc, page.id desc`,
    [projectId, sandbox, limit],
  )
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }))
}

import type { Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'
import type { FoundRow } from '../lists/list-entity.ts'
import { type FoundPayment, makeFoundPayment, PAYMENT_READ } from './find-payment.ts'

/** What the hosted page shows of a payment. */
export interface HostedPayment extends FoundPayment {
  /** The name of the project. */
  merchant: string
}

const FIND = `
  select row_to_json(found) as row, ${PAYMENT_READ.beside} as beside, project.name as merchant
    from invoice found join project on project.id = found.project_id
   where found.id = $1`

/** The payment of an invoice of any project: the caller decides whether the customer may see it. */
export async function findHostedPayment(orm: Orm, invoiceId: string): Promise<HostedPayment | null> {
  const [found] = await execute<FoundRow & { merchant: string }>(orm, FIND, [invoiceId])
  return found === undefined ? null : { ...makeFoundPayment(orm.em, found), merchant: found.merchant }
}

import type { CustomerAction } from '../../../../domain/customer-action.ts'
import type { AttemptInFlight } from '../../../../domain/payment.ts'
import type { Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'

/** The last action of a payment, as the pages of the customer need it. */
export interface ActedPayment {
  projectId: string
  sandbox: boolean
  returnUrl: string | null
  customerAction: CustomerAction | null
  attemptsInFlight: AttemptInFlight[]
}

const FIND = `
  select invoice.project_id as "projectId", invoice.sandbox, invoice.return_url as "returnUrl",
         transaction.customer_action as "customerAction", transaction.attempts_in_flight as "attemptsInFlight"
    from invoice join transaction on transaction.project_id = invoice.project_id
     and transaction.sandbox = invoice.sandbox and transaction.invoice_id = invoice.id
   where invoice.id = $1`

/** The payment of an invoice of any project: the caller knows an id that nobody can guess. Null before its first try. */
export async function findActedPayment(orm: Orm, invoiceId: string): Promise<ActedPayment | null> {
  const [found] = await execute<ActedPayment>(orm, FIND, [invoiceId])
  return found ?? null
}

/** Waits for the lock of the payment, whose step may be writing the same column. */
const KEEP = `
  with held as materialized (select id from invoice where id = $1 for update)
  update transaction set customer_action = jsonb_set(customer_action, '{returned}', $3::jsonb)
    from held
   where transaction.invoice_id = held.id and customer_action ->> 'attemptId' = $2
     and attempts_in_flight @> jsonb_build_array(jsonb_build_object('operationId', $2, 'isAbandoned', false))
     and customer_action -> 'answered' = 'null'
     and (customer_action -> 'returned' = 'null' or $3::jsonb <> '{}')`

/**
 * Keeps the parameters with which the bank's page has sent the browser back. The last ones count: a page of the action
 * before may come back only when this one is under way, and a page that is loaded again may bring none. Of an attempt that
 * has ended or was given up nothing is kept: it may be the issuer's proof.
 */
export async function keepReturned(
  orm: Orm,
  { invoiceId, attemptId }: { invoiceId: string; attemptId: string },
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  await execute(orm, KEEP, [invoiceId, attemptId, JSON.stringify(parameters)])
}

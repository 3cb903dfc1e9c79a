import { RefundEntity, type RefundRow } from '../../entities/refund.ts'
import type { TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { findTransactionOfInvoice } from './find-transaction.ts'

/** The rows that the answer to a command tells of. */
export interface AnswerRows {
  transaction: TransactionRow | null
  /** Of a refund only. */
  refund: RefundRow | null
}

/** Reads what is to be told, as it is now. `refundId` is that of the command or of its attempt. */
export async function findAnswerRows(
  em: EntityManager,
  { projectId, sandbox, invoiceId }: Scope & { invoiceId: string },
  refundId: string | null,
): Promise<AnswerRows> {
  const scope = { projectId, sandbox }
  const transaction = await findTransactionOfInvoice(em, scope, invoiceId)
  const refund =
    refundId === null
      ? null
      : await em.findOne(RefundEntity, { projectId, sandbox, id: refundId }, { disableIdentityMap: true })
  return { transaction, refund }
}

import type { accountChanges } from '../../gateways/account.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findOpenInvoices, lockAccount } from '../../persistence/queries/payments/open-at-gateway.ts'
import { ApiError } from '../api-error.ts'

/** How many payments the answer names. */
const NAMED_MAX = 5

/**
 * Refuses to make another account of a gateway configuration while something is open there: another account does not know of
 * it, and would say of a call that was made that it never was. A key may belong to another account as well, but changes more
 * often: it waits only for calls without an answer.
 *
 * The account is held from here to the end of the database transaction, so that no attempt goes to the one before afterwards.
 *
 * @param changes the fields that may make another account of it, at least one.
 * @throws ApiError with what is open.
 */
export async function refuseWhileOpen(
  em: EntityManager,
  configurationId: string,
  { settings, keys }: ReturnType<typeof accountChanges>,
): Promise<void> {
  await lockAccount(em, configurationId)
  const which = settings.length > 0 ? 'anything' : 'unanswered'
  const invoiceIds = await findOpenInvoices(em, { configurationId, which, limit: NAMED_MAX + 1 })
  if (invoiceIds.length === 0) return
  const named = invoiceIds.slice(0, NAMED_MAX).join(', ')
  const invoices = `invoices ${named}${invoiceIds.length > NAMED_MAX ? ' and others' : ''}`
  const fields = [...settings, ...keys].join(' and ')
  const message =
    which === 'anything'
      ? `${fields} cannot be changed now: money is reserved at this account, or a call has no final outcome (${invoices}). Create another gateway configuration for another account.`
      : `${fields} cannot be changed now: calls to this account have no answer yet (${invoices}). Try again when they have.`
  throw new ApiError('request.configuration.in-use', message)
}

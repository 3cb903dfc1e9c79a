import { randomText } from '../../../domain/identifiers.ts'
import { activeAttempts } from '../../../domain/payment.ts'
import { type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { paymentMutation } from '../../http/idempotency.ts'
import { keepPaymentAnswer } from '../../idempotency/record.ts'
import { findInvoiceDetails } from '../../persistence/queries/invoices/invoice-details.ts'
import { findTransactionOfInvoice } from '../../persistence/queries/payments/find-payment.ts'
import { isLostAnswer } from '../../temporal/client.ts'
import { invoiceIn } from '../invoices/invoices.ts'
import { descriptionOf, type ExecutedCommand } from './execute-command.ts'
import { keepFirst, respond } from './respond.ts'

/**
 * Looks up all unknown outcomes of this payment now, and answers with the invoice and its transaction afterwards. Look-ups
 * that take longer than the request go on without it.
 */
export function synchronizeInvoice(
  deps: Pick<AppDeps, 'orm' | 'resyncer' | 'vault' | 'clock' | 'randomBytes' | 'logger' | 'waits'>,
): ApiMiddleware {
  const { orm, resyncer, clock, randomBytes, logger } = deps
  return paymentMutation(deps, async (ctx, idempotency) => {
    const em = orm.em.fork()
    const invoice = await invoiceIn(ctx, em)
    const { id } = invoice
    const before = await findTransactionOfInvoice(em, scopeOf(ctx), id)
    const name = `sync-${randomText(randomBytes)}`
    if (before !== null) {
      const request = { lookUpNow: true, resolution: null }
      await resyncer.resync(descriptionOf(invoice), name, request).catch((error: unknown) => {
        if (!isLostAnswer(error)) throw error
        logger.warn({ err: error, invoice_id: id }, 'A payment did not answer in time what became of its open steps')
      })
    }
    const transaction = await findTransactionOfInvoice(em, scopeOf(ctx), id)
    const isOpen = transaction !== null && activeAttempts(transaction).length > 0
    const details = await findInvoiceDetails(em, scopeOf(ctx), id)
    const executed: ExecutedCommand = {
      answer: { kind: isOpen ? 'pending' : 'done' },
      transaction,
      refund: null,
      invoice: { row: invoice, details, now: clock.now() },
    }
    const now = clock.now()
    await keepFirst(em, scopeOf(ctx), { idempotency, name, now }, (inner, claim) =>
      keepPaymentAnswer(inner, claim, executed, now),
    )
    respond(ctx, executed, {})
    return name
  })
}

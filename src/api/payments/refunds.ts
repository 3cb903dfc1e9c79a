import type { IdempotencyClaim, RefundCommand } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { type ApiContext, type ApiMiddleware, authorOf, refuseWhileSuspended, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { paymentMutation } from '../../http/idempotency.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { CommandNoteEntity } from '../../persistence/entities/command-note.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findInvoiceDetails } from '../../persistence/queries/invoices/invoice-details.ts'
import { findInvoice } from '../../persistence/queries/invoices/invoices.ts'
import { findTransaction, findTransactionOfInvoice } from '../../persistence/queries/payments/find-payment.ts'
import { invoiceIn } from '../invoices/invoices.ts'
import { readRefundInput } from './command-input.ts'
import { executeCommand } from './execute-command.ts'
import { commandBase } from './pay-command.ts'
import { type FieldOf, respond } from './respond.ts'

const REFUND_FIELDS: FieldOf = {
  'request.validation.invalid-amount': 'amount',
  'request.validation.invalid-id': 'invoice_detail_ids',
}

export function refundInvoice(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) => refund(ctx, deps, idempotency, (em) => invoiceIn(ctx, em)))
}

export function refundTransaction(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) =>
    refund(ctx, deps, idempotency, (em) => invoiceOfTransactionIn(ctx, em)),
  )
}

async function invoiceOfTransactionIn(ctx: ApiContext, em: EntityManager): Promise<InvoiceRow> {
  const invoice = await foundIn(ctx, 'transaction', async (scope, id) => {
    const transaction = await findTransaction(em, scope, id)
    return transaction && findInvoice(em, scope, transaction.invoiceId)
  })
  ctx.state.invoiceId = invoice.id
  return invoice
}

/** @returns the operation of the command. */
async function refund(
  ctx: ApiContext,
  deps: AppDeps,
  idempotency: IdempotencyClaim | null,
  find: (em: EntityManager) => Promise<InvoiceRow>,
): Promise<string> {
  const { orm, clock, randomBytes } = deps
  const em = orm.em.fork()
  const invoice = await find(em)
  const body = bodyOf(ctx)
  const details = body.fields.invoice_detail_ids ? await findInvoiceDetails(em, invoice, invoice.id) : []
  const { amountMinor, detailIds, reason, note } = readRefundInput(body, { currency: invoice.currency, details })
  const command: RefundCommand = {
    ...commandBase(randomBytes, clock.now(), { ...authorOf(ctx), idempotency }),
    kind: 'refund',
    refundId: makeIdentifier('refund', randomBytes),
    amountMinor,
    detailIds,
    reason,
  }
  refuseWhileSuspended(ctx, command)
  // Workflow histories contain no texts of merchants, so these wait in the database for their attempt.
  if (note.information !== null || Object.keys(note.metadata).length > 0) {
    await em.insert(CommandNoteEntity, {
      ...scopeOf(ctx),
      operationId: command.operationId,
      content: note,
      createdAt: clock.now(),
    })
  }
  const transaction = await findTransactionOfInvoice(em, scopeOf(ctx), invoice.id)
  respond(ctx, await executeCommand(deps, em, { invoice, transaction, command }), REFUND_FIELDS)
  return command.operationId
}

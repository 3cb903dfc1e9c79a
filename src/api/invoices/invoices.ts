import { makeIdentifier, type RandomBytes } from '../../../domain/identifiers.ts'
import { exclusiveAttempt } from '../../../domain/payment.ts'
import { invalidState } from '../../http/api-error.ts'
import { CLIENT_SECRET_HEADER, refuseWrongSecret } from '../../http/clients/client-secret.ts'
import { type ApiContext, type ApiMiddleware, type Caller, callerOf, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { mutation } from '../../http/idempotency.ts'
import { foundIn, identifierIn } from '../../http/input/identifier.ts'
import { invalidField, withoutNulls } from '../../http/input/input.ts'
import { targetRuleOf } from '../../http/input/webhook-target.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { bodyOf, type ParsedBody } from '../../http/middleware/body.ts'
import { presentInvoice } from '../../objects/invoice.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findUsableToken } from '../../persistence/queries/customers/customer-tokens.ts'
import { findCustomer } from '../../persistence/queries/customers/customers.ts'
import { findInvoiceDetails } from '../../persistence/queries/invoices/invoice-details.ts'
import {
  updateInvoice as changeInvoice,
  findInvoice,
  createInvoice as insertInvoice,
  deleteInvoice as removeInvoice,
} from '../../persistence/queries/invoices/invoices.ts'
import type { FoundPayment } from '../../persistence/queries/payments/find-payment.ts'
import { openPayment } from '../../persistence/queries/payments/open-payment.ts'
import { paymentOf } from '../../persistence/queries/payments/payment-rows.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import type { Change } from '../change.ts'
import type { DetailColumns } from './invoice-detail-input.ts'
import { readInvoiceInput } from './invoice-input.ts'
import { readInvoiceUpdate } from './invoice-update.ts'

export function createInvoice(deps: AppDeps): ApiMiddleware {
  const { vault, clock, randomBytes } = deps
  const create = async (ctx: ApiContext, em: EntityManager) => {
    const now = clock.now()
    const input = readInvoiceInput(bodyOf(ctx), { caller: callerOf(ctx), now, targetRule: targetRuleOf(deps) })
    await refuseForeignPayer(em, scopeOf(ctx), input.invoice)
    const id = makeIdentifier('invoice', randomBytes)
    const hasDetails = input.details.length > 0
    const row = { ...scopeOf(ctx), id, ...input.invoice, hasDetails, createdAt: now, updatedAt: now }
    const details = detailRows(row, input.details, { randomBytes, now })
    if ((await insertInvoice(em, row, details)) === 'reference-taken') throw referenceTaken()
    return { success: true, invoice: presentInvoice(row, null, { details, now }) }
  }
  // The secret is in no row, and so in no kept answer.
  return mutation(deps, create, (ctx, { invoice }) => {
    ctx.state.invoiceId = invoice.id
    ctx.set(CLIENT_SECRET_HEADER, vault.clientSecretOf(invoice.id))
  })
}

export function retrieveInvoice(deps: Pick<AppDeps, 'orm' | 'clock' | 'vault'>): ApiMiddleware {
  const { vault } = deps
  const show = retrieve(deps, 'invoice')
  return async (ctx, next) => {
    await show(ctx, next)
    const id = identifierIn(ctx, 'invoice')
    refuseWrongSecret(ctx, vault, id)
    if (mayKnowClientSecret(callerOf(ctx))) ctx.set(CLIENT_SECRET_HEADER, vault.clientSecretOf(id))
  }
}

/** A client must prove itself with the secret; a caller that only reads could charge stored sources with it. */
function mayKnowClientSecret({ kind, permissions }: Caller): boolean {
  return kind !== 'client' && permissions.includes('payments')
}

/**
 * Changes an invoice while no payment of it is in progress or done. Metadata can change at any time, because no payment
 * depends on it.
 */
export async function updateInvoice({ deps, ctx, em }: Change) {
  const { clock, randomBytes } = deps
  const locked = await lockInvoiceIn(ctx, em)
  const { invoice, transaction } = locked
  if (isBeingPaid(locked) && !changesMetadataOnly(bodyOf(ctx)))
    throw invalidState('The invoice is being paid, or was; only its metadata can still be changed.')
  const now = clock.now()
  const before = await findInvoiceDetails(em, scopeOf(ctx), invoice.id)
  const circumstances = { caller: callerOf(ctx), now, targetRule: targetRuleOf(deps) }
  const changes = readInvoiceUpdate(bodyOf(ctx), invoice, before, circumstances)
  if (changes.invoice.customerId !== undefined || changes.invoice.tokenId !== undefined)
    await refuseForeignPayer(em, scopeOf(ctx), { ...invoice, ...changes.invoice })
  const details = changes.details && detailRows(invoice, changes.details, { randomBytes, now })
  const row = await changeInvoice(em, locked, { ...changes.invoice, updatedAt: now }, details)
  if (row === 'reference-taken') throw referenceTaken()
  return { invoice: presentInvoice(row, transaction, { details: details ?? before, now }) }
}

function changesMetadataOnly({ fields }: ParsedBody): boolean {
  const names = Object.keys(withoutNulls(fields))
  return names.length > 0 && names.every((name) => name === 'metadata')
}

/** Deletes an invoice without a payment attempt. */
export async function deleteInvoice({ ctx, em }: Change) {
  const { invoice, transaction } = await lockInvoiceIn(ctx, em)
  if (transaction !== null) throw invalidState('A payment of the invoice was begun; it can no longer be deleted.')
  if (!(await removeInvoice(em, invoice))) throw invalidState('A token of the customer refers to the invoice.')
  return {}
}

/** The caller's invoice in the address. */
export function invoiceIn(ctx: ApiContext, em: EntityManager): Promise<InvoiceRow> {
  return foundIn(ctx, 'invoice', (scope, id) => findInvoice(em, scope, id))
}

/** The same under its lock until the database transaction ends, so that no payment begins meanwhile. */
export function lockInvoiceIn(ctx: ApiContext, em: EntityManager): Promise<FoundPayment> {
  return foundIn(ctx, 'invoice', (scope, invoiceId) => openPayment(em, { ...scope, invoiceId }))
}

/**
 * True while a payment of the invoice is in progress, and for good after a success. After a failure the invoice can be
 * changed before the next attempt.
 */
export function isBeingPaid({ invoice, transaction }: FoundPayment): boolean {
  if (transaction === null) return false
  const mayBeTried = transaction.status === 'failed' || transaction.status === 'blocked'
  return !mayBeTried || exclusiveAttempt(paymentOf(invoice, transaction)) !== null
}

/** @throws ApiError unless the customer belongs to the project and the token to the customer. */
async function refuseForeignPayer(
  em: EntityManager,
  scope: Scope,
  { customerId, tokenId }: Pick<InvoiceRow, 'customerId' | 'tokenId'>,
): Promise<void> {
  if (customerId != null && (await findCustomer(em, scope, customerId)) === null)
    throw invalidField('customer_id', 'is not a customer of this project', 'resource.customer.not-found')
  if (tokenId == null) return
  if (customerId == null)
    throw invalidField('customer_id', 'is missing, whose token_id is given', 'request.validation.missing-customer')
  const token = await findUsableToken(em, scope, tokenId)
  if (token === null) throw invalidField('token_id', 'is not a token of this customer', 'resource.token.not-found')
  if (token.customerId !== customerId)
    throw invalidField('token_id', 'is a token of another customer', 'request.validation.invalid-relationship')
}

/** The rows of new lines in their order, without captures and refunds. */
function detailRows(
  { id: invoiceId, projectId, sandbox }: Pick<InvoiceRow, 'id' | 'projectId' | 'sandbox'>,
  details: readonly DetailColumns[],
  { randomBytes, now }: { randomBytes: RandomBytes; now: Date },
): InvoiceDetailRow[] {
  return details.map((columns, index) => ({
    ...columns,
    id: makeIdentifier('invoiceDetail', randomBytes),
    projectId,
    sandbox,
    invoiceId,
    position: index + 1,
    capturedMinor: 0,
    refundedMinor: 0,
    captureOperationId: null,
    refundOperationId: null,
    createdAt: now,
  }))
}

const referenceTaken = () => invalidField('reference_id', 'is that of another invoice already')

import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { createInvoice as insertInvoice } from '../../persistence/queries/create-invoice.ts'
import { findInvoice } from '../../persistence/queries/find-invoice.ts'
import { findTransactionOfInvoice } from '../../persistence/queries/find-transaction.ts'
import { presentInvoice } from '../../presenters/invoice.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, type ApiMiddleware, callerOf, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { bodyOf } from '../middleware/body.ts'
import { identifierIn } from '../schemas/identifier.ts'
import { type InvoiceInput, readInvoiceInput } from '../schemas/invoice-input.ts'
import { refuseExpansion } from '../schemas/query.ts'

/** What a client of this invoice proves itself with. Only calls with a secret key get to know it. */
const CLIENT_SECRET_HEADER = 'X-Service-Client-Secret'

export function createInvoice({ orm, vault, clock, randomBytes }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const caller = callerOf(ctx)
    const now = clock.now()
    const input = readInvoiceInput(bodyOf(ctx), caller, now)
    const id = makeIdentifier('invoice', randomBytes)
    const row = { ...scopeOf(ctx), id, ...columnsOf(input), createdAt: now, updatedAt: now }
    await insertInvoice(orm.em.fork(), row)
    ctx.state.invoiceId = id
    ctx.set(CLIENT_SECRET_HEADER, vault.clientSecretOf(id))
    ctx.body = { success: true, invoice: presentInvoice(row, null) }
  }
}

export function retrieveInvoice({ orm, vault }: Pick<AppDeps, 'orm' | 'vault'>): ApiMiddleware {
  return async (ctx) => {
    refuseExpansion(ctx)
    const em = orm.em.fork()
    const row = await invoiceIn(ctx, em)
    const transaction = await findTransactionOfInvoice(em, scopeOf(ctx), row.id)
    ctx.set(CLIENT_SECRET_HEADER, vault.clientSecretOf(row.id))
    ctx.body = { success: true, invoice: presentInvoice(row, transaction) }
  }
}

/** The invoice in the address, where it is one of the caller's. */
export async function invoiceIn(ctx: ApiContext, em: EntityManager): Promise<InvoiceRow> {
  const id = identifierIn(ctx, 'invoice', 'resource.invoice.not-found')
  const row = await findInvoice(em, scopeOf(ctx), id)
  if (row === null) throw new ApiError('resource.invoice.not-found')
  ctx.state.invoiceId = id
  return row
}

function columnsOf(input: InvoiceInput) {
  return {
    name: input.name,
    orderId: input.order_id,
    amountMinor: input.amountMinor,
    currency: input.currency,
    statementDescriptor: input.statement_descriptor,
    webhookUrl: input.webhook_url,
    returnUrl: input.return_url,
    deviceChannel: input.device?.channel ?? 'web',
    merchantInitiatorType: input.merchant_initiator_type,
    exemptionReason3ds2: input.exemptionReason,
    challengeIndicator: input.challenge_indicator,
    incremental: input.incremental ?? false,
    bypassIncrementalAuthorization: input.unsupported_feature_bypass?.incremental_authorization ?? false,
    autoCaptureAt: input.auto_capture_at ?? null,
    metadata: input.metadata,
    gatewayData: input.gateway_data,
  }
}

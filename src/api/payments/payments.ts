import type { ExternalAuthentication } from '../../../domain/authentication.ts'
import type { IdempotencyClaim, PaymentCall } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { paymentTime } from '../../../domain/test-clock.ts'
import { clientSecretIn, refuseWrongSecret } from '../../http/clients/client-secret.ts'
import { mayCaptureExisting, needsSecretKey } from '../../http/clients/merchant-only.ts'
import {
  type ApiContext,
  type ApiMiddleware,
  authorOf,
  callerOf,
  isMerchant,
  refuseWhileSuspended,
} from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { paymentMutation } from '../../http/idempotency.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { bodyOf, type ParsedBody } from '../../http/middleware/body.ts'
import { handling } from '../../objects/payment-answer.ts'
import type { CommandNote } from '../../persistence/entities/command-note.ts'
import { ExternalAuthenticationEntity } from '../../persistence/entities/external-authentication.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findInvoiceDetails } from '../../persistence/queries/invoices/invoice-details.ts'
import {
  type FoundPayment,
  findPayment,
  findTransaction,
  makeFoundPayment,
} from '../../persistence/queries/payments/find-payment.ts'
import type { MerchantCommand } from '../../temporal/client.ts'
import { readIncrementInput, readRefundInput, readVoidInput } from './command-input.ts'
import { continuationOf, keepNote } from './continuation.ts'
import { executeCommand } from './execute-command.ts'
import { type CommandBase, commandBase, payCommand } from './pay-command.ts'
import { readPaymentOptions } from './payment-options.ts'
import { type FieldOf, respond } from './respond.ts'

/** The request field of each refusal. */
const PAYMENT_FIELDS: FieldOf = {
  'request.validation.missing-source': 'source',
  'request.source.invalid': 'source',
  'request.source.card-already-used': 'source',
  'resource.card.not-found': 'source',
  'resource.token.not-found': 'source',
  'resource.customer.not-found': 'source',
  'request.validation.invalid-id': 'invoice_detail_ids',
  'request.validation.invalid-amount': 'capture_amount',
  'request.validation.invalid-date': 'auto_capture_at',
  'request.validation.invalid-client-secret': 'client_secret',
}

const AMOUNT_FIELD: FieldOf = { 'request.validation.invalid-amount': 'amount' }
const REFUND_FIELDS: FieldOf = { ...AMOUNT_FIELD, 'request.validation.invalid-id': 'invoice_detail_ids' }

/**
 * Authorizes, captures or authenticates. A capture without an authorization authorizes first. Authentication comes before the
 * payment, but a gateway authenticates together with its authorization, so it is one without a capture; the call of
 * `authorize` or `capture` that follows finds it.
 */
export function payInvoice(deps: AppDeps, call: PaymentCall): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) => pay(ctx, deps, { call, idempotency }))
}

export function incrementAuthorization(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) => {
    if (!mayCaptureExisting(ctx)) throw needsSecretKey('Raising an authorization')
    return command(ctx, deps, idempotency, (invoice, base) => {
      if (!isMerchant(ctx) && invoice.requireBackendCapture) throw needsSecretKey('Raising an authorization')
      refuseWrongSecret(ctx, deps.vault, invoice.id)
      const { amountMinor } = readIncrementInput(bodyOf(ctx), invoice.currency)
      return { command: { ...base, kind: 'increment', amountMinor } }
    })
  })
}

export function voidInvoice(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) =>
    command(ctx, deps, idempotency, (invoice, base) => {
      const { amountMinor } = readVoidInput(bodyOf(ctx), invoice.currency)
      return { command: { ...base, kind: 'void', amountMinor, reason: null } }
    }),
  )
}

export function refundInvoice(deps: AppDeps): ApiMiddleware {
  return refund(deps, paymentIn)
}

export function refundTransaction(deps: AppDeps): ApiMiddleware {
  return refund(deps, paymentOfTransactionIn)
}

function refund(deps: AppDeps, find: FindPayment): ApiMiddleware {
  const read: ReadCommand = async (invoice, base, { em, body }) => {
    const details = await detailsNamedIn(body, em, invoice)
    const { note, ...refunded } = readRefundInput(body, { currency: invoice.currency, details })
    const refundId = makeIdentifier('refund', deps.randomBytes)
    return { command: { ...base, kind: 'refund', refundId, ...refunded }, note }
  }
  return paymentMutation(deps, (ctx, idempotency) =>
    command(ctx, deps, idempotency, read, { find, fieldOf: REFUND_FIELDS }),
  )
}

/** @returns the operation of the answered command. */
async function pay(
  ctx: ApiContext,
  deps: AppDeps,
  { call, idempotency }: { call: PaymentCall; idempotency: IdempotencyClaim | null },
): Promise<string> {
  const { orm, vault, clock } = deps
  const em = orm.em.fork()
  const { invoice, transaction } = await paymentIn(ctx, em)
  const caller = callerOf(ctx)
  const body = bodyOf(ctx)
  const base = commandBase(deps, authorOf(ctx), idempotency)
  const at = paymentTime(transaction, clock.now().getTime())
  const options = readPaymentOptions(body, {
    currency: invoice.currency,
    sandbox: invoice.sandbox,
    customerId: invoice.customerId ?? null,
    details: await detailsNamedIn(body, em, invoice),
    caller,
    sentSecret: clientSecretIn(ctx),
    hasAskedCustomer: transaction?.customerAction != null,
    isClientSecret: (secret) => vault.isClientSecretOf(invoice.id, secret),
    now: new Date(at),
  })
  const continued = options.continuation && continuationOf(options.continuation, transaction)
  const continues = continued?.continues ?? null
  const { currency } = invoice
  const asked = payCommand(options, { base, call, caller, currency, continues, at }, deps.randomBytes)

  if (options.externalAuthentication !== null)
    await keepExternalAuthentication(deps, em, invoice, asked.operationId, options.externalAuthentication)
  if (continued?.data) await keepNote(deps, em, invoice, asked.operationId, { metadata: continued.data })
  const { isSuspended } = caller
  const executed = await executeCommand(deps, em, { invoice, transaction, command: asked, isSuspended })
  respond(ctx, { ...executed, ...handling(asked) }, PAYMENT_FIELDS)
  return asked.operationId
}

/** Longer than a command may take to begin, and to be looked up. */
const EXTERNAL_AUTHENTICATION_VALIDITY_MS = 60 * 60 * 1000

/** The merchant's own authentication reaches the gateway without passing through a history. */
async function keepExternalAuthentication(
  { vault, clock }: AppDeps,
  em: EntityManager,
  { projectId, sandbox }: InvoiceRow,
  operationId: string,
  authentication: ExternalAuthentication,
): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + EXTERNAL_AUTHENTICATION_VALIDITY_MS)
  const encrypted = vault.encryptExternalAuthentication(operationId, JSON.stringify(authentication))
  await em.insert(ExternalAuthenticationEntity, { operationId, projectId, sandbox, ...encrypted, expiresAt })
}

type FindPayment = (ctx: ApiContext, em: EntityManager) => Promise<FoundPayment>

/** Reads the command of a body, and the merchant's texts that go with it. */
type ReadCommand = (
  invoice: InvoiceRow,
  base: CommandBase,
  request: { em: EntityManager; body: ParsedBody },
) => Read | Promise<Read>

interface Read {
  command: MerchantCommand
  note?: CommandNote
}

/** @returns the operation of the command. */
async function command(
  ctx: ApiContext,
  deps: AppDeps,
  idempotency: IdempotencyClaim | null,
  read: ReadCommand,
  { find, fieldOf }: { find: FindPayment; fieldOf: FieldOf } = { find: paymentIn, fieldOf: AMOUNT_FIELD },
): Promise<string> {
  const em = deps.orm.em.fork()
  const { invoice, transaction } = await find(ctx, em)
  const base = commandBase(deps, authorOf(ctx), idempotency)
  const { command: wanted, note } = await read(invoice, base, { em, body: bodyOf(ctx) })
  refuseWhileSuspended(ctx, wanted)
  if (note !== undefined) await keepNote(deps, em, invoice, wanted.operationId, note)
  respond(ctx, await executeCommand(deps, em, { invoice, transaction, command: wanted }), fieldOf)
  return wanted.operationId
}

/**
 * The payment of the invoice in the address, as read with the caller's admission, or as it is now. Every change decides
 * again under its lock.
 */
function paymentIn(ctx: ApiContext, em: EntityManager): Promise<FoundPayment> {
  return foundIn(ctx, 'invoice', async (scope, id) => {
    const { found } = ctx.state
    if (found === undefined) return findPayment(em, { ...scope, invoiceId: id })
    return found && makeFoundPayment(em, found)
  })
}

/** The same of the transaction in the address. */
async function paymentOfTransactionIn(ctx: ApiContext, em: EntityManager): Promise<FoundPayment> {
  const payment = await foundIn(ctx, 'transaction', async (scope, id) => {
    const transaction = await findTransaction(em, scope, id)
    return transaction && findPayment(em, { ...scope, invoiceId: transaction.invoiceId })
  })
  ctx.state.invoiceId = payment.invoice.id
  return payment
}

/** The lines of the invoice, where the body names some. */
function detailsNamedIn({ fields }: ParsedBody, em: EntityManager, invoice: InvoiceRow): Promise<InvoiceDetailRow[]> {
  return fields.invoice_detail_ids ? findInvoiceDetails(em, invoice, invoice.id) : Promise.resolve([])
}

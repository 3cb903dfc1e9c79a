import type { ExternalAuthentication } from '../../../domain/authentication.ts'
import type { IdempotencyClaim, PaymentCall } from '../../../domain/command.ts'
import { openAction } from '../../../domain/customer-action.ts'
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
import { bodyOf } from '../../http/middleware/body.ts'
import { handling } from '../../objects/payment-answer.ts'
import { ExternalAuthenticationEntity } from '../../persistence/entities/external-authentication.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findInvoiceDetails } from '../../persistence/queries/invoices/invoice-details.ts'
import { findPayment, makeFoundPayment } from '../../persistence/queries/payments/find-payment.ts'
import type { MerchantCommand } from '../../temporal/client.ts'
import { readIncrementInput, readVoidInput } from './command-input.ts'
import { continuationOf, keepNote } from './continuation.ts'
import { type CommandRequest, executeCommand } from './execute-command.ts'
import { commandBase, payCommand } from './pay-command.ts'
import { readPaymentOptions } from './payment-options.ts'
import { type FieldOf, respond } from './respond.ts'

/** The request field of each refusal. */
const PAYMENT_FIELDS: FieldOf = {
  'request.validation.missing-source': 'source',
  'request.source.invalid': 'source',
  'request.source.card-already-used': 'source',
  'resource.card.not-found': 'source',
  'resource.token.not-found': 'source',
  'request.validation.invalid-id': 'invoice_detail_ids',
  'request.validation.invalid-amount': 'capture_amount',
  'request.validation.invalid-date': 'auto_capture_at',
  'request.validation.invalid-client-secret': 'client_secret',
}

const AMOUNT_FIELD: FieldOf = { 'request.validation.invalid-amount': 'amount' }

export function authorizeInvoice(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) => pay(ctx, deps, { call: 'authorize', idempotency }))
}

/**
 * Authenticates the customer before the payment. A gateway authenticates together with its authorization, so this is one
 * without a capture; the call of `authorize` or `capture` that follows finds it.
 */
export function authenticateInvoice(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) => pay(ctx, deps, { call: 'three-d-s', idempotency }))
}

/** Captures a payment; without an authorization it authorizes first. */
export function captureInvoice(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) => pay(ctx, deps, { call: 'capture', idempotency }))
}

export function incrementAuthorization(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) => {
    if (!mayCaptureExisting(ctx)) throw needsSecretKey('Raising an authorization')
    return command(ctx, deps, idempotency, (invoice, base) => {
      if (!isMerchant(ctx) && invoice.requireBackendCapture) throw needsSecretKey('Raising an authorization')
      refuseWrongSecret(ctx, deps.vault, invoice.id)
      const { amountMinor } = readIncrementInput(bodyOf(ctx), invoice.currency)
      return { ...base, kind: 'increment', amountMinor }
    })
  })
}

export function voidInvoice(deps: AppDeps): ApiMiddleware {
  return paymentMutation(deps, (ctx, idempotency) =>
    command(ctx, deps, idempotency, (invoice, base) => {
      const { amountMinor } = readVoidInput(bodyOf(ctx), invoice.currency)
      return { ...base, kind: 'void', amountMinor, reason: null }
    }),
  )
}

/** @returns the operation of the answered command. */
async function pay(
  ctx: ApiContext,
  deps: AppDeps,
  { call, idempotency }: { call: PaymentCall; idempotency: IdempotencyClaim | null },
): Promise<string> {
  const { orm, vault, clock, randomBytes } = deps
  const em = orm.em.fork()
  const { invoice, transaction } = await paymentIn(ctx, em)
  const caller = callerOf(ctx)
  const body = bodyOf(ctx)
  const options = readPaymentOptions(body, {
    currency: invoice.currency,
    sandbox: invoice.sandbox,
    customerId: invoice.customerId ?? null,
    details: body.fields.invoice_detail_ids ? await findInvoiceDetails(em, invoice, invoice.id) : [],
    caller,
    sentSecret: clientSecretIn(ctx),
    isUnderWay: openAction(transaction) !== null,
    isClientSecret: (secret) => vault.isClientSecretOf(invoice.id, secret),
    now: new Date(paymentTime(transaction, clock.now().getTime())),
  })
  const continued = options.continuation && continuationOf(options.continuation, transaction)
  const continues = continued?.continues ?? null
  const base = commandBase(randomBytes, clock.now(), { ...authorOf(ctx), idempotency })
  const asked = payCommand(options, { base, call, caller, currency: invoice.currency, continues }, randomBytes)

  if (options.externalAuthentication !== null)
    await keepExternalAuthentication(deps, em, invoice, asked.operationId, options.externalAuthentication)
  if (continued?.data) await keepNote(em, invoice, asked.operationId, continued.data, clock.now())
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

/** @returns the operation of the command. */
async function command(
  ctx: ApiContext,
  deps: AppDeps,
  idempotency: IdempotencyClaim | null,
  read: (invoice: InvoiceRow, base: ReturnType<typeof commandBase>) => MerchantCommand,
): Promise<string> {
  const { orm, clock, randomBytes } = deps
  const em = orm.em.fork()
  const { invoice, transaction } = await paymentIn(ctx, em)
  const wanted = read(invoice, commandBase(randomBytes, clock.now(), { ...authorOf(ctx), idempotency }))
  refuseWhileSuspended(ctx, wanted)
  respond(ctx, await executeCommand(deps, em, { invoice, transaction, command: wanted }), AMOUNT_FIELD)
  return wanted.operationId
}

/**
 * The payment of the invoice in the address, as read with the caller's admission, or as it is now. Every change decides
 * again under its lock.
 */
function paymentIn(ctx: ApiContext, em: EntityManager): Promise<Omit<CommandRequest, 'command'>> {
  return foundIn(ctx, 'invoice', async (scope, id) => {
    const { found } = ctx.state
    if (found === undefined) return findPayment(em, { ...scope, invoiceId: id })
    return found && makeFoundPayment(em, found)
  })
}

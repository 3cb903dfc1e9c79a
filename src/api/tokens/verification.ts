import type { Author, PayCommand } from '../../../domain/command.ts'
import { openAction } from '../../../domain/customer-action.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { ApiError } from '../../http/api-error.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { invalidField } from '../../http/input/input.ts'
import { loggableError } from '../../http/loggable-error.ts'
import { presentAction, type ShownAction } from '../../objects/payment-answer.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import { InvoiceEntity, type InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findCardOf } from '../../persistence/queries/customers/cards.ts'
import { findTokenOfCustomer, findUsableToken } from '../../persistence/queries/customers/customer-tokens.ts'
import { lockCustomer } from '../../persistence/queries/customers/customers.ts'
import { insertVerificationInvoice } from '../../persistence/queries/invoices/verification-invoice.ts'
import {
  type FoundPayment,
  findPayment,
  findTransactionOfInvoice,
} from '../../persistence/queries/payments/find-payment.ts'
import { openPayment } from '../../persistence/queries/payments/open-payment.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { makeChanges } from '../../persistence/queries/webhooks/project-event.ts'
import { continuationOf, keepNote, notPending } from '../payments/continuation.ts'
import { executeCommand } from '../payments/execute-command.ts'
import { commandBase } from '../payments/pay-command.ts'
import type { SentContinuation } from '../payments/source.ts'
import { recordTokenEvent } from './token-event.ts'
import type { TokenInput } from './token-input.ts'

/** The merchant's options for a token's verification. */
type Verification = NonNullable<TokenInput['verification']>

type Deps = Pick<AppDeps, 'clock' | 'randomBytes'>

/**
 * The merchant's own invoice for the verification. It is locked before the customer, as payments do.
 *
 * @throws ApiError where there is no such invoice, or it cannot verify.
 */
export async function lockOwnInvoice(
  em: EntityManager,
  scope: Scope,
  verification: Verification | null,
): Promise<FoundPayment | null> {
  if (verification?.invoiceId == null) return null
  const locked = await openPayment(em, { ...scope, invoiceId: verification.invoiceId })
  if (locked === null)
    throw invalidField('invoice_id', 'is not an invoice of this project', 'resource.invoice.not-found')
  if (!locked.invoice.verification || locked.transaction !== null)
    throw wrongInvoice('is not an unpaid invoice for a verification')
  return locked
}

const wrongInvoice = (message: string) => invalidField('invoice_id', message, 'request.validation.invalid-relationship')

/**
 * Assigns the invoice that will verify a token: the merchant's own, a waiting one, or a new one of zero.
 *
 * @returns the columns of the token.
 */
export async function planVerification(
  { clock, randomBytes }: Deps,
  em: EntityManager,
  { customer, token, own }: { customer: CustomerRow; token: CustomerTokenRow; own: FoundPayment | null },
  { invoiceId: _, ...given }: Verification,
): Promise<Partial<CustomerTokenRow>> {
  const { projectId, sandbox } = token
  if (own !== null) {
    const { invoice } = own
    if ((invoice.customerId ?? customer.id) !== customer.id || (invoice.tokenId ?? token.id) !== token.id)
      throw wrongInvoice('is an invoice of another customer or token')
    const assigned = { customerId: customer.id, tokenId: token.id, updatedAt: clock.now() }
    await em.nativeUpdate(InvoiceEntity, { id: invoice.id, projectId, sandbox }, assigned)
    return { invoiceId: invoice.id, verificationStatus: 'pending' }
  }
  const waits =
    token.invoiceId != null && (await findTransactionOfInvoice(em, { projectId, sandbox }, token.invoiceId)) === null
  if (waits) return { verificationStatus: 'pending' }
  const id = makeIdentifier('invoice', randomBytes)
  await insertVerificationInvoice(em, customer, { ...given, id, tokenId: token.id, now: clock.now() })
  return { invoiceId: id, verificationStatus: 'pending' }
}

/** Who asks for a verification, and whether the steps of the customer are shown there. */
export interface Verifier extends Author {
  handlesActions: boolean
}

/**
 * Sends a token's pending verification to the issuer, once. The payment records the outcome; a command that never began is
 * recorded here. Never throws: the token is stored in any case.
 *
 * @returns what the customer has to do now; null for nothing.
 */
export async function verifyToken(
  deps: AppDeps,
  scope: Scope,
  tokenId: string,
  by: Verifier,
): Promise<ShownAction | null> {
  try {
    return await askIssuer(deps, scope, tokenId, by)
  } catch (error) {
    deps.logger.error({ token_id: tokenId, err: loggableError(error) }, 'verification failed')
    // After any other error the command may have begun, and its outcome is reported later.
    if (error instanceof ApiError) await fail(deps, scope, tokenId)
    return null
  }
}

async function askIssuer(deps: AppDeps, scope: Scope, tokenId: string, by: Verifier): Promise<ShownAction | null> {
  const em = deps.orm.em.fork()
  const token = await findUsableToken(em, scope, tokenId)
  if (token?.invoiceId == null || token.verificationStatus !== 'pending') return null
  const found = await findPayment(em, { ...scope, invoiceId: token.invoiceId })
  if (found === null) return null
  const { invoice, transaction } = found
  // A repeated request: the customer may still have to act.
  if (transaction !== null) return shownAction(transaction, by)
  const command = authorization(deps, { source: tokenId, currency: invoice.currency }, by)
  const asked = await executeCommand(deps, em, { invoice, transaction, command })
  // The payment has recorded an issuer's decline already; an authorization rejected locally is recorded only here.
  if (asked.answer.kind === 'refused' || asked.answer.kind === 'declined') {
    await fail(deps, scope, tokenId)
    return null
  }
  await release(deps, em, { token, invoice, transaction: asked.transaction })
  return shownAction(asked.transaction, by)
}

/**
 * Goes on with a token's verification after the customer has answered. The payment records the outcome.
 *
 * @returns what the customer has to do next; null for nothing.
 * @throws ApiError for anything but an answer to the last action of the token's verification, and where it was not taken up.
 */
export async function continueVerification(
  deps: AppDeps,
  scope: Scope,
  { token, sent }: { token: CustomerTokenRow; sent: SentContinuation },
  by: Verifier,
): Promise<ShownAction | null> {
  const em = deps.orm.em.fork()
  const found = token.invoiceId == null ? null : await findPayment(em, { ...scope, invoiceId: token.invoiceId })
  const { continues, data } = continuationOf(sent, found?.transaction ?? null)
  if (found === null) throw notPending()
  const { invoice } = found
  const command = { ...authorization(deps, { source: null, currency: invoice.currency }, by), continues }
  if (data !== null) await keepNote(deps, em, scope, command.operationId, { metadata: data })
  const { answer, transaction } = await executeCommand(deps, em, { ...found, command })
  if (answer.kind === 'refused') throw new ApiError(answer.code, answer.message)
  await release(deps, em, { token, invoice, transaction })
  return shownAction(transaction, by)
}

function shownAction(transaction: TransactionRow | null, by: Verifier): ShownAction | null {
  const action = openAction(transaction)
  return action && presentAction(action, by)
}

/** Releases what the issuer has reserved, unless the merchant cancels the invoice itself. */
async function release(
  deps: AppDeps,
  em: EntityManager,
  { token, ...payment }: { token: CustomerTokenRow; invoice: InvoiceRow; transaction: TransactionRow | null },
): Promise<void> {
  const isReserved = payment.transaction?.status === 'authorized' && payment.transaction.authorizedMinor > 0
  if (!isReserved || token.manualInvoiceCancellation) return
  const base = commandBase(deps, { actor: 'merchant' })
  await executeCommand(deps, em, { ...payment, command: { ...base, kind: 'void', amountMinor: null, reason: null } })
}

function authorization(
  deps: Deps,
  { source, currency }: Pick<PayCommand, 'source' | 'currency'>,
  { handlesActions, ...author }: Verifier,
): PayCommand {
  return {
    ...commandBase(deps, author),
    kind: 'pay',
    call: 'authorize',
    captureOperationId: makeIdentifier('operation', deps.randomBytes),
    currency,
    source,
    authorizeOnly: true,
    autoCaptureAt: null,
    amountMinor: null,
    detailIds: null,
    captureType: null,
    incremental: false,
    ...(handlesActions && { handlesActions: true as const }),
    preferredScheme: null,
    initialSchemeTransactionId: null,
    mayFallBackToSale: false,
    saveSource: false,
  }
}

/** No call was or will be made: the verification has failed. */
async function fail(deps: AppDeps, scope: Scope, tokenId: string): Promise<void> {
  await makeChanges(deps, deps.orm.em.fork(), async (em, changes) => {
    const { customerId } = (await findUsableToken(em, scope, tokenId)) ?? {}
    const customer = customerId === undefined ? null : await lockCustomer(em, scope, customerId)
    const token = customer === null ? null : await findTokenOfCustomer(em, customer, tokenId)
    if (customer === null || token?.verificationStatus !== 'pending') return
    em.assign(token, { verificationStatus: 'failed', updatedAt: deps.clock.now() })
    await recordTokenEvent(em, changes, 'customer.token.updated', {
      token,
      customer,
      card: await findCardOf(em, token),
    })
  })
}

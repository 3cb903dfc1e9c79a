import type { Author, AuthorizeCommand } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findCardOf } from '../../persistence/queries/customers/cards.ts'
import { findTokenOfCustomer, findUsableToken } from '../../persistence/queries/customers/customer-tokens.ts'
import { lockCustomer } from '../../persistence/queries/customers/customers.ts'
import { findInvoice } from '../../persistence/queries/invoices/invoices.ts'
import { insertVerificationInvoice } from '../../persistence/queries/invoices/verification-invoice.ts'
import {
  findTransactionOfInvoice,
  type LockedPayment,
  lockPayment,
} from '../../persistence/queries/payments/find-payment.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { makeChanges } from '../../persistence/queries/webhooks/project-event.ts'
import { ApiError } from '../api-error.ts'
import type { AppDeps } from '../dependencies.ts'
import { loggableError } from '../loggable-error.ts'
import { executeCommand } from '../payments/execute-command.ts'
import { commandBase } from '../payments/plan.ts'
import { invalidField } from '../schemas/fields/input.ts'
import type { TokenInput } from '../schemas/token-input.ts'
import { recordTokenEvent } from './token-event.ts'

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
): Promise<LockedPayment | null> {
  if (verification?.invoiceId == null) return null
  const locked = await lockPayment(em, { ...scope, invoiceId: verification.invoiceId })
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
  { customer, token, own }: { customer: CustomerRow; token: CustomerTokenRow; own: LockedPayment | null },
  { invoiceId: _, ...given }: Verification,
): Promise<Partial<CustomerTokenRow>> {
  const { projectId, sandbox } = token
  if (own !== null) {
    const { invoice } = own
    if ((invoice.customerId ?? customer.id) !== customer.id || (invoice.tokenId ?? token.id) !== token.id)
      throw wrongInvoice('is an invoice of another customer or token')
    em.assign(invoice, { customerId: customer.id, tokenId: token.id, updatedAt: clock.now() })
    return { invoiceId: invoice.id, verificationStatus: 'pending' }
  }
  const waits =
    token.invoiceId != null && (await findTransactionOfInvoice(em, { projectId, sandbox }, token.invoiceId)) === null
  if (waits) return { verificationStatus: 'pending' }
  const id = makeIdentifier('invoice', randomBytes)
  await insertVerificationInvoice(em, customer, { ...given, id, tokenId: token.id, now: clock.now() })
  return { invoiceId: id, verificationStatus: 'pending' }
}

/**
 * Sends a token's pending verification to the issuer, once. The payment records the outcome; a command that never began is
 * recorded here. Never throws: the token is stored in any case.
 */
export async function verifyToken(deps: AppDeps, scope: Scope, tokenId: string, author: Author): Promise<void> {
  try {
    await askIssuer(deps, scope, tokenId, author)
  } catch (error) {
    deps.logger.error({ token_id: tokenId, err: loggableError(error) }, 'verification failed')
    // After any other error the command may have begun, and its outcome is reported later.
    if (error instanceof ApiError) await fail(deps, scope, tokenId)
  }
}

async function askIssuer(deps: AppDeps, scope: Scope, tokenId: string, author: Author): Promise<void> {
  const em = deps.orm.em.fork()
  const token = await findUsableToken(em, scope, tokenId)
  if (token?.invoiceId == null || token.verificationStatus !== 'pending') return
  const invoice = await findInvoice(em, scope, token.invoiceId)
  const transaction = await findTransactionOfInvoice(em, scope, token.invoiceId)
  if (invoice === null || transaction !== null) return
  const asked = await executeCommand(deps, em, {
    invoice,
    transaction,
    command: authorization(deps, tokenId, invoice.currency, author),
  })
  // The payment has recorded an issuer's decline already; an authorization rejected locally is recorded only here.
  if (asked.answer.kind === 'refused' || asked.answer.kind === 'declined') return fail(deps, scope, tokenId)
  const isReserved = asked.transaction?.status === 'authorized' && asked.transaction.authorizedMinor > 0
  if (!isReserved || token.manualInvoiceCancellation) return
  const base = commandBase(deps.randomBytes, deps.clock.now(), { actor: 'merchant', idempotency: null })
  const release = { ...base, kind: 'void', amountMinor: null, reason: null } as const
  await executeCommand(deps, em, { invoice, transaction: asked.transaction, command: release })
}

function authorization(
  { clock, randomBytes }: Deps,
  source: string,
  currency: string,
  author: Author,
): AuthorizeCommand {
  return {
    ...commandBase(randomBytes, clock.now(), { ...author, idempotency: null }),
    kind: 'authorize',
    currency,
    source,
    preferredScheme: null,
    initialSchemeTransactionId: null,
    incremental: false,
    mayFallBackToSale: false,
    saveSource: false,
    autoCaptureAt: null,
    autoCaptureAmountMinor: null,
    autoCaptureDetailIds: null,
    capture: null,
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

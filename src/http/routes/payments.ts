import type { Command } from '../../../domain/command.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import { findTransactionOfInvoice } from '../../persistence/queries/find-transaction.ts'
import { type ApiContext, type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { bodyOf } from '../middleware/body.ts'
import { carryOut } from '../payments/carry-out.ts'
import type { PaymentRequest, Verb } from '../payments/payment-request.ts'
import { capturesAtOnce, commandBase, planCommand } from '../payments/plan.ts'
import { type FieldOf, respond } from '../payments/respond.ts'
import { readIncrementInput, readPaymentOptions, readVoidInput } from '../schemas/command-input.ts'
import { invoiceIn } from './invoices.ts'

/** Which field a refusal of these endpoints speaks of. */
const PAYMENT_FIELDS: FieldOf = {
  'request.validation.missing-source': 'source',
  'request.source.invalid': 'source',
  'request.source.card-already-used': 'source',
  'resource.card.not-found': 'source',
  'request.validation.invalid-amount': 'capture_amount',
  'request.validation.invalid-date': 'auto_capture_at',
}

const AMOUNT_FIELD: FieldOf = { 'request.validation.invalid-amount': 'amount' }

export function authorizeInvoice(deps: AppDeps): ApiMiddleware {
  return (ctx) => pay(ctx, deps, 'authorize')
}

/** Captures; where nothing is authorized yet it authorizes first. */
export function captureInvoice(deps: AppDeps): ApiMiddleware {
  return (ctx) => pay(ctx, deps, 'capture')
}

export function incrementAuthorization(deps: AppDeps): ApiMiddleware {
  return (ctx) =>
    command(ctx, deps, (invoice, base) => {
      const { amountMinor } = readIncrementInput(bodyOf(ctx), invoice.currency)
      return { ...base, kind: 'increment', amountMinor }
    })
}

export function voidInvoice(deps: AppDeps): ApiMiddleware {
  return (ctx) =>
    command(ctx, deps, (invoice, base) => {
      const { amountMinor } = readVoidInput(bodyOf(ctx), invoice.currency)
      return { ...base, kind: 'void', amountMinor, reason: null }
    })
}

async function pay(ctx: ApiContext, deps: AppDeps, verb: Verb): Promise<void> {
  const { orm, clock, randomBytes } = deps
  const em = orm.em.fork()
  const invoice = await invoiceIn(ctx, em)
  const options = readPaymentOptions(bodyOf(ctx), { currency: invoice.currency, now: clock.now() })
  const transaction = await findTransactionOfInvoice(em, scopeOf(ctx), invoice.id)
  const request: PaymentRequest = { verb, options, invoice, transaction }

  const planned = planCommand(request, randomBytes, clock.now())
  let carriedOut = await carryOut(deps, em, { invoice, transaction, command: planned })
  if (wasOvertaken(request, planned, carriedOut)) {
    const again = { ...request, transaction: carriedOut.transaction }
    const command = planCommand(again, randomBytes, clock.now())
    carriedOut = await carryOut(deps, em, { ...again, command })
  }
  respond(ctx, carriedOut, PAYMENT_FIELDS)
}

/**
 * True where another request authorized the payment between our look and our turn: a sale then found nothing to
 * authorize, and what is left of it is the capture.
 */
function wasOvertaken(
  request: PaymentRequest,
  planned: Command,
  { answer, transaction }: Awaited<ReturnType<typeof carryOut>>,
): boolean {
  const wantedCapture = planned.kind === 'authorize' && capturesAtOnce(request)
  return wantedCapture && answer.kind === 'unchanged' && transaction?.status === 'authorized'
}

async function command(
  ctx: ApiContext,
  deps: AppDeps,
  read: (invoice: InvoiceRow, base: ReturnType<typeof commandBase>) => Command,
): Promise<void> {
  const { orm, clock, randomBytes } = deps
  const em = orm.em.fork()
  const invoice = await invoiceIn(ctx, em)
  const wanted = read(invoice, commandBase(randomBytes, clock.now()))
  const transaction = await findTransactionOfInvoice(em, scopeOf(ctx), invoice.id)
  respond(ctx, await carryOut(deps, em, { invoice, transaction, command: wanted }), AMOUNT_FIELD)
}

import { makeIdentifier } from '../../../domain/identifiers.ts'
import { type ApiContext, callerOf, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { amountMinorOf } from '../../http/input/amount.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { invalidField, type Problem } from '../../http/input/input.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findCard, findCardOf } from '../../persistence/queries/customers/cards.ts'
import {
  findDefaultToken,
  findTokenOfCard,
  findUsableToken,
} from '../../persistence/queries/customers/customer-tokens.ts'
import { findCustomer } from '../../persistence/queries/customers/customers.ts'
import { findInvoice } from '../../persistence/queries/invoices/invoices.ts'
import { findTransactionOfInvoice } from '../../persistence/queries/payments/find-payment.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import type { RoutedPayment } from '../../routing/facts.ts'
import type { RequestedAuthorization } from '../../routing/routable-gateways.ts'
import { initiationTypeOf } from '../invoices/invoice-input.ts'
import { readSource } from '../payments/source.ts'
import type { ExplanationInput, HypotheticalPayment } from './explanation-input.ts'

/** A payment as it would be authorized now, for rules and gateways. */
export type ExplainedPayment = RoutedPayment & { asked: RequestedAuthorization }

type Source = RoutedPayment['source']

/**
 * The payment that a request describes, with its card. It accepts some payments that an authorization would refuse later: a
 * used card is explained like a new one.
 *
 * @throws ApiError for an invoice, a source or a customer that the caller does not have.
 */
export async function readPayment(
  { clock, randomBytes }: Pick<AppDeps, 'clock' | 'randomBytes'>,
  ctx: ApiContext,
  em: EntityManager,
  input: ExplanationInput,
): Promise<ExplainedPayment> {
  const scope = scopeOf(ctx)
  const invoice =
    input.payment === undefined
      ? await findExplainedInvoice(em, scope, input)
      : inventInvoice(input.payment, scope, makeIdentifier('invoice', randomBytes))
  const customerId = input.payment?.customer_id ?? null
  if (customerId !== null && (await findCustomer(em, scope, customerId)) === null)
    throw unknown('payment.customer_id', 'resource.customer.not-found')
  const source = await findSource(ctx, em, input, invoice)
  const incremental = input.incremental ?? invoice.incremental
  const at = clock.now().getTime()
  return {
    invoice,
    command: { incremental },
    source,
    at,
    asked: {
      invoice,
      card: source.card,
      command: {
        incremental,
        mayFallBackToSale: input.allow_fallback_to_sale ?? false,
        autoCaptureAt: invoice.autoCaptureAt?.getTime() ?? null,
        autoCaptureAmountMinor: null,
        autoCaptureIsFinal: true,
        capturesAtOnce: input.authorize_only === false,
      },
    },
  }
}

type ExplainedInvoice = RoutedPayment['invoice'] &
  Pick<InvoiceRow, 'incremental' | 'bypassIncrementalAuthorization' | 'tokenId' | 'autoCaptureAt'>

async function findExplainedInvoice(
  em: EntityManager,
  scope: Scope,
  { invoice_id: id }: ExplanationInput,
): Promise<InvoiceRow> {
  const invoice = id === null ? null : await findInvoice(em, scope, id)
  if (invoice === null) throw unknown('invoice_id', 'resource.invoice.not-found')
  return invoice
}

function inventInvoice(payment: HypotheticalPayment, scope: Scope, id: string): ExplainedInvoice {
  const { currency, merchant_initiator_type: initiator } = payment
  return {
    ...scope,
    id,
    amountMinor: amountMinorOf(payment.amount, currency),
    currency,
    customerId: payment.customer_id,
    tokenId: null,
    billing: payment.customer_country === null ? null : { ...NO_ADDRESS, countryCode: payment.customer_country },
    device:
      payment.ip_address === null
        ? null
        : { id: null, ipAddress: payment.ip_address, threedsSdk: null, platform: null },
    deviceChannel: payment.channel ?? 'web',
    merchantInitiatorType: initiator,
    initiationType: initiationTypeOf(payment.initiation_type, initiator),
    paymentIntent: payment.payment_intent,
    metadata: payment.metadata,
    verification: payment.verification ?? false,
    incremental: false,
    bypassIncrementalAuthorization: false,
    autoCaptureAt: null,
  }
}

const NO_ADDRESS = { address1: null, address2: null, city: null, state: null, zip: null }

/** Without a source, that of the invoice's last attempt, or else its token. */
async function findSource(
  ctx: ApiContext,
  em: EntityManager,
  { source, card }: ExplanationInput,
  invoice: ExplainedInvoice,
): Promise<Source> {
  if (card !== undefined) return { card: { ...columnsOf(card), ipAddress: null }, token: null }
  if (source !== null) return findNamedSource(ctx, em, source)
  const last = await findTransactionOfInvoice(em, scopeOf(ctx), invoice.id)
  const tokenId = last === null ? invoice.tokenId : last.tokenId
  const token = tokenId == null ? null : await findUsableToken(em, scopeOf(ctx), tokenId)
  if (token !== null) return openToken(em, token)
  return { card: last === null ? null : await findCardOf(em, last), token: null }
}

async function findNamedSource(ctx: ApiContext, em: EntityManager, text: string): Promise<Source> {
  const scope = scopeOf(ctx)
  const reference = readSource(text, callerOf(ctx))
  switch (reference.kind) {
    case 'invalid':
      throw invalidField('source', reference.message, 'request.source.invalid')
    case 'gateway-request':
    case 'continuation':
      return { card: null, token: null }
    case 'card': {
      const card = await findCard(em, scope, reference.id)
      if (card === null) throw unknown('source', 'resource.card.not-found')
      return { card, token: card.usedByTokenId == null ? null : await findTokenOfCard(em, scope, card.id) }
    }
    default: {
      const token =
        reference.kind === 'token'
          ? await findUsableToken(em, scope, reference.id)
          : await findDefaultToken(em, scope, reference.id)
      if (token === null) throw unknown('source', 'resource.token.not-found')
      return openToken(em, token)
    }
  }
}

async function openToken(em: EntityManager, token: CustomerTokenRow): Promise<Source> {
  return { card: await findCardOf(em, token), token }
}

function unknown(name: string, code: Problem['code']) {
  return invalidField(name, 'is not known to this project', code)
}

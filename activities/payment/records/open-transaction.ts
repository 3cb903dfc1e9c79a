import type { AuthorizeCommand } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { isMerchantInitiated } from '../../../domain/initiation.ts'
import { chooseScheme } from '../../../domain/scheme.ts'
import type { InvoiceRow } from '../../../src/persistence/entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../../src/persistence/orm.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'
import { type ChosenGateway, validityAt } from '../choose-gateway.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Source } from './sources.ts'

const HOUR_MS = 60 * 60 * 1000

/** The transaction of an invoice, before its first attempt: it has no gateway yet. */
export function openTransaction(
  { randomBytes }: Pick<PaymentActivityDeps, 'randomBytes'>,
  em: EntityManager,
  { invoice, at }: { invoice: InvoiceRow; at: number },
): TransactionRow {
  const { projectId, sandbox } = invoice
  return em.create(TransactionEntity, {
    id: makeIdentifier('transaction', randomBytes),
    projectId,
    sandbox,
    invoiceId: invoice.id,
    customerId: invoice.customerId ?? null,
    gatewayConfigurationId: null,
    gatewayName: null,
    name: invoice.name,
    currency: invoice.currency,
    status: 'waiting',
    amountMinor: invoice.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    voidedMinor: 0,
    refundedMinor: 0,
    incrementedMinor: 0,
    incremental: invoice.incremental,
    incrementAttempts: 0,
    attemptsCount: 0,
    expired: false,
    eventCount: 0,
    metadata: invoice.metadata,
    // Its dates are of one clock, the payment's own, so that it is never authorized before it was created.
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
}

/** What a new try of the payment is made with: its gateway, its source, its scheme. */
export function triedWith(
  row: TransactionRow,
  {
    invoice,
    command,
    gateway,
    source,
  }: {
    invoice: InvoiceRow
    command: AuthorizeCommand
    gateway: ChosenGateway
    source: Source
  },
): Partial<TransactionRow> {
  const { card, token } = source
  const schemeUsed = schemeFor(command, gateway, source)
  return {
    customerId: token?.customerId ?? invoice.customerId ?? null,
    cardId: card?.id ?? null,
    tokenId: token?.id ?? null,
    gatewayRequest: source.gatewayRequest,
    gatewayConfigurationId: gateway.configuration.id,
    gatewayName: gateway.configuration.gatewayName,
    capabilities: gateway.capabilities,
    authorizationValidityMs: validityAt(gateway.configuration, invoice, schemeUsed),
    schemeUsed,
    initialSchemeTransactionId: command.initialSchemeTransactionId ?? rememberedBy(source, invoice, schemeUsed),
    attemptsCount: row.attemptsCount + 1,
    errorCode: null,
    errorMessage: null,
    recommendationCode: null,
    merchantAdviceCode: null,
    retryAfter: null,
  }
}

/** The scheme that the payment runs on: the first wish that the card can fulfil. */
function schemeFor(command: AuthorizeCommand, gateway: ChosenGateway, { card, token }: Source): string | null {
  if (card === null) return null
  const ofCustomer = token?.preferredScheme ?? card.preferredScheme
  const wishes = [command.preferredScheme, ofCustomer, gateway.configuration.defaultPreferredScheme]
  return chooseScheme({ scheme: card.scheme, coScheme: card.coScheme ?? null }, wishes, gateway.capabilities.schemes)
}

/** A capture that is scheduled after the authorization has ended there would never be made. */
export function refuseInstant(
  command: AuthorizeCommand,
  { invoice, gateway, source, asOf }: { invoice: InvoiceRow; gateway: ChosenGateway; source: Source; asOf: number },
): Refusal | null {
  const validityMs = validityAt(gateway.configuration, invoice, schemeFor(command, gateway, source))
  if (command.autoCaptureAt === null || command.autoCaptureAt <= asOf + validityMs) return null
  const hours = Math.floor(validityMs / HOUR_MS)
  return refusal(
    'request.validation.invalid-date',
    `auto_capture_at lies after the end of the authorization, which holds for ${hours} hours with this card and gateway.`,
  )
}

/**
 * The id by which the scheme knows the customer's first payment with a stored card. A merchant's own payments refer to it;
 * the id of one scheme means nothing to another.
 */
function rememberedBy({ token }: Source, invoice: InvoiceRow, scheme: string | null): string | null {
  if (token === null || scheme === null || !isMerchantInitiated(invoice)) return null
  return token.schemeTransactionIds[scheme]?.id ?? null
}

import type { AuthorizeCommand } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { isMerchantInitiated } from '../../../domain/initiation.ts'
import type { InvoiceRow } from '../../../src/persistence/entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { RoutableGateway } from '../../../src/routing/routable-gateways.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'
import type { Source } from './sources.ts'
import { NOTHING_SAID } from './write-payment.ts'

/** The transaction of an invoice, before its first attempt: it has no gateway yet. */
export function openTransaction(
  { randomBytes }: Pick<PaymentActivityDeps, 'randomBytes'>,
  unit: Unit,
  { invoice, at }: { invoice: InvoiceRow; at: number },
): TransactionRow {
  const { projectId, sandbox } = invoice
  return unit.insert(TransactionEntity, {
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
    // All dates come from workflow time, so that a payment is never authorized before its creation.
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
}

/** The scheme of an authorization, if it has one, and how long the authorization is valid. */
export interface AuthorizationTerms {
  schemeUsed: string | null
  validityMs: number
}

/** The columns that a new try of the payment changes: gateway, source and scheme. */
export function triedWith(
  row: TransactionRow,
  {
    invoice,
    command,
    gateway,
    source,
    terms: { schemeUsed, validityMs },
  }: {
    invoice: InvoiceRow
    command: AuthorizeCommand
    gateway: RoutableGateway
    source: Source
    terms: AuthorizationTerms
  },
): Partial<TransactionRow> {
  const { card, token } = source
  return {
    customerId: token?.customerId ?? invoice.customerId ?? null,
    cardId: card?.id ?? null,
    tokenId: token?.id ?? null,
    gatewayRequest: source.gatewayRequest,
    gatewayConfigurationId: gateway.configuration.id,
    gatewayName: gateway.configuration.gatewayName,
    capabilities: gateway.capabilities,
    authorizationValidityMs: validityMs,
    schemeUsed,
    initialSchemeTransactionId: command.initialSchemeTransactionId ?? rememberedBy(source, invoice, schemeUsed),
    attemptsCount: row.attemptsCount + 1,
    ...NOTHING_SAID,
  }
}

/**
 * The scheme's id of the customer's first payment with a stored card. Merchant-initiated payments refer to it. It is valid
 * for that scheme only.
 */
function rememberedBy({ token }: Source, invoice: InvoiceRow, scheme: string | null): string | null {
  if (token === null || scheme === null || !isMerchantInitiated(invoice)) return null
  return token.schemeTransactionIds[scheme]?.id ?? null
}

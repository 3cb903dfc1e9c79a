import type { AuthorizeCommand } from '../../../domain/command.ts'
import { PREFIXES } from '../../../domain/identifiers.ts'
import type { Actor } from '../../../domain/operation.ts'
import type { CardRow } from '../../../src/persistence/entities/card.ts'
import type { CustomerTokenRow } from '../../../src/persistence/entities/customer-token.ts'
import type { InvoiceRow } from '../../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import { findCard } from '../../../src/persistence/queries/customers/cards.ts'
import {
  findDefaultToken,
  findTokenOfCard,
  findUsableToken,
} from '../../../src/persistence/queries/customers/customer-tokens.ts'
import { findCustomer } from '../../../src/persistence/queries/customers/customers.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import { type Refusal, refusal } from '../refusal.ts'

/** What a payment is charged to: a card, a token (a stored card), or a continuation id issued by a gateway. */
export interface Source {
  card: CardRow | null
  token: CustomerTokenRow | null
  gatewayRequest: string | null
}

/** The caller that names a source. */
interface Asking {
  actor: Actor
  /** True for a client without the client secret. */
  isNewOnly: boolean
}

/** The card id in a command's source, if the source is a card. */
export function cardIn({ source }: Pick<AuthorizeCommand, 'source'>): string | null {
  return source?.startsWith(PREFIXES.card) === true ? source : null
}

/**
 * Finds the source that a command names, or refuses it if this payment may not be charged to it.
 *
 * @param held the card of `cardIn`, locked by this database transaction; null if there is none
 */
export async function findSource(
  unit: Unit,
  invoice: InvoiceRow,
  { source, actor, newSourceOnly: isNewOnly }: AuthorizeCommand,
  held: CardRow | null,
): Promise<Source | Refusal> {
  const name = source ?? ''
  const by = { actor, isNewOnly: isNewOnly === true }
  if (name.startsWith('gway_req_')) return { card: null, token: null, gatewayRequest: name.slice('gway_req_'.length) }
  if (cardIn({ source }) !== null) return takeCard(unit, invoice, held, by)
  // Refused before the query, so that the answer does not reveal whether the source exists.
  if (by.isNewOnly) return storedSource()
  if (name.startsWith(PREFIXES.token)) {
    const token = await findUsableToken(unit, invoice, name)
    return token === null ? refusal('resource.token.not-found') : openToken(unit, invoice, token, by)
  }
  if (name.startsWith(PREFIXES.customer)) {
    const token = await findDefaultToken(unit, invoice, name)
    return token === null ? refuseCustomer(unit, invoice, name) : openToken(unit, invoice, token, by)
  }
  return refusal('request.source.invalid')
}

/** A card that was saved for a customer is charged as its token. */
async function takeCard(unit: Unit, invoice: InvoiceRow, card: CardRow | null, by: Asking): Promise<Source | Refusal> {
  if (card === null || card.deletedAt != null) return refusal('resource.card.not-found')
  if (card.numberErasedAt != null) return NUMBER_ERASED
  if (card.usedByTokenId != null) {
    if (by.isNewOnly) return storedSource()
    const token = await findTokenOfCard(unit, invoice, card.id)
    return token === null ? refusal('request.source.card-already-used') : openToken(unit, invoice, token, by)
  }
  return card.usedByInvoiceId == null || card.usedByInvoiceId === invoice.id
    ? { card, token: null, gatewayRequest: null }
    : refusal('request.source.card-already-used')
}

/**
 * Claims a single-use card for this invoice and all its tries. Called after everything that can refuse, since a claim is
 * permanent. The card has been locked since it was read, so no other payment can have claimed it.
 */
export function claimSource(unit: Unit, invoice: InvoiceRow, { card, token }: Source): void {
  if (card !== null && token === null) unit.update(card, { usedByInvoiceId: invoice.id })
}

/** A security code is used for one authorization; the outcome deletes it. */
export function forgetSecurityCode(unit: Unit, { id }: Pick<CardRow, 'id'>): void {
  unit.also('delete from card_security_code where card_id = ?', [id])
}

/** An authentication that the merchant made elsewhere is for one authorization; the outcome deletes it. */
export function forgetExternalAuthentication(
  unit: Unit,
  { id, fallbackOf }: Pick<OperationRow, 'id' | 'fallbackOf'>,
): void {
  unit.also('delete from external_authentication where operation_id = ?', [fallbackOf ?? id])
}

/**
 * A token may be charged any number of times, but only for its own customer. After a failed verification it can only be
 * verified again.
 */
async function openToken(
  unit: Unit,
  invoice: InvoiceRow,
  token: CustomerTokenRow,
  { actor }: Asking,
): Promise<Source | Refusal> {
  if (actor === 'client' && invoice.customerId == null)
    return invalid('The invoice has no customer, so a client cannot charge a stored source.')
  const isForeign = invoice.customerId != null && invoice.customerId !== token.customerId
  if (isForeign) return invalid('The token belongs to another customer than the invoice.')
  if (token.type === 'pending') return invalid('The token has no source yet, so there is nothing to charge.')
  const isVerification = invoice.verification && invoice.id === token.invoiceId
  if (!token.isChargeable && !isVerification)
    return invalid('The token cannot be charged because its verification failed. Verify it again with verify.')
  if (token.gatewayToken != null) return { card: null, token, gatewayRequest: token.gatewayToken }
  if (token.cardId == null) return invalid('The token cannot be charged.')
  const card = await findCard(unit, invoice, token.cardId)
  return card === null ? refusal('resource.card.not-found') : { card, token, gatewayRequest: null }
}

async function refuseCustomer(unit: Unit, invoice: InvoiceRow, id: string): Promise<Refusal> {
  const isKnown = (await findCustomer(unit, invoice, id)) !== null
  return isKnown ? invalid('The customer has no default token.') : refusal('resource.customer.not-found')
}

function storedSource(): Refusal {
  const message = 'The source is stored for a customer; a client must send the client secret of the invoice to use it.'
  return refusal('request.validation.invalid-client-secret', message)
}

const invalid = (message: string): Refusal => refusal('request.source.invalid', message)

const NUMBER_ERASED = invalid('The card number was erased after its retention period. Create the card again.')

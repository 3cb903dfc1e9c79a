import type { CardRow } from '../../entities/card.ts'
import type { CustomerRow } from '../../entities/customer.ts'
import {
  CustomerTokenEntity,
  type CustomerTokenRow,
  type SchemeTransactionIds,
  type VerificationStatus,
} from '../../entities/customer-token.ts'
import type { EntityManager } from '../../orm.ts'
import { findRow, type Reader } from '../../rows.ts'
import type { Unit } from '../../transact.ts'
import type { Scope } from '../scope.ts'
import { eraseCards } from './cards.ts'
import { findCustomer, holdCustomer } from './customers.ts'

/** A token that was not deleted. One that cannot be charged, because its card is not known yet, is found as well. */
export function findUsableToken(
  reader: Reader,
  { projectId, sandbox }: Scope,
  tokenId: string,
): Promise<CustomerTokenRow | null> {
  return findRow(reader, CustomerTokenEntity, { id: tokenId, projectId, sandbox, deletedAt: null })
}

/** The token that the customer's id stands for; null without one, and for a customer that is deleted or unknown. */
export async function findDefaultToken(
  reader: Reader,
  scope: Scope,
  customerId: string,
): Promise<CustomerTokenRow | null> {
  const customer = await findCustomer(reader, scope, customerId)
  return customer?.defaultTokenId == null ? null : findUsableToken(reader, scope, customer.defaultTokenId)
}

/** The token that a card became; null while it is a card for one payment, and where the token was deleted. */
export function findTokenOfCard(
  reader: Reader,
  { projectId, sandbox }: Scope,
  cardId: string,
): Promise<CustomerTokenRow | null> {
  return findRow(reader, CustomerTokenEntity, { cardId, projectId, sandbox, deletedAt: null })
}

/** A token of this very customer, in the caller's unit of work: changes to it are flushed. */
export async function findTokenOfCustomer(
  em: EntityManager,
  { id: customerId, projectId, sandbox }: Pick<CustomerRow, 'id' | 'projectId' | 'sandbox'>,
  tokenId: string,
): Promise<CustomerTokenRow | null> {
  return em.findOne(CustomerTokenEntity, { id: tokenId, customerId, projectId, sandbox, deletedAt: null })
}

/** A card to be stored for a customer. */
export interface NewCardToken {
  id: string
  customerId: string
  card: CardRow
  /** The invoice that the card has paid, where it is stored with that payment. A card used otherwise is not taken. */
  paidInvoiceId?: string | null
  verificationStatus?: VerificationStatus
  schemeTransactionIds?: SchemeTransactionIds
  now: Date
}

/**
 * Stores a card for a customer, in the caller's database transaction. Takes the card at once, so that of two callers who
 * want the same card one gets it.
 *
 * @returns null where the customer is gone, or the card is deleted, stored already, or taken by another payment.
 */
export async function insertTokenForCard(
  unit: Unit,
  { id, customerId, card, paidInvoiceId = null, verificationStatus, schemeTransactionIds, now }: NewCardToken,
): Promise<CustomerTokenRow | null> {
  const { projectId, sandbox } = card
  if (!(await holdCustomer(unit, { projectId, sandbox }, customerId))) return null
  if (!(await takeCardForToken(unit, card, { tokenId: id, paidInvoiceId, now }))) return null
  return unit.insert(CustomerTokenEntity, {
    ...emptyToken({ projectId, sandbox, id, customerId }, now),
    ...columnsOfCard(card),
    verificationStatus: verificationStatus ?? 'not-requested',
    schemeTransactionIds: schemeTransactionIds ?? {},
  })
}

/** A token before anything is known of its source; nobody asked for a verification. */
export function emptyToken(
  { projectId, sandbox, id, customerId }: Scope & { id: string; customerId: string },
  now: Date,
): CustomerTokenRow {
  return {
    id,
    projectId,
    sandbox,
    customerId,
    cardId: null,
    invoiceId: null,
    gatewayConfigurationId: null,
    gatewayToken: null,
    preferredScheme: null,
    type: 'pending',
    isChargeable: false,
    isSubscriptionOnly: false,
    summary: null,
    description: null,
    verificationStatus: 'not-requested',
    schemeTransactionIds: {},
    returnUrl: null,
    cancelUrl: null,
    webhookUrl: null,
    manualInvoiceCancellation: false,
    metadata: {},
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Writes a new token in one statement. */
export async function insertToken(em: EntityManager, row: CustomerTokenRow): Promise<void> {
  await em.insert(CustomerTokenEntity, row)
}

/**
 * Deletes a token for good, and with it the number of its card, which nothing can charge any more. The customer is locked
 * by the caller; a default token leaves it without one.
 */
export async function deleteToken(
  em: EntityManager,
  customer: CustomerRow,
  token: CustomerTokenRow,
  now: Date,
): Promise<void> {
  em.assign(token, { deletedAt: now, updatedAt: now })
  if (token.cardId != null) await eraseCards(em, customer, [token.cardId], now)
  if (customer.defaultTokenId === token.id) em.assign(customer, { defaultTokenId: null, updatedAt: now })
}

/** What a card makes of a token. */
export function columnsOfCard(card: Pick<CardRow, 'id' | 'scheme' | 'last4Digits'>) {
  return {
    type: 'card',
    cardId: card.id,
    isChargeable: true,
    summary: `**** **** **** ${card.last4Digits}`,
    description: `${card.scheme} ${card.last4Digits}`,
  } as const
}

/** Claims a card for a token; false where it is deleted or lost its number, a token already, or used by another payment than this one. */
export async function takeCardForToken(
  reader: Reader,
  { id, projectId, sandbox }: Pick<CardRow, 'id' | 'projectId' | 'sandbox'>,
  { tokenId, paidInvoiceId, now }: { tokenId: string; paidInvoiceId: string | null; now: Date },
): Promise<boolean> {
  const taken = await reader.execute(
    `update card set used_by_token_id = ?, updated_at = ?
      where id = ? and project_id = ? and sandbox = ? and used_by_invoice_id is not distinct from ?::text
        and used_by_token_id is null and deleted_at is null and number_erased_at is null
     returning id`,
    [tokenId, now, id, projectId, sandbox, paidInvoiceId],
  )
  return taken.length === 1
}

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

/** A token that is not deleted. It may not be chargeable yet, while its card is unknown. */
export function findUsableToken(
  reader: Reader,
  { projectId, sandbox }: Scope,
  tokenId: string,
): Promise<CustomerTokenRow | null> {
  return findRow(reader, CustomerTokenEntity, { id: tokenId, projectId, sandbox, deletedAt: null })
}

/** The default token of a customer; null without one, and for a deleted or unknown customer. */
export async function findDefaultToken(
  reader: Reader,
  scope: Scope,
  customerId: string,
): Promise<CustomerTokenRow | null> {
  const customer = await findCustomer(reader, scope, customerId)
  return customer?.defaultTokenId == null ? null : findUsableToken(reader, scope, customer.defaultTokenId)
}

/** The token made from a card; null for a card of one payment, and where the token was deleted. */
export function findTokenOfCard(
  reader: Reader,
  { projectId, sandbox }: Scope,
  cardId: string,
): Promise<CustomerTokenRow | null> {
  return findRow(reader, CustomerTokenEntity, { cardId, projectId, sandbox, deletedAt: null })
}

/** A token of this customer, in the caller's unit of work: changes to it are flushed. */
export async function findTokenOfCustomer(
  em: EntityManager,
  { id: customerId, projectId, sandbox }: Pick<CustomerRow, 'id' | 'projectId' | 'sandbox'>,
  tokenId: string,
): Promise<CustomerTokenRow | null> {
  return em.findOne(CustomerTokenEntity, { id: tokenId, customerId, projectId, sandbox, deletedAt: null })
}

/** A card to store for a customer. */
export interface NewCardToken {
  id: string
  customerId: string
  card: CardRow
  /**
   * The invoice that the card has paid, where the card is stored with that payment. A card used for another invoice is
   * refused.
   */
  paidInvoiceId?: string | null
  verificationStatus?: VerificationStatus
  schemeTransactionIds?: SchemeTransactionIds
  now: Date
}

/**
 * Stores a card for a customer, in the caller's database transaction. It claims the card at once, so that of two callers
 * with the same card one succeeds.
 *
 * @returns null where the customer is gone, or the card is deleted, stored already, or claimed by another payment.
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

/** A new token whose source is unknown, and for which no verification was requested. */
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

/**
 * Deletes a token for good, together with the number of its card, which can no longer be charged. The caller has locked the
 * customer; if the token was the default, the customer has none afterwards.
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

/** The columns of a token that follow from its card. */
export function columnsOfCard(card: Pick<CardRow, 'id' | 'scheme' | 'last4Digits'>) {
  return {
    type: 'card',
    cardId: card.id,
    isChargeable: true,
    summary: `**** **** **** ${card.last4Digits}`,
    description: `${card.scheme} ${card.last4Digits}`,
  } as const
}

/**
 * Claims a card for a token. False where the card is deleted, has lost its number, is a token already, or paid another
 * invoice.
 */
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

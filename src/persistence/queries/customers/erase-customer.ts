import type { CustomerRow } from '../../entities/customer.ts'
import { CustomerTokenEntity, type CustomerTokenRow } from '../../entities/customer-token.ts'
import { EventEntity } from '../../entities/event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { eraseCards } from './cards.ts'
import { lockCustomer } from './customers.ts'

/** The columns of a customer that tell of a person, of whom nothing is known. */
export const NOBODY = {
  defaultTokenId: null,
  email: null,
  firstName: null,
  lastName: null,
  address1: null,
  address2: null,
  city: null,
  state: null,
  zip: null,
  countryCode: null,
  phoneNumber: null,
  phoneDialingCode: null,
  legalDocument: null,
  ipAddress: null,
  sex: null,
  dateOfBirth: null,
  referenceId: null,
  metadata: {},
} as const

/** The same of the groups of fields in which an invoice tells of its customer; what they say of money stays. */
const ADDRESS = { address1: null, address2: null, city: null, state: null, countryCode: null, zip: null }
const SHIPPING = { ...ADDRESS, phoneNumber: null, phone: null, email: null, firstName: null, lastName: null }
const DEVICE = { id: null, ipAddress: null }

/** What a token says of its source, and what was written or learned of it. */
const OF_NOBODY = { metadata: {}, schemeTransactionIds: {}, summary: null, description: null } as const

/** What is left of a customer, with nothing personal in it. */
export interface ErasedCustomer {
  customer: CustomerRow
  /** Those that were deleted with it, the oldest first; none that was deleted before. */
  tokens: CustomerTokenRow[]
}

/**
 * Deletes a customer for good, in the caller's database transaction: its tokens, the numbers of its cards, and what is
 * personal in its own row, its invoices with their refunds, and its events. The record stays: invoices, transactions
 * and the rows of cards.
 *
 * @param erase takes what is personal out of the data of an event.
 * @returns the rows that are left; null where there is no such customer.
 */
export async function eraseCustomer(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  customerId: string,
  { now, erase }: { now: Date; erase(data: Record<string, unknown>): Record<string, unknown> },
): Promise<ErasedCustomer | null> {
  const scope = { projectId, sandbox }
  // Invoices first: whatever stores a card with a payment, or tells of its customer, holds its invoice when it asks for
  // the customer.
  await holdPaidInvoices(em, scope, customerId)
  await eraseInvoices(em, scope, customerId)
  await eraseRefunds(em, scope, customerId)
  await eraseVelocityRecords(em, scope, customerId)
  const customer = await lockCustomer(em, scope, customerId)
  if (customer === null) return null
  await eraseCards(em, scope, await cardsOf(em, scope, customerId), now)
  const tokens = await deleteTokens(em, scope, customerId, now)
  const events = await em.find(EventEntity, { projectId, sandbox, customerId })
  for (const event of events) event.data = erase(event.data)
  em.assign(customer, { ...NOBODY, deletedAt: now, updatedAt: now })
  return { customer, tokens }
}

/** Of the tokens that were deleted before, nothing personal stays either. */
async function deleteTokens(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  customerId: string,
  now: Date,
): Promise<CustomerTokenRow[]> {
  const all = { projectId, sandbox, customerId }
  const deleted = { ...OF_NOBODY, deletedAt: now, updatedAt: now }
  // Whatever stores or changes a token holds its customer, as the caller does: these are all that there will be.
  const tokens = await em.find(
    CustomerTokenEntity,
    { ...all, deletedAt: null },
    { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true },
  )
  await em.nativeUpdate(CustomerTokenEntity, { ...all, deletedAt: null }, deleted)
  await em.nativeUpdate(CustomerTokenEntity, all, OF_NOBODY)
  return tokens.map((token) => ({ ...token, ...deleted }))
}

/** Stored cards, and those that paid the customer's invoices. */
async function cardsOf(em: EntityManager, { projectId, sandbox }: Scope, customerId: string): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select card.id from card
      where card.project_id = ? and card.sandbox = ? and card.deleted_at is null and (
        card.used_by_token_id in (select id from customer_token where customer_id = ?)
        or card.used_by_invoice_id in ${INVOICES}
      )`,
    [projectId, sandbox, customerId, customerId, customerId],
  )
  return rows.map(({ id }) => id)
}

/** Those that a token of the customer has paid may name no customer themselves. */
async function holdPaidInvoices(em: EntityManager, { projectId, sandbox }: Scope, customerId: string): Promise<void> {
  await em.execute(
    `select invoice.id from invoice
       join transaction on transaction.invoice_id = invoice.id
      where transaction.project_id = ? and transaction.sandbox = ? and transaction.customer_id = ?
      order by invoice.id for update of invoice`,
    [projectId, sandbox, customerId],
  )
}

/** Those that name the customer, and those that a token of the customer has paid. Takes the customer twice. */
const INVOICES = `(
  select id from invoice where customer_id = ?
  union select invoice_id from transaction where customer_id = ?)`

async function eraseInvoices(em: EntityManager, { projectId, sandbox }: Scope, customerId: string): Promise<void> {
  await em.execute(
    `update invoice
        set shipping = shipping || ?::jsonb, billing = billing || ?::jsonb, device = device || ?::jsonb,
            external_fraud_tools = null
      where project_id = ? and sandbox = ? and id in ${INVOICES}`,
    [
      JSON.stringify(SHIPPING),
      JSON.stringify(ADDRESS),
      JSON.stringify(DEVICE),
      projectId,
      sandbox,
      customerId,
      customerId,
    ],
  )
}

/** What somebody wrote about a refund may tell of whom it is for. */
async function eraseRefunds(em: EntityManager, { projectId, sandbox }: Scope, customerId: string): Promise<void> {
  await em.execute(
    `update refund set information = null
       from transaction
      where refund.transaction_id = transaction.id and refund.information is not null
        and refund.project_id = ? and refund.sandbox = ? and transaction.invoice_id in ${INVOICES}`,
    [projectId, sandbox, customerId, customerId],
  )
}

/** What is left still counts the card, which nobody can be found by. */
async function eraseVelocityRecords(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  customerId: string,
): Promise<void> {
  await em.execute(
    `update velocity_record set customer_id = null, ip_address = null
      where project_id = ? and sandbox = ? and (customer_id = ? or invoice_id in ${INVOICES})`,
    [projectId, sandbox, customerId, customerId, customerId],
  )
}

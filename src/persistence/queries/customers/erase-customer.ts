import { CustomerEntity, type CustomerRow } from '../../entities/customer.ts'
import { CustomerTokenEntity, type CustomerTokenRow } from '../../entities/customer-token.ts'
import { EventEntity } from '../../entities/event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { eraseCards } from './cards.ts'
import { lockCustomer } from './customers.ts'

/** The columns that may be empty and tell of nobody. */
const NOT_PERSONAL = ['currency', 'deletedAt'] as const

type Nobody = {
  [Name in keyof CustomerRow as null extends CustomerRow[Name]
    ? Exclude<Name, (typeof NOT_PERSONAL)[number]>
    : never]: null
} & Pick<CustomerRow, 'metadata'>

/** The personal columns of a customer, empty: all that may be, so that a new one is erased without being listed. */
export function nobody(em: EntityManager): Nobody {
  const { props } = em.getMetadata().get<CustomerRow>(CustomerEntity)
  const personal = props.filter(({ name, nullable }) => nullable && !(NOT_PERSONAL as readonly string[]).includes(name))
  return { ...Object.fromEntries(personal.map(({ name }) => [name, null])), metadata: {} } as Nobody
}

/** The customer's fields in an invoice's groups, empty; amounts stay. */
const ADDRESS = { address1: null, address2: null, city: null, state: null, countryCode: null, zip: null }
const SHIPPING = { ...ADDRESS, phoneNumber: null, phone: null, email: null, firstName: null, lastName: null }
const DEVICE = { id: null, ipAddress: null }

/** The descriptive and learned fields of a token, empty. */
const OF_NOBODY = { metadata: {}, schemeTransactionIds: {}, summary: null, description: null } as const

/** The remaining rows of a customer, without personal data. */
export interface ErasedCustomer {
  customer: CustomerRow
  /** The tokens deleted with it, the oldest first, without those deleted before. */
  tokens: CustomerTokenRow[]
}

/**
 * Deletes a customer for good, in the caller's database transaction: its tokens, the numbers of its cards, and the personal
 * data in its own row, its invoices, their refunds, and its events. The rows of invoices, transactions and cards stay.
 *
 * @param erase removes personal data from the data of an event.
 * @returns the remaining rows; null where there is no such customer.
 */
export async function eraseCustomer(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  customerId: string,
  { now, erase }: { now: Date; erase(data: Record<string, unknown>): Record<string, unknown> },
): Promise<ErasedCustomer | null> {
  const scope = { projectId, sandbox }
  const owner = { ...scope, customerId }
  // Invoices first: a transaction that stores a card with a payment, or writes an event about the customer, locks the
  // invoice before the customer.
  await holdInvoices(em, owner)
  const customer = await lockCustomer(em, scope, customerId)
  if (customer === null) return null
  // After that lock: while it was waited for, a token of the customer may have paid an invoice that was not held. Where a
  // step of that payment holds the invoice and waits for the customer, PostgreSQL refuses one of the two, which writes nothing.
  const invoiceIds = await eraseInvoices(em, owner)
  await eraseRefunds(em, owner)
  await eraseVelocityRecords(em, owner)
  await eraseCards(em, scope, await cardsOf(em, owner), now)
  const tokens = await deleteTokens(em, owner, now)
  // An invoice may have got its customer after its first events, which name nobody.
  const ofInvoices = invoiceIds.length === 0 ? [] : [{ invoiceId: { $in: invoiceIds } }]
  const events = await em.find(EventEntity, { projectId, sandbox, $or: [{ customerId }, ...ofInvoices] })
  for (const event of events) event.data = erase(event.data)
  em.assign(customer, { ...nobody(em), deletedAt: now, updatedAt: now })
  return { customer, tokens }
}

type Owner = Scope & { customerId: string }

/** Erases the personal data of tokens deleted before, too. */
async function deleteTokens(em: EntityManager, all: Owner, now: Date): Promise<CustomerTokenRow[]> {
  const deleted = { ...OF_NOBODY, deletedAt: now, updatedAt: now }
  // A change of a token locks its customer, as the caller has: no other token can appear now.
  const tokens = await em.find(
    CustomerTokenEntity,
    { ...all, deletedAt: null },
    { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true },
  )
  await em.nativeUpdate(CustomerTokenEntity, { ...all, deletedAt: null }, deleted)
  await em.nativeUpdate(CustomerTokenEntity, all, OF_NOBODY)
  return tokens.map((token) => ({ ...token, ...deleted }))
}

/** The customer's stored cards, and the cards that paid its invoices. */
async function cardsOf(em: EntityManager, { projectId, sandbox, customerId }: Owner): Promise<string[]> {
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

/** The invoices that name the customer or were paid by its tokens. Takes the customer's id twice. */
const INVOICES = `(
  select id from invoice where customer_id = ?
  union select invoice_id from transaction where customer_id = ?)`

async function holdInvoices(em: EntityManager, { projectId, sandbox, customerId }: Owner): Promise<void> {
  await em.execute(
    `select from invoice where project_id = ? and sandbox = ? and id in ${INVOICES} order by id for update`,
    [projectId, sandbox, customerId, customerId],
  )
}

/** @returns the ids of the customer's invoices. */
async function eraseInvoices(em: EntityManager, { projectId, sandbox, customerId }: Owner): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `update invoice
        set shipping = shipping || ?::jsonb, billing = billing || ?::jsonb, device = device || ?::jsonb,
            external_fraud_tools = null
      where project_id = ? and sandbox = ? and id in ${INVOICES} returning id`,
    [
      ...[SHIPPING, ADDRESS, DEVICE].map((group) => JSON.stringify(group)),
      ...[projectId, sandbox, customerId, customerId],
    ],
  )
  return rows.map(({ id }) => id)
}

/** Free text about a refund may identify the customer. */
async function eraseRefunds(em: EntityManager, { projectId, sandbox, customerId }: Owner): Promise<void> {
  await em.execute(
    `update refund set information = null
       from transaction
      where refund.transaction_id = transaction.id and refund.information is not null
        and refund.project_id = ? and refund.sandbox = ? and transaction.invoice_id in ${INVOICES}`,
    [projectId, sandbox, customerId, customerId],
  )
}

/** The remaining record still counts the card, but identifies no person. */
async function eraseVelocityRecords(em: EntityManager, { projectId, sandbox, customerId }: Owner): Promise<void> {
  await em.execute(
    `update velocity_record set customer_id = null, ip_address = null
      where project_id = ? and sandbox = ? and (customer_id = ? or invoice_id in ${INVOICES})`,
    [projectId, sandbox, customerId, customerId, customerId],
  )
}

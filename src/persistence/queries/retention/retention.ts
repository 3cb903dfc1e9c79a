import type { EntityManager } from '../../orm.ts'
import { writeRows } from '../../raw.ts'
import { OPEN_AT_CONFIGURATION } from '../payments/open-at-gateway.ts'

/** Tables whose old rows are deleted, with the column of their age, which needs an index, and a condition. */
const OLD = {
  api_request: ['created_at'],
  velocity_record: ['created_at'],
  card_security_code: ['expires_at'],
  external_authentication: ['expires_at'],
  command_note: ['created_at'],
  idempotency_key: ['created_at'],
  limit_minute: ['minute'],
  person_session: ['ends_at'],
  invitation: ['expires_at'],
  sign_in_failure: ['tried_at'],
  advice_block: ['expires_at'],
  payment_pick_up: ['next_try_at'],
  withdrawn_command: ['created_at'],
  // A disabled endpoint may be enabled again: attempts of a pending delivery stay, however old they are.
  delivery_attempt: [
    'started_at',
    "not exists (select from delivery where delivery.id = delivery_attempt.delivery_id and delivery.status = 'pending')",
  ],
  // Those that no payment was found for.
  gateway_notification: ['received_at', 'invoice_id is null'],
} as const satisfies Record<string, readonly [age: string, only?: string]>

export type OldTable = keyof typeof OLD

/** A part of what is old enough. */
interface Batch {
  before: Date
  limit: number
}

/**
 * Deletes the oldest rows of a table from before an instant, in a short transaction of its own. Rows locked by another
 * transaction are left for the next time.
 *
 * @returns how many were deleted; fewer than `limit` where none is left.
 */
export function deleteOlder(em: EntityManager, table: OldTable, { before, limit }: Batch): Promise<number> {
  const [age, only = 'true']: readonly [string, string?] = OLD[table]
  return writeRows(
    em,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${age} < ? and ${only} order by ${age} limit ? for update skip locked))`,
    [before, limit],
  )
}

/**
 * A payment needs its card number only for another authorization: while one is under way or has an unknown outcome, and
 * after a decline for as long as the customer may try again. Captures, voids and refunds refer to the authorization.
 */
const PAYMENT_NEEDS_NUMBER = `
  transaction.attempts_in_flight <> '[]' or transaction.outcome_unknown_since is not null
  or coalesce(transaction.authorized_at, transaction.updated_at) >= ?`

/** Card numbers from before an instant that belong to no token and that no payment needs. Takes the instant twice. */
const UNNEEDED = `
  card.number_ciphertext is not null and card.used_by_token_id is null and card.created_at < ?
  and not exists (
    select from transaction
     where transaction.project_id = card.project_id and transaction.sandbox = card.sandbox
       and transaction.invoice_id = card.used_by_invoice_id and (${PAYMENT_NEEDS_NUMBER}))`

/**
 * Erases the oldest card numbers that are no longer needed, in a short transaction of its own. It locks the invoices, as a
 * new authorization does, and checks again under the lock, so that no attempt can begin with an erased number. Rows locked
 * by another transaction are left for the next time, so this never waits.
 *
 * @returns how many were erased; fewer than `limit` where none is left.
 */
export function eraseCardNumbers(em: EntityManager, { before, limit }: Batch, now: Date): Promise<number> {
  return em.transactional(async (inner) => {
    const found = await inner.execute<{ id: string; invoiceId: string | null }[]>(
      `select card.id, card.used_by_invoice_id as "invoiceId" from card where ${UNNEEDED}
        order by card.created_at, card.id limit ?`,
      [before, before, limit],
    )
    const held = await inner.execute<{ id: string }[]>(
      `select id from invoice where id in (select jsonb_array_elements_text(?::jsonb)) for no key update skip locked`,
      [JSON.stringify(found.flatMap(({ invoiceId }) => invoiceId ?? []))],
    )
    const heldIds = new Set(held.map(({ id }) => id))
    const ids = found.filter(({ invoiceId }) => invoiceId === null || heldIds.has(invoiceId)).map(({ id }) => id)
    return writeRows(
      inner,
      `update card set number_ciphertext = null, number_key_id = null, number_erased_at = ?, updated_at = ?
        where ctid = any(array(
          select card.ctid from card
           where card.id in (select jsonb_array_elements_text(?::jsonb)) and ${UNNEEDED}
             for no key update skip locked))`,
      [now, now, JSON.stringify(ids), before, before],
    )
  })
}

/**
 * Erases the credentials of gateway configurations that were deleted before an instant and have no open payment. Until then
 * captures, refunds and look-ups need them. Rows locked by another transaction are left for the next time.
 *
 * @returns how many were erased; fewer than `limit` where none is left.
 */
export function eraseCredentials(em: EntityManager, { before, limit }: Batch, now: Date): Promise<number> {
  return writeRows(
    em,
    `update gateway_configuration set credentials_ciphertext = null, credentials_key_id = null,
            credentials_hash = null, credentials_set_at = '{}', updated_at = ?
      where ctid = any(array(
        select configuration.ctid from gateway_configuration configuration
         where configuration.deleted_at < ? and configuration.credentials_ciphertext is not null
           and not exists (select from transaction where ${OPEN_AT_CONFIGURATION})
         order by configuration.deleted_at limit ? for no key update skip locked))`,
    [now, before, limit],
  )
}

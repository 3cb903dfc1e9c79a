import type { EntityManager } from '../../orm.ts'
import { OPEN_AT_CONFIGURATION } from '../payments/open-at-gateway.ts'

/** A table whose rows go when they are old enough, and the column that tells their age; it needs an index on it. */
const AGES = {
  api_request: 'created_at',
  velocity_record: 'created_at',
  card_security_code: 'expires_at',
  command_note: 'created_at',
  idempotency_key: 'created_at',
  advice_block: 'expires_at',
  payment_pick_up: 'next_try_at',
  withdrawn_command: 'created_at',
} as const

/**
 * Deletes the oldest rows of a table that are from before an instant, in a transaction of its own that is over soon: rows
 * that somebody holds are left for the next time.
 *
 * @returns how many there were; fewer than `limit` where none is left.
 */
export async function deleteOlder(
  em: EntityManager,
  table: keyof typeof AGES,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const age = AGES[table]
  const [row] = await em.execute<{ count: number }[]>(
    `with deleted as (
       delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${age} < ? order by ${age} limit ? for update skip locked))
       returning 1)
     select count(*)::integer as count from deleted`,
    [before, limit],
  )
  return row?.count ?? 0
}

/**
 * Deletes the oldest tries of webhooks that were made before an instant, as `deleteOlder`. Those of a delivery that is
 * not over yet stay, however old they are: an endpoint that was switched off may go on.
 */
export async function deleteOldAttempts(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with deleted as (
       delete from delivery_attempt where ctid = any(array(
       select attempt.ctid from delivery_attempt attempt
        where attempt.started_at < ?
          and not exists (select from delivery where delivery.id = attempt.delivery_id and delivery.status = 'pending')
        order by attempt.started_at limit ? for update skip locked))
       returning 1)
     select count(*)::integer as count from deleted`,
    [before, limit],
  )
  return row?.count ?? 0
}

/**
 * A payment needs the number of its card for another authorization only: while one is under way or its outcome is not
 * known, and after a decline for as long as somebody may try again. Captures, voids and refunds refer to the authorization.
 */
const PAYMENT_NEEDS_NUMBER = `
  transaction.attempts_in_flight <> '[]' or transaction.outcome_unknown_since is not null
  or coalesce(transaction.authorized_at, transaction.updated_at) >= ?`

/** What was given before an instant, is no token, and no payment needs. Takes the instant twice. */
const UNNEEDED = `
  card.number_ciphertext is not null and card.used_by_token_id is null and card.created_at < ?
  and not exists (
    select from transaction
     where transaction.project_id = card.project_id and transaction.sandbox = card.sandbox
       and transaction.invoice_id = card.used_by_invoice_id and (${PAYMENT_NEEDS_NUMBER}))`

/**
 * Erases the oldest numbers that nobody needs any more, in a transaction of its own that is over soon. The invoices are
 * held, as whoever begins an authorization holds them, and everything is looked at again then, so that no attempt can begin
 * with a number that goes. What somebody else holds is left for the next time: this waits for nobody.
 *
 * @returns how many there were; fewer than `limit` where none is left.
 */
export function eraseCardNumbers(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
  now: Date,
): Promise<number> {
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
    const [row] = await inner.execute<{ count: number }[]>(
      `with erased as (
        update card set number_ciphertext = null, number_key_id = null, number_erased_at = ?, updated_at = ?
        where ctid = any(array(
          select card.ctid from card
           where card.id in (select jsonb_array_elements_text(?::jsonb)) and ${UNNEEDED}
             for no key update skip locked))
        returning 1)
       select count(*)::integer as count from erased`,
      [now, now, JSON.stringify(ids), before, before],
    )
    return row?.count ?? 0
  })
}

/**
 * Erases the credentials of gateway configurations that were deleted before an instant and have nothing left to do. Until
 * then captures, refunds and look-ups of what is there need them. What somebody holds is left for the next time.
 *
 * @returns how many there were; fewer than `limit` where none is left.
 */
export async function eraseCredentials(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
  now: Date,
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with erased as (
       update gateway_configuration set credentials_ciphertext = null, credentials_key_id = null,
              credentials_hash = null, credentials_set_at = '{}', updated_at = ?
        where ctid = any(array(
          select configuration.ctid from gateway_configuration configuration
           where configuration.deleted_at < ? and configuration.credentials_ciphertext is not null
             and not exists (select from transaction where ${OPEN_AT_CONFIGURATION})
           order by configuration.deleted_at limit ? for no key update skip locked))
        returning 1)
     select count(*)::integer as count from erased`,
    [now, before, limit],
  )
  return row?.count ?? 0
}

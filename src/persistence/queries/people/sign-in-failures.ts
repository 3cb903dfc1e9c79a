import type { EntityManager } from '../../orm.ts'

/**
 * Wrong tries until an account is locked, for each of two kinds of browsers: those that have signed in to it before, and all
 * others. Together ten. Source: PCI DSS 4.0.1, requirement 8.3.4, as well as the half hour.
 */
export const TRIES_MAX = 5
export const LOCKED_SECONDS = 30 * 60

/** Without a try for so long the earlier ones are forgotten, and their row is deleted. */
export const TRIES_KEPT_SECONDS = 24 * 60 * 60

/** `isLast`: the account is locked by it, if it is wrong. */
export type TakenTry = { isLast: boolean } | { lockedUntil: Date }

/**
 * Takes a try to sign in before it is known to be wrong, so that no more are under way at once than may be wrong.
 *
 * @param subject names account and kind of browser; of an address without an account as of any other.
 */
export async function takeTry(em: EntityManager, subject: string, now: Date): Promise<TakenTry> {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const [taken] = await em.execute<{ is_last: boolean }[]>(
    `insert into sign_in_failure as failure (subject, tries, tried_at) values (?, 1, ?)
     on conflict (subject) do update set tried_at = excluded.tried_at,
       tries = case when failure.locked_until is not null or failure.tried_at <= ? then 1 else failure.tries + 1 end,
       locked_until = case when failure.locked_until is null and failure.tried_at > ? and failure.tries + 1 >= ?
                           then ?::timestamptz end
     where failure.locked_until is null or failure.locked_until <= excluded.tried_at
     returning locked_until is not null as is_last`,
    [subject, now, after(-TRIES_KEPT_SECONDS), after(-TRIES_KEPT_SECONDS), TRIES_MAX, after(LOCKED_SECONDS)],
  )
  if (taken !== undefined) return { isLast: taken.is_last }
  const [row] = await em.execute<{ locked_until: string }[]>(
    'select locked_until from sign_in_failure where subject = ?',
    [subject],
  )
  return { lockedUntil: row === undefined ? after(LOCKED_SECONDS) : new Date(row.locked_until) }
}

/** Forgets the tries of a sign-in that was right in the end. */
export async function forgetTries(em: EntityManager, subjects: readonly string[]): Promise<void> {
  await em.execute('delete from sign_in_failure where subject in (select jsonb_array_elements_text(?::jsonb))', [
    JSON.stringify(subjects),
  ])
}

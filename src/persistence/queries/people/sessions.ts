import type { EntityManager } from '../../orm.ts'

interface NewSession {
  /** The vault's keyed hash; only this is stored. */
  tokenHash: string
  personId: string
  endsAt: Date
  now: Date
  /** Whether the second factor was given, too. */
  isConfirmed: boolean
}

/** Starts a session, in the caller's database transaction. */
export async function startSession(
  em: EntityManager,
  { tokenHash, personId, endsAt, now, isConfirmed }: NewSession,
): Promise<void> {
  await em.execute(
    `insert into person_session (token_hash, person_id, created_at, last_used_at, ends_at, second_factor_at)
     values (?, ?, ?, ?, ?, ?)`,
    [tokenHash, personId, now, now, endsAt, isConfirmed ? now : null],
  )
}

/** Ends a session; one that has ended stays so. */
export async function endSession(em: EntityManager, tokenHash: string): Promise<void> {
  await em.execute('delete from person_session where token_hash = ?', [tokenHash])
}

/** Ends all sessions of a person. */
export async function endSessionsOf(em: EntityManager, personId: string): Promise<void> {
  await em.execute('delete from person_session where person_id = ?', [personId])
}

/**
 * Locks a session until the caller's database transaction ends, after the account of its person: whatever changes an account
 * locks it before all else, so that no two wait for each other.
 *
 * @returns what it is by now, for it was admitted before the body of the request was there; null where it has ended, or its
 *   person is disabled.
 */
export async function lockSession(
  em: EntityManager,
  { personId, tokenHash }: { personId: string; tokenHash: string },
): Promise<{ hasSecondFactor: boolean; isConfirmed: boolean } | null> {
  await em.execute('select from person where id = ? for update', [personId])
  const [found] = await em.execute<{ hasSecondFactor: boolean; isConfirmed: boolean }[]>(
    `select session.second_factor_at is not null as "isConfirmed",
            person.totp_ciphertext is not null
              or exists (select from person_passkey passkey where passkey.person_id = person.id) as "hasSecondFactor"
       from person_session session join person on person.id = session.person_id and person.disabled_at is null
      where session.token_hash = ? and session.person_id = ? for update of session`,
    [tokenHash, personId],
  )
  return found ?? null
}

/** Notes that the person of a session has just set up a second factor in it. */
export async function confirmSession(em: EntityManager, tokenHash: string, now: Date): Promise<void> {
  await em.execute('update person_session set second_factor_at = ? where token_hash = ?', [now, tokenHash])
}

/** What a challenge is for: a signature for one does not serve the other. */
export type ChallengeUse = 'sign in' | 'add a passkey'

/** Keeps what a passkey is to sign, in place of an earlier one. */
export async function keepChallenge(
  em: EntityManager,
  tokenHash: string,
  use: ChallengeUse,
  challenge: string,
): Promise<void> {
  await em.execute('update person_session set challenge = ? where token_hash = ?', [`${use} ${challenge}`, tokenHash])
}

/** Uses up the challenge of a session; null where there is none for this. */
export async function takeChallenge(em: EntityManager, tokenHash: string, use: ChallengeUse): Promise<string | null> {
  const [row] = await em.execute<{ challenge: string | null }[]>(
    `with kept as (select token_hash, challenge from person_session where token_hash = ? for update)
     update person_session session set challenge = null from kept where session.token_hash = kept.token_hash
     returning kept.challenge`,
    [tokenHash],
  )
  const kept = row?.challenge ?? ''
  return kept.startsWith(`${use} `) ? kept.slice(use.length + 1) : null
}

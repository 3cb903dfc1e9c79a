import type { EntityManager } from '../../orm.ts'

export interface NewSession {
  /** The vault's keyed hash; only this is stored. */
  tokenHash: string
  personId: string
  endsAt: Date
  now: Date
}

/** Starts a session, in the caller's database transaction. */
export async function startSession(em: EntityManager, { tokenHash, personId, endsAt, now }: NewSession): Promise<void> {
  await em.execute(
    'insert into person_session (token_hash, person_id, created_at, last_used_at, ends_at) values (?, ?, ?, ?, ?)',
    [tokenHash, personId, now, now, endsAt],
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

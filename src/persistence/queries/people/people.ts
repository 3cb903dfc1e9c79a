import { makeIdentifier, type RandomBytes } from '../../../../domain/identifiers.ts'
import { PersonEntity, type PersonRow } from '../../entities/person.ts'
import type { EntityManager } from '../../orm.ts'
import { writeRows } from '../../raw.ts'
import { recordPersonAct } from '../audit/record-act.ts'
import { endInvitationsBy } from './ended-invitations.ts'
import { endSessionsOf } from './sessions.ts'

export interface NewPerson {
  /** In any spelling. */
  email: string
  name: string
  /** See `src/vault/password.ts`. */
  passwordHash: string
  /** Absent where the person acts, whose id is only made here. */
  actor?: string
  randomBytes: RandomBytes
  now: Date
}

/** An email address as it is stored and compared. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/**
 * Makes the account of a person, in the caller's database transaction.
 *
 * @returns null where the email address has an account.
 */
export async function createPerson(
  em: EntityManager,
  { email, name, passwordHash, actor, randomBytes, now }: NewPerson,
): Promise<PersonRow | null> {
  const id = makeIdentifier('person', randomBytes)
  const written = await writeRows(
    em,
    `insert into person (id, email, name, password_hash, created_at) values (?, ?, ?, ?, ?)
     on conflict (email) do nothing`,
    [id, normalEmail(email), name, passwordHash, now],
  )
  if (written === 0) return null
  await recordPersonAct(em, id, 'created', actor === undefined ? {} : { actor })
  return em.findOneOrFail(PersonEntity, { id }, { disableIdentityMap: true })
}

export function findPersonByEmail(em: EntityManager, email: string): Promise<PersonRow | null> {
  return em.findOne(PersonEntity, { email: normalEmail(email) }, { disableIdentityMap: true })
}

export function findPerson(em: EntityManager, id: string): Promise<PersonRow | null> {
  return em.findOne(PersonEntity, { id }, { disableIdentityMap: true })
}

/** Everybody with an account, the oldest account first. */
export function listPeople(em: EntityManager): Promise<PersonRow[]> {
  return em.findAll(PersonEntity, { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true })
}

/**
 * Whether the account still has the password that was compared, and is not disabled. Locks it until the caller's database
 * transaction ends: to compare a password takes a while, in which it may be reset, and the sessions are ended that there are
 * by then.
 */
export async function isUnchanged(em: EntityManager, { id, passwordHash }: PersonRow): Promise<boolean> {
  const found = await em.execute<object[]>(
    'select 1 from person where id = ? and password_hash = ? and disabled_at is null for update',
    [id, passwordHash],
  )
  return found.length > 0
}

/** Records a sign-in, in the caller's database transaction. */
export async function recordSignIn(em: EntityManager, { id }: Pick<PersonRow, 'id'>, now: Date): Promise<void> {
  await em.nativeUpdate(PersonEntity, { id }, { lastSignedInAt: now })
  await recordPersonAct(em, id, 'signed-in')
}

/** Records a sign-out, in the caller's database transaction. */
export function recordSignOut(em: EntityManager, personId: string, { everywhere = false } = {}): Promise<void> {
  return recordPersonAct(em, personId, 'signed-out', { facts: everywhere ? { everywhere } : {} })
}

/** Notes that wrong tries have locked an account, in the caller's database transaction. */
export function recordLock(
  em: EntityManager,
  { id }: Pick<PersonRow, 'id'>,
  { place, proof }: { place: string; proof: string },
): Promise<void> {
  return recordPersonAct(em, id, 'locked', { actor: 'service', facts: { browsers: place, tried: proof } })
}

/**
 * Gives a person the password that the person has chosen, and ends all of the person's sessions, in the caller's database
 * transaction.
 */
export async function setPassword(
  em: EntityManager,
  { id }: Pick<PersonRow, 'id'>,
  { passwordHash }: { passwordHash: string },
): Promise<void> {
  await em.nativeUpdate(PersonEntity, { id }, { passwordHash, resetHash: null, resetExpiresAt: null })
  await endSessionsOf(em, id)
  await recordPersonAct(em, id, 'password-changed')
}

/** How long the link of a reset can be used: an operator sends it while the person waits. */
export const RESET_SECONDS = 24 * 60 * 60

interface Reset {
  /** Of a password that nobody has seen. */
  passwordHash: string
  /** The vault's keyed hash of the link's secret; only this is stored. */
  tokenHash: string
  actor: string
  now: Date
}

/**
 * Takes the password and all sessions of a person, who chooses another password by a one-time link, in the caller's database
 * transaction.
 */
export async function resetPassword(
  em: EntityManager,
  { id }: Pick<PersonRow, 'id'>,
  { passwordHash, tokenHash, actor, now }: Reset,
): Promise<void> {
  const resetExpiresAt = new Date(now.getTime() + RESET_SECONDS * 1000)
  await em.nativeUpdate(PersonEntity, { id }, { passwordHash, resetHash: tokenHash, resetExpiresAt })
  await endSessionsOf(em, id)
  await recordPersonAct(em, id, 'password-reset', { actor })
}

/** The person of the link of a reset; null where it was used or has expired, and for one who is disabled. */
export function findPersonByReset(em: EntityManager, tokenHash: string, now: Date): Promise<PersonRow | null> {
  const open = { resetHash: tokenHash, resetExpiresAt: { $gt: now }, disabledAt: null }
  return em.findOne(PersonEntity, open, { disableIdentityMap: true })
}

/** Whether the time of the link of a reset is over that was neither used nor replaced. */
export async function isResetExpired(em: EntityManager, tokenHash: string, now: Date): Promise<boolean> {
  return (await em.count(PersonEntity, { resetHash: tokenHash, resetExpiresAt: { $lte: now } })) > 0
}

/**
 * Keeps a person out of all projects from the next request on, or lets the person in again, in the caller's database
 * transaction.
 */
export async function setDisabled(
  em: EntityManager,
  { id }: Pick<PersonRow, 'id'>,
  { disabledAt, actor }: { disabledAt: Date | null; actor: string },
): Promise<void> {
  await em.nativeUpdate(PersonEntity, { id }, { disabledAt })
  await endSessionsOf(em, id)
  if (disabledAt !== null) await endInvitationsBy(em, { personId: id, actor })
  await recordPersonAct(em, id, disabledAt === null ? 'enabled' : 'disabled', { actor })
}

import { PersonEntity } from '../../entities/person.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants, writeRows } from '../../raw.ts'
import { recordPersonAct } from '../audit/record-act.ts'

const PASSKEY = { facts: { factor: 'passkey' } }
const CODES = { facts: { factor: 'codes' } }

/** A passkey as its person sees it. */
export interface ListedPasskey {
  /** The id of the credential, in base64url. */
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export interface SecondFactors {
  hasCodeGenerator: boolean
  passkeys: ListedPasskey[]
  recoveryCodesLeft: number
}

/** What a person has beside the password. */
export async function findSecondFactors(em: EntityManager, personId: string): Promise<SecondFactors> {
  const passkeys = await em.execute<ListedPasskey[]>(
    `select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from person_passkey
      where person_id = ? order by created_at, id`,
    [personId],
  )
  const [row] = await em.execute<{ has_generator: boolean; codes: number }[]>(
    `select totp_ciphertext is not null as has_generator,
            (select count(*)::integer from recovery_code where person_id = person.id) as codes
       from person where id = ?`,
    [personId],
  )
  return {
    hasCodeGenerator: row?.has_generator === true,
    passkeys: withInstants(passkeys, 'createdAt', 'lastUsedAt'),
    recoveryCodesLeft: row?.codes ?? 0,
  }
}

export async function hasSecondFactor(em: EntityManager, personId: string): Promise<boolean> {
  const { hasCodeGenerator, passkeys } = await findSecondFactors(em, personId)
  return hasCodeGenerator || passkeys.length > 0
}

/** A passkey as its signatures are verified. */
export interface Passkey {
  id: string
  /** In base64url. */
  publicKey: string
  /** How often its authenticator has signed, where that counts; otherwise 0. */
  signCount: number
  /** How browsers reach it, between commas. */
  transports: string
}

export function listPasskeys(em: EntityManager, personId: string): Promise<Passkey[]> {
  return em.execute<Passkey[]>(
    `select id, public_key as "publicKey", sign_count::float8 as "signCount", transports from person_passkey
      where person_id = ? order by created_at, id`,
    [personId],
  )
}

/**
 * Adds a passkey, in the caller's database transaction.
 *
 * @returns false where somebody has it already.
 */
export async function addPasskey(
  em: EntityManager,
  personId: string,
  { id, publicKey, signCount, transports, name, now }: Passkey & { name: string; now: Date },
): Promise<boolean> {
  const written = await writeRows(
    em,
    `insert into person_passkey (id, person_id, name, public_key, sign_count, transports, created_at)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [id, personId, name, publicKey, signCount, transports, now],
  )
  if (written > 0) await recordPersonAct(em, personId, 'second-factor-added', PASSKEY)
  return written > 0
}

/**
 * Notes a signature of a passkey, in the caller's database transaction.
 *
 * @returns false where the passkey has signed since it was read, or is gone.
 */
export async function recordSignature(
  em: EntityManager,
  personId: string,
  { id, before, after, now }: { id: string; before: number; after: number; now: Date },
): Promise<boolean> {
  const used = await writeRows(
    em,
    'update person_passkey set sign_count = ?, last_used_at = ? where id = ? and person_id = ? and sign_count = ?',
    [after, now, id, personId, before],
  )
  return used > 0
}

/** @returns false where the person has no such passkey. */
export async function removePasskey(em: EntityManager, personId: string, id: string): Promise<boolean> {
  const deleted = await writeRows(em, 'delete from person_passkey where id = ? and person_id = ?', [id, personId])
  if (deleted === 0) return false
  await recordPersonAct(em, personId, 'second-factor-removed', PASSKEY)
  await forgetRecoveryWithoutFactor(em, personId)
  return true
}

/** Sets a person's authenticator app, whose code of `step` was just used, in the caller's database transaction. */
export async function setCodeGenerator(
  em: EntityManager,
  personId: string,
  { ciphertext, keyId, step }: { ciphertext: Uint8Array; keyId: string; step: number },
): Promise<void> {
  const generator = { totpCiphertext: Buffer.from(ciphertext), totpKeyId: keyId, totpStep: step }
  await em.nativeUpdate(PersonEntity, { id: personId }, generator)
  await recordPersonAct(em, personId, 'second-factor-added', CODES)
}

export async function removeCodeGenerator(em: EntityManager, personId: string): Promise<void> {
  await em.nativeUpdate(PersonEntity, { id: personId }, NO_GENERATOR)
  await recordPersonAct(em, personId, 'second-factor-removed', CODES)
  await forgetRecoveryWithoutFactor(em, personId)
}

const NO_GENERATOR = { totpCiphertext: null, totpKeyId: null, totpStep: null }

/**
 * Uses up the code of a step of time and all before it.
 *
 * @returns false where it was used.
 */
export async function spendCode(em: EntityManager, personId: string, step: number): Promise<boolean> {
  return (
    (await writeRows(em, 'update person set totp_step = ? where id = ? and totp_step < ?', [step, personId, step])) > 0
  )
}

/** Replaces all recovery codes of a person, in the caller's database transaction. */
export async function setRecoveryCodes(em: EntityManager, personId: string, hashes: readonly string[]): Promise<void> {
  await em.execute('delete from recovery_code where person_id = ?', [personId])
  await em.execute('insert into recovery_code (code_hash, person_id) select jsonb_array_elements_text(?::jsonb), ?', [
    JSON.stringify(hashes),
    personId,
  ])
  await recordPersonAct(em, personId, 'recovery-codes-made')
}

/** @returns false for a wrong code, and one that was used. */
export async function spendRecoveryCode(em: EntityManager, personId: string, hash: string): Promise<boolean> {
  const used = await writeRows(em, 'delete from recovery_code where code_hash = ? and person_id = ?', [hash, personId])
  if (used > 0) await recordPersonAct(em, personId, 'recovery-code-used')
  return used > 0
}

/** Takes everything beside the password and all sessions from a person, in the caller's database transaction. */
export async function removeSecondFactors(
  em: EntityManager,
  personId: string,
  { actor, reason }: { actor: string; reason: string },
): Promise<void> {
  await em.nativeUpdate(PersonEntity, { id: personId }, NO_GENERATOR)
  for (const table of ['person_passkey', 'recovery_code', 'person_session'])
    await em.execute(`delete from ${table} where person_id = ?`, [personId])
  await recordPersonAct(em, personId, 'second-factors-removed', { facts: { reason }, actor })
}

/** Codes are for who has lost the second factor, and no factor of their own. */
async function forgetRecoveryWithoutFactor(em: EntityManager, personId: string): Promise<void> {
  await em.execute(
    `delete from recovery_code where person_id = ? and not exists (
       select from person where id = recovery_code.person_id and totp_ciphertext is not null
        union all select from person_passkey passkey where passkey.person_id = recovery_code.person_id)`,
    [personId],
  )
}

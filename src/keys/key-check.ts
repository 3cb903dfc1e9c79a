import { type AuditCheckpoint, checkpointHash } from '../audit/checkpoint.ts'
import { tablesMayBeOutdated } from '../database/open-database.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import { addKeyProofs, findKeyProofs, lockKeyProofs } from '../persistence/queries/encrypted/service-keys.ts'
import { StartupError } from '../startup-error.ts'
import { proveKeys, RING_NAMES, ringKeyName } from '../vault/key-proofs.ts'
import type { KeyRing, Keys } from '../vault/keys.ts'
import { createVault, type Vault } from '../vault/vault.ts'
import { countEncrypted, type EncryptedCount, findUndecryptable, inWords } from './re-encryption.ts'

/** One damaged checkpoint is no reason to take the keys for wrong ones. Each covers some thousand entries at most. */
const CHECKPOINTS_READ = 3

type RingName = (typeof RING_NAMES)[number]

/**
 * Makes sure that a process has the keys of the database: with others it would refuse every secret key, and encrypt cards
 * that nobody else can open. See `checkKeys`.
 *
 * @throws StartupError as `checkKeys`, and where the tables are not those of this version.
 */
export async function checkKeysOf(orm: Pick<Orm, 'em'>, keys: Keys): Promise<void> {
  await orm.em
    .fork()
    .transactional((em) => checkKeys(em, keys))
    .catch(tablesMayBeOutdated)
}

/**
 * Compares the keys with the proofs in the database, in the caller's database transaction. Keys that were never seen are
 * taken in: all of them by the first process of a database, where the encrypted columns agree, and new ones of a ring that
 * has others of this database.
 *
 * @throws StartupError naming what does not belong to the database, never a value; nothing is written then.
 */
export async function checkKeys(em: EntityManager, keys: Keys): Promise<void> {
  const proofs = proveKeys(keys)
  const isUnseen = (stored: ReadonlyMap<string, string>) => [...proofs.keys()].some((name) => !stored.has(name))
  const known = await findKeyProofs(em)
  if (isUnseen(known)) await lockKeyProofs(em)
  // Another process may have added its own while the lock was waited for.
  const problems = await compareKeys(em, keys, isUnseen(known) ? await findKeyProofs(em) : known)
  if (problems.length > 0) throw new StartupError(foreignKeysSentence(problems))
  if (isUnseen(known)) await addKeyProofs(em, proofs)
}

/** What a person can do about keys of another database. */
export function foreignKeysSentence(problems: readonly string[]): string {
  return (
    `These are not the keys of this database: ${problems.join('; ')}. Nothing was changed. ` +
    'Give the keys that its other processes have, by DATA_DIR or in the environment.'
  )
}

/**
 * Compares without writing.
 *
 * @returns the names of the variables that do not belong to the database, with the ids of keys and never a value.
 */
export async function findForeignKeys(em: EntityManager, keys: Keys): Promise<string[]> {
  return compareKeys(em, keys, await findKeyProofs(em))
}

async function compareKeys(em: EntityManager, keys: Keys, stored: ReadonlyMap<string, string>): Promise<string[]> {
  const proofs = proveKeys(keys)
  const others = [...proofs].filter(([name, proof]) => stored.has(name) && stored.get(name) !== proof)
  const problems = [...others.map(([name]) => name), ...RING_NAMES.filter((name) => isUnrelated(keys, name, stored))]
  if (problems.length > 0) return problems
  const isSame = stored.size === proofs.size && [...proofs.keys()].every((name) => stored.has(name))
  if (isSame) return []
  const counts = await countEncrypted(em)
  const missing = counts.filter(({ kind, keyId }) => !ringOf(keys, ringNameOf(kind)).keys.has(keyId))
  if (missing.length > 0) return describeMissing(missing)
  return stored.size > 0 ? [] : findDisagreement(em, keys, counts)
}

/** Whether a ring has no key of the database at all. A rotation always leaves one that was there before it. */
function isUnrelated(keys: Keys, name: RingName, stored: ReadonlyMap<string, string>): boolean {
  const isOfRing = (key: string) => key.startsWith(ringKeyName(name, ''))
  const ids = [...ringOf(keys, name).keys.keys()]
  return [...stored.keys()].some(isOfRing) && !ids.some((id) => stored.has(ringKeyName(name, id)))
}

function ringOf(keys: Keys, name: RingName): KeyRing {
  return { CARD_NUMBER_KEYS: keys.cardNumber, SECURITY_CODE_KEYS: keys.securityCode, PAYLOAD_KEYS: keys.payload }[name]
}

/** Keys derived from those of card numbers encrypt the secrets of webhooks. */
function ringNameOf(kind: EncryptedCount['kind']): RingName {
  return kind === 'security code' ? 'SECURITY_CODE_KEYS' : 'CARD_NUMBER_KEYS'
}

function describeMissing(counts: readonly EncryptedCount[]): string[] {
  const byKey = Map.groupBy(counts, ({ kind, keyId }) => `${ringNameOf(kind)} lacks ${keyId}`)
  return [...byKey].map(([lack, needing]) => {
    const isOne = needing.length === 1 && needing[0]?.count === 1
    return `${lack}, which ${needing.map(inWords).join(', ')} ${isOne ? 'needs' : 'need'}`
  })
}

/** In a database without proofs, the encrypted columns and the checkpoints of the audit log must fit the keys. */
async function findDisagreement(em: EntityManager, keys: Keys, counts: readonly EncryptedCount[]): Promise<string[]> {
  const vault = createVault(keys)
  const unopened: string[] = []
  for (const count of counts) {
    const reasons = await findUndecryptable({ orm: { em }, vault }, [count])
    if (reasons.length > 0) unopened.push(ringKeyName(ringNameOf(count.kind), count.keyId))
  }
  // Checkpoints are made under a key that is derived from this one.
  return [...new Set(unopened), ...((await hasForeignCheckpoints(em, vault)) ? ['FINGERPRINT_KEY'] : [])]
}

async function hasForeignCheckpoints(em: EntityManager, vault: Vault): Promise<boolean> {
  const checkpoints = await em.execute<(AuditCheckpoint & { hashes: string[] })[]>(
    `select project_id as "projectId", number, encode(previous_hash, 'hex') as "previousHash",
            entries::text[] as entries, made_at as "madeAt", encode(hash, 'hex') as hash,
            array(select encode(entry.hash, 'hex') from audit_entry entry
                   where entry.number = any(newest.entries) order by entry.number) as hashes
       from (select * from audit_checkpoint order by made_at desc limit ${CHECKPOINTS_READ}) newest`,
  )
  return (
    checkpoints.length > 0 &&
    checkpoints.every((checkpoint) => checkpointHash(vault, checkpoint, checkpoint.hashes) !== checkpoint.hash)
  )
}

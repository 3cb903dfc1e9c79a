import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityManager } from '../persistence/orm.ts'
import { ENCRYPTED, type EncryptedRow, type EncryptedRows } from '../persistence/queries/encrypted/encrypted-rows.ts'
import { VaultError } from '../vault/cipher.ts'
import type { Vault } from '../vault/vault.ts'

/** Rows that one database transaction holds: some ten milliseconds, for which a payment with one of them may wait. */
const BATCH_SIZE = 200

/** Rows that were locked, and rows that a process has encrypted with the old key meanwhile, are left to the next round. */
const ROUND_PAUSE_MS = 500

/** After that many rounds a process encrypts with an old key again and again, and waiting longer does not help. */
const ROUNDS_MAX = 20

/** How many encrypted texts of one kind need a key. */
export interface EncryptedCount {
  what: string
  kind: EncryptedRows['kind']
  keyId: string
  count: number
}

/** Counts encrypted texts by kind and key, in the order of `ENCRYPTED`. */
export async function countEncrypted(em: EntityManager): Promise<EncryptedCount[]> {
  const counts: EncryptedCount[] = []
  for (const { what, kind, countByKey } of ENCRYPTED) {
    for (const [keyId, count] of await countByKey(em)) counts.push({ what, kind, keyId, count })
  }
  return counts
}

/** "2 card numbers", "1 card number". */
export function inWords({ count, what }: Pick<EncryptedCount, 'count' | 'what'>): string {
  return `${count} ${count === 1 ? what.replace(/s\b/, '') : what}`
}

/** Those that are not encrypted with the current key. */
export function encryptedWithOthers(
  vault: Pick<Vault, 'currentKeyId'>,
  counts: readonly EncryptedCount[],
): EncryptedCount[] {
  return counts.filter(({ kind, keyId }) => keyId !== vault.currentKeyId(kind))
}

interface ReencryptionDeps {
  orm: { em: EntityManager }
  vault: Pick<Vault, 'currentKeyId' | 'reencrypt'>
}

export interface ReencryptionProgress {
  what: string
  done: number
  total: number
}

/**
 * Encrypts with the current keys everything that is encrypted with others, batch by batch, each in a transaction of its own:
 * stopped half-way, it continues there when it is run again. Others may read and write the same rows meanwhile.
 *
 * @param report hears of every batch.
 * @returns the encrypted texts that could not be decrypted; their rows are unchanged.
 */
export async function reencryptAll(
  { orm, vault }: ReencryptionDeps,
  report: (progress: ReencryptionProgress) => void = () => undefined,
): Promise<string[]> {
  const broken = new Map<string, string>()
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const others = encryptedWithOthers(vault, await countEncrypted(orm.em.fork()))
    const total = others.reduce((sum, { count }) => sum + count, 0)
    if (total <= broken.size) break
    if (round > 0) await sleep(ROUND_PAUSE_MS)
    for (const { what, keyId, count } of others) {
      const rows = ENCRYPTED.find((candidate) => candidate.what === what)
      if (rows !== undefined) await reencryptRows({ orm, vault }, rows, { keyId, count, broken, report })
    }
  }
  return [...broken.values()]
}

/** One damaged row is no reason to take the keys for wrong ones; so many in a row are. */
const SAMPLE_SIZE = 20

/**
 * Tries some rows of each kind and key without changing them.
 *
 * @returns the reason, for each kind and key of which no row can be decrypted.
 */
export async function findUndecryptable(
  { orm, vault }: ReencryptionDeps,
  counts: readonly EncryptedCount[],
): Promise<string[]> {
  const reasons: string[] = []
  for (const { what, keyId } of counts) {
    const rows = ENCRYPTED.find((candidate) => candidate.what === what)
    if (rows === undefined) continue
    const broken = new Map<string, string>()
    const decrypted = await orm.em.fork().transactional(async (em) => {
      const sample = await rows.lock(em, keyId, { after: '', limit: SAMPLE_SIZE })
      return sample.flatMap((row) => reencrypted(vault, rows, row, broken)).length
    })
    const [reason] = broken.values()
    if (decrypted === 0 && reason !== undefined) reasons.push(reason)
  }
  return reasons
}

interface Reencryption {
  keyId: string
  count: number
  /** By table and id; grows. */
  broken: Map<string, string>
  report: (progress: ReencryptionProgress) => void
}

async function reencryptRows(
  { orm, vault }: ReencryptionDeps,
  rows: EncryptedRows,
  { keyId, count, broken, report }: Reencryption,
): Promise<void> {
  let after = ''
  for (let done = 0; ; ) {
    const locked = await orm.em.fork().transactional(async (em) => {
      const found = await rows.lock(em, keyId, { after, limit: BATCH_SIZE })
      const pairs = found.flatMap((from) => reencrypted(vault, rows, from, broken))
      if (pairs.length > 0) await rows.replace(em, pairs)
      return found
    })
    const last = locked.at(-1)
    if (last === undefined) return
    after = last.id
    done += locked.length
    report({ what: rows.what, done, total: Math.max(count, done) })
  }
}

function reencrypted(
  vault: ReencryptionDeps['vault'],
  { what, kind }: EncryptedRows,
  from: EncryptedRow,
  broken: Map<string, string>,
) {
  const { id, ownerId, ciphertext, keyId } = from
  try {
    const encrypted = vault.reencrypt({ kind, ownerId }, { ciphertext: Buffer.from(ciphertext, 'base64'), keyId })
    const to = { ...from, ciphertext: Buffer.from(encrypted.ciphertext).toString('base64'), keyId: encrypted.keyId }
    return [{ from, to }]
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    broken.set(`${what} ${id}`, error.message)
    return []
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityManager } from '../persistence/orm.ts'
import { SEALED, type SealedRow, type SealedRows } from '../persistence/queries/sealed/sealed-rows.ts'
import { VaultError } from '../vault/cipher.ts'
import type { Vault } from '../vault/vault.ts'

/** Rows that one database transaction holds: some ten milliseconds, for which a payment with one of them may wait. */
const BATCH_SIZE = 200

/** Rows that somebody held, and those that a process has sealed under the old key meanwhile, are for the next round. */
const ROUND_PAUSE_MS = 500

/** After that many rounds something is sealed under an old key again and again, and waiting longer does not help. */
const ROUNDS_MAX = 20

/** How many sealed texts of one kind need a key. */
export interface SealedCount {
  what: string
  kind: SealedRows['kind']
  keyId: string
  count: number
}

/** What is sealed under which key, in the order of the list of everything that is. */
export async function countSealed(em: EntityManager): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const { what, kind, countByKey } of SEALED) {
    for (const [keyId, count] of await countByKey(em)) counts.push({ what, kind, keyId, count })
  }
  return counts
}

/** What is not sealed under the current key. */
export function sealedUnderOthers(vault: Pick<Vault, 'currentKeyId'>, counts: readonly SealedCount[]): SealedCount[] {
  return counts.filter(({ kind, keyId }) => keyId !== vault.currentKeyId(kind))
}

interface ResealDeps {
  orm: { em: EntityManager }
  vault: Pick<Vault, 'currentKeyId' | 'reseal'>
}

export interface ResealProgress {
  what: string
  done: number
  total: number
}

/**
 * Seals everything under the current keys that is sealed under others, batch by batch, each in a transaction of its own:
 * ended half-way, it goes on where it was when it is run again. Others may read and write the same rows meanwhile.
 *
 * @param tell hears of every batch.
 * @returns the sealed texts that could not be opened; their rows are as they were.
 */
export async function resealAll(
  { orm, vault }: ResealDeps,
  tell: (progress: ResealProgress) => void = () => undefined,
): Promise<string[]> {
  const broken = new Map<string, string>()
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const others = sealedUnderOthers(vault, await countSealed(orm.em.fork()))
    const total = others.reduce((sum, { count }) => sum + count, 0)
    if (total <= broken.size) break
    if (round > 0) await sleep(ROUND_PAUSE_MS)
    for (const { what, keyId, count } of others) {
      const rows = SEALED.find((candidate) => candidate.what === what)
      if (rows !== undefined) await resealRows({ orm, vault }, rows, { keyId, count, broken, tell })
    }
  }
  return [...broken.values()]
}

/** One damaged row is no reason to take the keys for wrong ones; so many in a row are. */
const SAMPLE_SIZE = 20

/**
 * Tries some rows of each kind and key without changing them.
 *
 * @returns why, for each kind and key of which none of them opens.
 */
export async function findUnopened({ orm, vault }: ResealDeps, counts: readonly SealedCount[]): Promise<string[]> {
  const reasons: string[] = []
  for (const { what, keyId } of counts) {
    const rows = SEALED.find((candidate) => candidate.what === what)
    if (rows === undefined) continue
    const broken = new Map<string, string>()
    const opened = await orm.em.fork().transactional(async (em) => {
      const sample = await rows.hold(em, keyId, { after: '', limit: SAMPLE_SIZE })
      return sample.flatMap((row) => resealed(vault, rows, row, broken)).length
    })
    const [reason] = broken.values()
    if (opened === 0 && reason !== undefined) reasons.push(reason)
  }
  return reasons
}

interface Resealing {
  keyId: string
  count: number
  /** By table and id; grows. */
  broken: Map<string, string>
  tell: (progress: ResealProgress) => void
}

async function resealRows(
  { orm, vault }: ResealDeps,
  rows: SealedRows,
  { keyId, count, broken, tell }: Resealing,
): Promise<void> {
  let after = ''
  for (let done = 0; ; ) {
    const held = await orm.em.fork().transactional(async (em) => {
      const found = await rows.hold(em, keyId, { after, limit: BATCH_SIZE })
      const pairs = found.flatMap((from) => resealed(vault, rows, from, broken))
      if (pairs.length > 0) await rows.replace(em, pairs)
      return found
    })
    const last = held.at(-1)
    if (last === undefined) return
    after = last.id
    done += held.length
    tell({ what: rows.what, done, total: Math.max(count, done) })
  }
}

function resealed(
  vault: ResealDeps['vault'],
  { what, kind }: SealedRows,
  from: SealedRow,
  broken: Map<string, string>,
) {
  const { id, ownerId, ciphertext, keyId } = from
  try {
    const sealed = vault.reseal({ kind, ownerId }, { ciphertext: Buffer.from(ciphertext, 'base64'), keyId })
    const to = { ...from, ciphertext: Buffer.from(sealed.ciphertext).toString('base64'), keyId: sealed.keyId }
    return [{ from, to }]
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    broken.set(`${what} ${id}`, error.message)
    return []
  }
}

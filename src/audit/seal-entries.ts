import type { Clock } from '../clock.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import type { Vault } from '../vault/vault.ts'
import { type AuditSeal, isOf, sealHash } from './seal.ts'

/** Any number does, as long as nothing else in this database takes an advisory lock of the same one. */
const ADVISORY_LOCK = 4_810_273_552

/** Entries of one database transaction; it takes some hundred milliseconds and holds up nobody who writes. */
const BATCH_SIZE = 5_000

export interface SealDeps {
  orm: Orm
  vault: Pick<Vault, 'sealAudit'>
  clock: Clock
}

/**
 * Seals what was committed and is not sealed yet, up to the newest of the entries that are there now, so that it comes to
 * an end under any load. Where another process is sealing, it is left to that one.
 *
 * @returns how many entries were sealed.
 */
export async function sealEntries(deps: SealDeps, stopping?: AbortSignal, batchSize = BATCH_SIZE): Promise<number> {
  const [newest] = await deps.orm.em
    .fork()
    .execute<{ number: string | null }[]>('select max(number)::text as number from audit_unsealed')
  let total = 0
  if (newest?.number == null) return total
  for (;;) {
    if (stopping?.aborted === true) return total
    const { number } = newest
    const sealed = await deps.orm.em.fork().transactional((em) => sealBatch(deps, em, number, batchSize))
    total += sealed
    if (sealed < batchSize) return total
  }
}

async function sealBatch({ vault, clock }: SealDeps, em: EntityManager, until: string, limit: number): Promise<number> {
  const [lock] = await em.execute<{ taken: boolean }[]>(`select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as taken`)
  if (lock?.taken !== true) return 0
  // A number without its entry stays, and the verification tells of it.
  const entries = await em.execute<{ number: string; projectId: string | null; hash: string }[]>(
    `with oldest as (
       select entry.number, entry.project_id, entry.hash
         from audit_unsealed join audit_entry entry on entry.number = audit_unsealed.number
        where audit_unsealed.number <= ?::bigint order by entry.number limit ?
     ), taken as (
       delete from audit_unsealed where number in (select number from oldest)
     )
     select number::text as number, project_id as "projectId", encode(hash, 'hex') as hash from oldest
      order by oldest.number`,
    [until, limit],
  )
  const sealedAt = clock.now().toISOString()
  for (const [projectId, own] of Map.groupBy(entries, (entry) => entry.projectId)) {
    const previous = await findNewestSeal(em, projectId)
    const seal = {
      projectId,
      number: (previous?.number ?? 0) + 1,
      previousHash: previous?.hash ?? null,
      entries: own.map(({ number }) => number),
      sealedAt,
    }
    const hashes = own.map(({ hash }) => hash)
    await insertSeal(em, { ...seal, hash: sealHash(vault, seal, hashes) })
  }
  return entries.length
}

async function findNewestSeal(
  em: EntityManager,
  projectId: string | null,
): Promise<Pick<AuditSeal, 'number' | 'hash'> | undefined> {
  const [newest] = await em.execute<{ number: number; hash: string }[]>(
    `select number, encode(hash, 'hex') as hash from audit_seal
      where ${isOf(projectId)} order by number desc limit 1`,
    projectId === null ? [] : [projectId],
  )
  return newest
}

async function insertSeal(
  em: EntityManager,
  { projectId, number, previousHash, entries, sealedAt, hash }: AuditSeal,
): Promise<void> {
  await em.execute(
    `insert into audit_seal (project_id, number, previous_hash, entries, sealed_at, hash)
     values (?, ?, decode(?, 'hex'), ?::bigint[], ?, decode(?, 'hex'))`,
    [projectId, number, previousHash, `{${entries.join()}}`, sealedAt, hash],
  )
}

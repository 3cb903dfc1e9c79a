import type { Clock } from '../clock.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import type { Vault } from '../vault/vault.ts'
import { type AuditCheckpoint, checkpointHash, isOf } from './checkpoint.ts'

/** Any number does, as long as nothing else in this database takes an advisory lock of the same one. */
const ADVISORY_LOCK = 4_810_273_552

/** Entries of one database transaction; it takes some hundred milliseconds and holds up nobody who writes. */
const BATCH_SIZE = 5_000

export interface CheckpointDeps {
  orm: Orm
  vault: Pick<Vault, 'signCheckpoint'>
  clock: Clock
}

/**
 * Writes checkpoints for the entries that wait, up to the newest that is there now, so that it ends under any load. Does
 * nothing while another process writes them.
 *
 * @returns how many entries were covered.
 */
export async function writeCheckpoints(
  deps: CheckpointDeps,
  stopping?: AbortSignal,
  batchSize = BATCH_SIZE,
): Promise<number> {
  const [newest] = await deps.orm.em
    .fork()
    .execute<{ number: string | null }[]>('select max(number)::text as number from audit_waiting')
  let total = 0
  if (newest?.number == null) return total
  for (;;) {
    if (stopping?.aborted === true) return total
    const { number } = newest
    const covered = await deps.orm.em.fork().transactional((em) => writeBatch(deps, em, number, batchSize))
    total += covered
    if (covered < batchSize) return total
  }
}

async function writeBatch(
  { vault, clock }: CheckpointDeps,
  em: EntityManager,
  until: string,
  limit: number,
): Promise<number> {
  const [lock] = await em.execute<{ taken: boolean }[]>(`select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as taken`)
  if (lock?.taken !== true) return 0
  // A number without its entry stays, and the verification tells of it.
  const entries = await em.execute<{ number: string; projectId: string | null; hash: string }[]>(
    `with oldest as (
       select entry.number, entry.project_id, entry.hash
         from audit_waiting join audit_entry entry on entry.number = audit_waiting.number
        where audit_waiting.number <= ?::bigint order by entry.number limit ?
     ), taken as (
       delete from audit_waiting where number in (select number from oldest)
     )
     select number::text as number, project_id as "projectId", encode(hash, 'hex') as hash from oldest
      order by oldest.number`,
    [until, limit],
  )
  const madeAt = clock.now().toISOString()
  for (const [projectId, own] of Map.groupBy(entries, (entry) => entry.projectId)) {
    const previous = await findNewestCheckpoint(em, projectId)
    const checkpoint = {
      projectId,
      number: (previous?.number ?? 0) + 1,
      previousHash: previous?.hash ?? null,
      entries: own.map(({ number }) => number),
      madeAt,
    }
    const hashes = own.map(({ hash }) => hash)
    await insertCheckpoint(em, { ...checkpoint, hash: checkpointHash(vault, checkpoint, hashes) })
  }
  return entries.length
}

async function findNewestCheckpoint(
  em: EntityManager,
  projectId: string | null,
): Promise<Pick<AuditCheckpoint, 'number' | 'hash'> | undefined> {
  const [newest] = await em.execute<{ number: number; hash: string }[]>(
    `select number, encode(hash, 'hex') as hash from audit_checkpoint
      where ${isOf(projectId)} order by number desc limit 1`,
    projectId === null ? [] : [projectId],
  )
  return newest
}

async function insertCheckpoint(
  em: EntityManager,
  { projectId, number, previousHash, entries, madeAt, hash }: AuditCheckpoint,
): Promise<void> {
  await em.execute(
    `insert into audit_checkpoint (project_id, number, previous_hash, entries, made_at, hash)
     values (?, ?, decode(?, 'hex'), ?::bigint[], ?, decode(?, 'hex'))`,
    [projectId, number, previousHash, `{${entries.join()}}`, madeAt, hash],
  )
}

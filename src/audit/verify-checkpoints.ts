import type { EntityManager } from '../persistence/orm.ts'
import type { Vault } from '../vault/vault.ts'
import { type AuditCheckpoint, checkpointHash, isOf } from './checkpoint.ts'

/** Checkpoints in memory at a time; each covers some thousand entries at most. */
const BATCH_SIZE = 50
/** Entries whose membership is wrong are told one by one, up to here; whoever emptied a table needs no more lines. */
const REPORTED_MAX = 1_000

export interface CheckpointCounts {
  checkpoints: number
  /** Entries that wait for their checkpoint. */
  waiting: number
  /** Of each project, and of the service. */
  newest: AuditCheckpoint[]
}

/**
 * The least that the column can hold: a checkpoint below the first would vouch for its entries and never be verified.
 */
const NUMBER_MIN = -(2 ** 31)

type ReportFault = (fault: string) => void

/**
 * Recomputes every checkpoint with the key of the vault, from the hashes of its entries: those were held against what
 * the entries say before. Each entry is in one checkpoint, or waits for one.
 *
 * @param expected hashes of checkpoints that were written down elsewhere; each must still be there.
 */
export async function verifyCheckpoints(
  em: EntityManager,
  vault: Pick<Vault, 'signCheckpoint'>,
  { projectId, expected }: { projectId: string | null; expected: readonly string[] },
  report: ReportFault,
): Promise<CheckpointCounts> {
  const missing = new Set(expected)
  const newest: AuditCheckpoint[] = []
  let checkpoints = 0
  for await (const checkpoint of readCheckpoints(em, projectId)) {
    checkpoints += 1
    const last = newest.at(-1)
    const previous = last?.projectId === checkpoint.projectId ? last : undefined
    for (const fault of await checkpointFaults(em, vault, checkpoint, previous))
      report(`${nameOf(checkpoint)} ${fault}`)
    missing.delete(checkpoint.hash)
    if (previous !== undefined) newest.pop()
    newest.push(checkpoint)
  }
  for (const hash of missing) report(`the checkpoint ${hash}, which was written down, is not there`)
  await reportMembership(em, projectId, report)
  return { checkpoints, waiting: await countWaiting(em, projectId), newest }
}

const nameOf = ({ projectId, number }: AuditCheckpoint) =>
  `checkpoint ${number} of ${projectId === null ? 'the service' : `project ${projectId}`}`

/** Owner by owner, the service first where everything is read: so each batch is found by the index. */
async function* readCheckpoints(em: EntityManager, projectId: string | null): AsyncGenerator<AuditCheckpoint> {
  for (const owner of projectId === null ? await findOwners(em) : [projectId]) yield* readCheckpointsOf(em, owner)
}

async function findOwners(em: EntityManager): Promise<(string | null)[]> {
  const rows = await em.execute<{ projectId: string | null }[]>(
    'select distinct project_id as "projectId" from audit_checkpoint order by 1 nulls first',
  )
  return rows.map((row) => row.projectId)
}

async function* readCheckpointsOf(em: EntityManager, owner: string | null): AsyncGenerator<AuditCheckpoint> {
  let last: AuditCheckpoint | undefined
  do {
    const checkpoints: AuditCheckpoint[] = await em.execute<AuditCheckpoint[]>(
      `select project_id as "projectId", number, encode(previous_hash, 'hex') as "previousHash",
              entries::text[] as entries, made_at as "madeAt", encode(hash, 'hex') as hash
         from audit_checkpoint where ${isOf(owner)} and number >= ? order by number limit ${BATCH_SIZE}`,
      [...(owner === null ? [] : [owner]), last === undefined ? NUMBER_MIN : last.number + 1],
    )
    yield* checkpoints
    last = checkpoints.length < BATCH_SIZE ? undefined : checkpoints.at(-1)
  } while (last !== undefined)
}

async function checkpointFaults(
  em: EntityManager,
  vault: Pick<Vault, 'signCheckpoint'>,
  checkpoint: AuditCheckpoint,
  previous: AuditCheckpoint | undefined,
): Promise<string[]> {
  const faults: string[] = []
  const expected = (previous?.number ?? 0) + 1
  if (checkpoint.number !== expected) faults.push(`stands where checkpoint ${expected} should be`)
  else if (checkpoint.previousHash !== (previous?.hash ?? null)) faults.push('does not follow the checkpoint before it')
  const entries = await em.execute<{ number: string; projectId: string | null; hash: string }[]>(
    `select number::text as number, project_id as "projectId", encode(hash, 'hex') as hash from audit_entry
      where number = any(?::bigint[]) order by audit_entry.number`,
    [`{${checkpoint.entries.join()}}`],
  )
  const found = new Set(entries.map(({ number }) => number))
  for (const number of checkpoint.entries.filter((one) => !found.has(one)))
    faults.push(`covers entry ${number}, which is gone`)
  for (const { number, projectId } of entries)
    if (projectId !== checkpoint.projectId)
      faults.push(`covers entry ${number}, which says that it is of another project`)
  const hashes = entries.map(({ hash }) => hash)
  if (checkpointHash(vault, checkpoint, hashes) !== checkpoint.hash)
    faults.push('was not made with the key of this service over these entries')
  return faults
}

async function reportMembership(em: EntityManager, projectId: string | null, report: ReportFault): Promise<void> {
  const ofProject = projectId === null ? [] : [projectId]
  const reportAll = async (numbers: string, given: string[], fault: string) => {
    const rows = await em.execute<{ number: string }[]>(
      `select number::text as number from (${numbers}) wrong order by wrong.number limit ${REPORTED_MAX}`,
      given,
    )
    for (const { number } of rows) report(`entry ${number} ${fault}`)
  }
  await reportAll(
    `select entry.number from audit_entry entry
      where not exists (select from audit_waiting where audit_waiting.number = entry.number)
        and not exists (
          select from (select unnest(entries) as number from audit_checkpoint) covered where covered.number = entry.number)
        ${projectId === null ? '' : 'and entry.project_id = ?'}`,
    ofProject,
    'is in no checkpoint and does not wait for one',
  )
  await reportAll(
    `select listed.number
       from (select unnest(entries) as number from audit_checkpoint union all select number from audit_waiting) listed
       left join audit_entry entry on entry.number = listed.number
      ${projectId === null ? '' : 'where entry.project_id = ? or entry.number is null'}
      group by listed.number having count(*) > 1`,
    ofProject,
    'is in a checkpoint, or waits for one, more than once',
  )
  await reportAll(
    `select number from audit_waiting
      where not exists (select from audit_entry where audit_entry.number = audit_waiting.number)`,
    [],
    'waited for its checkpoint and is gone',
  )
}

async function countWaiting(em: EntityManager, projectId: string | null): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::integer as count
       from audit_waiting join audit_entry entry on entry.number = audit_waiting.number
      ${projectId === null ? '' : 'where entry.project_id = ?'}`,
    projectId === null ? [] : [projectId],
  )
  return row?.count ?? 0
}

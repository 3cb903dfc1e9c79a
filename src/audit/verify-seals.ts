import type { EntityManager } from '../persistence/orm.ts'
import type { Vault } from '../vault/vault.ts'
import { type AuditSeal, isOf, sealHash } from './seal.ts'

/** Seals in memory at a time; each covers some thousand entries at most. */
const BATCH_SIZE = 50
/** Entries whose membership is wrong are told one by one, up to here; whoever emptied a table needs no more lines. */
const TOLD_MAX = 1_000

export interface SealCounts {
  seals: number
  /** Entries that wait for their seal. */
  unsealed: number
  /** Of each project, and of the service. */
  newest: AuditSeal[]
}

/** The least that the column can hold: a seal below the first would vouch for its entries and be verified by nobody. */
const NUMBER_MIN = -(2 ** 31)

type Tell = (fault: string) => void

/**
 * Recomputes every seal with the key of the vault, from the hashes of its entries: those were held against what the
 * entries say before. Each entry is in one seal, or waits for it.
 *
 * @param expected hashes of seals that were written down elsewhere; each must still be there.
 */
export async function verifySeals(
  em: EntityManager,
  vault: Pick<Vault, 'sealAudit'>,
  { projectId, expected }: { projectId: string | null; expected: readonly string[] },
  tell: Tell,
): Promise<SealCounts> {
  const missing = new Set(expected)
  const newest: AuditSeal[] = []
  let seals = 0
  for await (const seal of readSeals(em, projectId)) {
    seals += 1
    const last = newest.at(-1)
    const previous = last?.projectId === seal.projectId ? last : undefined
    for (const fault of await sealFaults(em, vault, seal, previous)) tell(`${nameOf(seal)} ${fault}`)
    missing.delete(seal.hash)
    if (previous !== undefined) newest.pop()
    newest.push(seal)
  }
  for (const hash of missing) tell(`the seal ${hash}, which was written down, is not there`)
  await tellMembership(em, projectId, tell)
  return { seals, unsealed: await countUnsealed(em, projectId), newest }
}

const nameOf = ({ projectId, number }: AuditSeal) =>
  `seal ${number} of ${projectId === null ? 'the service' : `project ${projectId}`}`

/** Owner by owner, the service first where everything is read: so each batch is found by the index. */
async function* readSeals(em: EntityManager, projectId: string | null): AsyncGenerator<AuditSeal> {
  for (const owner of projectId === null ? await findOwners(em) : [projectId]) yield* readSealsOf(em, owner)
}

async function findOwners(em: EntityManager): Promise<(string | null)[]> {
  const rows = await em.execute<{ projectId: string | null }[]>(
    'select distinct project_id as "projectId" from audit_seal order by 1 nulls first',
  )
  return rows.map((row) => row.projectId)
}

async function* readSealsOf(em: EntityManager, owner: string | null): AsyncGenerator<AuditSeal> {
  let last: AuditSeal | undefined
  do {
    const seals: AuditSeal[] = await em.execute<AuditSeal[]>(
      `select project_id as "projectId", number, encode(previous_hash, 'hex') as "previousHash",
              entries::text[] as entries, sealed_at as "sealedAt", encode(hash, 'hex') as hash
         from audit_seal where ${isOf(owner)} and number >= ? order by number limit ${BATCH_SIZE}`,
      [...(owner === null ? [] : [owner]), last === undefined ? NUMBER_MIN : last.number + 1],
    )
    yield* seals
    last = seals.length < BATCH_SIZE ? undefined : seals.at(-1)
  } while (last !== undefined)
}

async function sealFaults(
  em: EntityManager,
  vault: Pick<Vault, 'sealAudit'>,
  seal: AuditSeal,
  previous: AuditSeal | undefined,
): Promise<string[]> {
  const faults: string[] = []
  const expected = (previous?.number ?? 0) + 1
  if (seal.number !== expected) faults.push(`stands where seal ${expected} should be`)
  else if (seal.previousHash !== (previous?.hash ?? null)) faults.push('does not follow the seal before it')
  const entries = await em.execute<{ number: string; projectId: string | null; hash: string }[]>(
    `select number::text as number, project_id as "projectId", encode(hash, 'hex') as hash from audit_entry
      where number = any(?::bigint[]) order by audit_entry.number`,
    [`{${seal.entries.join()}}`],
  )
  const found = new Set(entries.map(({ number }) => number))
  for (const number of seal.entries.filter((one) => !found.has(one)))
    faults.push(`covers entry ${number}, which is gone`)
  for (const { number, projectId } of entries)
    if (projectId !== seal.projectId) faults.push(`covers entry ${number}, which says that it is of another project`)
  const hash = sealHash(
    vault,
    seal,
    entries.map((entry) => entry.hash),
  )
  if (hash !== seal.hash) faults.push('was not made with the key of this service over these entries')
  return faults
}

async function tellMembership(em: EntityManager, projectId: string | null, tell: Tell): Promise<void> {
  const given = projectId === null ? [] : [projectId]
  const ofProject = projectId === null ? '' : 'and entry.project_id = ?'
  const adrift = await em.execute<{ number: string }[]>(
    `select entry.number::text as number from audit_entry entry
      where not exists (select from audit_unsealed where audit_unsealed.number = entry.number)
        and not exists (
          select from (select unnest(entries) as number from audit_seal) sealed where sealed.number = entry.number)
        ${ofProject}
      order by entry.number limit ${TOLD_MAX}`,
    given,
  )
  for (const { number } of adrift) tell(`entry ${number} is in no seal and does not wait for one`)
  const twice = await em.execute<{ number: string }[]>(
    `select listed.number::text as number
       from (select unnest(entries) as number from audit_seal union all select number from audit_unsealed) listed
       left join audit_entry entry on entry.number = listed.number
      where true ${projectId === null ? '' : 'and (entry.project_id = ? or entry.number is null)'}
      group by listed.number having count(*) > 1 order by listed.number limit ${TOLD_MAX}`,
    given,
  )
  for (const { number } of twice) tell(`entry ${number} is sealed, or waits for it, more than once`)
  const lost = await em.execute<{ number: string }[]>(
    `select number::text as number from audit_unsealed
      where not exists (select from audit_entry where audit_entry.number = audit_unsealed.number)
      order by audit_unsealed.number limit ${TOLD_MAX}`,
  )
  for (const { number } of lost) tell(`entry ${number} waited for its seal and is gone`)
}

async function countUnsealed(em: EntityManager, projectId: string | null): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::integer as count
       from audit_unsealed join audit_entry entry on entry.number = audit_unsealed.number
      ${projectId === null ? '' : 'where entry.project_id = ?'}`,
    projectId === null ? [] : [projectId],
  )
  return row?.count ?? 0
}

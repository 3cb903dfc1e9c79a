import { AUDITED_TABLES, type AuditedTable, auditedState, isSettings } from '../database/audited-columns.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { type ChainRows, createChainRows } from './chain-rows.ts'
import { type AuditEntry, ENTRY_COLUMNS, hashOf } from './entry.ts'

/** Entries in memory at a time. */
const BATCH_SIZE = 5_000
/** Chains whose rows are read at a time. */
const CHAINS_COMPARED = 500

export interface ChainCounts {
  entries: number
  chains: number
  /** Rows of the record and of settings that were held against the log. */
  rows: number
}

type ReportFault = (fault: string) => void

/** A chain as far as it was read. */
interface Chain {
  name: string
  last: AuditEntry
  rows: ChainRows
}

/**
 * Reads every chain from its first entry to its last: each entry has the hash of what it says and follows the one before
 * it, and the last state of each row is the row as it is now.
 */
export async function verifyChains(
  em: EntityManager,
  projectId: string | null,
  report: ReportFault,
): Promise<ChainCounts> {
  const counts: ChainCounts = { entries: 0, chains: 0, rows: 0 }
  const ended: Chain[] = []
  let chain = null as Chain | null
  const end = async (atOnce: number) => {
    if (chain !== null) ended.push(chain)
    if (ended.length < atOnce) return
    counts.rows += await compareRows(em, ended.splice(0), report)
  }
  for await (const entry of readEntries(em, projectId)) {
    counts.entries += 1
    if (chain?.name !== entry.chain) {
      await end(CHAINS_COMPARED)
      counts.chains += 1
      chain = null
    }
    for (const fault of linkFaults(entry, chain?.last ?? null)) report(`${nameOf(entry)} ${fault}`)
    const rows: ChainRows = chain?.rows ?? createChainRows(isAdministrative(entry) ? 'settings' : 'payment')
    for (const fault of rows.take(entry)) report(`${nameOf(entry)} ${fault}`)
    chain = { name: entry.chain, last: entry, rows }
  }
  await end(1)
  for (const rows of [UNLOGGED_PAYMENTS, UNLOGGED_SETTINGS]) await reportUnlogged(em, rows, projectId, report)
  return counts
}

async function* readEntries(em: EntityManager, projectId: string | null): AsyncGenerator<AuditEntry> {
  let last: AuditEntry | undefined
  do {
    const after: unknown[] = last === undefined ? [] : [last.chain, last.position]
    const entries: AuditEntry[] = await em.execute<AuditEntry[]>(
      `select ${ENTRY_COLUMNS} from audit_entry entry
        where true ${projectId === null ? '' : 'and entry.project_id = ?'}
          ${after.length === 0 ? '' : 'and (entry.chain, entry.position) > (?, ?)'}
        order by entry.chain, entry.position limit ${BATCH_SIZE}`,
      [...(projectId === null ? [] : [projectId]), ...after],
    )
    yield* entries
    last = entries.length < BATCH_SIZE ? undefined : entries.at(-1)
  } while (last !== undefined)
}

const nameOf = ({ chain, position, number }: AuditEntry) => `${chain}: entry ${position} (number ${number})`

function linkFaults(entry: AuditEntry, previous: AuditEntry | null): string[] {
  const expected = (previous?.position ?? 0) + 1
  const faults: string[] = []
  if (entry.hash !== hashOf(entry)) faults.push('does not have the hash of what it says')
  if (entry.position !== expected) faults.push(`stands where entry ${expected} should be`)
  else if (entry.previousHash !== (previous?.hash ?? null)) faults.push('does not follow the entry before it')
  if (previous !== null && (entry.projectId !== previous.projectId || !isOfItsChain(entry, previous)))
    faults.push('belongs to another project or environment than the entry before it')
  return faults
}

/** Acts on a project concern one environment, the other, or both; a transaction stays in its own. */
function isOfItsChain(entry: AuditEntry, previous: AuditEntry): boolean {
  return isAdministrative(entry) || entry.sandbox === previous.sandbox
}

function isAdministrative({ chain, projectId }: AuditEntry): boolean {
  return chain === (projectId === null ? SERVICE_CHAIN : `${PROJECT_CHAIN}${projectId}`)
}

/** @returns how many rows there are. */
async function compareRows(em: EntityManager, chains: readonly Chain[], report: ReportFault): Promise<number> {
  const names = JSON.stringify(chains.map(({ name }) => name))
  const found: { chain: string; table: AuditedTable; state: Record<string, unknown> }[] = []
  for (const table of Object.keys(AUDITED_TABLES) as AuditedTable[]) {
    const rows = await em.execute<Omit<(typeof found)[number], 'table'>[]>(selectAudited(table), [names])
    for (const row of rows) found.push({ ...row, table })
  }
  const byChain = Map.groupBy(found, ({ chain }) => chain)
  for (const { name, rows } of chains) {
    for (const fault of rows.compare(byChain.get(name) ?? [])) report(`${name}: ${fault}`)
  }
  return found.length
}

/** The chain of what belongs to no project: people, and acts on everything. */
const SERVICE_CHAIN = 'service'

/** The names of the chains of projects begin with it. */
const PROJECT_CHAIN = 'project '

/**
 * The statement that reads rows as the log has them, by the names of the chains that they belong to. It asks no function of
 * the database that it verifies.
 */
function selectAudited(table: AuditedTable): string {
  const state = auditedState(table)
  if (table === 'person') {
    return `select '${SERVICE_CHAIN}' as chain, ${state} as state from person
      where '${SERVICE_CHAIN}' in (select jsonb_array_elements_text(?::jsonb))`
  }
  if (isSettings(table)) {
    const owner = table === 'project' ? 'id' : 'project_id'
    return `select '${PROJECT_CHAIN}' || ${owner} as chain, ${state} as state from ${table}
      where ${owner} in (
        select substr(name, ${PROJECT_CHAIN.length + 1}) from jsonb_array_elements_text(?::jsonb) as chain (name)
         where starts_with(name, '${PROJECT_CHAIN}'))`
  }
  const chain = table === 'transaction' ? 'id' : 'transaction_id'
  return `select ${chain} as chain, ${state} as state from ${table}
    where ${chain} in (select jsonb_array_elements_text(?::jsonb))`
}

/** Transactions of which the log knows nothing, or not as those of their project. */
const UNLOGGED_PAYMENTS = `select id, project_id,
    case when exists (select from audit_entry where chain = transaction.id)
      then 'the transaction is of another project or environment than its chain' else 'the transaction has no chain'
    end as fault
  from transaction where not exists (
    select from audit_entry entry
     where entry.chain = transaction.id and entry.project_id = transaction.project_id
       and entry.sandbox = transaction.sandbox)`

/** Projects of whose settings it knows nothing, also those that are gone and have left some. */
const UNLOGGED_SETTINGS = `select chain as id, project_id, 'the settings have no chain' as fault
  from (select 'project ' || project_id as chain, project_id from (
    select id as project_id from project
    union select project_id from api_key union select project_id from gateway_configuration) owner) settings
  where not exists (select from audit_entry where audit_entry.chain = settings.chain)`

async function reportUnlogged(
  em: EntityManager,
  unlogged: string,
  projectId: string | null,
  report: ReportFault,
): Promise<void> {
  let last = ''
  for (;;) {
    const rows: { id: string; fault: string }[] = await em.execute(
      `select id, fault from (${unlogged}) unlogged
        where id > ? ${projectId === null ? '' : 'and project_id = ?'} order by id limit ${BATCH_SIZE}`,
      [last, ...(projectId === null ? [] : [projectId])],
    )
    for (const { id, fault } of rows) report(`${id}: ${fault}`)
    if (rows.length < BATCH_SIZE) return
    last = rows.at(-1)?.id ?? ''
  }
}

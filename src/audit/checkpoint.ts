import type { Vault } from '../vault/vault.ts'

/** A checkpoint as it is stored; it covers entries of one project, or of the service where that is null. */
export interface AuditCheckpoint {
  projectId: string | null
  number: number
  previousHash: string | null
  /** The numbers of the entries that it covers, in ascending order. */
  entries: readonly string[]
  madeAt: string
  hash: string
}

/**
 * The condition on the checkpoints of a project, or of the service; the project is its parameter where there is one. It
 * has two spellings, because PostgreSQL uses no index for "is not distinct from", and checkpoints are kept for good.
 */
export function isOf(projectId: string | null): string {
  return projectId === null ? 'project_id is null' : 'project_id = ?'
}

/**
 * The hash that a checkpoint must have. It covers the checkpoint before, and so all earlier ones, and by their hashes
 * the entries.
 *
 * @param entryHashes of its entries, in their order.
 */
export function checkpointHash(
  vault: Pick<Vault, 'signCheckpoint'>,
  { projectId, number, previousHash, entries, madeAt }: Omit<AuditCheckpoint, 'hash'>,
  entryHashes: readonly string[],
): string {
  const head = [
    'holdfast audit checkpoint 1',
    projectId ?? 'service',
    number,
    previousHash ?? '',
    madeAt,
    entries.join(),
  ]
  return vault.signCheckpoint([...head, ...entryHashes].join('\n'))
}
